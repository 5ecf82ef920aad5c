"""Reading: every format gives the same judgments, and bad input one clear message."""

from __future__ import annotations

import gzip
import io
import json
import struct
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import UNRANKED, Campaign, Selection
from analysis.errors import ReadingError
from analysis.formats import first_rows, read, read_many, read_path
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"

TWO_WAY = (
    "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,"
    "rankingID"
)
FIVE_WAY = "srclang,trglang,srcIndex,documentId,segmentId,judgeId," + ",".join(
    [f"system{k}Number,system{k}Id" for k in range(1, 6)] + [f"system{k}rank" for k in range(1, 6)]
)


def two_way(*rows: str, header: str = TWO_WAY, end: str = "\n") -> bytes:
    return "".join(line + end for line in (header, *rows)).encode()


def five_way(*ranks: str, systems: str = "abcde") -> bytes:
    names = ",".join(f"-1,{name}" for name in systems)
    rows = [f"fr,en,{n},-1,{n},ann,{names},{line}" for n, line in enumerate(ranks, 1)]
    return "\n".join([FIVE_WAY, *rows, ""]).encode()


def arena(*rows: str, header: str = "model_a,model_b,winner") -> bytes:
    return "\n".join([header, *rows, ""]).encode()


def outcomes(campaign: Campaign) -> list[tuple[str, str, int]]:
    return [row[:3] for row in rows_of(campaign.judgments())]


# One campaign, many formats


def test_the_example_campaign_is_the_same_in_every_format() -> None:
    prints = {
        read_path(EXAMPLES / name)[0].fingerprint
        for name in ("appraise.xml", "wmt-5way.csv", "wmt-5way.csv.gz", "wmt-2way-collapsed.csv")
    }
    assert len(prints) == 1
    expanded = read_path(EXAMPLES / "wmt-2way-expanded.csv")[0]
    xml = read_path(EXAMPLES / "appraise.xml")[0]
    for pair in xml.pairs:
        assert rows_of(expanded.judgments(pair)) == rows_of(xml.judgments(pair))


def test_the_example_votes_are_the_same_in_every_format() -> None:
    names = ("arena.csv", "arena.json", "arena.jsonl", "arena.parquet")
    assert len({read_path(EXAMPLES / name)[0].fingerprint for name in names}) == 1
    votes = read_path(EXAMPLES / "arena.csv")[0]
    assert outcomes(read_path(EXAMPLES / "arena-left-right.csv")[0]) == outcomes(votes)


@pytest.mark.parametrize(
    "path",
    # Files of lm-evaluation-harness and HELM name no model: it is called as the file is.
    sorted(
        path for path in EXAMPLES.glob("*.*") if not path.name.startswith(("README", "lm-", "helm"))
    ),
    ids=lambda path: path.name,
)
def test_every_example_reads_the_same_gzipped_and_under_any_name(path: Path) -> None:
    plain = read_path(path)[0]
    data = path.read_bytes()
    packed = data if data[:2] == b"\x1f\x8b" else gzip.compress(data, mtime=0)
    assert read(packed, name="misleading.pdf")[0].fingerprint == plain.fingerprint


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\r\r\n"])
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_line_ends_separators_and_encodings_change_nothing(
    end: str, separator: str, encoding: str
) -> None:
    text = (EXAMPLES / "wmt-5way.csv").read_text()
    other = text.replace(",", separator).replace("\n", end).encode(encoding)
    campaign, report = read(other)
    assert campaign.fingerprint == read(text.encode())[0].fingerprint
    assert report.n_left_out == 0


def test_latin_1_is_read_and_noted() -> None:
    data = arena("Véra,Zoë,model_a").decode().encode("latin-1")
    campaign, report = read(data)
    assert campaign.systems == ("Véra", "Zoë")
    assert "encoding" in [oddity.kind for oddity in report.oddities]


def test_names_that_look_like_missing_values_stay_names() -> None:
    campaign, _ = read(arena("NA,nan,model_a", "null,NA,tie"))
    assert campaign.systems == ("NA", "nan", "null")


