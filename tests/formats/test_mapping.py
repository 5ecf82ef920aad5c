"""Tables with columns of any names: roles are guessed, corrected, kept, and applied."""

from __future__ import annotations

import io
import json

import numpy as np
import pandas as pd
import pytest

import analysis
from analysis.campaign import Scale
from analysis.errors import PodiumError
from analysis.formats import Profile, first_rows, guess_file, read, read_many
from analysis.formats.collecting import Collector
from analysis.formats.content import Content
from analysis.formats.mapping import guess
from analysis.formats.mapping.flat import flat_records
from analysis.formats.mapping.guess.names import sides
from analysis.formats.mapping.in_words import judgments_in_words
from analysis.formats.mapping.winners import decided, meanings
from analysis.formats.rankings import Column, Findings
from analysis.formats.scored import Scored
from analysis.languages import NO_PAIR

PAIRS = [
    ("ann", "s1", "cmu", "kit", "L", "news", 10, 30),
    ("ann", "s2", "kit", "uedin", "R", "blog", 12, 12),
    ("bob", "s1", "cmu", "uedin", "same", "news", 9, 8),
    ("bob", "s2", "uedin", "kit", "R", "blog", 7, 9),
    ("cleo", "s3", "kit", "cmu", "L", "news", 5, 50),
]
PAIR_COLUMNS = ["Rater", "Sentence No", "Left Engine", "Right Engine", "Which one?", "genre",
                "len_left", "len_right"]  # fmt: skip


def table(rows, columns, form="csv") -> bytes:
    frame = pd.DataFrame(rows, columns=columns)
    if form == "json":
        return frame.to_json(orient="records").encode()
    if form == "jsonl":
        return frame.to_json(orient="records", lines=True).encode()
    if form == "parquet":
        held = io.BytesIO()
        frame.to_parquet(held)
        return held.getvalue()
    return frame.to_csv(index=False, sep={"csv": ",", "tsv": "\t"}[form]).encode()


def guessed(data: bytes) -> Profile:
    return guess(first_rows(data, "table")).profile


def told(campaign) -> list[tuple]:
    """Judge, segment and each task's systems with their ranks."""
    ranks = np.split(campaign.entry_rank, campaign.task_start[1:-1])
    return [
        (
            campaign.judges[campaign.task_judge[t]],
            campaign.segments[campaign.task_segment[t]],
            [(name[0], int(r)) for name, r in zip(campaign.task_outputs(t), ranks[t], strict=True)],
        )
        for t in range(campaign.n_tasks)
    ]


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_an_unknown_table_of_pairs_is_guessed_and_read(form):
    data = table(PAIRS, PAIR_COLUMNS, form)
    with pytest.raises(PodiumError):
        read(data)
    profile = guessed(data)
    assert (profile.system_a, profile.system_b) == ("Left Engine", "Right Engine")
    assert (profile.winner, profile.judge) == ("Which one?", "Rater")
    assert dict(profile.winners) == {"L": "a", "R": "b", "same": "tie"}
    assert profile.outputs == (("len", "len_left", "len_right"),)
    campaign, report = read_many([("x", data)], mapping=profile)
    assert told(campaign)[:3] == [
        ("ann", "s1", [("cmu", 1), ("kit", 2)]),
        ("ann", "s2", [("kit", 2), ("uedin", 1)]),
        ("bob", "s1", [("cmu", 1), ("uedin", 1)]),
    ]
    assert campaign.attribute("domain").about == "segment"
    assert campaign.attribute("len").values[:4].tolist() == [10, 30, 12, 12]
    assert (report.format, report.n_rows, report.n_tasks) == ("mapped", 5, 5)


def test_a_winner_may_be_the_name_of_a_system():
    rows = [("u", "q1", "cmu", "kit", "kit"), ("u", "q2", "kit", "cmu", "kit"),
            ("u", "q3", "kit", "cmu", "draw"), ("u", "q4", "kit", "cmu", "cmu")]  # fmt: skip
    data = table(rows, ["user", "item", "mt1", "mt2", "best"])
    campaign, _ = read_many([("x", data)], mapping=guessed(data))
    assert [ranks for _, _, ranks in told(campaign)] == [
        [("cmu", 2), ("kit", 1)],
        [("kit", 1), ("cmu", 2)],
        [("kit", 1), ("cmu", 1)],
        [("kit", 2), ("cmu", 1)],
    ]


