"""Presets: all that a paper, or a way to work, sets together, under one name and declared once.

A preset says which method ranks and with which settings, how sure the ranking is said to be, which
models are asked to predict and how, and how large a simulated study is. What it does not say stays
as the user has it; what the user says wins over the preset.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from analysis.campaign import Identical
from analysis.errors import control, unknown
from analysis.parameters import format_value, from_settings, hyperparameters
from analysis.rankers import DEFAULT_METHOD, RANKERS, Ranker, ranker_class
from analysis.rankers.resampling import UNITS
from analysis.ranking.certainty import AS_PUBLISHED, Certainty
from analysis.wording import thousands

Settings = Mapping[str, Any]
Setting = Literal["method", "hyperparameter", "ranges", "unit", "runs", "level"]
"""In what a view can differ from a preset."""

RANKING = ("rank", "compare", "report")
PREDICTION = ("validate", "curve")
SIMULATION = ("simulate",)


@dataclass(frozen=True)
class Preset:
    """What is set together, and where it comes from.

    ``method`` ranks, "" where any may; ``settings`` are hyperparameters by method, beside which
    defaults hold. ``methods`` are compared and asked to predict, with settings after colons where
    one takes part more than once; ``protocol`` says how. ``studies`` are the sizes of simulated
    studies by name. None means that the preset says nothing of it.
    """

    name: str
    title: str
    sentence: str
    citation: str = ""
    references: tuple[str, ...] = ()
    method: str = ""
    settings: Mapping[str, Settings] = field(default_factory=dict)
    methods: tuple[str, ...] = ()
    certainty: Certainty | None = None
    identical: Identical | None = None
    protocol: Settings | None = None
    studies: Mapping[str, Settings] = field(default_factory=dict)

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands for which the preset says something."""
        ranks = self.method or self.settings or self.certainty is not None
        return (
            *(RANKING if ranks else ()),
            *(PREDICTION if self.protocol is not None else ()),
            *(SIMULATION if self.studies else ()),
        )

    def ranker(self, method: str = "") -> Ranker:
        """Return a method with the preset's settings of it; the preset's own where none is named.

        >>> preset_named("spv14").ranker("hopkins-may").settings()["radius"]
        0.5
        """
        name = method or self.method or DEFAULT_METHOD
        return from_settings(ranker_class(name), self.settings.get(name, {}))

    @property
    def compared(self) -> tuple[str, ...]:
        """Those of the methods that rank."""
        return tuple(name for name in self.methods if name in RANKERS)