def test_any_number_of_systems_may_stand_in_a_row() -> None:
    header = "srclang,trglang,segmentId,judgeId," + ",".join(
        f"system{k}Id,system{k}rank" for k in range(1, 8)
    )
    row = "fr,en,1,ann," + ",".join(f"s{k},{8 - k}" for k in range(1, 8))
    campaign, _ = read(f"{header}\n{row}\n".encode())
    assert outcomes(campaign) == [
        (f"s{a}", f"s{b}", -1) for a in range(1, 8) for b in range(a + 1, 8)
    ]


# Rankings put together from pairs


def test_rows_of_one_ranking_become_one_task_even_when_scattered() -> None:
    rows = [
        "fi,en,7,7,ann,c,3,a,1,1",
        "fi,en,8,8,ann,a,1,b,2,2",
        "fi,en,7,7,ann,c,3,b,1,1",
        "fi,en,7,7,ann,a,1,b,1,1",
    ]
    campaign, report = read(two_way(*rows))
    assert campaign.n_tasks == 2
    assert outcomes(campaign) == [("c", "a", -1), ("c", "b", -1), ("a", "b", 0), ("a", "b", 1)]
    assert report.oddities == ()


def test_displayed_order_survives_shuffled_rows() -> None:
    rows = ["fi,en,7,7,ann,a,1,b,2,1", "fi,en,7,7,ann,c,3,b,2,1", "fi,en,7,7,ann,c,3,a,1,1"]
    campaign, _ = read(two_way(*rows))
    assert campaign.n_tasks == 1
    assert outcomes(campaign) == [("c", "a", -1), ("c", "b", -1), ("a", "b", 1)]


@pytest.mark.parametrize(
    "rows",
    [
        ["7,ann,a,1,b,2,1", "7,ann,a,1,c,3,1"],
        ["7,ann,a,1,b,2,1", "7,ann,a,1,c,3,1", "7,ann,b,4,c,5,1"],
        ["7,ann,a,1,b,2,1", "7,ann,a,1,b,2,1", "7,ann,a,1,b,2,1"],
        ["7,ann,a,1,b,2,1", "7,ann,a,1,b,2,1"],
    ],
    ids=["a pair is missing", "two ranks for one output", "one pair three times", "a copied row"],
)
def test_rows_that_are_no_whole_ranking_stand_alone_and_are_told(rows: list[str]) -> None:
    campaign, report = read(two_way(*(f"fi,en,7,{row}" for row in rows)))
    assert campaign.n_tasks == len(rows)
    assert len(campaign.judgments()) == len(rows)
    (apart,) = [oddity for oddity in report.oddities if oddity.kind == "taken-apart"]
    assert apart.count == 1
    assert apart.places[0] == 2


def test_one_ranking_id_for_two_judges_is_two_rankings() -> None:
    campaign, _ = read(two_way("fi,en,7,7,ann,a,1,b,2,1", "fi,en,7,7,bob,a,2,b,1,1"))
    assert campaign.n_tasks == 2
    assert campaign.judges == ("ann", "bob")


def test_without_ranking_ids_every_row_is_a_ranking_and_it_is_told() -> None:
    header = TWO_WAY.removesuffix(",rankingID")
    campaign, report = read(
        two_way("fi,en,7,7,ann,a,1,b,2", "fi,en,7,7,ann,a,1,c,2", header=header)
    )
    assert campaign.n_tasks == 2
    assert [oddity.kind for oddity in report.oddities] == ["no-ranking-ids"]


def test_ranks_up_to_the_number_of_outputs_are_good() -> None:
    ranks = dict(zip("abcdef", [6, 5, 4, 3, 2, 1], strict=True))
    rows = [f"fi,en,7,7,ann,{a},{ranks[a]},{b},{ranks[b]},1" for a in ranks for b in ranks if a < b]
    campaign, report = read(two_way(*rows))
    assert (campaign.n_tasks, report.n_left_out) == (1, 0)


# Identical outputs, skipped tasks, missing ranks, copies


def test_joined_names_are_systems_with_identical_output() -> None:
    campaign, _ = read(two_way("fi,en,7,7,ann,a+b,1,c,2,1"))
    assert outcomes(campaign) == [("a", "b", 0), ("a", "c", 1), ("b", "c", 1)]
    collapsed = campaign.judgments(selection=Selection(identical="collapsed"))
    assert [row[:3] for row in rows_of(collapsed)] == [("a+b", "c", 1)]


