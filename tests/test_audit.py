"""A slice of the audit: enough simulations that the mistakes it is there to find would be found.

Bounds leave three standard errors of the number of simulations. Each is shown to bite: with the
variance of tasks alone, without Holm, with pairs of labels as independent facts, it is broken.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from analysis.judges.judge_table import BY_CHANCE
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.variance import Scope
from analysis.ranking.verdict import Verdict, reach_verdict
from tests.tools.audit import measures
from tests.tools.audit.__main__ import (
    READABLE,
    TABLE,
    Store,
    chosen,
    main,
    merged,
    read_csv,
    readable,
    simulate,
    write_csv,
)
from tests.tools.audit.generator import (
    Known,
    Nature,
    draw,
    endless,
    endless_here,
    grown_by_others,
    grown_by_the_same,
)
from tests.tools.audit.machines import (
    EXPECTED_RATIO,
    RATIO,
    WITH_MACHINE,
    MachineNature,
    with_machine,
)
from tests.tools.audit.measures import CLAIMS, FALSE, INTERVAL_OTHERS, POWER, RANGES, told_apart
from tests.tools.audit.plans import foretold, stopping
from tests.tools.audit.rows import HONEST, ROWS, WORLDS, Row
from tests.tools.audit.summary import lines_of, share_with_error


def simulated(nature: Nature, n: int, seed: int = 1) -> list[Known]:
    return [draw(nature, np.random.default_rng([seed, k])) for k in range(n)]


def results(nature: Nature, n: int, scope: Scope = "new") -> list[tuple[Known, Verdict]]:
    return [
        (known, reach_verdict(ExpectedWins().fit(known.campaign.judgments()), scope=scope))
        for known in simulated(nature, n)
    ]


def rms_of_z(found: list[tuple[Known, Verdict]]) -> float:
    """Return the root mean square of d/σ over pairs of equal systems: 1 if σ is honest."""
    upper = np.triu_indices(len(found[0][1].scores), 1)
    z = [
        (result.scores[upper[0]] - result.scores[upper[1]]) / result.se_of_difference[upper]
        for _, result in found
    ]
    return float(np.sqrt(np.mean(np.square(z))))


def share_with_a_false_claim(found: list[tuple[Known, Verdict]]) -> float:
    return float(np.mean([measures.claims_of(known, result)[FALSE][0] for known, result in found]))


def three_errors(share: float, n: int) -> float:
    return 3 * float(np.sqrt(share * (1 - share) / n))


# 60 campaigns of 8 equal systems have 7 contrasts each: rms of z is known to 1/√(2·420) = .035.
N_FAST, RMS_ERROR = 60, 0.035


def test_equal_systems_differ_as_far_as_the_two_way_variance_says() -> None:
    found = results(WORLDS["null"], N_FAST)
    assert rms_of_z(found) == pytest.approx(1, abs=3 * RMS_ERROR)
    assert share_with_a_false_claim(found) <= 0.05 + three_errors(0.05, N_FAST)


def test_that_would_fail_with_the_variance_of_tasks_alone() -> None:
    assert rms_of_z(results(WORLDS["null"], N_FAST, scope="these")) > 1 + 3 * RMS_ERROR


def test_that_would_fail_without_holm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.ranking.verdict.holm", lambda p: p)
    found = results(WORLDS["null"], N_FAST)
    assert share_with_a_false_claim(found) > 0.05 + three_errors(0.05, N_FAST)


def share_with_a_flag(nature: Nature, n: int) -> float:
    rng = np.random.default_rng(0)
    flagged = [
        measures.flags(known, rng)["honest judge flagged"][0] for known in simulated(nature, n)
    ]
    return float(np.mean(flagged))


def test_honest_judges_are_flagged_in_few_campaigns(monkeypatch: pytest.MonkeyPatch) -> None:
    """And in most of them by two standard errors a judge, as many as there are."""
    nature, n = HONEST["alike, dense"], 40
    bound = 0.10 + three_errors(0.10, n)
    assert share_with_a_flag(nature, n) <= bound
    judges = nature.judges or 1
    monkeypatch.setattr("analysis.judges.judge_table.ERROR_RATE", judges * float(ndtr(-2)))
    monkeypatch.setattr("analysis.judges.judge_table.BY_CHANCE", dict.fromkeys(BY_CHANCE, 99))
    assert share_with_a_flag(nature, n) > bound


# --- the slow slice ------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("world", ["groups", "null", "5 judges", "heavy tails", "grown 4 times"])
def test_claims_hold_at_once_in(world: str) -> None:
    n = 120
    found = results(WORLDS[world], n)
    assert share_with_a_false_claim(found) <= 0.05 + three_errors(0.05, n)


@pytest.mark.slow
def test_intervals_hold_as_often_as_they_say_and_groups_are_told_apart() -> None:
    row = Row("Expected Wins", "groups", WORLDS["groups"], told_apart("expected-wins"))
    lines = {line.claim: line for line in lines_of(row, [simulate(row, k) for k in range(100)])}
    interval, power = lines[INTERVAL_OTHERS], lines[POWER]
    assert 0.93 - 3 * interval.error <= interval.measured <= 0.97 + 3 * interval.error
    assert power.measured >= 0.62 - 3 * power.error
    assert lines[RANGES].measured == 1 - lines[FALSE].measured  # one claim, said in two ways


@pytest.mark.slow
@pytest.mark.parametrize("judge", EXPECTED_RATIO)
def test_scores_with_a_machine_s_votes_lie_in_their_intervals(judge: str) -> None:
    row = Row("machine", judge, MachineNature(judge), with_machine)
    lines = {line.claim: line for line in lines_of(row, [simulate(row, k) for k in range(60)])}
    held, ratio = lines[WITH_MACHINE], lines[RATIO]
    assert 0.94 - 3 * held.error <= held.measured <= 0.965 + 3 * held.error
    assert ratio.measured == pytest.approx(EXPECTED_RATIO[judge], abs=0.01)


# --- the generator -------------------------------------------------------------------------------


def test_equal_systems_have_equal_scores_in_the_end_and_better_ones_higher_ones() -> None:
    nature = WORLDS["groups"]
    abilities = np.array(nature.abilities)
    counts = endless(nature, abilities, 100_000, np.random.default_rng(2))
    scores = ExpectedWins().scores_from_counts(counts)
    for ability in set(nature.abilities):
        assert np.ptp(scores[abilities == ability]) < 0.01  # ten standard errors apart: .05
    assert scores[0] < scores[3] - 0.05 < scores[7] - 0.1
    ties = counts.ties.sum() / counts.compared.sum()
    assert 0.1 < ties < 0.3


def test_a_campaign_is_a_draw_from_its_own_endless_one() -> None:
    """Its tables differ from the endless ones as tables of so many judgments do, not by more."""
    nature = Nature(WORLDS["spread"].abilities, tasks=20_000)
    known = draw(nature, np.random.default_rng(3))
    here = ExpectedWins().fit(known.campaign.judgments()).standings.scores
    there = ExpectedWins().scores_from_counts(
        endless_here(known, 100_000, np.random.default_rng(4))
    )
    elsewhere = ExpectedWins().scores_from_counts(
        endless(nature, known.abilities, 100_000, np.random.default_rng(5))
    )
    assert np.abs(here - there).max() < 0.01
    assert np.abs(here - elsewhere).max() > 0.015  # these sentences and judges are not all of them


def test_judges_of_one_sentence_agree_since_they_see_the_same_outputs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measures, "LABELED_TWICE", 20_000)
    measures.true_kappa.cache_clear()
    nature = WORLDS["null"]
    assert measures.true_kappa(nature, oneself=False) > 0.2
    assert measures.true_kappa(nature, True) > measures.true_kappa(nature, False) + 0.03
    blank = Nature(nature.abilities, quality=0.0, taste=0.0)
    assert abs(measures.true_kappa(blank, oneself=False)) < 0.06  # chance is told roughly
    measures.true_kappa.cache_clear()


def test_where_nothing_repeats_each_task_has_a_segment_and_no_named_judge() -> None:
    campaign = draw(WORLDS["arena"], np.random.default_rng(6)).campaign
    assert len(campaign.segments) == campaign.n_tasks == 500
    assert campaign.judges == ("unknown",)
    assert (np.diff(campaign.task_start) == 2).all()


# --- the machinery -------------------------------------------------------------------------------


def test_rows_have_names_of_their_own_and_claims_that_are_promised() -> None:
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    assert [row.name for row in chosen(["flags: *"])] == [n for n in names if n.startswith("flags")]
    promised = {claim for row in ROWS[:1] for claim in simulate(row, 0)}
    assert promised <= set(CLAIMS)


def test_simulations_are_the_same_whoever_makes_them_and_are_not_made_twice(
    tmp_path: Path,
) -> None:
    (row,) = chosen(["flags: different, five"])
    store = Store(tmp_path)
    store.add(row, 3, simulate(row, 3))
    assert store.load(row) == {3: simulate(row, 3)}
    (file,) = tmp_path.iterdir()
    with file.open("a") as open_file:
        open_file.write(json.dumps({"row": row.name})[:10])  # stopped in the middle of a line
    assert store.load(row) == {3: simulate(row, 3)}


@pytest.mark.parametrize(
    ("right", "verdict"), [(95, "holds"), (93, "holds"), (87, "misses"), (100, "misses")]
)
def test_a_claim_misses_beyond_two_standard_errors_of_its_bounds(right: int, verdict: str) -> None:
    """.93 to .96, of 100: .87 lies 1.8 errors below with its own error .034."""
    row = ROWS[0]
    outcomes = [{INTERVAL_OTHERS: (float(k < right * 4), 1.0)} for k in range(400)]
    (line,) = lines_of(row, outcomes)
    assert line.measured == right / 100
    assert line.verdict == verdict
    (few,) = lines_of(row, outcomes[:10])
    assert few.verdict == "too few"


def test_the_error_of_a_share_takes_campaigns_for_facts_not_their_systems() -> None:
    together = [(8.0, 8.0)] * 90 + [(0.0, 8.0)] * 10
    assert share_with_error(together)[1] == pytest.approx(0.0302, abs=1e-4)


def test_the_tables_tell_what_missed_and_how_to_make_each_line_again(tmp_path: Path) -> None:
    row = ROWS[0]
    lines = lines_of(row, [{FALSE: (1.0, 1.0)}, {FALSE: (0.0, 1.0)}] * 50)
    assert "| some false claim | at most 5% | 50.0% ± 5.0 | 100 | **misses** |" in readable(lines)
    write_csv(lines, tmp_path / "audit.csv")
    text = (tmp_path / "audit.csv").read_text()
    assert '--rows ""Bradley-Terry: groups"" --simulations 100' in text


def test_rows_that_were_not_made_again_keep_their_lines(tmp_path: Path) -> None:
    first, second = ROWS[:2]
    known = lines_of(first, [{FALSE: (0.0, 1.0)}] * 40) + lines_of(
        second, [{FALSE: (0.0, 1.0)}] * 40
    )
    gone = replace(known[0], what="no such row")
    write_csv([gone, *known], tmp_path / "audit.csv")
    again = lines_of(second, [{FALSE: (1.0, 1.0)}] * 40)
    lines = merged(read_csv(tmp_path / "audit.csv"), {second.name: again})
    assert [(line.row, line.measured) for line in lines] == [(first.name, 0.0), (second.name, 1.0)]
    assert lines[0].verdict == "holds"


def test_a_campaign_grows_by_others_or_by_the_same() -> None:
    """Three times as large: new judges and sentences come with new parts, or the old ones go on."""
    known = draw(Nature(WORLDS["spread"].abilities, tasks=60, judges=4, segments=20),
                 np.random.default_rng(8))  # fmt: skip
    n_here = len(known.campaign.segments)
    for grow, n_judges, more in ((grown_by_others, 12, True), (grown_by_the_same, 4, False)):
        grown = grow(known, 3, np.random.default_rng(9))
        assert grown.n_tasks == 180
        assert len(grown.judges) == n_judges
        assert (len(grown.segments) > 2 * n_here - 5) == more
        np.testing.assert_array_equal(grown.entry_rank[:300], known.campaign.entry_rank)
        np.testing.assert_array_equal(grown.entry_output[:300], known.campaign.entry_output)


def test_stop_is_false_where_too_few_of_the_pairs_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of equal systems nothing can be told apart; a plan that stops anyway is found out."""
    measure = stopping(0.5)
    known = draw(WORLDS["null"], np.random.default_rng(1))
    assert measure(known, np.random.default_rng(2)) == {"stop said falsely": (0.0, 1)}
    monkeypatch.setattr("analysis.next_campaign.goals.Goal.reached", True)
    assert measure(known, np.random.default_rng(2)) == {"stop said falsely": (1.0, 1)}


def test_plan_foretells_a_campaign_that_is_grown() -> None:
    """Of 12 campaigns eleven are expected within; by chance at most three miss in 98 of 100."""
    outcomes = [foretold()(known, np.random.default_rng(k))
                for k, known in enumerate(simulated(WORLDS["groups"], 12))]  # fmt: skip
    assert sum(o["share foretold"][0] for o in outcomes) >= 9
    assert sum(o["tiers foretold"][0] for o in outcomes) >= 9


def test_the_readable_table_has_what_the_table_says() -> None:
    lines = read_csv(TABLE)
    assert READABLE.read_text(encoding="utf-8") == readable(lines)


def test_an_unknown_row_is_answered_with_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rows", "no such row"]) == 1
    assert "Expected Wins: groups" in capsys.readouterr().out
