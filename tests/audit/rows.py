"""The rows of the audit's table: a world, what is measured in it, and how often it is simulated.

To audit another claim, write a measure in `tests.audit.measures`, its promise into `CLAIMS`, and
the worlds it is measured in here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from analysis.procedures import PROCEDURES
from tests.audit.checks import CHECKED, ENOUGH_CHECKS, quality_holds
from tests.audit.generator import Nature, World
from tests.audit.machines import EXPECTED_RATIO, MachineNature, with_machine
from tests.audit.measures import (
    DIFFER,
    FIRST_CLAIMS,
    POWER,
    READER,
    Measure,
    coefficients_hold,
    flags,
    kappas,
    published,
    told_apart,
)
from tests.audit.metrics import METRIC_WORLDS, groups_hold
from tests.audit.model_selection import methods_apart
from tests.audit.parts import STYLED, effects_of, parts_alike
from tests.audit.plans import foretold, stopping
from tests.audit.scored import (
    AGREEING,
    MEAN_WORLDS,
    PAIRED_WORLDS,
    SCORED_WORLDS,
    means_hold,
    paired_tests,
    score_agreement_holds,
    wrong_wins,
)
from tests.audit.states import states

SPREAD = tuple(np.linspace(0, 0.9, 8).round(9).tolist())
CLOSE = tuple(np.linspace(0, 0.3, 8).round(9).tolist())
STEPS = (0.0, 0.05, 0.25, 0.35, 0.65, 0.8, 1.2, 1.45)
GROUPS = (0.0, 0.0, 0.0, 0.35, 0.35, 0.7, 0.7, 0.7)
NULL = (0.0,) * 8

ALIKE = {"noise_spread": 0.0, "margin_spread": 0.0, "taste": 0.0}
"""Judges who do not differ."""

DENSE = {"tasks": 2000, "judges": 40, "segments": 100}

groups = Nature(GROUPS)

WORLDS: dict[str, Nature] = {
    "spread": Nature(SPREAD),
    "steps": Nature(STEPS),
    "close": Nature(CLOSE),
    "groups": groups,
    "null": Nature(NULL),
    "iid": replace(groups, segments=None, taste=0.0),
    "5 judges": replace(groups, judges=5),
    "null, 5 judges": Nature(NULL, judges=5),
    "null, judges differ": Nature(NULL, taste=0.3),
    "null, 10 segments": Nature(NULL, segments=10),
    "30 segments": replace(groups, segments=30),
    "heavy tails": replace(groups, heavy_tails=True),
    "grown 4 times": replace(groups, tasks=2400),
    "grown 16 times": replace(groups, tasks=9600),
    "null, grown 16 times": Nature(NULL, tasks=9600),
    "drawn, sd .15": Nature(systems=8, ability_deviation=0.15),
    "drawn, sd .3": Nature(systems=8, ability_deviation=0.3),
    "arena": Nature(
        systems=50, ability_deviation=0.4, tasks=500, n_way=2, judges=None, segments=None
    ),
    "tiny": Nature((0.0, 0.3, 0.3), tasks=30, n_way=3, judges=None, segments=None),
}
"""Campaigns of eight systems, 600 five-way tasks, 20 judges and 200 segments, and other shapes.

Growing campaigns keep their sentences and judges. In ``groups`` three, two and three systems are
equal, in ``null`` all; judges who ``differ`` have tastes nearly as large as a step between groups;
in ``iid`` each task has a sentence of its own and judges no taste. Of ``drawn`` campaigns each has
abilities of its own.
"""

HONEST: dict[str, Nature] = {
    "alike": Nature(SPREAD, **ALIKE),
    "alike, all systems equal": Nature(NULL, **ALIKE),
    "alike, dense": Nature(SPREAD, **ALIKE, **DENSE),
    "different": Nature(SPREAD),
    "different, dense": Nature(SPREAD, **DENSE),
    "different, 8,000 tasks": Nature(SPREAD, tasks=8000, judges=60, segments=300),
    "different, five": Nature(SPREAD, tasks=150, judges=5, segments=50),
}

AGREEMENT: dict[str, Nature] = {
    "spread": Nature(SPREAD),
    "60 tasks, 5 judges": Nature(SPREAD, tasks=60, judges=5, segments=40),
    "15 segments": Nature(SPREAD, tasks=300, segments=15),
    "2,000 tasks, 40 judges": Nature(SPREAD, tasks=2000, judges=40),
    "3 judges": Nature(SPREAD, judges=3),
}

METHODS: dict[str, Nature] = {
    "spread": Nature(SPREAD),
    "groups": groups,
    "close": Nature(CLOSE),
    "20 systems": Nature(tuple(np.linspace(0, 1.8, 20).round(9).tolist()), tasks=300),
}
"""The last has few judgments of each pair, so that a method which learns pairs is far worse."""


@dataclass(frozen=True)
class Row:
    """One world and what is measured in it; ``left_out`` are claims that mean nothing there."""

    what: str
    world: str
    nature: World
    measure: Measure
    simulations: int = 300
    left_out: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        return f"{self.what}: {self.world}"


PUBLISHED = "as published"
METRIC_ROWS = "groups of metrics"
"""The WMT metrics task's own rule, at .05 for each pair alone."""

OTHERS = frozenset({PUBLISHED, METRIC_ROWS, *(f"procedure {name}" for name in PROCEDURES)})
"""Rows that measure the procedures of others, for which Podium promises nothing."""