def test_a_plus_is_a_letter_where_a_joined_name_meets_its_own_part() -> None:
    campaign, report = read(
        two_way("fi,en,7,7,ann,model+rag,1,model,2,1", "fi,en,8,8,ann,x+y,1,model,2,2")
    )
    assert campaign.systems == ("model+rag", "model", "x+y")
    assert [oddity.kind for oddity in report.oddities] == ["plus"]


def test_plus_signs_in_arena_votes_and_at_the_end_of_names_are_letters() -> None:
    assert read(arena("a+b,c,model_a"))[0].systems == ("a+b", "c")
    assert read(two_way("fi,en,7,7,ann,C++,1,C,2,1"))[0].systems == ("C++", "C")


def test_a_task_without_any_rank_is_skipped_and_counted() -> None:
    campaign, report = read(five_way("1,2,3,4,5", "-1,-1,-1,-1,-1"))
    assert (campaign.n_tasks, report.skipped) == (1, {"fr-en": 1})


def test_a_missing_rank_is_kept_as_such_and_counted() -> None:
    campaign, report = read(five_way("1,2,-1,4,5", "1,1,2,2,3"))
    assert campaign.entry_rank[:5].tolist() == [1, 2, UNRANKED, 4, 5]
    assert report.incomplete == {"fr-en": 1}


def test_exact_copies_are_kept_and_counted() -> None:
    data = five_way("1,2,3,4,5", "1,2,3,4,5", "2,1,3,4,5").replace(b",2,-1,2,", b",1,-1,1,")
    campaign, report = read(data)
    assert (campaign.n_tasks, report.duplicates) == (3, {"fr-en": 1})


def test_two_spellings_of_a_language_are_one_pair_and_are_told() -> None:
    campaign, report = read(two_way("ces,eng,1,1,ann,a,1,b,2,1", "Czech,English,1,1,ann,a,2,b,1,2"))
    assert campaign.pairs == ("ces-eng",)
    assert [oddity.kind for oddity in report.oddities] == ["spellings"]


def test_islands_and_systems_never_compared_are_told() -> None:
    _, report = read(
        two_way(
            "fi,en,1,1,ann,a,1,b,2,1",
            "fi,en,2,2,ann,c,1,d,2,2",
            "fi,en,3,3,ann,a,1,e,-1,3",
            "de,en,1,1,ann,b,1,c,2,4",
        )
    )
    found = {oddity.kind: oddity for oddity in report.oddities}
    assert set(found) == {"never-compared", "disconnected"}
    assert found["never-compared"].sentence.startswith("fi-en: e is in the file")
    assert found["disconnected"].sentence.startswith("fi-en: the systems form 2 groups")


def test_only_ties_can_be_read_but_are_told() -> None:
    campaign, report = read(arena("a,b,tie", "b,c,tie (bothbad)"))
    assert campaign.judgments().n_ties == 2
    assert "only-ties" in [oddity.kind for oddity in report.oddities]


# Appraise XML


def appraise(*results: str, head: str = "") -> bytes:
    tasks = "".join(
        f'\n<ranking-task id="{n}">{result}</ranking-task>' for n, result in enumerate(results, 1)
    )
    return (
        f'<?xml version="1.0"?>{head}<R>\n<HIT hit-id="1" source-language="fin" '
        f'target-language="eng">{tasks}\n</HIT></R>'
    ).encode()


def result(user: str, *translations: tuple[str, str], attributes: str = "") -> str:
    inside = "".join(f'<translation system="{s}" rank="{r}"/>' for s, r in translations)
    return f'<ranking-result user="{user}" {attributes}>{inside}</ranking-result>'


def test_judges_are_numbered_by_first_appearance_also_in_skipped_results() -> None:
    data = appraise(
        result("Zoe", attributes='skipped="true"'),
        result("Ann", ("a", "1"), ("b", "2")),
        result("Zoe", ("a", "2"), ("b", "1")),
    )
    campaign, report = read(data)
    assert campaign.judges == ("judge2", "judge1")
    assert (report.judges_numbered, report.skipped) == (True, {"fin-eng": 1})
    named, report = read(data, judge_names=True)
    assert (named.judges, report.judges_numbered) == (("Ann", "Zoe"), False)


