"""Replication: verdicts that can fail, parts that are kept, and the record beside the code."""

from __future__ import annotations

import dataclasses
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from analysis import published
from analysis.campaign import TIE, WIN
from analysis.cli import main
from analysis.errors import PodiumError
from analysis.extras.validation.replication.findings import (
    classes_frame,
    replication_finding,
    replication_notes,
)
from analysis.extras.validation.replication.koehn2012 import BOOTSTRAP
from analysis.extras.validation.replication.number import (
    Number,
    between,
    matched_by_null,
    rounded,
    word,
)
from analysis.extras.validation.replication.registry import BASES, NOT_RECOMPUTED, REPLICATIONS
from analysis.extras.validation.replication.replication import REPLICATED, Replication
from analysis.extras.validation.replication.running import (
    Outcome,
    campaigns_folder,
    compute,
    compute_part,
    record,
    recorded,
    to_frame,
)
from analysis.rankers import RANKERS
from analysis.samples import sample_campaign
from analysis.wording import percent

AT_ONCE = (
    "wmt14-scores", "wmt14-averages", "wmt14-partial-order", "wmt14-word-labels", "koehn-clusters",
    "spv14-clusters", "hm13-preferences", "hm13-twins",
    "wmt14-orders", "wmt15-clusters", "wmt15-kappas", "journals",
)  # fmt: skip
"""Replications that take no time, so that every run of the tests computes them."""

NOWHERE = Path("/nowhere")


def numbers_of(name: str, part: str | None = None) -> list[Number]:
    replication = REPLICATIONS[name]
    parts = replication.parts if part is None else (part,)
    return [number for p in parts for number in replication.compute(p, NOWHERE)]


def outcome_of(*numbers: Number, **changes: object) -> Outcome:
    replication = dataclasses.replace(REPLICATIONS["koehn-clusters"], **changes)  # type: ignore[arg-type]
    return Outcome(replication, numbers)


def test_a_rounded_number_matches_up_to_half_its_last_digit_and_what_sampling_allows() -> None:
    assert rounded("here", 0.57, 0.5749, 2).same
    assert not rounded("here", 0.57, 0.5751, 2).same
    assert rounded("here", 0.57, 0.5751, 2, slack=0.001).same
    assert not rounded("here", 0.57, math.nan, 2).same


def test_matching_exactly_is_more_than_matching() -> None:
    loose = between("here", 3, 4, 2, 5, 0)
    assert loose.same
    assert not loose.exact
    assert rounded("here", 0.57, 0.5749, 2).exact
    assert not word("here", "†", "‡", same=True).exact


@pytest.mark.parametrize("name", REPLICATIONS)
def test_a_replication_says_what_it_compares_and_when_two_are_the_same(name: str) -> None:
    replication = REPLICATIONS[name]
    for words in (replication.what, replication.how, replication.tolerance, replication.place):
        assert words
    assert replication.basis in BASES
    assert len(set(replication.parts)) == len(replication.parts) > 0


@pytest.mark.parametrize("name", AT_ONCE)
def test_numbers_that_need_no_time_are_those_of_the_record(name: str) -> None:
    ours = numbers_of(name)
    (kept,) = [outcome for outcome in recorded() if outcome.replication.name == name]
    assert [number.place for number in ours] == [number.place for number in kept.numbers]
    for number, before in zip(ours, kept.numbers, strict=True):
        assert number.same == before.same
        assert number.reason == before.reason
        assert number.ours == pytest.approx(before.ours, rel=1e-5)


def test_the_record_s_reasons_are_the_code_s_where_numbers_take_minutes() -> None:
    """All of Koehn's bootstrap column differ, for one reason."""
    (kept,) = [o for o in recorded() if o.replication.name == "koehn-table-1-bootstrap"]
    assert {number.reason for number in kept.numbers} == {BOOTSTRAP}
    assert kept.same == 0


def test_one_cell_keeps_two_of_54_places_of_table_9_from_coming_out() -> None:
    """Five wins of UEDIN-STANFORD over ONLINE-A more, and three methods have the printed orders."""
    assert [number.same for number in numbers_of("wmt14-orders")].count(False) == 2
    judgments, table = sample_campaign("wmt14-en-de").judgments(), published.wmt14_orders_en_de()
    first, second = (judgments.systems.index(name) for name in ("ONLINE-A", "UEDIN-STANFORD"))
    is_pair = (judgments.left == first) & (judgments.right == second)
    is_pair |= (judgments.left == second) & (judgments.right == first)
    won = np.where(judgments.left == first, judgments.outcome, -judgments.outcome) == WIN
    rows = np.arange(len(judgments))
    lost = np.flatnonzero(is_pair & ~won & (judgments.outcome != TIE))
    rows[np.flatnonzero(is_pair & won)[:5]] = lost[:5]
    mended = judgments.take_rows(rows)
    for column in ("expected_wins", "hopkins_may", "trueskill"):
        scores = RANKERS[column.replace("_", "-")]().fit(mended).standings.scores
        assert [mended.systems[k] for k in np.argsort(-scores)] == list(table[column])