RECOMMENDED = Preset(
    "recommended",
    "Recommended",
    "Simultaneous rank ranges, generalizing to new segments and judges.",
    "Cameron, Gelbach & Miller 2011; Holm 1979",
    ("cameron-etal-2011-robust", "holm-1979-simple"),
    certainty=Certainty(),
    protocol=dict(),
)
QUICK = Preset(
    "quick",
    "Quick",
    "A quick preview: Expected Wins, intervals in closed form, few folds and trials.",
    "Koehn 2012",
    ("koehn-2012-simulating",),
    method="expected-wins",
    methods=("expected-wins", "hopkins-may"),
    certainty=Certainty(runs=100),
    protocol=dict(folds=5, sizes=(400, 1600, 6400), trials=2),
)
HM13 = Preset(
    "hm13",
    "Hopkins & May 2013",
    "Abilities and items by Gibbs sampling; predictions of the rarely judged segments, untuned.",
    "Hopkins & May 2013",
    ("hopkins-may-2013-models",),
    method="hopkins-may",
    settings={
        "hopkins-may": {
            "sigma0": 1.0,
            "sigma_obs": 1.0,
            "sigma_a": 0.5,
            "radius": 0.4,
            "inference": "gibbs-items",
            "query": "plug-in",
            "iterations": 200,
            "burn_in": 50,
        },
        "hopkins-may-categorical": {"query": "plug-in"},
        "independent-students": {"mean": "geometric-as-printed"},
    },
    methods=(
        "uniform",
        "adjusted-uniform",
        "independent-pairs",
        "independent-students:mean=asymmetric",
        "independent-students:mean=arithmetic",
        "independent-students",
        "hopkins-may",
        "hopkins-may-categorical",
    ),
    protocol=dict(split="hm13", tune="none", sizes=(100, 200, 400, 800, 1600, 3200)),
)
_OF_WMT14 = ("expected-wins", "hopkins-may", "trueskill")
_AS_SPV14 = Certainty(ranges="marginal", unit="none", runs=100)
_PREDICTED_AS_SPV14 = dict(grid="spv14", tune="dev", dev=2000, hold_out=2000, draw="own")
SPV14 = Preset(
    "spv14",
    "Sakaguchi 2014, original",
    "100 TrueSkill runs with active selection, with the constants of the paper.",
    "Sakaguchi, Post & Van Durme 2014",
    ("sakaguchi-etal-2014-efficient",),
    method="trueskill",
    settings={
        "hopkins-may": {"radius": 0.5, "inference": "spv14", "query": "one-sided"},
        "trueskill": {"zone": "one-sided", "beta_rule": "printed", "epsilon": 0.25},
    },
    methods=_OF_WMT14,
    certainty=_AS_SPV14,
    protocol=_PREDICTED_AS_SPV14,
)
SPV14_REPRODUCED = Preset(
    "spv14-reproduced",
    "Sakaguchi 2014, reproduced",
    "As the paper, but with the constants that give its published numbers.",
    "Sakaguchi, Post & Van Durme 2014",
    ("sakaguchi-etal-2014-efficient",),
    method="trueskill",
    settings={
        "hopkins-may": {"radius": 0.5, "query": "one-sided"},
        "trueskill": {"zone": "one-sided"},
    },
    methods=_OF_WMT14,
    certainty=_AS_SPV14,
    protocol=_PREDICTED_AS_SPV14,
)
WMT13 = Preset(
    "wmt13",
    "WMT13 procedure",
    "Expected Wins on resampled judgments, 1,000 times.",
    "Koehn 2012",
    ("koehn-2012-simulating",),
    method="expected-wins",
    certainty=AS_PUBLISHED,
    identical="expanded",
)
WMT14 = Preset(
    "wmt14",
    "WMT14 procedure",
    "TrueSkill on resampled, shuffled judgments, 1,000 times.",
    "Bojar et al. 2014",
    ("bojar-etal-2014-findings",),
    method="trueskill",
    settings={"trueskill": {"selection": "shuffled"}, "hopkins-may": {"radius": 0.5}},
    methods=_OF_WMT14,
    certainty=AS_PUBLISHED,
    identical="expanded",
    protocol=dict(split="judgment", folds=100, average="folds", grid="wmt14", tune="train"),
)
WMT15 = Preset(
    "wmt15",
    "WMT15 procedure",
    "TrueSkill with active selection, 1,000 times, without resampling before.",
    "Sakaguchi, Post & Van Durme 2014",
    ("sakaguchi-etal-2014-efficient",),
    method="trueskill",
    settings={"trueskill": {"selection": "active"}},
    certainty=Certainty(ranges="marginal", unit="none", runs=1000),
    identical="expanded",
)
WMT16 = Preset(
    "wmt16",
    "WMT16 procedure",
    "Single judgments are resampled, then TrueSkill selects from them actively, 1,000 times.",
    "Sakaguchi, Post & Van Durme 2014",
    ("sakaguchi-etal-2014-efficient",),
    method="trueskill",
    settings={"trueskill": {"selection": "active"}},
    certainty=AS_PUBLISHED,
    identical="expanded",
)
K12 = Preset(
    "k12",
    "Koehn 2012",
    "Expected Wins, 1,000 resamples of single judgments; simulated studies of the paper's size.",
    "Koehn 2012",
    ("koehn-2012-simulating",),
    method="expected-wins",
    methods=("bojar", "lopez", "expected-wins"),
    certainty=AS_PUBLISHED,
    studies={
        "ranking-error": {
            "experiments": 10_000,
            "sizes": (5_000, 10_000, 20_000, 30_000, 40_000, 50_000),
        },
        "rank-ranges": {"experiments": 400, "resamples": 1000},
    },
)
O16 = Preset(
    "o16",
    "Otani et al. 2016",
    "The graded response model against one baseline, with the paper's priors and nodes.",
    "Otani, Nakazawa, Kawahara & Kurohashi 2016",
    ("otani-etal-2016-irt",),
    method="graded-response",
    settings={"graded-response": {"tau": 1.414214, "nodes": 21, "quadrature": "printed"}},
    certainty=Certainty(runs=40),
    methods=("expected-wins", "hopkins-may", "trueskill", "graded-response"),
)