def test_one_person_keeps_one_number_over_several_files() -> None:
    first = appraise(result("Zoe", ("a", "1"), ("b", "2")))
    second = appraise(result("Ann", ("a", "1"), ("b", "2")), result("Zoe", ("a", "2"), ("b", "1")))
    campaign, report = read_many([("one.xml", first), ("two.xml", second)])
    assert [campaign.judges[j] for j in campaign.task_judge] == ["judge1", "judge2", "judge1"]
    assert (report.files, report.n_tasks) == (("one.xml", "two.xml"), 3)


def test_durations_are_kept_in_seconds() -> None:
    one = result("x", ("a", "1"), ("b", "2"), attributes='duration="01:02:03.500000"')
    campaign, _ = read(appraise(one))
    assert campaign.task_seconds is not None
    assert campaign.task_seconds.tolist() == [3723.5]


def test_identical_outputs_alone_in_a_result_tie_each_other() -> None:
    campaign, _ = read(appraise(result("x", ("a,b", "1"))))
    assert outcomes(campaign) == [("a", "b", 0)]


def test_bad_results_are_left_out_with_their_lines() -> None:
    good = result("x", ("a", "1"), ("b", "2"))
    data = appraise(good, result("x", ("a", "7"), ("b", "2")), result("x", ("a", "q"), ("b", "2")))
    campaign, report = read(data)
    assert campaign.n_tasks == 1
    assert {(reason.count, reason.places) for reason in report.left_out} == {(1, (4,)), (1, (5,))}
    assert any("rank 7 is outside 1–5" in reason.example for reason in report.left_out)


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE R [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>',
        '<!DOCTYPE R [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE R [<!ATTLIST translation rank CDATA "1">]>',
    ],
    ids=["entities that grow", "a file outside", "ranks by default"],
)
def test_a_doctype_is_refused(head: str) -> None:
    with pytest.raises(ReadingError, match="the XML has a DOCTYPE"):
        read(appraise(result("x", ("a", "1"), ("b", "2")), head=head))


# Arena votes


@pytest.mark.parametrize(
    ("winner", "outcome"),
    [
        ("model_a", 1), ("left", 1), ("Model_B", -1), ("right", -1), ("tie", 0),
        ("tie (bothbad)", 0), ("both_bad", 0), ("draw", 0), ("x", 1), ("y", -1),
        ("gpt", 1), ("claude", -1),
    ],
)  # fmt: skip
def test_winners_in_all_spellings(winner: str, outcome: int) -> None:
    assert outcomes(read(arena(f"gpt,claude,{winner}"))[0]) == [("gpt", "claude", outcome)]


def test_a_winner_that_is_a_systems_name_is_that_system() -> None:
    assert outcomes(read(arena("B,A,A", "A,B,A"))[0]) == [("B", "A", -1), ("A", "B", 1)]


def test_flags_of_the_winner_are_read() -> None:
    header = "id,model_a,model_b,winner_model_a,winner_model_b,winner_tie"
    data = arena("1,p,q,1,0,0", "2,p,q,0,1,0", "3,p,q,0,0,1", "4,p,q,1,1,0", header=header)
    campaign, report = read(data)
    assert [row[2] for row in outcomes(campaign)] == [1, -1, 0]
    assert report.left_out[0].places == (5,)


def test_without_a_flag_for_ties_a_vote_without_a_winner_is_one() -> None:
    header = "id,model_a,model_b,winner_model_a,winner_model_b"
    campaign, _ = read(arena("1,p,q,1,0", "2,p,q,0,1", "3,p,q,0,0", header=header))
    assert [row[2] for row in outcomes(campaign)] == [1, -1, 0]


def test_a_language_of_prompts_is_an_attribute_and_a_language_pair_splits_the_votes() -> None:
    def votes(name: str, *languages: str) -> Campaign:
        rows = (f"a,b,model_a,{language}" for language in languages)
        return read(arena(*rows, header=f"model_a,model_b,winner,{name}"))[0]

    prompts = votes("language", "English", "German", "")
    assert prompts.pairs == ("all",)
    assert [one.name for one in prompts.attributes] == ["language"]
    assert votes("language", "de-en", "en-de", "").pairs == ("de-en", "en-de", "all")
    assert votes("pair", "de", "fr").pairs == ("de", "fr")
    assert votes("language", "xy", "xz").pairs == ("xy", "xz")
    assert read(arena("a,b,model_a"))[0].pairs == ("all",)


