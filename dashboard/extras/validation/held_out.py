"""Predictions of unseen judgments as a page needs them: in parts that are kept, whoever leaves.

An `Experiment` is what is asked of which models. Its folds are computed through
`resuming_threads`, a few of every model in turn, so that the time left can be told; a model's
score is kept when its last fold is done.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from analysis.campaign import DEFAULT_SELECTION, Campaign
from analysis.errors import PodiumError
from analysis.extras.validation.prediction.cross_validation import (
    HeldOutScore,
    predict_folds,
    score,
)
from analysis.extras.validation.prediction.findings import too_few_words
from analysis.extras.validation.prediction.paired import PairedComparison, compare_paired
from analysis.extras.validation.prediction.predict import (
    MODELS,
    Model,
    Prediction,
    keeps_own_radius,
    model_named,
    shown_name,
)
from analysis.extras.validation.prediction.radius import TuneOn, Tuning
from analysis.extras.validation.prediction.splits import (
    DEFAULT_FOLDS,
    Average,
    FoldUnit,
    Protocol,
    Split,
    k_fold,
    rare_segments,
)
from analysis.languages import language_pair
from analysis.parallel import Progress
from analysis.rankers import RANKERS, Ranker
from analysis.samples import SAMPLES
from dashboard import compute
from dashboard.compute.contexts import make_context
from dashboard.compute.uploads import sample
from dashboard.session import state
from dashboard.session.view import ViewContext

HeldOutUnit = FoldUnit | Literal["hm13"]
MODEL_TITLES = {name: model.title for name, model in {**RANKERS, **MODELS}.items()}
PREVIEW_FOLDS = 10
PORTION = 10
"""Folds of one model before it is the next one's turn."""


@dataclass(frozen=True)
class Experiment:
    """Which models predict which judgments, and which radii they try.

    ``models`` are pairs of label and model; ``held_out`` is what a fold leaves out, or hm13 for
    Hopkins & May's one test set of rarely judged segments. Radii are tuned as in `Protocol`; the
    models of ``own_radius`` have one that was chosen for them.
    """

    models: tuple[tuple[str, Model], ...]
    held_out: HeldOutUnit = "task"
    folds: int = DEFAULT_FOLDS
    grid: str = "wmt14"
    average: Average = "judgments"
    tune: TuneOn | None = None
    dev: float = 0.2
    own_radius: frozenset[str] = frozenset()

    def tuning(self, label: str) -> Tuning:
        """Return how a model's radii are chosen."""
        protocol = Protocol(grid=self.grid, tune=self.tune, dev=self.dev)
        return protocol.tuning(own_radius=label in self.own_radius)

    @property
    def stages(self) -> tuple[Experiment, ...]:
        """Smaller experiments that tell something sooner, and this one last.

        Few folds come before many, and before a method that takes its time come the others.
        """
        few = replace(self, folds=min(self.folds, PREVIEW_FOLDS))
        quick = tuple(entry for entry in self.models if entry[1].pace != "minutes")
        soonest = replace(few, models=quick or self.models)
        return tuple(dict.fromkeys((soonest, few, self)))


@dataclass(frozen=True, eq=False)
class Outcome:
    """The comparison of the models that could predict, and why others could not."""

    comparison: PairedComparison
    failed: Mapping[str, PodiumError]

    @property
    def warnings(self) -> list[str]:
        """What a reader must know before believing the numbers."""
        few = too_few_words(self.comparison)
        left_out = [
            f"{MODEL_TITLES.get(label, label)} could not predict here and is left out. {error}"
            for label, error in self.failed.items()
        ]
        return [*([few] if few else []), *self.comparison.split.notes, *left_out]


def chosen_models(context: ViewContext, names: Sequence[str]) -> tuple[tuple[str, Model], ...]:
    """Return the named models as the preset has them, and the sidebar's as it is set."""
    settings, own = context.preset.settings, context.ranker
    models = {label_of(words): model_named(words, settings) for words in names}
    if own == model_named(own.name, settings):
        models.setdefault(own.name, own)
    else:
        models[_as_set(own)] = own
    return tuple(sorted(models.items(), key=lambda entry: entry[1].pace == "minutes"))


