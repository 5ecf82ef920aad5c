"""Readers of scores: each tool's export becomes scores, and every row is kept or told of."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.campaign import MQM, Campaign, MqmWeights, Scores
from analysis.errors import ReadingError
from analysis.formats import ReadReport, read, read_many, read_path
from analysis.formats.spans import parse_list
from analysis.rankers.mean import Mean
from analysis.ranking.ranking import rank
from analysis.reporting.methods_paragraph import methods_paragraph

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def frame(campaign: Campaign) -> pd.DataFrame:
    """Return a campaign's scores with names for codes."""
    scores = of(campaign)
    return pd.DataFrame(
        {
            "pair": np.array(campaign.pairs)[scores.pair],
            "system": np.array(campaign.systems)[scores.system],
            "segment": np.array(campaign.segments)[scores.segment],
            "judge": np.array(campaign.judges)[scores.judge],
            "value": scores.value,
        }
    )


def of(campaign: Campaign) -> Scores:
    assert campaign.scores is not None
    return campaign.scores


def reasons(report: ReadReport) -> dict[str, int]:
    return {reason.reason: reason.count for reason in report.left_out}


def kinds(report: ReadReport) -> list[str]:
    return [oddity.kind for oddity in report.oddities]


def lines(*rows: str) -> bytes:
    return "\n".join([*rows, ""]).encode()


# All


@pytest.mark.parametrize(
    ("file", "format", "scale", "n"),
    [
        ("appraise-scores.csv", "appraise-scores", "ESA score", 54),
        ("wmt-da.csv", "wmt-da", "direct assessment", 23),
        ("mqm.tsv", "mqm", "MQM score", 18),
        ("mt-metrics-eval.zip", "mt-metrics-eval", "MQM score", 15),
        ("pearmut.jsonl", "pearmut", "ESA score", 54),
        ("webmushra.csv", "webmushra", "MUSHRA score", 36),
    ],
)
def test_each_example_is_recognized_by_what_it_holds(
    file: str, format: str, scale: str, n: int
) -> None:
    campaign, report = read((EXAMPLES / file).read_bytes())
    assert (report.format, of(campaign).scale.name, len(of(campaign))) == (format, scale, n)
    assert report.kind == "scores"
    if format != "mqm":  # There a score is made of several lines.
        assert report.n_rows == n + report.n_left_out


# Appraise


def appraise(*rows: str) -> bytes:
    return lines(*(f"engdeu0101,{row}" for row in rows))


def test_only_targets_count_and_each_other_row_has_its_reason() -> None:
    data = appraise(
        "A,1,TGT,eng,deu,70", "B,1,TGT,eng,deu,60", "A,1,BAD,eng,deu,20", "A,1,CHK,eng,deu,66",
        "ref,2,REF,eng,deu,95", "A,3,TGT,eng,deu,-1", "A,4,TGT,eng,deu,101", "B,5,XXX,eng,deu,1",
    )  # fmt: skip
    campaign, report = read(data)
    assert frame(campaign)[["system", "segment", "value"]].to_numpy().tolist() == [
        ["A", "1", 70.0],
        ["B", "1", 60.0],
    ]
    assert sorted(reasons(report).values()) == [1] * 6
    assert [reason.places for reason in report.left_out if "-1" in reason.reason] == [(6,)]


def test_the_last_score_of_a_judge_for_an_item_counts_by_time_or_by_row() -> None:
    campaign, report = read(appraise("A,1,TGT,eng,deu,70", "A,1,TGT,eng,deu,50"))
    assert of(campaign).value.tolist() == [50]
    assert report.n_left_out == 1
    late_first = appraise("A,1,TGT,eng,deu,70,9.5,9.9", "A,1,TGT,eng,deu,50,1.0,2.0")
    assert of(read(late_first)[0]).value.tolist() == [70]


def test_a_later_skip_does_not_hide_a_score() -> None:
    campaign, _ = read(appraise("A,1,TGT,eng,deu,70", "A,1,TGT,eng,deu,-1"))
    assert of(campaign).value.tolist() == [70]