def test_the_record_has_every_replication_and_each_number_once() -> None:
    outcomes = recorded()
    quick = {name for name, r in REPLICATIONS.items() if not r.slow and not r.needs}
    assert {outcome.replication.name for outcome in outcomes} >= quick
    places = [(o.replication.source, n.place) for o in outcomes for n in o.numbers]
    assert len(set(places)) == len(places)


def test_more_than_1500_numbers_need_no_download_and_nearly_all_match() -> None:
    here = [outcome for outcome in recorded() if not outcome.replication.needs]
    total = sum(len(outcome.numbers) for outcome in here)
    fitted = sum(len(o.numbers) for o in here if o.replication.basis == "fitted")
    assert total - fitted >= 1500
    assert sum(outcome.same for outcome in here) / total > 0.96


def test_the_null_predictor_knows_the_print_and_no_method() -> None:
    """Ranks by place, numbers by the median of the others of their kind, marks by the commonest."""
    ranks = [
        between(f"Table 1, best rank of {name}", rank, ours, ours, ours, 0)
        for name, rank, ours in (("a", 1, 1), ("b", 2, 3), ("c", 2, 2))
    ]
    scores = [rounded(f"Table 1, score of {k}", k, k, 0) for k in (1, 2, 2, 2, 5)]
    marks = [word(f"Table 2, mark of {k} over x", k, k, same=True) for k in ("*", "†", "†")]
    assert matched_by_null(ranks) == [True, True, False]
    assert matched_by_null(scores) == [False, True, True, True, False]
    assert matched_by_null(marks) == [False, True, True]


def test_the_headline_quotes_one_share_and_the_table_has_every_class() -> None:
    outcomes = recorded()
    frame = classes_frame(outcomes).set_index("from")
    assert list(frame.index) == list(BASES.values())
    assert frame["numbers"].sum() == sum(len(o.numbers) for o in outcomes)
    said = replication_finding(outcomes)
    row = frame.loc[BASES["judgments"]]
    assert f"{percent(row['match'] / row['numbers'])} of {row['numbers']} published" in said
    assert f"({percent(row['null'] / row['numbers'])} by guessing)" in said
    assert len(re.findall("[0-9]+%", said)) == 2, "the share and what a guess would match"


def test_the_readme_counts_as_the_record_does() -> None:
    readme = " ".join(Path("README.md").read_text(encoding="utf-8").split())
    rows = classes_frame(recorded()).set_index("from")
    judged, simulated = (rows.loc[BASES[basis]] for basis in REPLICATED)
    others = rows["numbers"].sum() - judged["numbers"] - simulated["numbers"]
    assert f"Of {judged['numbers']} published numbers" in readme
    assert f"{judged['match']} match, where" in readme
    assert f"the print alone has {judged['null']}; of {simulated['numbers']} by" in readme
    assert f"own simulation {simulated['match']} ({simulated['null']}). {others:,} more" in readme


def test_every_number_that_differs_says_why_or_is_one_of_the_unexplained() -> None:
    unexplained = [
        number.place
        for outcome in recorded()
        for number in outcome.numbers
        if not number.same and not outcome.reason(number)
    ]
    assert unexplained == []


def test_both_misprints_of_wmt14_differ_and_say_so() -> None:
    cells = numbers_of("wmt14-head-to-head", "Hindi-English")
    (differing,) = [number for number in cells if not number.same]
    assert differing.printed == 0
    assert differing.ours == pytest.approx(0.06, abs=0.005)
    assert "misprint" in differing.reason


def test_a_number_that_is_off_is_not_hidden_by_the_tolerance() -> None:
    """Cells printed .05 off must differ: a mutant of the data, not of the code."""
    cells = numbers_of("wmt14-head-to-head", "Czech-English")
    assert all(number.same for number in cells)
    assert not any(number.low <= float(number.printed) + 0.05 <= number.high for number in cells)


def test_marks_follow_from_share_and_judgments_and_a_wrong_one_would_differ() -> None:
    marks = numbers_of("wmt14-marks-one-sided", "English-Czech")
    assert len(marks) == 90
    assert all(mark.same for mark in marks)
    assert {mark.ours for mark in marks} == {"none", "†", "‡"}


def test_the_headline_counts_what_matches_and_what_does_not() -> None:
    same, off = rounded("a", 1, 1, 0), rounded("b", 1, 3, 0)
    found = outcome_of(same, off, basis="judgments")
    simulated = outcome_of(same, basis="method")
    assert replication_finding([found]) == (
        "50% of 2 published numbers are reproduced from independent judgments (0% by guessing)"
    )
    assert replication_finding([simulated, found]) == replication_finding([found])
    assert replication_finding([simulated]).startswith(
        "100% of 1 published number is reproduced from the paper's own method"
    )
    assert replication_finding([]) == "No published number was recomputed."


def test_numbers_of_a_campaign_drawn_to_have_them_are_told_for_what_they_are() -> None:
    fitted = outcome_of(rounded("a", 1, 1, 0), basis="fitted")
    assert any("tests the fit, not the number" in note for note in replication_notes([fitted]))


