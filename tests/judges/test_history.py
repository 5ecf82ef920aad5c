"""Agreement as tables and sentences: numbers go where their names say, limits are included."""

from __future__ import annotations

import math

import pytest

from analysis.judges.agreement import Agreement, Rates
from analysis.judges.history import (
    ENOUGH_REPEATS,
    PublishedKappa,
    agreement_frame,
    compare_with_history,
    few_repeats,
)
from analysis.judges.kappa import Kappa


def found(repeats: int = 200) -> Agreement:
    strict = Rates(Kappa(60, 100, 30, 200), Kappa(80, repeats, 30, 200, 0.4, 0.8))
    published = Rates(Kappa(70, 100, 30, 200), Kappa(90, repeats, 30, 200))
    return Agreement(published, strict, 100, 0.95, 0)


def test_the_table_has_the_strict_kappas_with_those_as_published_beside_them() -> None:
    one = found()
    table = agreement_frame([("cs-en", one)])
    assert table["who"].tolist() == ["each other", "themselves"]
    assert table["kappa"].tolist() == [one.strict.inter.kappa, one.strict.intra.kappa]
    published = [one.published.inter.kappa, one.published.intra.kappa]
    assert table["as_published"].tolist() == published
    assert table["comparable"].tolist() == [100, 200]


@pytest.mark.parametrize(("repeats", "is_said"), [(99, True), (100, False)])
def test_the_interval_is_said_to_be_too_narrow_below_a_hundred_repeats(
    repeats: int, is_said: bool
) -> None:
    assert ENOUGH_REPEATS == 100
    assert bool(few_repeats(found(repeats))) is is_said


def test_one_published_kappa_is_no_range_and_two_are_one() -> None:
    kappa = found().published.inter.kappa
    low, high = (PublishedKappa("WMT14", 14, kappa + d, math.nan) for d in (-0.1, 0.1))
    only = compare_with_history(found(), (low,))
    assert only.endswith(f"above WMT14 ({low.inter:.2f})")
    both = compare_with_history(found(), (low, high))
    assert both.endswith(f"within WMT14 ({low.inter:.2f} to {high.inter:.2f})")


def test_a_campaign_whose_kappas_are_the_published_ones_is_said_to_be_that_campaign() -> None:
    ours = found(200).published
    own = PublishedKappa("WMT15", 15, round(ours.inter.kappa, 3), round(ours.intra.kappa, 3))
    other = PublishedKappa("WMT14", 14, own.inter - 0.1, own.intra)
    assert compare_with_history(found(200), (other, own)).endswith(", as WMT15 published")
    assert "published" not in compare_with_history(found(200), (other,))
