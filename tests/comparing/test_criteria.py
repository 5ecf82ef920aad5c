"""Several criteria at once: Pareto set, weights at which the winner stays, halo, joint ranges."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from analysis.cli import main
from analysis.comparing.criteria import halos, joint_level, rank_criteria, weights_of
from analysis.errors import PodiumError
from analysis.formats import read_many
from analysis.rankers import ranker_class
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import rank

NAMES = ("fluency", "adequacy", "simplicity", "coherence", "relevance")


def table(
    rng: np.random.Generator,
    truth: np.ndarray,
    *,
    segments: int = 30,
    judges: int = 8,
    impression: float = 0.0,
) -> bytes:
    """Return scores by three judges a segment; ``truth[s, k]`` is what a system deserves."""
    rows = []
    of_output = rng.normal(0, 5, (segments, *truth.shape))
    lean = rng.normal(0, 3, (judges, truth.shape[1]))
    for segment in range(segments):
        for judge in rng.choice(judges, 3, replace=False):
            for system in range(len(truth)):
                halo = rng.normal(0, impression)
                noise = rng.normal(0, 8, truth.shape[1]) + halo
                value = truth[system] + of_output[segment, system] + lean[judge] + noise
                rows.append((f"j{judge}", f"s{segment}", f"sys{system}", *value.round(3)))
    columns = ["judge", "segment", "system", *NAMES[: truth.shape[1]]]
    return pd.DataFrame(rows, columns=columns).to_csv(index=False).encode()


def criteria_of(data: bytes, level: float = 0.95):
    campaign, _ = read_many([("scores.csv", data)], mapping="auto")
    mean = ranker_class("mean")()
    return rank_criteria(
        campaign, lambda own, at: rank(own.judgments(), mean, Certainty(level=at)), level
    )


@pytest.fixture(scope="module")
def criteria():
    truth = np.array([[80, 60, 50.0], [70, 75, 55], [60, 60, 80], [55, 55, 45]])
    return criteria_of(table(np.random.default_rng(3), truth))


def test_nobody_beats_the_undominated_and_the_others_are_beaten(criteria):
    scores = dict(zip(criteria.systems, criteria.scores, strict=True))
    for name, own in scores.items():
        beaten = any((s >= own).all() and (s > own).any() for n, s in scores.items() if n != name)
        assert (name in criteria.pareto) is not beaten
    assert criteria.pareto == ("sys0", "sys1", "sys2")
    assert set(criteria.beaten) <= {"sys3"}


def test_the_winner_stays_exactly_within_its_shares_of_weight(criteria):
    weights = [2.0, 1.0, 1.0]
    for k, (low, high) in enumerate(criteria.stays(weights).values()):
        rest = np.delete(weights, k) / np.delete(weights, k).sum()
        for share in np.linspace(0.001, 0.999, 211):
            moved = np.insert((1 - share) * rest, k, share)
            assert (criteria.winner(moved) == criteria.winner(weights)) == (low < share < high)


def test_weights_are_named_and_refused_if_they_are_not_known(criteria):
    assert weights_of(criteria, {"Fluency": 3}) == [3, 1, 1]
    for wrong in ({"tone": 1.0}, {"fluency": -1.0}, dict.fromkeys(NAMES[:3], 0.0)):
        with pytest.raises(PodiumError):
            weights_of(criteria, wrong)


def test_halo_is_what_a_judge_adds_to_both_criteria_of_one_output():
    truth = np.zeros((4, 2)) + 50.0
    rng = np.random.default_rng(5)
    plain, led = (criteria_of(table(rng, truth, impression=i, segments=80)) for i in (0.0, 12.0))
    (without,), (with_it,) = (
        halos(list(zip(c.names, [r.judgments for r in c.rankings], strict=True)))
        for c in (plain, led)
    )
    assert abs(without.within - without.between) < 0.1
    assert with_it.within > 0.5 > 0.2 > with_it.between
    assert with_it.n == 80 * 3 * 4


def test_each_criterion_is_ranked_at_the_level_that_all_of_them_need(criteria):
    assert {ranking.level for ranking in criteria.rankings} == {joint_level(0.95, 3)}
    one = rank(criteria.rankings[0].judgments, ranker_class("mean")(), Certainty())
    wide = criteria.rankings[0]
    assert (wide.ranges.rank_best <= one.ranges.rank_best).all()
    assert (wide.ranges.rank_worst >= one.ranges.rank_worst).all()


def test_the_command_ranks_by_all_criteria_and_by_one(tmp_path, capsys):
    path = tmp_path / "scores.csv"
    path.write_bytes(table(np.random.default_rng(1), np.array([[80, 60.0], [60, 80]])))
    assert main(["rank", str(path), "--map", "auto", "--criteria", "all", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [one["criterion"] for one in found["criteria"]] == ["fluency", "adequacy"]
    assert found["joint"]["undominated"] == ["sys0", "sys1"]
    assert main(["summary", str(path), "--map", "auto", "--criterion", "Adequacy", "--json"]) == 0
    (summary,) = json.loads(capsys.readouterr().out)
    assert summary["criteria"] == ["fluency", "adequacy"]
    assert summary["mapping"]["confidence"] == 1
    assert "system: system" in summary["mapping"]["profile"]
    assert main(["rank", str(path), "--map", "auto", "--criterion", "tone"]) == 2
    assert "Use one of fluency, adequacy" in capsys.readouterr().err


@pytest.mark.slow
def test_joint_ranges_of_five_criteria_cover_all_true_ranks_at_once():
    rng = np.random.default_rng(11)
    covered, n = 0, 200
    for _ in range(n):
        truth = np.round(rng.normal(50, 4, (4, 1)) + rng.normal(0, 3, (4, 5)), 3)
        found = criteria_of(table(rng, truth))
        covered += all(
            (ranking.ranges.rank_best <= true).all() and (true <= ranking.ranges.rank_worst).all()
            for k, ranking in enumerate(found.rankings)
            for true in [1 + (truth[:, k][None, :] > truth[:, k][:, None]).sum(axis=1)]
        )
    assert covered / n >= 0.93
