"""Whether Model selection is right about methods whose true accuracies are known."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from analysis.campaign import PairCounts
from analysis.extras.validation.prediction.cross_validation import HeldOutScore, cross_validate
from analysis.extras.validation.prediction.paired import Estimate, compare_paired
from analysis.extras.validation.prediction.predict import model_named, predict
from analysis.extras.validation.prediction.radius import accuracy
from analysis.extras.validation.prediction.splits import DEFAULT_FOLDS, k_fold
from tests.tools.audit.generator import Known, Nature, draw, endless
from tests.tools.audit.measures import Measure, Outcome

METHODS = ("expected-wins", "bradley-terry", "hopkins-may", "bojar", "elo", "independent-pairs")
"""Quick methods of several kinds; the last one learns each pair by itself, and so is worse."""

CAMPAIGNS = 150
"""Campaigns that a method's true accuracy is the mean over; known to .0005 as a difference."""

ENDLESS = 300_000
"""Tasks that stand for endless ones."""

EQUAL = 0.001
"""Methods whose true accuracies differ by no more are equally good."""

FAR = 0.03
"""A method that is worse than the best one by so much is far worse."""


def methods_apart(folds: int = DEFAULT_FOLDS) -> Measure:
    """Measure claims about methods: what is told apart, who leads, what intervals hold."""

    def measure(known: Known, rng: np.random.Generator) -> dict[str, Outcome]:
        split = k_fold(known.campaign.judgments(), folds, rng)
        scores = [cross_validate(split, model_named(name)) for name in METHODS]
        found, true = compare_paired(split, scores), true_accuracies(known.nature)
        pairs = list(itertools.combinations(METHODS, 2))
        alike = [(a, b) for a, b in pairs if abs(true[a] - true[b]) <= EQUAL]
        told = [found.difference(a, b).accuracy_p <= 0.05 for a, b in alike]
        here = {s.method: _true_here(s, known) for s in scores}
        held = [_holds(found.difference(a, b).accuracy, here[a] - here[b]) for a, b in pairs]
        leading = {found.standings[0].score.method, *found.not_separated}
        best = [name for name in METHODS if max(true.values()) - true[name] <= EQUAL]
        worst = min(true, key=lambda name: true[name])
        is_far = max(true.values()) - true[worst] >= FAR
        return {
            "equal methods told apart": (sum(told), len(told)),
            "an equal method left out": (float(not leading.issuperset(best)), 1),
            "interval of a difference": (sum(held), len(held)),
            "interval of an accuracy": (
                sum(_holds(s.accuracy, here[s.score.method]) for s in found.standings),
                len(METHODS),
            ),
            "a far worse method left out": (float(is_far and worst not in leading), float(is_far)),
        }

    return measure


def _holds(interval: Estimate, true: float) -> float:
    return float(interval.low - 1e-12 <= true <= interval.high + 1e-12)


def _true_here(score: HeldOutScore, known: Known) -> float:
    """Return how right what was learned here is about other sentences and judges."""
    return float(accuracy(score.prediction.named, _endless_tables(known)).mean())


def _endless_tables(known: Known) -> PairCounts:
    """Return endless tables in the order of a campaign's systems."""
    tables, place = _tables(known.nature), np.argsort(np.argsort(known.abilities))
    met = np.ix_(place, place)
    return PairCounts(tables.wins[met], tables.ties[met])


@cache
def _tables(nature: Nature) -> PairCounts:
    return endless(nature, np.sort(nature.abilities), ENDLESS, np.random.default_rng(0))


@cache
def true_accuracies(nature: Nature) -> dict[str, float]:
    """Return the accuracy of each method on other sentences and judges, over campaigns to learn."""
    rng = np.random.default_rng(1)
    total = dict.fromkeys(METHODS, 0.0)
    for _ in range(CAMPAIGNS):
        known = draw(nature, rng)
        judgments = known.campaign.judgments()
        n = judgments.n_tasks
        train = judgments.take_tasks(np.arange(n - n // DEFAULT_FOLDS))
        counts = _endless_tables(known)
        for name in METHODS:
            total[name] += float(accuracy(predict(model_named(name), train).named, counts))
    return {name: sum_ / CAMPAIGNS for name, sum_ in total.items()}
