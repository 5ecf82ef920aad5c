"""How ties fall on WMT14's pairs of systems, so that its Tables 7 and 9 come out.

    python -m tests.tools.wmt14_ties    # writes data/samples/wmt14-ties.csv, language pair by pair

The campaign printed shares of wins with ties ignored, and no ties. What it printed of them is their
effect: the accuracies of three methods and of the oracle that names each pair's most frequent
outcome (Table 7), and three methods' orders of one language pair (Table 9). For each pair of
systems this looks for a share of ties, and for a share of wins within the print's rounding, whose
expected counts have

- the oracle's accuracy and that of Expected Wins, Hopkins & May and TrueSkill, each at its radius
  of best accuracy, as printed, to .0005;
- the three orders of English–German, with gaps that rounding to whole judgments leaves;
- a radius above 0, where that is compatible with these;
- and logits of ties as near to each other as all this leaves them (standard deviation .6).

The search is a random walk that keeps what is better. Many shares of ties would do: these are one
choice, and nothing else is known of the real ones.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit, logit

from analysis import published
from analysis.campaign import PairCounts
from analysis.extras.validation.prediction.radius import (
    WMT14,
    accuracy,
    accuracy_by_radius,
    oracle_outcomes,
    separations,
)
from analysis.rankers.hopkins_may.gaussian import HopkinsMay
from analysis.rankers.trueskill.fluid import expected_run
from analysis.rankers.trueskill.trueskill import TrueSkill
from analysis.samples import FOLDER, consistent_shares

STEPS, LEAST_STEPS = 20_000, 3_000
SPREAD = 0.6
ROUNDING = 0.0045
RADII = np.array(WMT14.radii)
MARGINS = (0.0016, 0.004, 0.004)
"""Gaps between neighbors that an order needs: Expected Wins, Hopkins & May, TrueSkill."""


@dataclass(frozen=True, eq=False)
class Target:
    """What Tables 7, 9 and 28–37 print of one language pair."""

    beats: np.ndarray
    n: float
    accuracies: tuple[float, float, float]
    oracle: float
    orders: tuple[np.ndarray, ...]


def target_of(pair: str) -> Target:
    table = published.wmt14_head_to_head(pair)
    printed = published.wmt14_accuracy(pair)
    k = len(table.systems)
    orders: tuple[np.ndarray, ...] = ()
    if pair == "English-German":
        columns = published.wmt14_orders_en_de()
        orders = tuple(
            np.array([table.systems.index(name) for name in columns[method]])
            for method in ("expected_wins", "hopkins_may", "trueskill")
        )
    return Target(
        consistent_shares(table.beats),
        published.wmt14_n_judgments(pair) / (k * (k - 1) / 2),
        (printed["EW"], printed["HM"], printed["TS"]),
        printed["oracle"],
        orders,
    )


def counts_of(beats: np.ndarray, ties: np.ndarray, n: float) -> PairCounts:
    """Return the expected counts of a campaign whose pairs are judged equally often."""
    off = ~np.eye(len(beats), dtype=bool)
    wins = np.where(off, n * (1 - ties) * np.where(off, beats, 0), 0)
    return PairCounts(wins, np.where(off, n * ties, 0))


def score_each(counts: PairCounts, beats: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the scores by Expected Wins, Hopkins & May and TrueSkill, the quickest first."""
    yield np.nanmean(beats, axis=1)
    yield HopkinsMay().scores_from_counts(counts)
    n, trueskill = int(counts.compared.sum() / 2) + 1, TrueSkill()
    yield expected_run(counts, n, trueskill.sigma0, *trueskill.scale(n))[0]