@pytest.mark.parametrize(
    "word",
    ["not_b", "skipped_b", "modle_b", "lost_a", "a_lost", "loser_b", "bad_b", "neither_b",
     "timeout_a", "flag_a", "second_worse", "3-1", "a little"],
)  # fmt: skip
def test_an_unknown_word_next_to_a_side_is_no_win(word: str) -> None:
    rows = [*("x,y,model_a" for _ in range(3)), f"x,y,{word}", "x,y,model_b", "x,y,typo_b"]
    data = "\n".join(["model_a,model_b,winner", *rows]).encode()
    campaign, report = read_many([("x.csv", data)])
    assert campaign.n_tasks == 4
    assert (report.n_left_out, report.left_out[0].places) == (2, (5, 7))
    told = report.left_out[0].sentence()
    assert f"line 5, winner: {word!r} is neither of the two nor a tie; nor are 'typo_b'" in told


@pytest.mark.parametrize(
    ("first", "second"),
    [("model_1", "model_2"), ("Text 1 - sure", "Text 2 - sure"), ("A is better", "B is better"),
     ("assistant_a", "assistant_b"), ("output (a)", "output (b)"), ("system1 wins", "system2 wins"),
     ("A is preferred over B", "B is preferred over A"), ("a_won", "b_won"),
     ("A is a bit better", "B is a bit better")],
)  # fmt: skip
def test_known_words_next_to_a_side_name_the_winner(first: str, second: str) -> None:
    data = f"model_a,model_b,winner\nx,y,{first}\nx,y,{first}\nx,y,{second}\n".encode()
    campaign, report = read_many([("x.csv", data)])
    assert report.n_left_out == 0
    assert [dict(ranks)["x"] for _, _, ranks in told(campaign)] == [1, 1, 2]


def test_a_column_mostly_of_unknown_words_asks() -> None:
    data = b"model_a,model_b,winner\nx,y,a_lost\nx,y,b_lost\ny,x,a_lost\nx,y,model_a\n"
    with pytest.raises(PodiumError, match=r"most words for the winner .*line 2, .*'a_lost'"):
        read_many([("x.csv", data)])


def test_a_winner_that_names_neither_is_left_out_with_its_line():
    data = table([*PAIRS, ("bob", "s9", "cmu", "kit", "dunno", "news", 1, 2)], PAIR_COLUMNS)
    profile = guessed(table(PAIRS, PAIR_COLUMNS))
    _, report = read_many([("x", data)], mapping=profile)
    assert (report.n_left_out, report.left_out[0].places) == (1, (7,))
    assert "'dunno' is neither of the two" in report.left_out[0].sentence()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["1", "2"], "ab"),
        (["0", "1"], "ab"),
        (["0", "1", "2"], "tab"),
        (["1", "2", "3"], "abt"),
        (["-2", "-1", "0", "1"], "bbta"),
        (["1", "0.5", "0"], "atb"),
        (["1", "3", "4", "6", "7"], "aatbb"),
        (["left is better", "right is better", "No preference"], "abt"),
        (["slightly A", "much B", "Both good"], "abt"),
    ],
)
def test_words_and_numbers_of_winners_mean_what_people_mean_by_them(words, expected):
    assert "".join(outcome[0] for outcome in meanings(words).values()) == expected


WIDE = [("ann", "1", 2, 1, 3), ("bob", "1", 1, 2, 2), ("ann", "2", 3, 1, 2)]


def test_ranks_in_columns_called_like_the_systems_are_rankings():
    data = table(WIDE, ["worker", "sample", "gpt", "claude", "llama"])
    profile = guessed(data)
    assert profile.ranks == ("gpt", "claude", "llama")
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert told(campaign)[1] == ("bob", "1", [("gpt", 1), ("claude", 2), ("llama", 2)])


