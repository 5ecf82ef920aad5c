"""Looking more than once: the error is spent over the looks, and what that costs."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.errors import PodiumError
from analysis.rankers.ratios import ExpectedWins
from analysis.ranking.interim_looks import Looks, at_look, level_at_look, price_of_looking
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.samples import sample_campaign
from tests.tools.audit.generator import Nature, draw


def test_the_errors_of_all_looks_add_up_to_that_of_one() -> None:
    spent = sum(1 - level_at_look(0.95, look) for look in range(1, 100_000))
    assert spent == pytest.approx(0.05, rel=1e-4)
    assert level_at_look(0.95, None) == 0.95
    with pytest.raises(PodiumError, match="not the number of an interim look"):
        level_at_look(0.95, 0)


def test_a_look_tells_apart_as_its_own_level_does_and_says_so() -> None:
    judgments = sample_campaign("wmt14-fr-en").judgments()
    fit = ExpectedWins().fit(judgments)
    now = at_look(judgments, reach_verdict(fit), 5)
    alone = reach_verdict(fit, level=level_at_look(0.95, 5))
    np.testing.assert_array_equal(now.significant, alone.significant)
    np.testing.assert_array_equal(now.clusters, alone.clusters)
    assert "look:5" in now.signature


def test_the_price_of_a_look_grows_with_its_number_and_is_less_where_more_pairs_are_told() -> None:
    prices = [price_of_looking(0.95, look, pairs=45) for look in (1, 2, 5, 20, 100)]
    assert prices == sorted(prices)
    assert 1 < prices[0] < 1.15
    assert price_of_looking(0.95, 20, pairs=1) > price_of_looking(0.95, 20, pairs=1000)


def test_the_same_judgments_make_no_new_look_and_claims_stay() -> None:
    judgments = sample_campaign("wmt14-fr-en").judgments()

    def verdict(n: int) -> Verdict:
        part = judgments.take_tasks(np.arange(n))
        return reach_verdict(ExpectedWins().fit(part))

    looks = Looks()
    whole = verdict(judgments.n_tasks)
    for _ in range(3):
        looks.take(judgments, whole)
    assert looks.number == 1
    claims = set(looks.claims)
    assert claims
    changed = sample_campaign("wmt14-de-en").judgments()
    looks.take(changed, reach_verdict(ExpectedWins().fit(changed)))
    assert looks.number == 2
    assert claims <= looks.claims


@pytest.mark.slow
@pytest.mark.parametrize("abilities", [(0.0,) * 8, (0.5,) * 3 + (0.25,) * 2 + (0.0,) * 3])
def test_claims_of_twenty_looks_hold_together_and_those_of_peeking_do_not(
    abilities: tuple[float, ...],
) -> None:
    peeked = spent = 0
    for seed in range(100):
        known = draw(Nature(abilities=abilities, tasks=2000), np.random.default_rng(seed))
        judgments = known.campaign.judgments()
        ability = dict(zip(known.campaign.systems, known.abilities, strict=True))
        claims = {"peeked": set[tuple[str, str]](), "spent": set[tuple[str, str]]()}
        for look in range(1, 21):
            part = judgments.take_tasks(np.arange(100 * look))
            once = reach_verdict(ExpectedWins().fit(part))
            for how, verdict in (("peeked", once), ("spent", at_look(part, once, look))):
                better = verdict.significant & (verdict.scores[:, None] > verdict.scores)
                claims[how] |= {
                    (verdict.systems[i], verdict.systems[j]) for i, j in np.argwhere(better)
                }
        false = {
            how: any(ability[a] <= ability[b] for a, b in made) for how, made in claims.items()
        }
        peeked, spent = peeked + false["peeked"], spent + false["spent"]
    # Of 100 campaigns 5 are expected at most; 2.3 standard errors more.
    assert spent <= 10
    assert peeked > spent
