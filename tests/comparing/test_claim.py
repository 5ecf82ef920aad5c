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
from analysis.comparing.two_systems import two_means
from analysis.errors import PodiumError, UndefinedResultError
from analysis.findings.claim import answer_words, claim_from, evidence, needed_sentences
from analysis.findings.scored import two_means_sentences
from analysis.formats import read
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.rankers.mean import Mean
from analysis.ranking.uncertainty import scope_words
from analysis.ranking.variance import quantile
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.samples import sample_campaign
from analysis.wording import p_value

JUDGMENTS = sample_campaign("wmt14-cs-en").judgments()
N = len(JUDGMENTS)


@pytest.fixture(scope="module")
def verdict() -> Verdict:
    return reach_verdict(BradleyTerry().fit(JUDGMENTS))


def test_the_verdict_on_every_pair_is_that_of_told_apart(verdict: Verdict) -> None:
    seen = set()
    for i, a in enumerate(verdict.systems):
        for j, b in enumerate(verdict.systems):
            if i == j:
                continue
            claim = check_claim(verdict, a, b, N)
            expected = "open"
            if verdict.significant[i, j]:
                expected = "supported" if verdict.scores[i] > verdict.scores[j] else "contradicted"
            assert claim.answer == expected
            assert (claim.needed == ()) == (claim.answer != "open")
            assert claim.low < claim.difference < claim.high
            seen.add(claim.answer)
    assert seen == {"supported", "contradicted", "open"}


def test_a_claim_turned_round_has_the_other_interval(verdict: Verdict) -> None:
    a, b = verdict.systems[verdict.order[0]], verdict.systems[verdict.order[1]]
    forward, backward = check_claim(verdict, a, b, N), check_claim(verdict, b, a, N)
    assert (forward.low, forward.high) == (-backward.high, -backward.low)


@pytest.mark.parametrize("scope", ["new", "these"])
def test_the_parts_of_a_variance_sum_to_it(scope: str) -> None:
    verdict = reach_verdict(BradleyTerry().fit(JUDGMENTS), scope=scope)  # type: ignore[arg-type]
    for a, b in zip(*np.triu_indices(len(verdict.systems), 1), strict=True):
        square = float(verdict.se_of_difference[a, b] ** 2)
        parts = components(verdict.uncertainty, scope, int(a), int(b), square)
        assert parts.task + parts.segment + parts.judge == pytest.approx(square)
        for more in MORE:
            assert parts.grown(more, 1.0) == pytest.approx(square)


def test_so_many_more_bring_the_difference_to_its_critical_value(verdict: Verdict) -> None:
    a, b = verdict.order[:2]
    claim = check_claim(verdict, verdict.systems[a], verdict.systems[b], N)
    assert claim.answer == "open"
    parts = components(
        verdict.uncertainty, "new", int(a), int(b), float(verdict.se_of_difference[a, b] ** 2)
    )
    n_open = int(np.triu(~verdict.significant & ~np.isnan(verdict.p), 1).sum())
    sizes = {"judgments": N, "segments": verdict.units["segment"], "judges": verdict.units["judge"]}
    for needed in claim.needed:
        for more, share in ((needed.alone, 0.05), (needed.among_all, 0.05 / n_open)):
            if math.isinf(more):
                assert claim.difference**2 < quantile(
                    1 - share / 2, verdict.freedom
                ) ** 2 * parts.grown(needed.more, math.inf)
                continue
            z = {
                step: abs(claim.difference)
                / math.sqrt(parts.grown(needed.more, 1 + (more + step) / sizes[needed.unit]))
                for step in (0, -1)
            }
            assert (
                z[0] >= quantile(1 - share / 2, verdict.freedom) - 1e-6 > z[-1] - 1e-3 or more == 0
            )
    assert {needed.more for needed in claim.needed} == set(MORE)


def test_the_evidence_names_every_page_s_numbers(verdict: Verdict) -> None:
    a, b = (verdict.systems[k] for k in verdict.order[:2])
    claim = check_claim(verdict, a, b, N)
    stable = stability(JUDGMENTS, BradleyTerry(), verdict, statements=[Statement((a,), (b,))])
    drops = fewest(BradleyTerry().fit(JUDGMENTS), a, b)
    said = "\n".join(evidence(claim, JUDGMENTS, "ability", stable, drops))
    i, j = verdict.order[:2]
    wins = JUDGMENTS.counts.wins
    assert f"{a} was preferred {wins[i, j]:.0f} times, {b} {wins[j, i]:.0f} times" in said
    assert f"{drops.n} judgments of" in said
    assert f"for {scope_words(verdict.scope, verdict.missing)}. For this pair alone" in said
    assert f"of {(stable.states >= 0).sum()} changes" in said
    assert f" put {a} above {b}, " in said
    p = p_value(claim.p_adjusted)
    words = f"Not shown: {a} is not significantly better than {b} (Elo, adjusted {p})"
    assert answer_words(claim, method="Elo") == words
    assert len(needed_sentences(claim, JUDGMENTS, "elo")) == len(claim.needed)


def test_names_that_do_not_count_and_pairs_that_never_met_are_told(
    verdict: Verdict, make_campaign: Callable[..., Campaign]
) -> None:
    with pytest.raises(PodiumError, match="nobody"):
        check_claim(verdict, "nobody", verdict.systems[0], N)
    with pytest.raises(PodiumError, match="both sides"):
        check_claim(verdict, verdict.systems[0], verdict.systems[0], N)
    tasks = [(str(k), "ann", {"a": 1, "b": 2 - k % 2}) for k in range(6)]
    tasks += [(str(k), "bob", {"c": 1, "d": 2 - k % 2}) for k in range(6)]
    apart_of_two = reach_verdict(BradleyTerry().fit(make_campaign(tasks).judgments()))
    with pytest.raises(UndefinedResultError, match="no chain"):
        check_claim(apart_of_two, "a", "c", 12)
    assert check_claim(apart_of_two, "a", "b", 12).answer == "open"


def test_a_claim_by_ratings_has_the_sentence_of_head_to_head() -> None:
    rows = [
        f"{s},{system},j{s % 3},{50 + 5 * (system == 'a') * (-1) ** (s % 5 == 0) + 7 * s % 30}"
        for s in range(40)
        for system in "ab"
    ]
    text = "\n".join(["segment,system,judge,score", *rows])
    judgments = read(text.encode())[0].judgments()
    claim = claim_from(judgments, "mean", reach_verdict(Mean().fit(judgments)), "a", "b")
    said = "\n".join(
        evidence(claim, judgments, "mean score", standings=Mean().fit(judgments).standings)
    )
    of_ratings = two_means_sentences(two_means(judgments, "a", "b"))[0]
    assert f"Head to head: {of_ratings}" in said
    assert "a was rated better than b on 80% of the 40 segments rated for both" in said
    assert "preferred" not in said


def test_an_open_claim_by_ratings_needs_more_ratings() -> None:
    text = "segment,system,judge,score\n" + "\n".join(
        f"{s},{system},j{s % 4},{50 + (13 * s + 5 * (system == 'a') * s) % 31}"
        for s in range(40)
        for system in "ab"
    )
    judgments = read(text.encode())[0].judgments()
    claim = claim_from(judgments, "mean", reach_verdict(Mean().fit(judgments)), "a", "b")
    assert claim.answer == "open"
    assert claim.needed[0].unit == "ratings"
    said = " ".join(needed_sentences(claim, judgments, "mean"))
    assert "More ratings of the same segments by the same judges" in said
    assert "judgment" not in said