def test_the_table_has_those_that_differ_first() -> None:
    same, off = rounded("a", 1, 1, 0), rounded("b", 1, 3, 0, reason="A slip.")
    frame = to_frame([outcome_of(same, off)])
    assert frame["verdict"].tolist() == ["differs", "matches"]
    assert frame["reason"].tolist() == ["A slip.", ""]
    assert frame["difference"].tolist() == [2, 0]


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


def slow_replication(calls: list[str], stop_at: str = "") -> Replication:
    def make(part: str, _: Path) -> list[Number]:
        if part == stop_at:
            raise StoppedError
        calls.append(part)
        return [rounded(f"part {part}", 1, 1, 0)]

    return dataclasses.replace(
        REPLICATIONS["koehn-clusters"], name="slow", compute=make, parts=("a", "b", "c"), slow=True
    )


def test_an_interrupted_run_goes_on_where_it_was(tmp_path: Path) -> None:
    calls: list[str] = []
    with pytest.raises(StoppedError):
        compute([slow_replication(calls, stop_at="c")], keep=tmp_path)
    (outcome,) = compute([slow_replication(calls)], keep=tmp_path)
    assert calls == ["a", "b", "c"]
    assert [number.place for number in outcome.numbers] == ["part a", "part b", "part c"]


def test_a_kept_part_is_read_back_as_it_was(tmp_path: Path) -> None:
    def make(part: str, _: Path) -> list[Number]:
        return [word("a", "†", "‡", same=False, reason="é"), between("b", 1, 2, 0, math.inf, 0)]

    slow = dataclasses.replace(slow_replication([]), compute=make)
    first, again = (compute_part(slow, "a", None, tmp_path) for _ in range(2))
    assert repr(again) == repr(first)


def test_a_part_is_kept_for_the_judgments_it_was_made_from(tmp_path: Path) -> None:
    calls: list[str] = []
    slow = dataclasses.replace(slow_replication(calls), needs="file")
    (tmp_path / "file").write_text("one")
    compute_part(slow, "a", tmp_path, tmp_path / "kept")
    (tmp_path / "file").write_text("two")
    compute_part(slow, "a", tmp_path, tmp_path / "kept")
    assert calls == ["a", "a"]


def test_what_lacks_its_file_says_which_and_the_others_are_computed() -> None:
    chosen = [REPLICATIONS["wmt15-kappa-counts"], REPLICATIONS["koehn-clusters"]]
    lacking, there = compute(chosen)
    assert "wmt15/wmt15.xml.gz" in lacking.missing
    assert not lacking.numbers
    assert len(there.numbers) == 1


def test_progress_counts_parts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    compute(
        [REPLICATIONS["wmt14-scores"], REPLICATIONS["journals"]],
        progress=lambda *done: seen.append(done),
    )
    assert seen[-1] == (11, 11)


def test_a_folder_of_campaigns_that_is_not_there_is_refused() -> None:
    with pytest.raises(PodiumError, match="no such folder"):
        campaigns_folder("/nowhere/at/all")


def test_a_record_is_read_back_and_changes_only_what_was_computed_anew() -> None:
    before = Path("data/replication.csv").read_text(encoding="utf-8")
    assert record([]) == before
    changed = record([Outcome(REPLICATIONS["koehn-clusters"], (rounded("x", 1, 3, 0),))])
    lines = set(changed.splitlines()) ^ set(before.splitlines())
    assert all(line.startswith("koehn-clusters,") for line in lines)


def test_the_command_answers_with_the_keys_of_its_contract(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["research", "replicate", "--only", "koehn-clusters", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["numbers"]
    assert {"source", "place", "printed", "ours", "difference", "verdict", "command"} <= set(row)
    assert (row["printed"], row["ours"], row["verdict"]) == (6, 5, "differs")
    assert main(row["command"].removeprefix("podium ").split()) == 0
    assert "JHU" in capsys.readouterr().out


def test_an_unknown_table_is_refused_with_those_there_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["research", "replicate", "--only", "koehn"]) == 2
    assert "koehn-table-4" in capsys.readouterr().err


def test_what_is_not_recomputed_says_why() -> None:
    assert NOT_RECOMPUTED
    assert all(entry.why.endswith(".") for entry in NOT_RECOMPUTED)


@pytest.mark.slow
def test_all_quick_numbers_are_those_of_the_record() -> None:
    quick = [r for r in REPLICATIONS.values() if not r.slow and not r.needs]
    outcomes = {outcome.replication.name: outcome for outcome in compute(quick)}
    for kept in recorded():
        if kept.replication.name in outcomes:
            ours = outcomes[kept.replication.name].numbers
            assert [n.place for n in ours] == [n.place for n in kept.numbers]
            assert [n.same for n in ours] == [n.same for n in kept.numbers], kept.replication.name


def test_the_command_says_at_once_what_runs_and_what_a_short_name_may_mean(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["research", "replicate", "--only", "koehn-clusters", "--csv"]) == 0
    assert "Recomputing 1 table: koehn-clusters." in capsys.readouterr().err
    assert main(["research", "replicate", "--only", "koehn"]) == 2
    assert "Did you mean koehn-table-1-pairwise, " in capsys.readouterr().err
