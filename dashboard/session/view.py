"""What a page knows of the user's choices: one frozen object, made from the sidebar once a run.

Also what the sidebar's widgets hold for a method and a certainty, by the widgets' keys.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from analysis.campaign import Campaign, Judgments, Selection
from analysis.escaping import as_file_name
from analysis.formats.report import ReadReport
from analysis.languages import NO_PAIR, about
from analysis.parameters import hyperparameters
from analysis.presets import DEFAULT_PRESET, PRESETS, Preset
from analysis.provenance import Provenance
from analysis.rankers import Ranker
from analysis.rankers.resampling import ResamplingUnit
from analysis.ranking.certainty import Certainty
from dashboard.design import Mode, inks

Part = Literal["random", "first", "rest"]
"""How some of the ranking tasks are taken: at random, or as the first or last ones of the file."""

_DATA_ENDING = re.compile(r"(\.(csv|tsv|xml|json|jsonl|parquet|txt|gz|zip))+$", re.IGNORECASE)


@dataclass(frozen=True)
class Naming:
    """From a system's full name to the one that is shown.

    Streamlit keeps what formats a widget's options as long as the session lives, so it must not
    hold the view, and with it the campaign, that it is for.
    """

    shown: tuple[tuple[str, str], ...]

    def __call__(self, system: str) -> str:
        return self._of.get(system, system)

    @cached_property
    def _of(self) -> dict[str, str]:
        return dict(self.shown)


@dataclass(frozen=True, eq=False)
class ViewContext:
    """The campaign, the pair, the method and the certainty that the whole view is about.

    ``judgments`` are those of the pair after the selection. ``short_names`` and ``colors`` go from
    a system's full name to the one that figures show and to its color, the same on every page;
    ``mode`` is the browser's light or dark. ``report`` is None for a sample. ``share`` of the
    ranking tasks are looked at, 1 but in What if, drawn at random, or, in Before and after, the
    ``part`` of the file that this share ends or begins. ``preset`` is what was set together; method
    and certainty may differ from it. The ``highlighted`` system stands out in every figure and
    table; empty for none.
    """

    campaign: Campaign
    report: ReadReport | None
    is_sample: bool
    label: str
    pair: str
    selection: Selection
    judgments: Judgments
    ranker: Ranker
    certainty: Certainty
    short_names: Mapping[str, str] = field(default_factory=dict)
    colors: Mapping[str, str] = field(default_factory=dict)
    mode: Mode = "light"
    share: float = 1.0
    preset: Preset = PRESETS[DEFAULT_PRESET]
    part: Part = "random"
    highlighted: str = ""

    @property
    def is_drawn(self) -> bool:
        """Whether this is a sample drawn from WMT14's published figures; the others are real."""
        return self.is_sample and bool(self.campaign.simulated_from)

    @property
    def data_key(self) -> tuple[Hashable, ...]:
        """What every result depends on; `compute.remember` puts it before the caller's key."""
        drawn: tuple[Hashable, ...] = ()
        if self.share != 1:
            drawn = (self.share, self.certainty.seed if self.part == "random" else self.part)
        return (self.campaign.fingerprint, self.pair, self.selection, *drawn)

    @property
    def provenance(self) -> Provenance:
        """Which judgments of which campaign are looked at."""
        return self.judgments.provenance

    @cached_property
    def signature(self) -> str:
        """What is needed to make the view's numbers again."""
        chosen = self.certainty
        drawn = Provenance(seed=chosen.seed, level=chosen.level)
        return str(self.ranker.provenance | drawn | self.provenance)

    @property
    def title(self) -> str:
        """The campaign's title; empty if only its files have names."""
        return "" if _DATA_ENDING.search(self.label) else self.label

    @property
    def stem(self) -> str:
        """What the names of the view's files begin with: the campaign, or what its files share."""
        names = [_DATA_ENDING.sub("", name) for name in self.label.split(", ")]
        if self.title or len(names) == 1:
            return names[0]
        shared = re.match(r"(.*[^\W_])[\W_].*\n\1[\W_]", f"{min(names)}\n{max(names)}")
        return shared[1] if shared else f"{names[0]}-and-{len(names) - 1}-more"

    @property
    def about(self) -> str:
        """What an export is about: the campaign, the language pair and the method."""
        sample = "Simulated sample" if self.is_drawn else ""
        return about(sample, self.title, self.pair, self.campaign.criterion, self.ranker.title)

    def caption(self, what: str, *, of_method: bool = True) -> str:
        """Return what a table shows, of which language pair, by which method."""
        of = self.pair, self.campaign.criterion, self.ranker.title * of_method
        return f"{about(what, *of, between=', ')}."

    def file_name(self, name: str, ending: str) -> str:
        """Return the name of a file of this view's: campaign, pair, method and what it holds.

        It has letters, digits and ``-_.`` only, whatever the data hold. Without an ending it is
        the name's stem.
        """
        pair = "" if self.pair == NO_PAIR else self.pair
        parts = (self.stem, pair, self.campaign.criterion, self.ranker.name, name)
        safe = [as_file_name(part) for part in parts]
        return "_".join(part for part in safe if part) + (f".{ending}" if ending else "")

    @cached_property
    def name(self) -> Naming:
        """Return, called with a system, the name that figures and sentences show of it."""
        return Naming(tuple(self.short_names.items()))

    def with_runs(self, runs: int) -> ViewContext:
        """Return the same view with fewer or more runs."""
        return dataclasses.replace(self, certainty=dataclasses.replace(self.certainty, runs=runs))

    def with_unit(self, unit: ResamplingUnit) -> ViewContext:
        """Return the same view with another unit drawn again."""
        return dataclasses.replace(self, certainty=dataclasses.replace(self.certainty, unit=unit))

    def highlighting(self, system: str) -> ViewContext:
        """Return the same view with one system highlighted: it alone has a color."""
        ink = inks(self.mode)
        own = self.colors.get(system, ink.neutral)
        colors = dict.fromkeys(self.colors, ink.neutral)
        colors[system] = ink.less if own == ink.neutral else own
        return dataclasses.replace(self, colors=colors, highlighted=system)

    def with_ranker(self, ranker: Ranker) -> ViewContext:
        """Return the same view through another method, as What if and Methods need it."""
        return dataclasses.replace(self, ranker=ranker)


_OF_PRESETS = {preset.certainty.runs for preset in PRESETS.values() if preset.certainty}
RUNS = tuple(sorted({100, 200, 500, 1000, 2000, 5000} | _OF_PRESETS))
"""Numbers of resamples that can be chosen, those of every preset among them."""
LEVELS = (0.8, 0.9, 0.95, 0.99)


def of_ranker(ranker: Ranker) -> dict[str, Any]:
    """Return the widgets' values of a method; rare settings are shown only where they matter."""
    values: dict[str, Any] = {"method": ranker.title}
    rare = False
    for parameter in hyperparameters(type(ranker)):
        value = getattr(ranker, parameter.name)
        rare = rare or (parameter.advanced and value != parameter.default)
        values[f"{ranker.name}.{parameter.name}"] = value
    values[f"{ranker.name}.more"] = rare
    return values


def of_certainty(certainty: Certainty) -> dict[str, Any]:
    """Return the widgets' values of a certainty, without its seed."""
    sure = "published" if certainty.is_official else certainty.scope
    values = {"sure": sure, "runs": certainty.runs, "level": certainty.level}
    return {**values, "resample": certainty.unit} if certainty.is_official else values
