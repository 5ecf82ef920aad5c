"""Predictions of unseen judgments as a page needs them: in parts that are kept, whoever leaves.

An `Experiment` is what is asked of which models. Its folds and the trials of its learning curves
are computed through `compute.resuming`, a few folds of every model in turn, so that the time left
can be told; a model's score is kept when its last fold is done.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.campaign import DEFAULT_SELECTION, Campaign, Judgments
from analysis.errors import PodiumError, UndefinedResultError
from analysis.parallel import Progress
from analysis.preference_models import MODELS, model_class
from analysis.rankers import RANKERS
from analysis.samples import SAMPLES
from analysis.selection.cross_validation import HeldOutScore, predict_folds, score
from analysis.selection.learning_curves import (
    CurvePoint,
    Draw,
    LearningCurve,
    assemble_curve,
    curve_point,
)
from analysis.selection.paired_comparison import PairedComparison, compare_paired
from analysis.selection.prediction import Model, Prediction, Tuning
from analysis.selection.radius import GRIDS
from analysis.selection.splits import Split, k_fold, random_share, rare_segments
from dashboard import compute, state
from dashboard.context import ViewContext, make_context
from dashboard.typography import language_pair

HeldOutUnit = Literal["task", "row", "segment", "judge", "hm13"]
MODEL_TITLES = {name: model.title for name, model in {**RANKERS, **MODELS}.items()}
PREVIEW_FOLDS = 10
PORTION = 10
"""Folds of one model before it is the next one's turn."""
SHARE = 0.2
"""Of the judgments that a learning curve is tested on."""


@dataclass(frozen=True)
class Experiment:
    """Which models predict which judgments, and which radii they try.

    ``models`` are pairs of label and model; ``held_out`` is what a fold leaves out, or hm13 for
    Hopkins & May's one test set of rarely judged segments.
    """

    models: tuple[tuple[str, Model], ...]
    held_out: HeldOutUnit = "task"
    folds: int = 100
    grid: str = "wmt14"

    @property
    def tuning(self) -> Tuning:
        return Tuning(GRIDS[self.grid])

    @property
    def preview(self) -> Experiment | None:
        """The same with few folds, where that is quicker."""
        if self.held_out == "hm13" or self.folds <= PREVIEW_FOLDS:
            return None
        return replace(self, folds=PREVIEW_FOLDS)


@dataclass(frozen=True)
class CurvePlan:
    """Training sizes of the learning curves, how often and how each is drawn."""

    sizes: tuple[int, ...]
    trials: int = 5
    draw: Draw = "row"


@dataclass(frozen=True, eq=False)
class Outcome:
    """The comparison of the models that could predict, and why others could not."""

    comparison: PairedComparison
    failed: Mapping[str, PodiumError]


def chosen_models(context: ViewContext, names: Sequence[str]) -> tuple[tuple[str, Model], ...]:
    """Return the named models as published, and the sidebar's as it is set."""
    models: dict[str, Model] = {name: model_class(name)() for name in names}
    own = context.ranker
    if own == type(own)():
        models.setdefault(own.name, own)
    else:
        models[f"{own.title}, as set"] = own
    return tuple(models.items())


# Folds ----------------------------------------------------------------------------------------


def n_predictions(context: ViewContext, experiment: Experiment) -> int:
    """Return how many trainings the experiment takes, for the progress."""
    return _split(context, experiment).n_folds * len(experiment.models)


def is_compared(context: ViewContext, experiment: Experiment) -> bool:
    """Return whether every model has its score already."""
    return all(
        compute.recall(context, _family(context, experiment, label, model)) is not None
        for label, model in experiment.models
    )


def compare(
    context: ViewContext, experiment: Experiment, progress: Progress | None = None
) -> Outcome:
    """Return how the models predict what they did not learn from; resumes where it was left."""
    split = _split(context, experiment)
    found = _scores(context, experiment, split, progress)
    scores = [entry for entry in found.values() if isinstance(entry, HeldOutScore)]
    failed = {label: entry for label, entry in found.items() if isinstance(entry, PodiumError)}
    if not scores:
        raise next(iter(failed.values()))
    chosen = context.resampling
    comparison = compute.remember(
        context,
        ("paired comparison", experiment, chosen),
        lambda: compare_paired(
            split, scores, runs=chosen.runs, level=chosen.level, seed=chosen.seed
        ),
    )
    return Outcome(comparison, failed)


