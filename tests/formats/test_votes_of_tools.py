"""Files of arenas, of machine judges and of annotation tools: what each says, and what it lacks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.campaign import Campaign, Selection
from analysis.errors import ReadingError
from analysis.extras.llm_judges.agreement import agreement_beside, lengths_of_rows
from analysis.extras.llm_judges.beside import lay_beside
from analysis.formats import ReadReport, json_stream, read, read_path
from analysis.reporting.pair_tables import both_bad_frame
from tests.campaign.test_campaign import rows_of

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def example(name: str) -> tuple[Campaign, ReadReport]:
    return read_path(EXAMPLES / name)


def lines(*records: Any) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def votes(campaign: Campaign) -> list[tuple[str, str, int]]:
    return [row[:3] for row in rows_of(campaign.judgments())]


def attribute(campaign: Campaign, name: str) -> list[str]:
    found = campaign.of_tasks(campaign.attribute(name))
    assert found.codes is not None
    return [found.names[code] if code >= 0 else "" for code in found.codes.tolist()]


def odd(report: ReadReport) -> list[str]:
    return [oddity.kind for oddity in report.oddities]


@pytest.mark.parametrize(
    ("name", "format_name", "n_tasks", "n_left_out"),
    [
        ("arena-2025.jsonl", "arena", 6, 0),
        ("arena-flags.csv", "arena", 4, 0),
        ("comparia.csv", "comparia", 3, 0),
        ("alpaca-eval.json", "alpaca-eval", 3, 0),
        ("fastchat-pairs.jsonl", "fastchat-pairs", 6, 0),
        ("arena-hard.jsonl", "arena-hard", 6, 0),
        ("wide-judges.json", "wide-judges", 9, 0),
        ("label-studio-pairs.json", "label-studio", 3, 1),
        ("label-studio-ranker.json", "label-studio", 3, 0),
        ("argilla.json", "argilla", 2, 1),
        ("argilla-flat.jsonl", "argilla", 2, 0),
        ("potato-pairs.jsonl", "potato", 3, 0),
        ("potato-best-worst.jsonl", "potato", 2, 1),
    ],
)
def test_each_example_is_known_by_its_content_and_nothing_is_lost(
    name: str, format_name: str, n_tasks: int, n_left_out: int
) -> None:
    campaign, report = example(name)
    assert report.format == format_name
    assert campaign.n_tasks == n_tasks
    assert report.n_left_out == n_left_out


# Arena files


def test_workers_are_judges_and_prompts_are_questions() -> None:
    campaign, report = example("arena-flags.csv")
    assert campaign.judges == ("w1", "w2")
    assert campaign.segments == ("Why is the sky blue?", "Write a haiku about rain.")
    assert votes(campaign) == [
        ("fox", "owl", 1), ("fox", "elk", -1), ("owl", "elk", 0), ("fox", "owl", 1),
    ]  # fmt: skip
    assert odd(report) == []


def test_sessions_stand_for_judges_and_both_bad_is_a_tie_that_can_be_told_apart() -> None:
    campaign, report = example("arena-2025.jsonl")
    assert campaign.judges == ("s1", "s2", "s3")
    assert [outcome for *_, outcome in votes(campaign)] == [1, -1, 0, 0, 1, 0]
    assert attribute(campaign, "vote") == [
        "decided", "decided", "tie", "both bad", "decided", "tie",
    ]  # fmt: skip
    assert {"sessions", "both-bad"} <= set(odd(report))
    assert any(
        "1 “both bad” vote counts as a tie, unless a filter drops it." in line
        for line in report.sentences()
    )


def test_categories_and_lengths_come_out_of_the_nested_columns() -> None:
    campaign, _ = example("arena-2025.jsonl")
    assert attribute(campaign, "math") == ["no", "no", "yes", "no", "no", "no"]
    lengths = lengths_of_rows(campaign.judgments())
    assert lengths is not None
    assert lengths[0].tolist() == [120, 130, 140, 150, 160, 170]
    assert lengths[1].tolist() == [150, 145, 140, 135, 130, 125]


def test_turns_of_a_question_are_told_apart_only_where_it_has_several() -> None:
    header = "model_a,model_b,winner,judge,question_id,turn"
    both = read(f"{header}\na,b,model_a,x,81,1\na,b,tie,x,81,2\n".encode())[0]
    assert both.segments == ("81", "81, turn 2")
    one = read(f"{header}\na,b,model_a,x,81,1\na,b,tie,x,82,3\n".encode())[0]
    assert one.segments == ("81", "82")


def test_a_long_prompt_names_its_question_the_same_in_every_file() -> None:
    long, other = "word " * 100 + "end", "word " * 100 + "fin"
    data = lines(*(dict(model_a="a", model_b="b", winner="tie", prompt=p) for p in (long, other)))
    names = read(data)[0].segments
    assert names == read(data)[0].segments
    assert len(set(names)) == 2
    assert all(len(name) == 80 for name in names)


def test_compar_ia_s_vote_for_neither_is_left_out_and_alike_is_a_tie() -> None:
    campaign, report = example("comparia.csv")
    assert votes(campaign) == [("fox", "owl", 1), ("elk", "owl", 0), ("fox", "elk", -1)]
    assert campaign.judges == ("v1", "v2")
    assert report.skipped == {"all": 1}


# Machine judges


def test_a_graded_preference_counts_for_the_side_on_which_it_lies() -> None:
    campaign, report = example("alpaca-eval.json")
    assert votes(campaign) == [("fox", "owl", 1), ("fox", "elk", -1), ("fox", "owl", 0)]
    assert {"graded", "tool"} <= set(odd(report))
    lengths = lengths_of_rows(campaign.judgments())
    assert lengths is not None
    assert lengths[0][0] == len("Apples, pears, plums.")


def test_two_games_in_swapped_order_are_two_votes_from_both_sides() -> None:
    campaign, _ = example("fastchat-pairs.jsonl")
    assert votes(campaign)[:2] == [("fox", "owl", 1), ("owl", "fox", -1)]
    found = agreement_beside(lay_beside(campaign, campaign, "gpt-judge pair-v2"))
    assert found.consistency.n == 3
    assert found.consistency.value == pytest.approx(1 / 3)


def test_the_baseline_is_shown_first_in_the_first_game_and_last_in_the_second() -> None:
    campaign, report = example("arena-hard.jsonl")
    base = "baseline of hard_prompt"
    assert votes(campaign) == [
        (base, "fox", -1), ("fox", base, 1), (base, "fox", 0), ("fox", base, -1),
        (base, "owl", 1), ("owl", base, -1),
    ]  # fmt: skip
    assert odd(report) == ["tool", "tool"]


def test_a_game_without_a_verdict_beside_one_with_is_counted() -> None:
    data = lines(
        dict(model="fox", judge="j", uid="1", games=[dict(score="A>B"), dict(score=None)]),
        dict(model="fox", judge="j", uid="2", games=[dict(score="A<<B"), dict(score="A>B")]),
    )
    campaign, report = read(data)
    assert campaign.n_tasks == 3
    assert report.skipped == {"all": 1}


def test_rows_with_several_judges_give_a_ranking_for_each() -> None:
    campaign, _ = example("wide-judges.json")
    assert campaign.judges == ("annotator1", "annotator2", "annotator3")
    assert votes(campaign)[:4] == [
        ("fox-7b", "owl-7b", 1), ("fox-7b", "owl-7b", 1), ("fox-7b", "owl-7b", 0),
        ("fox-7b", "elk-7b", -1),
    ]  # fmt: skip


def test_names_with_underscores_are_taken_apart_where_they_recur() -> None:
    rows = [("my_fox", "owl"), ("my_fox", "elk"), ("owl", "elk")]
    data = json.dumps(
        [dict(cmp_key="_".join(row), annotator1=1, idx=k) for k, row in enumerate(rows)]
    )
    assert set(read(data.encode())[0].systems) == {"my_fox", "owl", "elk"}


@pytest.mark.parametrize(("one", "two", "kappa"), [(1, 2, 0.8520), (1, 3, 0.8789), (2, 3, 0.8617)])
def test_pandalm_s_judges_agree_as_published(one: int, two: int, kappa: float) -> None:
    folder = os.environ.get("PODIUM_CAMPAIGNS")
    if not folder:
        pytest.skip("set PODIUM_CAMPAIGNS to a folder with pandalm/testset-v1.json.gz")
    campaign, report = read_path(Path(folder) / "pandalm" / "testset-v1.json.gz")
    assert (campaign.n_tasks, report.n_left_out) == (2997, 0)
    alone = Selection(judges=(f"annotator{one}",))
    found = lay_beside(campaign, campaign, f"annotator{two}", selection=alone, within=True)
    assert agreement_beside(found).kappa.value == pytest.approx(kappa, abs=5e-5)


# Annotation tools


def test_label_studio_s_pairs_are_votes_of_people_without_their_names() -> None:
    campaign, report = example("label-studio-pairs.json")
    assert votes(campaign) == [("fox", "owl", 1), ("fox", "owl", -1), ("elk", "owl", -1)]
    assert campaign.judges == ("judge1", "judge2")
    assert report.judges_numbered
    assert campaign.task_seconds is not None
    assert np.unique(campaign.task_seconds).tolist() == [12.5]


def test_label_studio_s_lists_are_rankings_of_their_items() -> None:
    campaign, _ = example("label-studio-ranker.json")
    ranks = campaign.entry_rank.reshape(3, 3).tolist()
    assert campaign.systems == ("fox", "owl", "elk")
    assert ranks == [[2, 1, 3], [1, 2, 3], [2, 3, 1]]


@pytest.mark.parametrize(
    "data",
    [
        b"id,text1,text2,annotator,annotation_id,created_at,lead_time\n1,a,b,4,9,now,3\n",
        json.dumps([dict(id=1, text1="a", annotator=4, annotation_id=9, lead_time=3)]).encode(),
    ],
)
def test_an_export_without_choices_says_which_one_to_take(data: bytes) -> None:
    with pytest.raises(ReadingError, match="Make a new export as JSON, not as JSON-MIN"):
        read(data)


def test_label_studio_s_tasks_must_name_the_systems() -> None:
    task = json.loads((EXAMPLES / "label-studio-pairs.json").read_text())[0]
    del task["data"]["model_a"], task["data"]["model_b"]
    with pytest.raises(ReadingError, match="the fields model_a and model_b"):
        read(json.dumps([task]).encode())


def test_argilla_s_options_stand_for_the_systems_of_the_metadata() -> None:
    campaign, _ = example("argilla.json")
    assert campaign.systems == ("fox", "owl", "elk")
    assert campaign.entry_rank.reshape(2, 3).tolist() == [[2, 1, 3], [1, 2, 3]]


def test_argilla_s_options_without_metadata_are_places_which_is_said() -> None:
    campaign, report = example("argilla-flat.jsonl")
    assert "places-not-systems" in odd(report)
    assert campaign.entry_rank.tolist() == [1, 1, 1, 2]  # a draft does not count


@pytest.mark.parametrize(
    "record",
    [
        {"prompt": "q", "ranking": [
            {"user_id": "u", "status": "submitted",
             "value": {"rank": [2, 1], "value": ["fox", "owl"]}},
        ]},
        {"fields": {"prompt": "q"}, "responses": [
            {"user_id": "u", "status": "submitted",
             "values": {"r": {"value": [
                 {"value": "fox", "rank": 2}, {"value": "owl", "rank": 1},
             ]}}},
        ]},
    ],
)  # fmt: skip
def test_argilla_s_older_records_are_read_too(record: dict[str, Any]) -> None:
    campaign, _ = read(lines(record))
    assert votes(campaign) == [("fox", "owl", -1)]
    assert campaign.segments == ("q",)


def test_potato_s_choices_scales_and_tuples_are_rankings() -> None:
    campaign, _ = example("potato-pairs.jsonl")
    assert votes(campaign) == [("fox", "owl", 1), ("fox", "owl", 0), ("owl", "elk", 1)]
    tuples, _ = example("potato-best-worst.jsonl")
    assert tuples.entry_rank.reshape(2, 4).tolist() == [[2, 1, 2, 3], [1, 2, 2, 3]]
    assert tuples.systems == ("fox", "owl", "elk", "bee")


def test_potato_s_orders_may_hold_ties() -> None:
    label = {"quality": {"rank_order": "B,D=A,C"}}
    record = dict(id="1", user_id="u", systems=list("wxyz"), label_annotations=label)
    campaign, _ = read(lines(record))
    assert campaign.systems == ("w", "x", "y", "z")
    assert campaign.entry_rank.tolist() == [2, 1, 4, 2]


def test_potato_s_table_is_read_as_its_records_are() -> None:
    data = b"user\tinstance_id\tmodel_a\tmodel_b\tpreference:::selection\nann\t1\tfox\towl\tB\n"
    campaign, report = read(data)
    assert report.format == "potato"
    assert votes(campaign) == [("fox", "owl", -1)]


def test_potato_s_output_must_be_joined_with_who_made_what() -> None:
    record = dict(id="1", user_id="u", label_annotations={"p": {"selection": "A"}})
    with pytest.raises(ReadingError, match="Add the instances' own data"):
        read(lines(record))


@pytest.mark.parametrize(
    "data",
    [
        b'[{"model": "a", "games": [{"score": ',
        b'{"model": "a", "games": []}\n{"model": "a", "ga',
        b'[{"model": "a", "games": [' + b"[" * 100_000,
    ],
)
def test_nested_files_that_are_cut_off_are_refused_in_words(data: bytes) -> None:
    with pytest.raises(ReadingError) as error:
        read(data)
    assert error.value.remedy


def test_a_last_line_that_ends_in_the_middle_is_refused_and_another_one_is_no_record() -> None:
    with pytest.raises(ReadingError, match="f, line 3: the last record ends in the middle"):
        list(json_stream.lines(b'{"a": 1}\n\n{"b', json.JSONDecoder(), "f"))
    assert list(json_stream.lines(b'{"a": 1}\n{"b\n[2]\n', json.JSONDecoder(), "f")) == [
        (1, {"a": 1}),
        (2, None),
        (3, [2]),
    ]


def test_argilla_s_datasets_are_read_as_their_records_are(tmp_path: Path) -> None:
    flat = [json.loads(x) for x in (EXAMPLES / "argilla-flat.jsonl").read_text().splitlines()]
    pq.write_table(pa.Table.from_pylist(flat), tmp_path / "flat.parquet")
    of_table, _ = read_path(tmp_path / "flat.parquet")
    assert of_table.fingerprint == example("argilla-flat.jsonl")[0].fingerprint
    ranked = [{"rank": ranks, "value": ["r-1", "r-2"]} for ranks in ([1, 2], [2, 1])]
    answers = {"user_id": ["u-1", "u-2"], "value": ranked, "status": ["submitted", "submitted"]}
    older = {"r-1": "a", "order": answers, "order-suggestion": "", "external_id": "7"}
    table = pa.Table.from_pylist([older | {"metadata": "{}"}])
    pq.write_table(table, tmp_path / "older.parquet")
    campaign, report = read_path(tmp_path / "older.parquet")
    assert report.format == "argilla"
    assert votes(campaign) == [("r-1", "r-2", 1), ("r-1", "r-2", -1)]


def test_argilla_s_damaged_datasets_are_refused_in_words(tmp_path: Path) -> None:
    table = pa.table({"order.responses": [[["a", "b"]]], "id": ["1"]})
    pq.write_table(table, tmp_path / "cut.parquet")
    data = (tmp_path / "cut.parquet").read_bytes()
    with pytest.raises(ReadingError):
        read(data[:4] + b"xxxxxxxx" * 4 + data[36:])


# FastChat's grades of single answers


def test_a_later_turn_is_a_question_of_its_own_by_the_same_judge() -> None:
    campaign, report = example("fastchat-scores.jsonl")
    assert report.format == "fastchat-scores"
    assert campaign.judges == ("gpt-judge",)
    assert campaign.segments == ("81", "81, turn 2", "111")
    assert campaign.scores is not None
    assert campaign.scores.value.tolist() == [9, 6, 8, 3, 9.5]
    assert report.left_out[0].example.endswith("the score is empty")
    assert campaign.n_tasks == 3


# Votes that both are bad


def test_votes_that_both_are_bad_are_dropped_where_asked_and_shared_out_by_system() -> None:
    campaign, _ = example("arena-2025.jsonl")
    every, dropped = (
        campaign.judgments(selection=Selection(both_bad=b)) for b in ("tie", "dropped")
    )
    assert (len(every), len(dropped)) == (6, 5)
    assert dropped.n_ties == every.n_ties - 1
    assert "both-bad:dropped" in dropped.selection.signature
    frame = both_bad_frame(every)
    assert frame is not None
    assert frame["both_bad"].sum() == 2
    assert frame["votes"].sum() == 12
    assert both_bad_frame(example("arena-flags.csv")[0].judgments()) is None