def test_every_vote_without_a_question_is_about_its_own() -> None:
    campaign, report = read(arena("a,b,model_a", "a,b,model_a"))
    assert len(campaign.segments) == 2
    assert report.duplicates == {}
    assert {oddity.kind for oddity in report.oddities} == {"no-questions", "no-judges"}


def test_records_of_mixed_types_and_bad_lines_are_read_and_counted() -> None:
    lines = [
        '{"model_a": "a", "model_b": "b", "winner": "model_a", "question_id": 7, "judge": "x"}',
        '{"model_a": "a", "model_b": "b", "winner": "tie", "question_id": "7", "judge": null}',
        "not json",
        '{"model_a": "a", "model_b": "b", "winner": "model_b", "question_id": 7.0}',
        "",
    ]
    campaign, report = read("\n".join(lines).encode())
    assert [row[2] for row in outcomes(campaign)] == [1, 0, -1]
    assert campaign.segments == ("7",)
    assert [(reason.count, reason.places) for reason in report.left_out] == [(1, (3,))]


@pytest.mark.parametrize("orient", ["records", "list", "dict"])
def test_json_in_rows_or_columns_is_the_same(orient: str) -> None:
    table = pd.read_csv(EXAMPLES / "arena.csv")
    data = json.dumps(table.to_dict(orient=orient)).encode()  # type: ignore[call-overload]
    assert read(data)[0].fingerprint == read_path(EXAMPLES / "arena.csv")[0].fingerprint


def test_parquet_of_categories_and_whole_numbers_is_read() -> None:
    table = pd.DataFrame(
        {
            "model_a": pd.Categorical(["a", "b"]),
            "model_b": ["b", "c"],
            "winner": ["model_a", None],
            "question_id": [1, 2],
            "conversation": [[{"role": "user"}], []],
        }
    )
    file = io.BytesIO()
    table.to_parquet(file)
    campaign, report = read(file.getvalue())
    assert (outcomes(campaign), campaign.segments) == ([("a", "b", 1)], ("1",))
    assert report.skipped == {"all": 1}


# Rows left out


def test_bad_rows_among_good_ones_are_counted_with_reason_and_lines() -> None:
    campaign, report = read_path(EXAMPLES / "broken" / "some-bad-rows.csv")
    assert (campaign.n_tasks, report.n_rows, report.n_left_out) == (31, 34, 3)
    assert {(reason.places, reason.example) for reason in report.left_out} == {
        ((4,), "line 4, system3rank: 7 is outside 1–5"),
        ((9,), "line 9, system1rank: 'x' is not a rank"),
        ((12,), "line 12, 18 fields where the header has 21"),
    }
    for reason, line in zip(report.left_out, report.sentences()[1:], strict=False):
        assert reason.example in line


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r\r\n"])
@pytest.mark.parametrize("rank", ["7", "0", "-2", "x", "", "1.5", "inf", "nan", "1e9"])
def test_lines_are_counted_as_an_editor_does(end: str, rank: str) -> None:
    good = "fi,en,7,7,ann,a,1,b,2,"
    rows = [good + "1", "", good + "2", f"fi,en,7,7,ann,a,{rank},b,2,3", good + "4"]
    campaign, report = read(two_way(*rows, end=end))
    assert campaign.n_tasks == 3
    (reason,) = report.left_out
    assert (reason.count, reason.places) == (1, (5,))
    assert reason.example.startswith("line 5, system1rank")


def test_lines_are_right_behind_a_text_of_several_lines() -> None:
    header = "question_id,model_a,model_b,winner"
    data = arena('"two\nlines",a,b,model_a', '"1,\n""2""",a,b,model_c', header=header)
    campaign, report = read(data)
    assert campaign.segments == ("two\nlines",)
    assert report.left_out[0].places == (4,)