FEWER = {"grown 16 times": 200, "null, grown 16 times": 200, "arena": 100}
"""Simulations of the worlds that take long."""

SOME = ("spread", "groups", "null", "5 judges", "heavy tails", "grown 16 times", "arena", "tiny")
"""Worlds in which other methods, and the published procedures, are measured."""

NO_POWER = frozenset({POWER})
"""A claim that is made of the standard world alone."""

BY_GROUP = (
    "tastes of judges and documents",
    "groups",
    "2 systems, 4 domains that speak for opposite ones",
)
"""Worlds in which means over documents or domains are measured."""

JUDGED = ("spread", "groups", "null", "5 judges", "heavy tails")
"""Worlds in which a method is measured that looks at judges."""


def _rows(what: str, measure: Measure, worlds: Iterable[str], simulations: int = 300) -> list[Row]:
    return [
        Row(
            what,
            world,
            WORLDS[world],
            measure,
            min(simulations, FEWER.get(world, simulations)),
            _left_out(world),
        )
        for world in worlds
    ]


def _left_out(world: str) -> frozenset[str]:
    """Return the claims that mean nothing in a world.

    Power is promised in ``groups`` alone: elsewhere it is a matter of the world's distances. A
    chance of being first is right or wrong over many campaigns, each with a best system of its own:
    where the same system is the best one every time, it is too low for it whatever it says.
    """
    chances = () if WORLDS[world].ability_deviation else FIRST_CLAIMS
    return frozenset(chances) | (frozenset() if world == "groups" else {POWER})


ROWS: tuple[Row, ...] = (
    *_rows("Expected Wins", told_apart("expected-wins"), WORLDS),
    *_rows("Bradley-Terry", told_apart("bradley-terry"), SOME),
    *_rows("Hopkins & May", told_apart("hopkins-may"), SOME),
    *_rows("Judge-aware Bradley-Terry", told_apart("bradley-terry-judges"), JUDGED, 1000),
    *_rows("TrueSkill", told_apart("trueskill"), ("groups", "null", "spread", "5 judges")),
    *_rows(PUBLISHED, published(), (*SOME, "drawn, sd .15")),
    *(Row("kappa", world, nature, kappas) for world, nature in AGREEMENT.items()),
    *(
        Row("other agreement", world, nature, coefficients_hold, 150)
        for world, nature in AGREEMENT.items()
    ),
    *(Row("flags", world, nature, flags) for world, nature in HONEST.items()),
    *(
        Row("flags", f"{fault} judge", Nature(SPREAD, fault=fault), flags)
        for fault in ("random", "reversed", "ties", "left")
    ),
    *(
        Row("plan", f"{world}, {growth}", WORLDS[world], foretold(new=growth == "new ones"))
        for world in ("spread", "groups", "5 judges", "drawn, sd .15")
        for growth in ("new ones", "the same")
    ),
    Row("plan", "groups, aim 70%", replace(groups, tasks=1600, segments=500), stopping(0.7)),
    Row("plan", "groups, aim 80%", replace(groups, tasks=1600, segments=500), stopping(0.8)),
    *(
        Row(
            "before and after",
            f"{world}, {after}",
            WORLDS[world],
            states(grown=after == "doubled"),
            left_out=frozenset({DIFFER} if world == "null" else ()),
        )
        for world in ("groups", "spread", "null", "5 judges")
        for after in ("again", "doubled")
    ),
    *(
        Row("model selection", world, nature, methods_apart(), 100)
        for world, nature in METHODS.items()
    ),
    *(Row("machine", judge, MachineNature(judge), with_machine, 400) for judge in EXPECTED_RATIO),
    *(
        Row(
            f"procedure {name}",
            world,
            nature,
            wrong_wins(name),
            400 if nature.systems > 2 else 1000,
        )
        for name in PROCEDURES
        for world, nature in SCORED_WORLDS.items()
    ),
    *(
        Row(f"Mean score{of}", world, nature, means_hold(standardize), 1000, NO_POWER)
        for of, standardize in (("", "none"), (", z", "judge"))
        for world, nature in MEAN_WORLDS.items()
    ),
    *(
        Row(f"Mean score by {macro}", w, MEAN_WORLDS[w], means_hold("none", macro), 1000, NO_POWER)
        for macro in ("document", "domain")
        for w in BY_GROUP
    ),
    *(Row("paired tests", w, nature, paired_tests, 300) for w, nature in PAIRED_WORLDS.items()),
    *(
        Row("agreement of scores", w, nature, score_agreement_holds)
        for w, nature in AGREEING.items()
    ),
    *(
        Row("slices", f"{w}, {parts} parts", WORLDS[w], parts_alike(parts), 200)
        for w in ("spread", "5 judges")
        for parts in (2, 4)
    ),
    Row("slices", "spread, 2 parts of judges", WORLDS["spread"], parts_alike(2, "judge"), 200),
    *(
        Row("slices", f"scores, {w}, 2 parts", MEAN_WORLDS[w], parts_alike(2, method="mean"), 200)
        for w in ("groups", "groups, 5 judges")
    ),
    *(Row("effects", w, nature, effects_of(nature)) for w, nature in STYLED.items()),
    *(
        Row(
            "quality control",
            w,
            nature,
            quality_holds,
            left_out=frozenset({READER} if nature.checks < ENOUGH_CHECKS else ()),
        )
        for w, nature in CHECKED.items()
    ),
    *(Row(METRIC_ROWS, w, nature, groups_hold, 200) for w, nature in METRIC_WORLDS.items()),
)
