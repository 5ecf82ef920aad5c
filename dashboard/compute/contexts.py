"""The judgments of campaigns, and the views that are made of them."""

from __future__ import annotations

import dataclasses
from functools import partial

from analysis.campaign import DEFAULT_SELECTION, Campaign, Judgments, Selection
from analysis.colors import system_colors
from analysis.comparing.what_if import first_tasks, tasks_after
from analysis.formats.report import ReadReport
from analysis.names import short_names
from analysis.rankers import Ranker
from analysis.ranking.certainty import Certainty
from analysis.ranking.ranking import fewer_tasks
from dashboard.compute import store
from dashboard.design import Mode, inks
from dashboard.session import state
from dashboard.session.view import Part, ViewContext

EXAMPLE = "Example"


def is_example(campaign: Campaign) -> bool:
    """Return whether a campaign is the made-up example."""
    return campaign.title == EXAMPLE


def judgments(campaign: Campaign, pair: str, selection: Selection, *, is_sample: bool) -> Judgments:
    """Return one pair's judgments after the user's selection."""
    return store.memory(is_sample).judgments.get_or_make(
        (campaign.fingerprint, pair, selection),
        lambda: campaign.judgments(pair, selection),
    )


def everything(context: ViewContext) -> Judgments:
    """Return the pair's judgments before any selection, references left out."""
    return judgments(context.campaign, context.pair, DEFAULT_SELECTION, is_sample=context.is_sample)


def make_context(
    campaign: Campaign,
    pair: str,
    ranker: Ranker,
    certainty: Certainty,
    *,
    report: ReadReport | None = None,
    is_sample: bool = False,
    label: str = "",
    selection: Selection = DEFAULT_SELECTION,
    mode: Mode = "light",
) -> ViewContext:
    """Derive what follows from the choices: judgments, names, colors."""
    everything = judgments(campaign, pair, DEFAULT_SELECTION, is_sample=is_sample)
    selection = _within(selection, everything)
    chosen = judgments(campaign, pair, selection, is_sample=is_sample)
    return ViewContext(
        campaign=campaign,
        report=report,
        is_sample=is_sample,
        label=label or campaign.title,
        pair=pair,
        selection=selection,
        judgments=chosen,
        ranker=ranker,
        certainty=certainty,
        short_names={**short_names(chosen.systems), **short_names(everything.systems)},
        colors=colors_of(chosen, mode),
        mode=mode,
    )


def colors_of(judgments: Judgments, mode: Mode) -> dict[str, str]:
    """Return each system's color, whatever counts; human references have none of their own."""
    neutral = dict.fromkeys(judgments.systems, inks(mode).neutral)
    return {**neutral, **system_colors(judgments.color_places, mode)}


def with_pair(context: ViewContext, pair: str) -> ViewContext:
    """Return the view of another language pair of the same campaign."""
    return make_context(
        context.campaign,
        pair,
        context.ranker,
        context.certainty,
        report=context.report,
        is_sample=context.is_sample,
        label=context.label,
        selection=state.selection_of(context.campaign),
        mode=context.mode,
    )


def with_selection(context: ViewContext, selection: Selection) -> ViewContext:
    """Return the same view of other judgments (without this judge, without that system)."""
    return dataclasses.replace(
        context,
        selection=selection,
        judgments=judgments(context.campaign, context.pair, selection, is_sample=context.is_sample),
    )


def with_share(context: ViewContext, share: float, part: Part = "random") -> ViewContext:
    """Return the same view of some of the ranking tasks: that share at random, or a part."""
    view = dataclasses.replace(context, share=share, part=part)
    by_part = {"first": first_tasks, "rest": tasks_after}
    take = by_part.get(part) or partial(fewer_tasks, seed=context.certainty.seed)
    taken = store.memory(context.is_sample).judgments.get_or_make(
        (*view.data_key, "share"), lambda: take(context.judgments, share)
    )
    return dataclasses.replace(view, judgments=taken)


def _within(selection: Selection, judgments: Judgments) -> Selection:
    """Drop choices that name systems of other pairs: they hold there, and say nothing here."""
    known = set(judgments.systems) | set(judgments.left_out)
    kept = tuple(name for name in selection.exclude_systems if name in known)
    return dataclasses.replace(selection, exclude_systems=kept)
