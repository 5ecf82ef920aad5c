"""What a page knows of the user's choices: one frozen object, made from the sidebar once a run."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from analysis.campaign import DEFAULT_SELECTION, Campaign, Judgments, Selection
from analysis.formats import ReadReport
from analysis.names import short_names
from analysis.rankers import DEFAULT_METHOD, Ranker, ranker_class
from analysis.rankers.draws import ResamplingUnit
from analysis.simulation.samples import DEFAULT_SAMPLE
from dashboard import compute, state
from dashboard.figures.theme import Mode, system_colors
from dashboard.typography import language_pair, thousands


@dataclass(frozen=True)
class Resampling:
    """What each run draws again, how many runs there are, and at which level intervals are."""

    unit: ResamplingUnit = "task"
    runs: int = 1000
    level: float = 0.95
    seed: int = 0

    def words(self) -> str:
        """Say what an interval is made of."""
        drawn = {
            "task": "each draws whole ranking tasks again",
            "rows": "each draws single judgments again, as published",
            "segment": "each draws whole segments again",
            "judge": "each draws whole judges again",
            "none": "nothing is drawn again, only the method's own randomness varies",
        }[self.unit]
        return f"Thin lines and ranks are {self.level:.0%} of {thousands(self.runs)} runs; {drawn}."


@dataclass(frozen=True, eq=False)
class ViewContext:
    """The campaign, the pair, the method and the resampling that the whole view is about.

    ``judgments`` are those of the pair after the selection. ``short_names`` and ``colors`` go from
    a system's full name to the one that figures show and to its color, the same on every page;
    ``mode`` is the browser's light or dark. ``report`` is None for a sample.
    """

    campaign: Campaign
    report: ReadReport | None
    is_sample: bool
    label: str
    pair: str
    selection: Selection
    judgments: Judgments
    ranker: Ranker
    resampling: Resampling
    short_names: Mapping[str, str] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = "light"

    @property
    def data_key(self) -> tuple[Hashable, ...]:
        """What every result depends on; `compute.remember` puts it before the caller's key."""
        return (self.campaign.fingerprint, self.pair, self.selection)

    @cached_property
    def signature(self) -> str:
        """What is needed to make the view's numbers again."""
        chosen = self.resampling
        return "|".join(
            (
                self.ranker.method_signature(),
                f"resample:{chosen.unit}|runs:{chosen.runs}|seed:{chosen.seed}",
                f"level:{chosen.level:g}|{self.selection.signature}",
                f"pair:{self.pair}|data:{self.campaign.fingerprint}",
            )
        )

    @property
    def pair_title(self) -> str:
        """The language pair in words."""
        return language_pair(self.pair)

    def name(self, system: str) -> str:
        """Return the name that figures and sentences show of a system."""
        return self.short_names.get(system, system)

    def with_runs(self, runs: int) -> ViewContext:
        """Return the same view with fewer or more runs."""
        return dataclasses.replace(self, resampling=dataclasses.replace(self.resampling, runs=runs))

    def with_ranker(self, ranker: Ranker) -> ViewContext:
        """Return the same view through another method, as What if and Methods need it."""
        return dataclasses.replace(self, ranker=ranker)

    def with_pair(self, pair: str) -> ViewContext:
        """Return the view of another language pair of the same campaign."""
        return make_context(
            self.campaign,
            pair,
            self.ranker,
            self.resampling,
            report=self.report,
            is_sample=self.is_sample,
            label=self.label,
            selection=state.selection(self.campaign),
            mode=self.mode,
        )

    def with_selection(self, selection: Selection) -> ViewContext:
        """Return the same view of other judgments (without this judge, without that system)."""
        return dataclasses.replace(
            self,
            selection=selection,
            judgments=compute.judgments(
                self.campaign, self.pair, selection, is_sample=self.is_sample
            ),
        )


def make_context(
    campaign: Campaign,
    pair: str,
    ranker: Ranker,
    resampling: Resampling,
    *,
    report: ReadReport | None = None,
    is_sample: bool = False,
    label: str = "",
    selection: Selection = DEFAULT_SELECTION,
    mode: Mode = "light",
) -> ViewContext:
    """Derive what follows from the choices: judgments, names, colors."""
    everything = compute.judgments(campaign, pair, DEFAULT_SELECTION, is_sample=is_sample)
    selection = _within(selection, everything)
    chosen = compute.judgments(campaign, pair, selection, is_sample=is_sample)
    return ViewContext(
        campaign=campaign,
        report=report,
        is_sample=is_sample,
        label=label or campaign.title,
        pair=pair,
        selection=selection,
        judgments=chosen,
        ranker=ranker,
        resampling=resampling,
        short_names=short_names(everything.systems),
        colors=system_colors(everything.systems, mode),
        mode=mode,
    )


def default_context() -> ViewContext:
    """Return the view that the dashboard opens with."""
    campaign = compute.sample(DEFAULT_SAMPLE)
    ranker = ranker_class(DEFAULT_METHOD)()
    return make_context(campaign, campaign.pairs[0], ranker, Resampling(), is_sample=True)


def require_campaign() -> ViewContext:
    """Return the view that the sidebar made; the first line of every page."""
    context: ViewContext = state.view()
    return context


def _within(selection: Selection, judgments: Judgments) -> Selection:
    """Drop choices that name systems of other pairs: they hold there, and say nothing here."""
    known = set(judgments.systems) | set(judgments.left_out)
    kept = tuple(name for name in selection.exclude_systems if name in known)
    return dataclasses.replace(selection, exclude_systems=kept)