@pytest.mark.parametrize("last", [1, 40, 399])
def test_texts_of_several_lines_are_found_wherever_they_stand(
    last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analysis.formats.delimited._BLOCK", 1 << 9)
    texts = [f"a text, {k}" for k in range(400)]
    texts[last] = "\n".join(f"line {k}, said" for k in range(20))
    rows = [f'"{text}",a,b,model_a' for text in texts]
    campaign, report = read(arena(*rows, header="question_id,model_a,model_b,winner"))
    assert campaign.segments == tuple(texts)
    assert not report.left_out


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("fi,en,7,7,ann,a,1,a,2,9", "a system compared with itself"),
        ("fi,en,7,7,ann,,1,b,2,9", "a system without a name"),
        ("fi,en,7,7,ann,a,1,b", "the wrong number of fields"),
        ("fi,en,7,7,ann,a,1,b,2,9,9", "the wrong number of fields"),
    ],
)
def test_each_reason_is_named(row: str, reason: str) -> None:
    campaign, report = read(two_way("fi,en,7,7,ann,a,1,b,2,1", row))
    assert campaign.n_tasks == 1
    assert [(left.reason, left.count, left.places) for left in report.left_out] == [
        (reason, 1, (3,))
    ]


def test_a_system_twice_in_a_ranking_is_left_out() -> None:
    rows = (
        five_way("1,2,3,4,5").decode()
        + five_way("1,2,3,4,5", systems="abcda").decode().split("\n", 1)[1]
    )
    campaign, report = read(rows.encode())
    assert campaign.n_tasks == 1
    assert report.left_out[0].places == (3,)


# Nothing usable: one clear message

BREAKING = [b",", b'"', b"\n", b"-1", b"7", b"\0", b"+", b"<", b">", b"{", b"]", b"&", b"1e400"]
PDF = b"%PDF-1.4\n..."
PARQUET = (EXAMPLES / "arena.parquet").read_bytes()
XML = (EXAMPLES / "appraise.xml").read_bytes()


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (b"", "the file is empty"),
        (gzip.compress(b"", mtime=0), "the gzipped file is empty"),
        (b"\n \n", "empty but for blank lines"),
        (PDF, "this is a PDF"),
        (gzip.compress(PDF, mtime=0), "this is a PDF"),
        (b"PK\x03\x04abc", "ZIP archive or a workbook"),
        (bytes(range(256)) * 9, "binary file"),
        (b"\x80\x01\x02" * 99, "binary file"),
        (b"<!DOCTYPE html><html><body>404</body></html>", "this is a web page"),
        (b"hello\nworld\n", "not recognize these columns: hello"),
        (b"name,score\na,1\n", "not recognize these columns: name, score"),
        (gzip.compress(five_way("1,2,3,4,5"), mtime=0)[:-9], "ends in the middle"),
        (gzip.compress(five_way("1,2,3,4,5"), mtime=0)[:9] + b"xxxxxxx", "damaged"),
        (XML[:-9], "the XML ends in the middle"),
        (XML.replace(b"</HIT>", b"</HOT>", 1), "not well-formed XML (mismatched tag)"),
        (b"<a><b/></a>", "this XML (<a>) contains no <ranking-result>"),
        (PARQUET[:-9], "the Parquet file is damaged or cut off"),
        (PARQUET[: len(PARQUET) // 2], "the Parquet file is damaged or cut off"),
        (b'[{"model_a": "a"', "the last record ends in the middle"),
        (b'{"x": {"model_a": "a"},\n"y": {"mo', "the last record ends in the middle"),
        (b'{"x": {"model_a": "a"},\n"y": {"mo}}\n', "the last record ends in the middle"),
        (b'[{"model_a": "a"} {"model_a": "b"}]', "not complete JSON"),
        (b'{"model_a": "a", "model_b": "b", "winner": "tie"}\n{"model_a"', "ends in the middle"),
        (b"[" * 100_000, "JSON"),
        (b"[1, 2]", "contains no records"),
        (b'{"model_a": ["a"], "model_b": [], "winner": ["tie"]}', "unequal lengths"),
        (b'[{"model_a": "a", "model_b": "b"}]', "no column names the winner"),
        (arena("a,b", header="model_a,model_b"), "no column names the winner"),
        (arena(), "it has a header but no votes"),
        (arena("a,b,c"), "none of its votes can be used; the first: line 2, winner: 'c'"),
        (arena("a,a,model_a"), "none of its votes can be used; the first: line 2, a is compared"),
        (two_way(), "it has a header but no rows"),
        (two_way("fi,en,7,7,ann,a,x,b,2,1"), "the first: line 2, system1rank: 'x' is not a rank"),
        (two_way("fi,en,7,7,ann,a,-1,b,-1,1"), "every ranking in it was skipped (1 of them)"),
        (two_way("a", header=TWO_WAY.replace("system2rank", "x")), "no column system2rank"),
        (two_way("a", header="system1Id,system1rank,segmentId"), "no column system2Id"),
        (five_way("1,2,3,4,5", systems="aaaaa"), "one ranking contains a system twice"),
        (five_way("1,2,3,4"), "20 fields where the header has 21"),
        (arena('"a,b,tie', "a,b,tie"), "line 2 seems to open a quotation mark"),
        (arena("a,b,tie", '"a,b,tie', "a,b,tie"), "line 3 seems to open a quotation mark"),
        (arena("a,b,tie", 'a,"b,tie', 'a,"b,tie', "a,b,tie"), "line 3 seems to open a quotation"),
        (arena('"a\nx",b,tie', 'a,"b,tie', "a,b,tie"), "line 4 seems to open a quotation mark"),
        (b'<?xml version="1.0" encoding="X8"?><R/>', "the XML's encoding cannot be read"),
    ],
)  # fmt: skip
def test_a_file_without_anything_usable_says_what_is_wrong(data: bytes, got: str) -> None:
    with pytest.raises(ReadingError) as error:
        read(data, name="votes.csv")
    assert got in error.value.got
    assert error.value.where.startswith("votes.csv")
    assert "\n" not in str(error.value)
    assert error.value.remedy