def shares_of(
    target: Target, shift: np.ndarray, logits: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the tables of wins among decided judgments, and of ties."""
    upper = np.triu_indices(len(target.beats), 1)
    beats, ties = target.beats.copy(), np.zeros_like(target.beats)
    beats[upper] = np.clip(beats[upper] + shift, 0.001, 0.999)
    beats.T[upper] = 1 - beats[upper]
    ties[upper] = ties.T[upper] = expit(logits)
    return beats, ties


def loss_of(
    target: Target, shift: np.ndarray, logits: np.ndarray, enough: float = np.inf
) -> tuple[float, list[float]]:
    """Return how far a proposal is from what is wanted (at least, once it is ``enough``)."""
    beats, ties = shares_of(target, shift, logits)
    counts = counts_of(beats, ties, target.n)
    loss = 0.5 * float(np.mean((logits - logits.mean()) ** 2)) / SPREAD**2
    loss += 0.5 * float(np.mean(shift**2)) / ROUNDING**2
    parts = [_off(float(accuracy(oracle_outcomes(counts), counts)) - target.oracle)]
    for k, scores in enumerate(score_each(counts, beats)):
        by_radius = accuracy_by_radius(separations(scores, "clusters"), counts, RADII)
        gain = float(by_radius.max() - by_radius[0])
        # A radius that a few judgments would undo is none.
        parts += [_off(float(by_radius.max()) - target.accuracies[k])]
        parts += [max(0.0, 0.0006 - gain) / 0.0006]
        if target.orders:
            gaps = -np.diff(scores[target.orders[k]])
            parts += [3 * float((np.maximum(0, MARGINS[k] - gaps) / MARGINS[k]).sum())]
        if loss + sum(parts) > enough:
            break
    return loss + sum(parts), parts


def _off(difference: float) -> float:
    return max(0.0, abs(difference) - 0.0003) / 0.001


def meet_orders(
    target: Target, shift: np.ndarray, logits: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return shares and ties near the given ones whose scores are in the printed orders.

    Gaps are taken for linear in both, the least change that makes all of them wide enough is made
    (in units of the rounding and of .4 logits), and again from there.
    """
    unit = np.concatenate([np.full(len(shift), ROUNDING / 2), np.full(len(logits), 0.4)])
    place = home = np.concatenate([shift, logits]) / unit

    def gaps(at: np.ndarray) -> np.ndarray:
        beats, ties = shares_of(target, *np.split(at * unit, 2))
        every = zip(
            score_each(counts_of(beats, ties, target.n), beats), target.orders, MARGINS, strict=True
        )
        return np.concatenate([-np.diff(s[order]) / m for s, order, m in every])

    for _ in range(8):
        now = gaps(place)
        slope = np.stack(
            [(gaps(place + 0.05 * one) - now) / 0.05 for one in np.eye(len(place))], axis=1
        )

        def loss(
            move: np.ndarray, gap: np.ndarray, slope: np.ndarray, so_far: np.ndarray
        ) -> tuple[float, np.ndarray]:
            short = np.maximum(0, 1.3 - gap - slope @ move)
            away = so_far + move
            value = float(0.005 * away @ away + 5 * short @ short)
            return value, 0.01 * away - 10 * slope.T @ short

        bounds = [(-2 - p, 2 - p) if k < len(shift) else (-1, 1) for k, p in enumerate(place)]
        given = (now, slope, place - home)
        place = place + minimize(loss, 0 * place, args=given, jac=True, bounds=bounds).x
        if gaps(place).min() >= 1:
            break
    first, second = np.split(place * unit, 2)
    return np.clip(first, -ROUNDING, ROUNDING), second


def search(target: Target, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[float]]:
    """Return a shift of shares and logits of ties, by a walk that keeps what is better.

    A step moves all pairs, those of one system, or a few.
    """
    k = len(target.beats)
    first, second = np.triu_indices(k, 1)
    pairs = len(first)
    likelier = np.nanmean(np.maximum(target.beats, 1 - target.beats))
    shift, logits = np.zeros(pairs), np.full(pairs, logit(1 - target.oracle / likelier))
    if target.orders:
        shift, logits = meet_orders(target, shift, logits)
    else:
        logits += rng.normal(0, 0.3, pairs)
    best, parts = loss_of(target, shift, logits)
    for step in range(STEPS):
        if step > LEAST_STEPS and sum(parts) == 0:
            break
        size = np.exp(-3 * rng.random())
        kind = rng.integers(4)
        one = rng.integers(k)
        side = (first == one) * 1.0 - (second == one)
        trial, moved = logits.copy(), shift
        if kind == 0:
            trial += 0.1 * size * rng.standard_normal()
        elif kind == 1:
            trial += 0.3 * size * rng.standard_normal() * np.abs(side)
        else:
            some = rng.random(pairs) < rng.choice([1.0, 3.0, 0.3 * pairs]) / pairs
            trial += 1.5 * size * some * rng.standard_normal(pairs)
        if target.orders and rng.random() < 0.5:
            few = (rng.random(pairs) < 3 / pairs) * rng.choice([-1, 1])
            few = few + side * rng.standard_normal()
            moved = np.clip(shift + 0.003 * size * few, -ROUNDING, ROUNDING)
        loss, tried = loss_of(target, moved, trial, best)
        if loss < best:
            best, shift, logits, parts = loss, moved, trial, tried
    return shift, logits, [best, *parts]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="*", default=published.wmt14_pairs())
    chosen = parser.parse_args().pairs
    place = FOLDER / "wmt14-ties.csv"
    kept = pd.read_csv(place) if place.exists() else pd.DataFrame({"language_pair": []})
    rows = []
    for pair in published.wmt14_pairs():
        rows.append(kept[kept["language_pair"] == pair])
        if pair not in chosen:
            continue
        target, table = target_of(pair), published.wmt14_head_to_head(pair)
        shift, logits, loss = search(target, np.random.default_rng([7, table.table]))
        print(pair, " ".join(f"{part:.2f}" for part in loss), flush=True)
        first, second = np.triu_indices(len(table.systems), 1)
        rows[-1] = pd.DataFrame(
            {
                "language_pair": pair,
                "system": np.array(table.systems)[first],
                "opponent": np.array(table.systems)[second],
                "beats": (target.beats[first, second] + shift).round(4),
                "ties": expit(logits).round(4),
            }
        )
    text = pd.concat(rows).to_csv(index=False, lineterminator="\n")
    place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
