"""The rows of the audit's table: a world, what is measured in it, and how often it is simulated.

To audit another claim, write a measure in `measures`, its promise into `CLAIMS`, and the worlds
it is measured in here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from analysis.extras.procedures.registry import PROCEDURES
from analysis.judges.judge_verdicts import ENOUGH_CHECKS
from tests.tools.audit.checks import CHECKED, quality_holds
from tests.tools.audit.generator import Nature, World
from tests.tools.audit.machines import EXPECTED_RATIO, MachineNature, with_machine
from tests.tools.audit.measures import (
    DIFFER,
    FIRST_CLAIMS,
    NAMED,
    POWER,
    POWER_OF_FEW,
    READER,
    Measure,
    coefficients_hold,
    flags,
    kappas,
    published,
    told_apart,
)
from tests.tools.audit.metrics import METRIC_WORLDS, groups_hold
from tests.tools.audit.model_selection import methods_apart
from tests.tools.audit.parts import STYLED, effects_of, parts_alike
from tests.tools.audit.plans import foretold, stopping
from tests.tools.audit.scored import (
    AGREEING,
    MEAN_WORLDS,
    PAIRED_WORLDS,
    SCORED_WORLDS,
    means_hold,
    paired_tests,
    score_agreement_holds,
    wrong_wins,
)
from tests.tools.audit.states import states
from tests.tools.audit.worlds import CLOSE, CORE, NULL, SHAPES, SPREAD, WORLDS, groups

ALIKE = {"noise_spread": 0.0, "margin_spread": 0.0, "taste": 0.0}
"""Judges who do not differ."""

DENSE = {"tasks": 2000, "judges": 40, "segments": 100}

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
    "Zipf loads": Nature(SPREAD, load="Zipf"),
    "one judge with 60%": Nature(SPREAD, load="dominant"),
}

PLANNED = (
    "spread",
    "groups",
    "5 judges",
    "one far behind",
    "one far behind, 4 judges",
    "null, 4 judges",
)

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

FEWER = {
    "grown 16 times": 200,
    "null, grown 16 times": 200,
    "arena": 100,
    "null, 100 systems": 300,
}
"""Simulations of the worlds that take long."""

SOME = ("spread", "groups", "null", "5 judges", "heavy tails", "grown 16 times", "arena", "tiny")
"""Worlds in which other methods, and the published procedures, are measured."""

NO_POWER = frozenset({POWER, NAMED})
"""A claim that is made of the standard world alone."""

BY_GROUP = (
    "tastes of judges and documents",
    "groups",
    "2 systems, 4 domains that speak for opposite ones",
)
"""Worlds in which means over documents or domains are measured."""

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

    Power is promised in ``groups`` and ``5 judges`` alone, and the naming of the best where it is
    .35 ahead of 15 others: elsewhere both are a matter of the world's distances. A chance of being
    first is right or wrong over many campaigns, each with a best system of its own: where the same
    system is the best one every time, it is too low for it whatever it says.
    """
    chances = () if WORLDS[world].ability_deviation else FIRST_CLAIMS
    meant = {"groups": POWER, "5 judges": POWER_OF_FEW, "one leader of 16": NAMED}
    return frozenset(chances) | ({POWER, POWER_OF_FEW, NAMED} - {meant.get(world)})


ROWS: tuple[Row, ...] = (
    *_rows("Bradley-Terry", told_apart("bradley-terry", here=False), CORE, 1000),
    *_rows("Bradley-Terry", told_apart("bradley-terry"), SHAPES),
    *_rows("Expected Wins", told_apart("expected-wins", here=False), CORE, 1000),
    *_rows("Expected Wins", told_apart("expected-wins"), SHAPES),
    *_rows(
        "Bradley-Terry, judges limited to 20%",
        told_apart("bradley-terry", here=False, judge_share=20),
        ("null, one judge with 60%", "groups, one judge with 60%", "null, Zipf loads", "groups"),
        1000,
    ),
    *_rows("Hopkins & May", told_apart("hopkins-may"), SOME),
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
        for world in (*PLANNED, "drawn, sd .15")
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
