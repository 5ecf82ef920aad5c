"""A claim says what is told apart, and what is needed is what its own formula asks for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from analysis.campaign import Campaign
from analysis.comparing.claim import MORE, check_claim, components
from analysis.comparing.fewest import fewest
from analysis.comparing.stability import Statement, stability
from analysis.errors import PodiumError, UndefinedResultError
from analysis.findings.claim import evidence, needed_sentences, verdict
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.apart import Apart, apart, quantile
from analysis.ranking.first import draw_ranks
from analysis.simulation.samples import sample_campaign

JUDGMENTS = sample_campaign("wmt14-cs-en").judgments()
N = len(JUDGMENTS)


@pytest.fixture(scope="module")
def told() -> Apart:
    return apart(BradleyTerry().fit(JUDGMENTS))


def test_the_verdict_on_every_pair_is_that_of_told_apart(told: Apart) -> None:
    seen = set()
    for i, a in enumerate(told.systems):
        for j, b in enumerate(told.systems):
            if i == j:
                continue
            claim = check_claim(told, a, b, N)
            expected = "open"
            if told.apart[i, j]:
                expected = "supported" if told.scores[i] > told.scores[j] else "contradicted"
            assert claim.verdict == expected
            assert (claim.needed == ()) == (claim.verdict != "open")
            assert claim.low < claim.difference < claim.high
            seen.add(claim.verdict)
    assert seen == {"supported", "contradicted", "open"}


def test_a_claim_turned_round_has_the_other_probability_and_interval(told: Apart) -> None:
    a, b = told.systems[told.order[0]], told.systems[told.order[1]]
    forward, backward = check_claim(told, a, b, N), check_claim(told, b, a, N)
    assert forward.probability + backward.probability == pytest.approx(1)
    assert (forward.low, forward.high) == (-backward.high, -backward.low)
    first, second = told.order[:2]
    ranks = draw_ranks(told).ranks
    assert forward.probability == (ranks[:, first] < ranks[:, second]).mean()


@pytest.mark.parametrize("target", ["others", "these"])
def test_the_parts_of_a_variance_sum_to_it(target: str) -> None:
    told = apart(BradleyTerry().fit(JUDGMENTS), target=target)  # type: ignore[arg-type]
    for a, b in zip(*np.triu_indices(len(told.systems), 1), strict=True):
        square = float(told.sd_of_difference[a, b] ** 2)
        parts = components(told.uncertainty, target, int(a), int(b), square)
        assert parts.task + parts.segment + parts.judge == pytest.approx(square)
        for more in MORE:
            assert parts.grown(more, 1.0) == pytest.approx(square)


def test_so_many_more_bring_the_difference_to_its_critical_value(told: Apart) -> None:
    a, b = told.order[:2]
    claim = check_claim(told, told.systems[a], told.systems[b], N)
    assert claim.verdict == "open"
    parts = components(
        told.uncertainty, "others", int(a), int(b), float(told.sd_of_difference[a, b] ** 2)
    )
    n_open = int(np.triu(~told.apart & ~np.isnan(told.p), 1).sum())
    sizes = {"judgments": N, "segments": told.units["segment"], "judges": told.units["judge"]}
    for needed in claim.needed:
        for more, share in ((needed.alone, 0.05), (needed.among_all, 0.05 / n_open)):
            if math.isinf(more):
                assert claim.difference**2 < quantile(
                    1 - share / 2, told.freedom
                ) ** 2 * parts.grown(needed.more, math.inf)
                continue
            z = {
                step: abs(claim.difference)
                / math.sqrt(parts.grown(needed.more, 1 + (more + step) / sizes[needed.unit]))
                for step in (0, -1)
            }
            assert z[0] >= quantile(1 - share / 2, told.freedom) - 1e-6 > z[-1] - 1e-3 or more == 0
    assert {needed.more for needed in claim.needed} == set(MORE)


def test_the_evidence_names_every_page_s_numbers(told: Apart) -> None:
    a, b = (told.systems[k] for k in told.order[:2])
    claim = check_claim(told, a, b, N)
    stable = stability(JUDGMENTS, BradleyTerry(), told, statements=[Statement((a,), (b,))])
    drops = fewest(BradleyTerry().fit(JUDGMENTS), a, b)
    said = "\n".join(evidence(claim, JUDGMENTS, "ability", stable, drops))
    i, j = told.order[:2]
    wins = JUDGMENTS.counts.wins
    assert f"{a} was preferred {wins[i, j]:.0f} times, {b} {wins[j, i]:.0f} times" in said
    assert f"{drops.n} judgments of" in said
    assert f"of {(stable.states >= 0).sum()} changes" in said
    assert "cannot be told apart yet" in verdict(claim)
    assert len(needed_sentences(claim)) == len(claim.needed)


def test_names_that_do_not_count_and_pairs_that_never_met_are_told(
    told: Apart, make_campaign: Callable[..., Campaign]
) -> None:
    with pytest.raises(PodiumError, match="nobody"):
        check_claim(told, "nobody", told.systems[0], N)
    with pytest.raises(PodiumError, match="both sides"):
        check_claim(told, told.systems[0], told.systems[0], N)
    tasks = [(str(k), "ann", {"a": 1, "b": 2 - k % 2}) for k in range(6)]
    tasks += [(str(k), "bob", {"c": 1, "d": 2 - k % 2}) for k in range(6)]
    apart_of_two = apart(BradleyTerry().fit(make_campaign(tasks).judgments()))
    with pytest.raises(UndefinedResultError, match="no chain"):
        check_claim(apart_of_two, "a", "c", 12)
    assert math.isnan(check_claim(apart_of_two, "a", "b", 12).probability)