def own_radii(context: ViewContext, names: Sequence[str]) -> frozenset[str]:
    """Return the labels of the models whose radius was chosen, so that none is tuned for them."""
    chosen = {label_of(words) for words in names if keeps_own_radius(words)}
    usual = model_named(context.ranker.name, context.preset.settings).settings().get("radius")
    if context.ranker.settings().get("radius") != usual:
        chosen.add(_as_set(context.ranker))
    return frozenset(chosen)


def label_of(words: str) -> str:
    """Return the name in tables of a model that words name."""
    return words if words in MODEL_TITLES else shown_name(words)


def _as_set(ranker: Ranker) -> str:
    return f"{ranker.title}, as set"


# Folds ----------------------------------------------------------------------------------------


def n_predictions(context: ViewContext, experiment: Experiment) -> int:
    """Return how many trainings the experiment takes, for the progress."""
    return split_of(context, experiment).n_folds * len(experiment.models)


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
    split = split_of(context, experiment)
    found = _scores(context, experiment, split, progress)
    scores = [entry for entry in found.values() if isinstance(entry, HeldOutScore)]
    failed = {label: entry for label, entry in found.items() if isinstance(entry, PodiumError)}
    if not scores:
        raise next(iter(failed.values()))
    chosen = context.certainty
    comparison = compute.remember(
        context,
        ("paired comparison", experiment, chosen.level, chosen.scope, chosen.seed),
        lambda: compare_paired(split, scores, level=chosen.level, scope=chosen.scope),
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
            with compute.resuming_threads(context, keys[label]) as threads:
                predicted[label] += predict_folds(
                    split,
                    todo[label],
                    folds,
                    tuning=experiment.tuning(label),
                    seed=context.certainty.seed,
                    executor=threads,
                    progress=shifted(progress, before, total),
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
                tuning=experiment.tuning(label),
                average=experiment.average,
                seed=context.certainty.seed,
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


def split_of(context: ViewContext, experiment: Experiment) -> Split:
    """Return what each fold learns from and predicts."""
    judgments, seed = context.judgments, context.certainty.seed

    def make() -> Split:
        if experiment.held_out == "hm13":
            return rare_segments(judgments)
        rng = np.random.default_rng(seed)
        return k_fold(judgments, experiment.folds, rng, experiment.held_out)

    return compute.remember(context, ("split", *_split_key(context, experiment)), make)


def _split_key(context: ViewContext, experiment: Experiment) -> tuple[Hashable, ...]:
    if experiment.held_out == "hm13":
        return ("hm13",)
    return (experiment.held_out, experiment.folds, context.certainty.seed)


def _family(
    context: ViewContext, experiment: Experiment, label: str, model: Model
) -> tuple[Hashable, ...]:
    """Return all that a model's score depends on, its name in the tables first."""
    asked = (experiment.tuning(label), experiment.average, context.certainty.seed)
    return ("held out", label, model, *_split_key(context, experiment), *asked)


# All language pairs ---------------------------------------------------------------------------


def sibling_pairs(context: ViewContext) -> list[tuple[Campaign, str]]:
    """Return the campaign's language pairs; those of all of WMT14 where it is a sample of it."""
    campaigns = [context.campaign]
    if context.is_drawn:
        campaigns = [sample(name) for name in SAMPLES]
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
            view = sibling(context, campaign, pair)
            counted = shifted(progress, done * share, len(pairs) * share)
            outcome = compare(view, experiment, counted)
        except PodiumError as error:
            problems.append(f"{language_pair(pair)} is missing. {error}")
        else:
            comparisons[pair] = outcome.comparison
            problems += [
                f"{language_pair(pair)}: {MODEL_TITLES.get(label, label)} is missing. {error}"
                for label, error in outcome.failed.items()
            ]
        yield dict(comparisons), list(problems)


def sibling(context: ViewContext, campaign: Campaign, pair: str) -> ViewContext:
    """Return the same view of another language pair."""
    if (campaign.fingerprint, pair) == (context.campaign.fingerprint, context.pair):
        return context
    same = campaign.fingerprint == context.campaign.fingerprint
    view = make_context(
        campaign,
        pair,
        context.ranker,
        context.certainty,
        is_sample=context.is_sample,
        selection=state.selection_of(campaign) if same else DEFAULT_SELECTION,
        mode=context.mode,
    )
    return replace(view, preset=context.preset)


def shifted(progress: Progress | None, before: int, whole: int) -> Progress | None:
    """Return a callback that counts from ``before`` on towards ``whole``."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, whole)