def test_numbered_columns_of_systems_and_ranks_are_rankings():
    rows = [("ann", "7", "a", "2", "b", "1", "c", "3"), ("bob", "7", "b", "1", "c", "2", "", "")]
    columns = ["who", "item", "out_1 model", "rank_1", "out_2 model", "rank_2", "out_3 model",
               "rank_3"]  # fmt: skip
    data = table(rows, columns)
    profile = guessed(data)
    assert len(profile.systems) == 3
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert told(campaign) == [
        ("ann", "7", [("a", 2), ("b", 1), ("c", 3)]),
        ("bob", "7", [("b", 1), ("c", 2)]),
    ]


LONG = [("ann", "1", "cmu", 2), ("ann", "1", "kit", 1), ("bob", "1", "cmu", 1),
        ("bob", "1", "kit", 1), ("ann", "2", "kit", 3), ("ann", "2", "cmu", 1)]  # fmt: skip


def test_a_row_an_output_is_put_together_to_rankings():
    data = table(LONG, ["annotator", "segment", "engine", "place"])
    profile = guessed(data)
    assert (profile.system, profile.rank) == ("engine", "place")
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert told(campaign) == [
        ("ann", "1", [("cmu", 2), ("kit", 1)]),
        ("bob", "1", [("cmu", 1), ("kit", 1)]),
        ("ann", "2", [("kit", 3), ("cmu", 1)]),
    ]


def test_scores_of_two_systems_side_by_side_are_compared():
    rows = [("ann", "1", "cmu", "kit", 80.0, 71.0), ("ann", "2", "kit", "cmu", 20.0, 20.0)]
    data = table(rows, ["rater", "item", "system A", "system B", "score A", "score B"])
    profile = guessed(data)
    assert (profile.score_a, profile.score_b, profile.better) == ("score A", "score B", "higher")
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert [ranks for _, _, ranks in told(campaign)] == [
        [("cmu", 1), ("kit", 2)],
        [("kit", 1), ("cmu", 1)],
    ]


def test_items_that_are_numbered_anew_in_every_document_are_told_apart():
    rows = [("ann", d, s, "cmu", "kit", "a") for d in ("d1", "d2") for s in ("1", "2")]
    data = table(rows, ["rater", "doc", "segment", "system A", "system B", "winner"])
    profile = Profile(system_a="system A", system_b="system B", winner="winner", judge="rater",
                      segment="segment", document="doc")  # fmt: skip
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert campaign.segments == ("d1:1", "d1:2", "d2:1", "d2:2")


def test_a_text_of_several_lines_may_be_the_item():
    rows = [("ann", "one\ntwo", "cmu", "kit", "a"), ("ann", "three", "cmu", "kit", "b")]
    data = table(rows, ["rater", "prompt text", "system A", "system B", "winner"])
    profile = Profile(system_a="system A", system_b="system B", winner="winner",
                      segment="prompt text")  # fmt: skip
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert campaign.segments == ("one\ntwo", "three")


def test_a_profile_is_kept_as_yaml_and_in_a_link_without_loss():
    profile = Profile(
        system_a="left: one", system_b="#right", winner="no", judge="où", attributes=("a", "b"),
        outputs=(("length", "la", "lb"),), winners=(("yes", "a"), ("no", "b"), ("1", "tie")),
        better="lower",
    )  # fmt: skip
    assert Profile.from_yaml(profile.to_yaml()) == profile
    assert Profile.from_link(profile.to_link()) == profile


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no part called columns"),
        ("columns: [a]", "no part called columns"),
        ("columns: {systm: a}", "the role 'systm' is not known"),
        ("columns: {system: [a]}", "not the name of a column"),
        ("columns: {ranks: a}", "is not a list of columns"),
        ("columns: {system: a}\nwinners: {x: left}", "'x' means left"),
        ("columns: {system: &a [x, x]}", "& and * at the start need quotes"),
        ("columns: {system: *a}", "this is not YAML"),
        ("[" * 50_000, "this is not YAML"),
        ("columns: {}\nbetter: !!timestamp x", "better is x"),
        ("columns: {}\nbetter: 0x" + "f" * 6000, "better is 0xfff"),
        ("columns: {system: a}\nbetter: more", "better is more"),
        ("columns: {system: a}\noutputs: {length: [a]}", "does not name two columns"),
        ("podium: 2\ncolumns: {system: a}", "of version 2"),
        ("columns: {system: 'a", "this is not YAML"),
        ("a: " * 40_000, "more than 100000 letters"),
    ],
)
def test_a_bad_profile_is_refused_with_the_reason(text, told):
    with pytest.raises(PodiumError) as caught:
        Profile.from_yaml(text)
    assert told in str(caught.value)
    assert caught.value.remedy