def _scores(
    context: ViewContext, experiment: Experiment, split: Split, progress: Progress | None
) -> dict[str, HeldOutScore | PodiumError]:
    """Return every model's score, or why it has none."""
    keys = {label: _family(context, experiment, label, model) for label, model in experiment.models}
    found = {label: compute.recall(context, key) for label, key in keys.items()}
    todo = {label: model for label, model in experiment.models if found[label] is None}
    total = split.n_folds * len(keys)
    predicted: dict[str, list[Prediction]] = {label: [] for label in todo}
    for label, folds, done in _turns(list(todo), split.n_folds):
        if found[label] is not None:
            continue
        before = total - split.n_folds * len(todo) + done
        try:
            with compute.resuming(context, keys[label]) as threads:
                predicted[label] += predict_folds(
                    split,
                    todo[label],
                    folds,
                    tuning=experiment.tuning,
                    seed=context.resampling.seed,
                    executor=threads,
                    progress=_shifted(progress, before, total),
                )
        except PodiumError as error:
            found[label] = error
            compute.keep(context, keys[label], error)
    for label, model in todo.items():
        if found[label] is None:
            found[label] = score(
                split,
                model,
                Prediction.stack(predicted[label]),
                label=label,
                tuning=experiment.tuning,
                seed=context.resampling.seed,
            ).without_tables()
            compute.keep(context, keys[label], found[label])
            compute.forget_items(context, keys[label])
    return found


def _turns(labels: Sequence[str], n_folds: int) -> Iterator[tuple[str, range, int]]:
    """Give every model a portion of the folds in turn, with how many were given out before."""
    done = 0
    for start in range(0, n_folds, PORTION):
        folds = range(start, min(start + PORTION, n_folds))
        for label in labels:
            yield label, folds, done
            done += len(folds)


def _split(context: ViewContext, experiment: Experiment) -> Split:
    judgments, seed = context.judgments, context.resampling.seed

    def make() -> Split:
        if experiment.held_out == "hm13":
            return rare_segments(judgments)
        rng = np.random.default_rng(seed)
        return k_fold(judgments, experiment.folds, rng, experiment.held_out)

    return compute.remember(context, ("split", *_split_key(context, experiment)), make)


def _split_key(context: ViewContext, experiment: Experiment) -> tuple[Hashable, ...]:
    if experiment.held_out == "hm13":
        return ("hm13",)
    return (experiment.held_out, experiment.folds, context.resampling.seed)


def _family(
    context: ViewContext, experiment: Experiment, label: str, model: Model
) -> tuple[Hashable, ...]:
    """Return all that a model's score depends on, its name in the tables first."""
    seed = context.resampling.seed
    return ("held out", label, model, *_split_key(context, experiment), experiment.grid, seed)


# Learning curves ------------------------------------------------------------------------------


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
                context, experiment, plan, label, model, size, _shifted(progress, done, total)
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
            with compute.resuming(context, key) as threads:
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
        return _split(context, experiment)
    unit = experiment.held_out
    return compute.remember(
        context,
        ("curve split", unit, seed),
        lambda: random_share(context.judgments, SHARE, np.random.default_rng(seed), unit),
    )


# All language pairs ---------------------------------------------------------------------------


def sibling_pairs(context: ViewContext) -> list[tuple[Campaign, str]]:
    """Return the campaign's language pairs; those of all samples where it is one of them."""
    campaigns = [context.campaign]
    if context.is_sample:
        campaigns = [compute.sample(name) for name in SAMPLES]
    return [(campaign, pair) for campaign in campaigns for pair in campaign.pairs]


def compare_pairs(
    context: ViewContext, experiment: Experiment, progress: Progress | None = None
) -> Iterator[tuple[dict[str, PairedComparison], list[str]]]:
    """Give the comparisons of all language pairs so far, after every pair, and what is missing why.

    A selection holds in all pairs of its campaign; what was chosen of one sample leaves the other
    samples whole.
    """
    pairs = sibling_pairs(context)
    comparisons: dict[str, PairedComparison] = {}
    problems: list[str] = []
    share = n_predictions(context, experiment)
    for done, (campaign, pair) in enumerate(pairs):
        try:
            view = _sibling(context, campaign, pair)
            shifted = _shifted(progress, done * share, len(pairs) * share)
            outcome = compare(view, experiment, shifted)
        except PodiumError as error:
            problems.append(f"{language_pair(pair)} is missing. {error}")
        else:
            comparisons[pair] = outcome.comparison
            problems += [
                f"{language_pair(pair)}: {MODEL_TITLES.get(label, label)} is missing. {error}"
                for label, error in outcome.failed.items()
            ]
        yield dict(comparisons), list(problems)


def _sibling(context: ViewContext, campaign: Campaign, pair: str) -> ViewContext:
    """Return the same view of another language pair."""
    if (campaign.fingerprint, pair) == (context.campaign.fingerprint, context.pair):
        return context
    same = campaign.fingerprint == context.campaign.fingerprint
    return make_context(
        campaign,
        pair,
        context.ranker,
        context.resampling,
        is_sample=context.is_sample,
        selection=state.selection(campaign) if same else DEFAULT_SELECTION,
        mode=context.mode,
    )


# Small things ---------------------------------------------------------------------------------


def _shifted(progress: Progress | None, before: int, whole: int) -> Progress | None:
    """Return a callback that counts from ``before`` on towards ``whole``."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, whole)