PRESETS: dict[str, Preset] = {
    preset.name: preset
    for preset in (
        RECOMMENDED, QUICK, WMT13, WMT14, WMT15, WMT16, HM13, SPV14, SPV14_REPRODUCED, K12, O16,
    )
}  # fmt: skip
DEFAULT_PRESET = RECOMMENDED.name
OFFICIAL = (WMT13.name, WMT14.name, WMT15.name, WMT16.name)
"""Procedures by which campaigns of rankings were published, the latest last."""
FOR_ORGANIZERS = (DEFAULT_PRESET, *OFFICIAL)
"""Presets for who runs a campaign; the others reproduce papers."""


OLD_NAMES = {"honest": DEFAULT_PRESET}
"""Names that presets had, which commands and saved sessions may still give."""


def preset_named(name: str) -> Preset:
    """Return the preset of this name; an unknown name raises and lists the known ones."""
    name = OLD_NAMES.get(name, name)
    if name not in PRESETS:
        raise unknown(control("--preset", "Preset"), name, PRESETS)
    return PRESETS[name]


def presets_of(command: str) -> tuple[str, ...]:
    """Return the names of the presets that say something of a command."""
    return tuple(name for name, preset in PRESETS.items() if command in preset.commands)


@dataclass(frozen=True)
class Difference:
    """One setting that is not the preset's; ``name`` is the hyperparameter's, if it is one."""

    setting: Setting
    words: str
    name: str = ""


def differences(preset: Preset, ranker: Ranker, certainty: Certainty) -> tuple[Difference, ...]:
    """Return what of method and certainty is not as the preset has it; it may say nothing of it."""
    found = [] if not preset.method else list(_of_method(preset.ranker(), ranker))
    if preset.certainty is not None:
        found += _of_certainty(preset.certainty, certainty)
    return tuple(found)


def _of_method(preset: Ranker, chosen: Ranker) -> Iterator[Difference]:
    if preset.name != chosen.name:
        yield Difference("method", f"{chosen.title}, not {preset.title}")
        return
    for parameter in hyperparameters(type(chosen)):
        mine, theirs = (getattr(ranker, parameter.name) for ranker in (chosen, preset))
        if mine != theirs:
            label = parameter.name.replace("_", " ").capitalize()
            words = f"{label}: {format_value(mine)}, not {format_value(theirs)}"
            yield Difference("hyperparameter", words, parameter.name)


def _of_certainty(preset: Certainty, chosen: Certainty) -> Iterator[Difference]:
    if _basis(preset) != _basis(chosen):
        yield Difference("ranges", f"{_basis(chosen)}, not {_basis(preset).lower()}")
    elif preset.is_official and preset.unit != chosen.unit:
        drawn, theirs = UNITS[chosen.unit].title, UNITS[preset.unit].title.lower()
        yield Difference("unit", f"Resampled: {drawn.lower()}, not {theirs}")
    if chosen.is_official and preset.runs != chosen.runs:
        yield Difference(
            "runs", (f"{thousands(chosen.runs)} resamples, not {thousands(preset.runs)}")
        )
    if preset.level != chosen.level:
        yield Difference("level", f"Level {chosen.level:.0%}, not {preset.level:.0%}")


def _basis(certainty: Certainty) -> str:
    if certainty.is_official:
        return "Official procedure"
    whose = "these" if certainty.scope == "these" else "new"
    return f"Ranks for {whose} segments and judges"