def test_what_stands_in_a_profile_is_taken_as_words() -> None:
    read = Profile.from_yaml("columns: {system: no, judge: 007}\nwinners: {yes: a}")
    assert (read.system, read.judge, read.winners) == ("no", "007", (("yes", "a"),))


@pytest.mark.parametrize("letters", ["", "x", "%%%", "eJw", "é"])
def test_a_broken_link_is_refused(letters):
    with pytest.raises(PodiumError):
        Profile.from_link(letters)


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (Profile(system_a="Left Engine"), "only one of the two systems"),
        (Profile(system_a="Left Engine", system_b="Right Engine"), "no column names the better"),
        (Profile(system="Left Engine"), "neither a rank nor a score"),
        (Profile(ranks=("Rater",)), "for only one of the systems"),
        (Profile(judge="Rater"), "no column names the systems"),
        (Profile(system_a="x", system_b="y", winner="z"), "which the table does not have"),
        (Profile(system_a="Rater", system_b="Rater", winner="genre"), "has two roles"),
    ],
)
def test_a_profile_that_does_not_fit_says_what_is_missing(profile, told):
    with pytest.raises(PodiumError, match=told) as caught:
        read_many([("x", table(PAIRS, PAIR_COLUMNS))], mapping=profile)
    assert caught.value.remedy


def test_of_several_files_those_with_its_columns_are_read_by_the_profile():
    arena = b"model_a,model_b,winner,judge,question_id\ncmu,kit,model_a,dora,s1\n"
    mine = table(PAIRS, PAIR_COLUMNS)
    campaign, report = read_many([("a", arena), ("b", mine)], mapping=guessed(mine))
    assert (campaign.n_tasks, report.format) == (6, "arena, mapped")
    with pytest.raises(PodiumError, match="none of the files"):
        read_many([("a", arena), ("b", arena)], mapping=guessed(mine))


def test_the_front_door_takes_a_profile_its_path_and_a_dictionary(tmp_path):
    data = table(PAIRS, PAIR_COLUMNS)
    profile = guessed(data)
    path = tmp_path / "profile.yaml"
    path.write_text(profile.to_yaml(), encoding="utf-8")
    by_profile, _ = analysis.read(("x", data), mapping=profile)
    by_path, _ = analysis.read(("x", data), mapping=path)
    renamed = {"Left Engine": "model_a", "Right Engine": "model_b", "Which one?": "winner"}
    by_names, _ = analysis.read(
        ("x", data.replace(b"same", b"tie").replace(b",L,", b",left,").replace(b",R,", b",right,")),
        mapping=renamed,
    )
    assert by_profile.fingerprint == by_path.fingerprint
    assert by_names.judgments().counts.wins.tolist() == by_path.judgments().counts.wins.tolist()


@pytest.mark.parametrize("data", [b"", b"one column\n1\n", b"[]", b"[1, 2]", b"<a/>", b"a,b\n",
                                  b"\xff\xfe\x00", json.dumps({"a": 1}).encode()])  # fmt: skip
def test_what_is_no_table_is_refused_in_words(data):
    with pytest.raises(PodiumError) as caught:
        first_rows(data, "x")
    assert caught.value.remedy
    assert caught.value.__cause__ is None


def test_a_guess_of_a_table_without_judgments_names_no_systems():
    data = table([("a", 1), ("b", 2)], ["city", "people"])
    with pytest.raises(PodiumError):
        _ = guessed(data).layout