def test_items_that_count_through_a_task_become_places_in_documents() -> None:
    """A document cut at the end of one judge's task goes on in the next one's."""
    data = lines(
        *(f"engdeu010{u},wmt30.A,{k},TGT,eng,deu,50,lake#A,False,[]" for u, k in (
            (1, 99), (1, 100), (2, 7), (3, 1), (3, 2), (3, 3),
        )),
        *(f"engdeu0103,wmt30.B,{k},TGT,eng,deu,50,boat#B,False,[]" for k in (4, 5, 99)),
    )  # fmt: skip
    campaign, report = read(data)
    found = frame(campaign).groupby(["system", "judge"])["segment"].apply(list).to_dict()
    assert found["A", "engdeu0101"] == ["lake:1", "lake:2"]
    assert found["A", "engdeu0102"] == ["lake:3"]
    assert found["A", "engdeu0103"] == ["lake:1", "lake:2", "lake:3"]
    assert "cut-documents" not in kinds(report)


def test_a_degraded_output_is_compared_with_its_original() -> None:
    campaign, _ = read_path(EXAMPLES / "appraise-scores.csv")
    assert campaign.checks is not None
    table = pd.read_csv(EXAMPLES / "appraise-scores.csv", header=None, quotechar='"')
    table["document"] = table[7].str.split("#").str[0]
    bad = table[table[3] == "BAD"].merge(
        table[(table[3] == "TGT") & ~table[7].str.endswith("dup")].drop_duplicates(
            [0, 1, 2, "document"], keep="last"
        ),
        on=[0, 1, 2, "document"],
        suffixes=("", "_original"),
    )
    ours = campaign.checks
    degraded = ours.kind == 0
    assert sorted(zip(ours.value[degraded], ours.original[degraded], strict=True)) == sorted(
        zip(bad["6"], bad["6_original"], strict=True)
    )
    assert int((~degraded).sum()) == 9


def test_errors_are_the_score_where_all_scores_are_0() -> None:
    spans = '"[{""start_i"":1,""end_i"":5,""severity"":""%s"",""error_type"":%s}]"'
    rows = [spans % ("major", "null"), spans % ("minor", '[""Fluency"",""Punctuation""]'), "[]"]
    campaign, report = read(
        appraise(*(f"{'ABB'[k]},{k},TGT,eng,deu,0,d,False,{text}" for k, text in enumerate(rows)))
    )
    assert of(campaign).scale == MQM
    assert of(campaign).value.tolist() == [-5, -0.1, 0]
    assert "scores-of-errors" in kinds(report)
    costs = "major 5, minor punctuation 0.1"
    said = f"An MQM score is minus the sum of the weights of an output's errors: {costs}."
    assert said in report.sentences()
    paragraph = methods_paragraph(rank(campaign.judgments(), Mean()), Mean()).plain
    assert f"A score is minus the sum of the weights of errors ({costs})." in paragraph
    dearer = MqmWeights(major=10).applied(of(campaign))
    assert dearer.value.tolist() == [-10, -0.1, 0]


def test_two_outputs_with_one_time_stood_on_one_screen() -> None:
    rows = ["A,1,TGT,eng,deu,70,5,9", "B,1,TGT,eng,deu,60,5,9", "A,1,TGT,eng,deu,30,15,19"]
    campaign, _ = read(appraise(*rows[:2], "C,1,TGT,eng,deu,50,15,19", "A,2,TGT,eng,deu,1,20,21"))
    assert campaign.n_tasks == 3
    assert campaign.shown.sizes.tolist() == [2, 1, 1]


def test_an_assessment_of_corpora_is_refused_with_the_reason() -> None:
    row = b"engdeu0501,news,cnn.304489,newstest2019-ende.tsv::3.5.6.7.12,1,TGT,eng\n"
    with pytest.raises(ReadingError, match="data assessment"):
        read(row)


def test_lists_of_errors_too_deep_or_of_other_things_are_no_lists() -> None:
    assert parse_list("[" * 100_000) is None
    assert parse_list('"text"') is None
    assert parse_list('[{"severity": "major"}]') == [{"severity": "major"}]


# WMT direct assessment


def test_the_pair_comes_from_the_files_name_and_is_told() -> None:
    data = (EXAMPLES / "wmt-da.csv").read_bytes()
    campaign, report = read_many(
        [("ad-seg-scores-cs-en.csv", data), ("ad-seg-scores-de-en.csv.gz", data)]
    )
    assert campaign.pairs == ("cs-en", "de-en")
    assert [o.sentence.endswith("-en.") for o in report.oddities if o.kind == "pair-of-name"]
    scores = of(campaign)
    assert scores.standardized is not None
    assert scores.standardized[scores.value == scores.value.max()].max() > 0


