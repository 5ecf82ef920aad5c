"""Learning curves as a page needs them: trial by trial kept, size by size shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from analysis.campaign import Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.parallel import Progress
from analysis.prediction.learning_curves import (
    CurvePoint,
    Draw,
    LearningCurve,
    assemble_curve,
    curve_point,
)
from analysis.prediction.predict import Model
from analysis.prediction.splits import Split, random_share
from dashboard import compute
from dashboard.compute.held_out import Experiment, shifted, split_of
from dashboard.session.view import ViewContext

SHARE = 0.2
"""Of the judgments, what a learning curve is tested on."""


@dataclass(frozen=True)
class CurvePlan:
    """Training sizes of the learning curves, how often and how each is drawn."""

    sizes: tuple[int, ...]
    trials: int = 5
    draw: Draw = "row"


def curve_pool(context: ViewContext, experiment: Experiment) -> Judgments:
    """Return the judgments that a learning curve may draw its training from."""
    return _curve_split(context, experiment).train(0)


def curves(
    context: ViewContext,
    experiment: Experiment,
    plan: CurvePlan,
    progress: Progress | None = None,
) -> Iterator[LearningCurve]:
    """Give the learning curves up to every size in turn; the last has all sizes.

    A model that cannot learn from as few judgments has no point there.
    """
    split, points = _curve_split(context, experiment), list[CurvePoint]()
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
            "Learning curve", "no method could learn from so few judgments", "Give larger sizes."
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
    seed = context.resampling.seed
    unit = "hm13" if experiment.held_out == "hm13" else experiment.held_out
    key = ("curve", label, model, size, plan.trials, plan.draw, unit, experiment.grid, seed)

    def make() -> CurvePoint | None:
        try:
            with compute.resuming_threads(context, key) as threads:
                return curve_point(
                    _curve_split(context, experiment),
                    model,
                    size,
                    label=label,
                    trials=plan.trials,
                    draw=plan.draw,
                    tuning=experiment.tuning,
                    seed=seed,
                    executor=threads,
                    progress=progress,
                )
        except PodiumError:
            return None

    point = compute.remember(context, key, make)
    compute.forget_items(context, key)
    return point


def _curve_split(context: ViewContext, experiment: Experiment) -> Split:
    seed = context.resampling.seed
    if experiment.held_out == "hm13":
        return split_of(context, experiment)
    unit = experiment.held_out
    return compute.remember(
        context,
        ("curve split", unit, seed),
        lambda: random_share(context.judgments, SHARE, np.random.default_rng(seed), unit),
    )