def test_scores_of_single_outputs_become_a_campaign_of_scores():
    rows = [("ann", "1", "cmu", 80), ("ann", "1", "kit", 71), ("bob", "1", "kit", 20),
            ("bob", "1", "cmu", 60), ("ann", "2", "kit", "none")]  # fmt: skip
    data = table(rows, ["rater", "item", "engine", "quality"])
    profile = Profile(system="engine", score="quality", judge="rater", segment="item")
    campaign, report = read_many([("x", data)], mapping=profile)
    assert campaign.scores.value.tolist() == [80, 71, 20, 60]
    assert campaign.judgments().counts.wins.tolist() == [[0, 2], [0, 0]]
    assert report.n_left_out == 1
    assert "'none' is not a number" in report.left_out[0].sentence()


def test_scores_in_columns_called_like_the_systems_stand_on_one_screen():
    rows = [("ann", "1", 80.5, 71.0), ("bob", "1", 20.0, ""), ("bob", "2", 20.0, 30.0)]
    data = table(rows, ["rater", "item", "score_cmu", "score_kit"])
    profile = guessed(data)
    assert profile.scores == ("score_cmu", "score_kit")
    campaign, _ = read_many([("x", data)], mapping=profile)
    assert campaign.systems == ("cmu", "kit")
    assert np.diff(campaign.task_start).tolist() == [2, 1, 2]


def test_a_winner_who_is_always_the_same_system_leaves_a_doubt() -> None:
    found = decided(["cmu"], {"cmu", "kit"}, ("1", "2"), ["winner"])
    assert found is not None
    assert found.sure < 1
    both = decided(["cmu", "kit"], {"cmu", "kit"}, ("1", "2"), ["winner"])
    assert both is not None
    assert both.sure == 1


def test_columns_of_two_sides_keep_all_words_that_they_share() -> None:
    (found,) = sides(("model_a_name", "model_b_name", "judge"))
    assert found == ("model_a_name", "model_b_name", ("model", "name"), ("a", "b"))


def test_objects_in_the_cells_of_a_table_are_columns_of_their_own_whatever_holds_it() -> None:
    rows = [
        (f"w{k % 3}", f"i{k // 2}", ("cmu", "kit")[k % 2], json.dumps([{"fluency": 1 + k % 5}]))
        for k in range(40)
    ]
    rows[7] = (*rows[7][:3], "")
    names = ["WorkerId", "Input.item", "Input.system", "Answer.taskAnswers"]
    contents = [table(rows, names, form) for form in ("csv", "tsv", "parquet")]
    assert first_rows(contents[0], "table").columns == (*names[:3], "Answer.taskAnswers.fluency")
    profile = guessed(contents[0])
    assert (profile.score, profile.judge) == ("Answer.taskAnswers.fluency", "WorkerId")
    for source in (*contents, pd.DataFrame(rows, columns=names)):
        campaign, report = read_many([("table", source)], mapping=profile)
        assert campaign.scores is not None
        kept = [1 + k % 5 for k in range(40) if k != 7]
        assert sorted(campaign.scores.value.tolist()) == sorted(kept)
        assert sum(gone.count for gone in report.left_out) == 1


def test_cells_that_are_not_all_objects_stay_as_they_are() -> None:
    deep = "[" * 5000 + "]" * 5000
    for cells in (['{"a": 1}', "[1, 2]"], ['{"a": 1}', "{'a': 1}"], [deep, deep]):
        rows = [(f"i{k}", cell) for k, cell in enumerate(cells)]
        assert first_rows(table(rows, ["item", "note"]), "table").columns == ("item", "note")


def test_a_guess_asks_if_the_file_is_too_wide_to_look_at_all_its_lists(monkeypatch) -> None:
    votes = [
        {"judge": f"j{k % 3}", "item": k // 2, "model_a": "cmu", "model_b": "kit",
         "winner": "ab"[k % 2], "turns": [{"n": 1, "text": f"{k}"}, {"n": 2, "text": f"to {k}"}]}
        for k in range(40)
    ]  # fmt: skip
    data = json.dumps(votes).encode()
    _, whole = guess_file(data, "votes.json")
    monkeypatch.setattr("analysis.formats.mapping._MOST_COLUMNS", 8)
    _, part = guess_file(data, "votes.json")
    assert whole.is_sure
    assert not part.is_sure
    assert part.doubts[-1].startswith("the file has too many columns")