def test_means_of_systems_are_read_and_said_to_be_means() -> None:
    campaign, report = read(
        lines("RAW.SCR Z.SCR N SYS N.ALL ", "79.5 0.11 9 A 12 ", "69 -1 9 B 9 ")
    )
    assert of(campaign).value.tolist() == [79.5, 69]
    assert {"means-only", "standardized"} <= {*kinds(report)}


# MQM


def test_errors_add_up_for_each_output_and_rater() -> None:
    data = lines(
        "system\tdoc\tglobalSegId\trater\tcategory\tseverity",
        'A\t"d\t1\tr1\tNon-translation!\tMajor',
        "A\td\t1\tr1\tFluency/Punctuation\tMinor",
        "A\td\t1\tr2\tNo-error\tNo-error",
        "B\td\t1\tr2\tAccuracy/Addition\tMajor",
        "B\td\t1\tr2\tSource issue\tMajor",
        "B\td\t1\tr2\tStyle/Awkward\todd",
    )
    campaign, report = read(data, judge_names=True)
    found = frame(campaign).set_index(["system", "judge"])["value"].to_dict()
    assert found == {("A", "r1"): -25.1, ("A", "r2"): 0.0, ("B", "r2"): -6.0}
    assert "unknown-severity" in kinds(report)
    assert "-0.0" not in {str(value) for value in of(campaign).value}


# mt-metrics-eval


