"""Learning curves as a page needs them: trial by trial kept, size by size shown."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.extras.validation.prediction.learning_curves import (
    CurvePoint,
    LearningCurve,
    assemble_curve,
    curve_point,
    mean_curve,
    training_pool,
)
from analysis.extras.validation.prediction.predict import Model
from analysis.extras.validation.prediction.splits import Draw, Split, random_share
from analysis.parallel import Progress
from dashboard import compute
from dashboard.extras.validation.held_out import (
    Experiment,
    shifted,
    sibling,
    sibling_pairs,
    split_of,
)
from dashboard.session.view import ViewContext


@dataclass(frozen=True)
class CurvePlan:
    """Training sizes of the learning curves, how often and how each is drawn, and the test.

    ``hold_out`` is the share or the number of judgments that curves are tested on.
    """

    sizes: tuple[int, ...]
    trials: int = 5
    draw: Draw = "row"
    hold_out: float = 0.2


def curve_pool(context: ViewContext, experiment: Experiment, hold_out: float) -> Judgments:
    """Return the judgments that a learning curve may draw its training from."""
    split = _curve_split(context, experiment, hold_out)
    return training_pool(split, experiment.tuning(""), context.certainty.seed)


def mean_curves(
    context: ViewContext,
    experiment: Experiment,
    plan: CurvePlan,
    progress: Progress | None = None,
) -> Iterator[LearningCurve]:
    """Give the mean curve of the language pairs done, after every pair; a pair may be missing."""
    pairs = sibling_pairs(context)
    share = plan.trials * len(experiment.models) * len(plan.sizes)
    found: dict[str, LearningCurve] = {}
    for done, (campaign, pair) in enumerate(pairs):
        counted = shifted(progress, done * share, len(pairs) * share)
        with contextlib.suppress(PodiumError):
            *_, found[pair] = curves(
                sibling(context, campaign, pair), experiment, plan, shifted(counted, 0, share)
            )
        if found:
            yield mean_curve(found)
    if not found:
        raise UndefinedResultError(
            "Learning curve", "no language pair has enough judgments", "Use smaller sizes."
        )


def curves(
    context: ViewContext,
    experiment: Experiment,
    plan: CurvePlan,
    progress: Progress | None = None,
) -> Iterator[LearningCurve]:
    """Give the learning curves up to every size in turn; the last has all sizes.

    A model that cannot learn from as few judgments has no point there.
    """
    split, points = _curve_split(context, experiment, plan.hold_out), list[CurvePoint]()
    total = plan.trials * len(experiment.models) * len(plan.sizes)
    done = 0
    for size in plan.sizes:
        for label, model in experiment.models:
            point = _point(
                context, experiment, plan, label, model, size, shifted(progress, done, total)
            )
            points += [point] if point is not None else []
            done += plan.trials
        if points:
            yield assemble_curve(split, points)
    if not points:
        raise UndefinedResultError(
            "Learning curve", "no method could be trained on so few judgments", "Use larger sizes."
        )


def _point(
    context: ViewContext,
    experiment: Experiment,
    plan: CurvePlan,
    label: str,
    model: Model,
    size: int,
    progress: Progress | None,
) -> CurvePoint | None:
    seed = context.certainty.seed
    unit = "hm13" if experiment.held_out == "hm13" else experiment.held_out
    tuning = experiment.tuning(label)
    how = (plan.trials, plan.draw, plan.hold_out, unit, tuning, seed)
    key = ("curve", label, model, size, *how)

    def make() -> CurvePoint | None:
        try:
            with compute.resuming_threads(context, key) as threads:
                return curve_point(
                    _curve_split(context, experiment, plan.hold_out),
                    model,
                    size,
                    label=label,
                    trials=plan.trials,
                    draw=plan.draw,
                    tuning=tuning,
                    seed=seed,
                    executor=threads,
                    progress=progress,
                )
        except PodiumError:
            return None

    point = compute.remember(context, key, make)
    compute.forget_items(context, key)
    return point


def _curve_split(context: ViewContext, experiment: Experiment, hold_out: float) -> Split:
    seed = context.certainty.seed
    if experiment.held_out == "hm13":
        return split_of(context, experiment)
    unit = experiment.held_out
    return compute.remember(
        context,
        ("curve split", unit, hold_out, seed),
        lambda: random_share(context.judgments, hold_out, np.random.default_rng(seed), unit),
    )