@settings(max_examples=150)
@given(
    st.sampled_from(sorted(EXAMPLES.glob("*.*"))),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from([0, 0, 1, 2, 50]),
            st.one_of(st.binary(max_size=3), st.sampled_from(BREAKING)),
        ),
        min_size=1,
        max_size=4,
    ),
)
def test_a_damaged_file_is_read_or_refused_but_never_crashes(
    path: Path, damages: list[tuple[float, int, bytes]]
) -> None:
    data = path.read_bytes()
    for place, n_cut, inserted in damages:
        at = int(place * len(data))
        data = data[:at] + inserted + data[at + n_cut :]
    try:
        campaign, report = read(data)
    except ReadingError:
        return
    assert report.sentences()
    assert report.n_tasks == campaign.n_tasks > 0
    for pair in campaign.pairs:
        campaign.judgments(pair)


def test_a_gzip_that_grows_too_large_is_refused() -> None:
    with pytest.raises(ReadingError, match=r"unzipped it is larger than 0\.001 GB"):
        read(gzip.compress(b"a" * 2_000_000, mtime=0), max_bytes=1_000_000)


def test_a_gzip_with_a_wrong_checksum_is_refused() -> None:
    data = five_way("1,2,3,4,5")
    packed = gzip.compress(data, mtime=0)
    forged = packed[:-8] + struct.pack("<I", zlib.crc32(data) ^ 1) + packed[-4:]
    with pytest.raises(ReadingError, match="damaged"):
        read(forged)


def test_one_bad_file_of_several_stops_all_and_is_named() -> None:
    with pytest.raises(ReadingError, match=r"second\.csv: the file is empty"):
        read_many([("first.csv", arena("a,b,model_a")), ("second.csv", b"")])


def test_several_files_are_one_campaign_with_each_files_lines() -> None:
    first = two_way("fi,en,7,7,ann,a,1,b,2,1", "fi,en,7,7,ann,a,9,b,2,2")
    second = two_way("fin,eng,7,7,bob,b,1,c,2,1")
    campaign, report = read_many([("one.csv", first), ("two.csv", second)])
    assert (campaign.pairs, campaign.n_tasks) == (("fi-en",), 2)
    assert outcomes(campaign) == [("a", "b", 1), ("b", "c", 1)]
    assert [(reason.file, reason.places) for reason in report.left_out] == [("one.csv", (3,))]
    assert "(fi-en" not in report.left_out[0].sentence()
    assert ": one.csv, line 3, " in report.left_out[0].sentence()