def test_lists_within_lists_become_one_row_for_each_of_the_inner_records() -> None:
    record = {"judge": "ann", "tasks": [{"id": 1, "answers": [{"rank": 1}, {"rank": 2}]}]}
    rows = list(flat_records([record], "tasks[].answers[]"))
    assert [row["tasks.answers.rank"] for row in rows] == [1, 2]
    assert {(row["judge"], row["tasks.id"]) for row in rows} == {("ann", 1)}


def test_a_judgment_in_words_names_its_language_pair_and_criterion_if_it_has_them() -> None:
    def said(pair: str, *criteria: str) -> list[str]:
        columns = {name: Column.constant(name, 1) for name in ("system", "segment", "judge")}
        part = Scored(
            n_rows=1, pair=Column.constant(pair, 1), value=np.array([7.0]), row=np.arange(1),
            findings=Findings(), scale=Scale("DA"), **columns,
        )  # fmt: skip
        return judgments_in_words(dict.fromkeys(criteria, part))

    assert said("eng-deu", "") == ["Judge judge gave system 7 on item segment (eng-deu)."]
    assert said(NO_PAIR, "") == ["Judge judge gave system 7 on item segment."]
    assert said(NO_PAIR, "fluency", "adequacy") == [
        "Judge judge gave system 7 for fluency on item segment.",
        "Judge judge gave system 7 for adequacy on item segment.",
    ]


def test_judgments_in_words_are_of_several_systems() -> None:
    rows = [(system, item, "ann", 50 + k) for k, system in enumerate("abc") for item in range(30)]
    data = table(rows, ["model_name", "item", "rater", "grade"])
    _, report = read(data, mapping="auto")
    assert report.mapped is not None
    told = [line.split(" gave ")[1][0] for line in report.mapped.sentences[:3]]
    assert told == ["a", "b", "c"]


def test_tasks_of_many_judges_and_items_stay_apart() -> None:
    rows = [
        (judge, segment, system, rank)
        for judge in ("ann", "bob", "cleo", "dan", "eve")
        for segment in ("s1", "s2", "s3")
        for rank, system in enumerate(("cmu", "kit", "uedin"), 1)
    ]
    data = table(rows, ["judge", "segment", "system", "rank"])
    campaign, _ = read(data, mapping=guessed(data))
    assert campaign.judgments().n_tasks == 15


def test_a_column_of_an_unusual_name_that_all_systems_share_names_the_items() -> None:
    rows = [
        (judge, item, system, 10 * place + len(judge) + len(item))
        for judge in ("ann", "cleo")
        for item in ("red", "green", "blue", "ochre")
        for place, system in enumerate(("cmu", "kit", "uedin"))
    ]
    assert guessed(table(rows, ["judge", "colour", "system", "score"])).segment == "colour"


def test_outputs_of_a_record_without_texts_have_no_length() -> None:
    found = Collector(Content(b"", "x.json", Findings(), 1000))
    found.add(0, ["cmu", "kit"], [1, 2], segment="s1", characters=[30, 40])
    found.add(1, ["kit", "cmu"], [1, 2], segment="s2")
    lengths = found.rankings(2, "x.json").output_attributes["characters"]
    assert lengths[:2].tolist() == [30, 40]
    assert len(lengths) == 4
    assert np.isnan(lengths[2:]).all()


def test_an_unknown_table_that_ends_within_quotation_marks_has_no_unknown_layout() -> None:
    rows = [f'{k},"def f():\n    return {k}",m{k % 3},m{k % 3 + 1},{k % 2}' for k in range(30)]
    whole = "\n".join(["prefix,completion,model_a,model_b,acceptedIndex", *rows])
    with pytest.raises(PodiumError, match="ends within quotation marks, so part of"):
        read(whole[: whole.rindex("return")].encode())