def packed(**files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return target.getvalue()


def test_zip_and_tar_hold_the_same_campaign() -> None:
    data = (EXAMPLES / "mt-metrics-eval.zip").read_bytes()
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, tarfile.open(fileobj=target, mode="w") as tar:
        for name in source.namelist():
            content = source.read(name)
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    prints = {
        read(content)[0].fingerprint
        for content in (data, target.getvalue(), gzip.compress(target.getvalue(), mtime=0))
    }
    assert len(prints) == 1


def test_documents_domains_and_raters_come_with_the_ratings() -> None:
    campaign, report = read_path(EXAMPLES / "mt-metrics-eval.zip")
    scores = of(campaign)
    assert (scores.domains, scores.documents) == (("news", "speech"), ("lake", "boat"))
    assert set(campaign.judges) == {"rater1", "rater2"}
    assert "other-scores" in kinds(report)


def test_merged_ratings_are_not_read_beside_those_of_each_rater() -> None:
    tree = {
        f"human-scores/en-de.mqm.{name}.seg.rating": f"A\t{value}\nB\t{value}\n"
        for name, value in (("one", -1), ("two", -3), ("merged", -2))
    }
    campaign, _ = read(packed(**tree))
    assert frame(campaign)[["judge", "value"]].drop_duplicates().to_numpy().tolist() == [
        ["one", -1],
        ["two", -3],
    ]


def test_scores_of_segments_that_are_not_the_mean_of_ratings_are_told() -> None:
    tree = {
        "human-scores/en-de.mqm.seg.rating": "A\t-1\nB\t-2\n",
        "human-scores/en-de.mqm.seg.score": "A\t-1\nB\t-3\n",
    }
    _, report = read(packed(**tree))
    (told,) = [oddity for oddity in report.oddities if oddity.kind == "other-means"]
    assert told.count == 1


def test_archives_of_other_things_are_refused() -> None:
    with pytest.raises(ReadingError, match="ZIP archive or a workbook"):
        read(packed(**{"a.txt": "x", "b.txt": "y"}))
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a.txt"))
        tar.addfile(tarfile.TarInfo("b.txt"))
    with pytest.raises(ReadingError, match="tar archive"):
        read(target.getvalue())


def test_an_archive_that_grows_too_large_is_refused() -> None:
    tree = packed(**{"human-scores/en-de.mqm.seg.score": "A\t1\n" * 10_000})
    with pytest.raises(ReadingError, match="larger than"):
        read(tree, max_bytes=10_000)


# Pearmut


def record(
    user: str, item: object, *answers: dict[str, object], **more: object
) -> dict[str, object]:
    said = [
        {model: {"score": score, "error_spans": []} for model, score in answer.items()}
        for answer in answers
    ]
    return {"user_id": user, "item_i": item, "annotation": said, **more}


def log(*records: object) -> bytes:
    return lines(*map(json.dumps, records))


def test_what_was_reset_or_sent_in_again_does_not_count() -> None:
    data = log(
        record("a", 0, {"X": 10, "Y": 20}),
        {"user_id": "a", "item_i": 0, "annotation": "__RESET__"},
        record("a", 0, {"X": 30, "Y": 40}),
        record("a", 0, {"X": 50, "Y": 60}),
        record("b", 0, {"X": 70, "Y": 80}),
        {"user_id": "b", "item_i": 0, "annotation": "__RESET__"},
    )
    campaign, report = read(data)
    assert of(campaign).value.tolist() == [50, 60]
    assert report.n_left_out == 8


def test_what_stood_on_one_screen_is_one_ranking() -> None:
    campaign, _ = read_path(EXAMPLES / "pearmut.jsonl")
    assert campaign.n_tasks == 18
    assert set(campaign.shown.sizes.tolist()) == {3}
    assert campaign.task_seconds is not None
    assert float(campaign.task_seconds.min()) > 20
    assert (of(campaign).documents, of(campaign).domains) == (("doc0", "doc1", "doc2"), ("news",))


def test_time_belongs_to_the_output_of_the_next_action() -> None:
    actions = [
        {"time": 0, "action": "load"},
        {"time": 8, "action": "score", "index": 0, "model": "X"},
        {"time": 11, "action": "score", "index": 0, "model": "Y"},
        {"time": 1000, "action": "submit"},
    ]
    campaign, _ = read(log(record("a", 0, {"X": 1, "Y": 2}, actions=actions)))
    seconds = of(campaign).seconds
    assert seconds is not None
    assert seconds.tolist() == [8 + 30, 3 + 30]


def test_annotations_json_holds_several_campaigns() -> None:
    whole = {"wmt_#_en-cs_CZ": [record("a", 0, {"X": 1, "Y": 2})],
             "wmt_#_cs-de_DE": [record("a", 0, {"X": 3, "Y": 4})]}  # fmt: skip
    campaign, _ = read(json.dumps(whole).encode())
    assert campaign.pairs == ("en-cs", "cs-de")


def test_sliders_and_errors_stand_for_scores_that_are_missing() -> None:
    answer = {"X": {"score": None, "sliders": {"Fluency": 4, "Adequacy": 90}}}
    campaign, report = read(log({"user_id": "a", "item_i": 0, "annotation": [answer]}))
    assert (of(campaign).scale.name, of(campaign).value.tolist()) == ("Fluency", [4])
    assert "other-sliders" in kinds(report)
    spans = [{"start_i": 0, "end_i": 3, "category": "Fluency/Grammar", "severity": "major"}]
    answer = {"X": {"score": None, "error_spans": spans}, "Y": {"score": None, "error_spans": []}}
    campaign, _ = read(log({"user_id": "a", "item_i": 0, "annotation": [answer]}))
    assert (of(campaign).scale, of(campaign).value.tolist()) == (MQM, [-5, 0])


# webMUSHRA


def test_ratings_of_a_trial_share_its_time_and_its_screen() -> None:
    campaign, _ = read_path(EXAMPLES / "webmushra.csv")
    assert campaign.n_tasks == 9
    seconds = of(campaign).seconds
    assert seconds is not None
    assert 5 <= seconds.min() <= seconds.max() <= 12.5


def test_listeners_without_sessions_are_told_apart_by_what_they_answered() -> None:
    data = lines(
        "session_test_id,name,age,trial_id,stimuli_rating,stimuli,rating_time",
        "t,Ann,30,x, 4 ,A,1000", "t,Ann,30,x, 2 ,B,1000", "t,Bob,30,x, 5 ,A,1000",
        "t,Ann,30,x,3,A,1000", "t,Bob,30,x,,B,1000",
    )  # fmt: skip
    campaign, report = read(data)
    assert campaign.judges == ("judge1", "judge2")
    assert report.n_left_out == 2
    assert sorted(of(campaign).value.tolist()) == [2, 3, 5]


# Real campaigns


def test_wave_3_of_wmt24_is_read_once_and_whole(campaigns_dir: Path) -> None:
    campaign, report = read_path(campaigns_dir / "appraise-csv" / "wmt24_wave3.csv.gz")
    left = reasons(report)
    bad = sum(n for reason, n in left.items() if "BAD" in reason)
    assert (report.n_rows, bad, len(campaign.judges)) == (11_299, 1_365, 112)
    assert len(of(campaign)) + sum(left.values()) - bad == 9_934
    assert not frame(campaign).duplicated(["pair", "system", "segment", "judge"]).any()


def test_every_appraise_export_is_read_or_refused_with_the_reason(campaigns_dir: Path) -> None:
    refused = {}
    for path in sorted((campaigns_dir / "appraise-csv").iterdir()):
        try:
            campaign, report = read_path(path)
        except ReadingError as error:
            refused[path.name] = str(error)
        else:
            assert report.n_rows == len(of(campaign)) + report.n_left_out, path.name
    assert sorted(refused) == ["example_data.scores.csv", "example_mqmesa.scores.csv"]
    assert "because of a tutorial" in refused["example_mqmesa.scores.csv"]


@pytest.mark.parametrize("file", ["240315rc5ESA", "240315rc5MQM", "240520rc6ESA"])
def test_each_segment_of_esa_was_scored_once_for_each_system(
    campaigns_dir: Path, file: str
) -> None:
    """The campaign gave 207 segments of 13 systems to one judge each; the file numbers items."""
    path = campaigns_dir / "appraise-csv" / f"{file}.scores.csv.gz"
    table = frame(read_path(path)[0])
    assert table.groupby("system")["segment"].nunique().tolist() == [207] * 13
    assert len(table) == 207 * 13


def test_direct_assessment_has_the_official_means(campaigns_dir: Path) -> None:
    folder = campaigns_dir / "wmt21-da"
    for path in sorted(folder.glob("ad-seg-scores-*.csv.gz")):
        pair = path.name[14:19]
        scores = of(campaign := read_path(path)[0])
        assert scores.standardized is not None
        official = pd.read_csv(folder / f"ad-sys-scores-{pair}.csv", sep=" ").set_index("SYS")
        names = np.array(campaign.systems)[scores.system]
        for column, values in (("RAW.SCR", scores.value), ("Z.SCR", scores.standardized)):
            means = pd.Series(values).groupby(names).mean()
            np.testing.assert_allclose(means, official[column].loc[means.index], atol=1e-12)


def test_mqm_of_ted_has_the_published_segment_scores(campaigns_dir: Path) -> None:
    folder = campaigns_dir / "mqm-ted"
    ours = frame(read_path(folder / "mqm_ted_ende.tsv.gz")[0])
    assert set(ours["pair"]) == {"en-de"}
    told = frame(read_path(folder / "mqm_ted_ende.avg_seg_scores.tsv.gz")[0])
    keys = ["system", "segment"]
    both = told.set_index(keys)["value"].rename("told").to_frame()
    means = ours.groupby(keys)["value"].mean()
    both = both.join(means, how="inner")
    assert len(both) == 6_877
    np.testing.assert_allclose(both["value"], both["told"], atol=5e-7)


def test_mt_metrics_eval_has_its_own_segment_and_system_scores(campaigns_dir: Path) -> None:
    path = campaigns_dir / "metrics-wmt23" / "en-de.tar.gz"
    campaign, report = read_path(path)
    assert "other-means" not in kinds(report)
    with tarfile.open(path) as tar:

        def told(name: str) -> list[list[str]]:
            file = tar.extractfile(f"human-scores/en-de.mqm.{name}.score")
            assert file is not None
            return [line.split("\t") for line in file.read().decode().splitlines()]

        segments = told("seg")
        systems = {name: float(score) for name, score in told("sys")}
    place = pd.Series([name for name, _ in segments]).groupby([n for n, _ in segments]).cumcount()
    known = {
        (name, str(k + 1)): float(score)
        for (name, score), k in zip(segments, place, strict=True)
        if score != "None"
    }
    table = frame(campaign)
    ours = dict(
        zip(zip(table["system"], table["segment"], strict=True), table["value"], strict=True)
    )
    assert len(ours) == 5_980
    assert ours == known
    means = table.groupby("system")["value"].mean()
    np.testing.assert_allclose(means, [systems[name] for name in means.index], atol=1e-12)