def test_a_missing_path_is_a_message_too(tmp_path: Path) -> None:
    with pytest.raises(ReadingError, match="No such file"):
        read_path(tmp_path / "nowhere.csv")


# Real campaigns


def test_wmt15_xml_and_two_way_files_hold_the_same_judgments(campaigns_dir: Path) -> None:
    xml, report = read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")
    assert (xml.n_tasks, sum(report.skipped.values())) == (28_260, 757)
    assert report.skipped["rus-eng"] == 121
    for name, selection, n_rows in (
        ("wmt15.fin-eng.csv.gz", Selection(identical="expanded"), 31_577),
        ("wmt15.collapsed.fin-eng.csv.gz", Selection(identical="collapsed"), 17_309),
    ):
        csv, csv_report = read_path(campaigns_dir / "wmt15" / name)
        assert csv_report.n_rows == n_rows
        assert csv_report.left_out == ()
        rows = rows_of(xml.judgments("Finnish-English", selection))
        assert len(rows) == n_rows
        assert rows == rows_of(csv.judgments("fin-eng", selection))


def test_the_one_result_of_wmt15_with_missing_ranks_is_found(campaigns_dir: Path) -> None:
    campaign, report = read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")
    assert report.incomplete == {"eng-ces": 1}
    (entries,) = np.nonzero(campaign.entry_rank == UNRANKED)
    (task,) = np.unique(np.searchsorted(campaign.task_start, entries, side="right") - 1)
    assert campaign.segments[campaign.task_segment[task]] == "1497"
    assert campaign.judges[campaign.task_judge[task]] == "judge65"


def test_wmt13_counts_its_copied_rows(campaigns_dir: Path) -> None:
    path = campaigns_dir / "wmt13" / "fr-en.train.csv.gz"
    campaign, report = read_path(path)
    assert (campaign.n_tasks, report.n_left_out) == (9_996, 0)
    lines = Counter(gzip.decompress(path.read_bytes()).splitlines())
    assert report.duplicates == {"French-English": sum(n - 1 for n in lines.values())}
    assert report.duplicates == {"French-English": 75}


def test_a_read_campaign_takes_little_memory(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "wmt15" / "wmt15.xml.gz")
    n_bytes = sum(c.nbytes for c in vars(campaign).values() if isinstance(c, np.ndarray))
    n_pairs = sum(len(campaign.judgments(pair)) for pair in campaign.pairs)
    assert n_bytes < 40 * n_pairs


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (" fox owl\nfox - 0.03*\nowl -0.03* -\n", "a number for every two systems"),
        ("fox owl\nfox NA 7.8e-08\nowl 7.8e-08 NA\n", "a number for every two systems"),
        ("SRC TRG WINS CLUSTER_START SYSTEM\nde en 3 1 fox\n", "a finished ranking"),
        ("system,score,spread,rank_low,rank_high,cluster\nfox,.6,.1,1,1,1\n", "a finished ranking"),
        ("fox.0 0.494 (1.0, 1.0)\n++++++\nowl.0 0.311 (2.0, 2.0)\n", "a finished ranking"),
        ("0.364\n0.556\n", "a list of numbers"),
    ],
)
def test_results_are_told_from_judgments(text: str, what: str) -> None:
    with pytest.raises(ReadingError, match=f"{what}.*the judgments are not in it"):
        read(text.encode())
    with pytest.raises(ReadingError):
        first_rows(text.encode(), "results.csv")


def test_a_comment_in_quotation_marks_may_have_several_lines() -> None:
    rows = [
        f'{s},{k},j,{10 * k + (s == "a")},"first\nsecond, third"' for k in range(9) for s in "ab"
    ]
    campaign, report = read("\n".join(["system,segment,judge,score,comment", *rows, ""]).encode())
    assert campaign.systems == ("a", "b")
    assert report.shares[0].judgments == 18
    assert report.shares[0].left_out == 0


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless stream on this system")
def test_a_stream_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.formats.budgets.max_bytes", lambda: 10 * 2**20)
    with pytest.raises(ReadingError, match="zero"):
        read_path("/dev/zero")
