"""The worlds of campaigns by rankings and votes: how many systems, which judges, what depends.

A campaign has 600 five-way tasks, 20 judges of uneven load and 200 segments, and other shapes are
said. Growing campaigns keep their segments and judges. In ``groups`` three, two and three systems
are equal, in ``null`` all; judges who ``differ`` have tastes nearly as large as a step between
groups; in ``iid`` each task has a segment of its own and judges no taste. Of ``drawn`` campaigns
each has abilities of its own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.tools.audit.generator import Nature


def equal(systems: int) -> tuple[float, ...]:
    """Return the abilities of systems that are all as good."""
    return (0.0,) * systems


def steps(sizes: tuple[int, ...], step: float) -> tuple[float, ...]:
    """Return the abilities of groups of equal systems, each a step better than the one before.

    >>> steps((2, 1), 0.5)
    (0.0, 0.0, 0.5)
    """
    return tuple(round(step * k, 9) for k, size in enumerate(sizes) for _ in range(size))


SPREAD = tuple(np.linspace(0, 0.9, 8).round(9).tolist())
CLOSE = tuple(np.linspace(0, 0.3, 8).round(9).tolist())
STEPS = (0.0, 0.05, 0.25, 0.35, 0.65, 0.8, 1.2, 1.45)
GROUPS = steps((3, 2, 3), 0.35)
NULL = equal(8)

FAR = (-2.5, *equal(7))
"""One system far behind seven equal ones."""

STAIRS = steps((1,) * 15, 0.1)
LEADER = (*STAIRS, 1.75)
TWO_LEADERS = (*STAIRS, 1.4)
"""Sixteen systems: one that is .35 ahead of fifteen a tenth apart, and two equal ones ahead."""

TWO_NEAR_LEADERS = (*equal(6), 0.66, 0.7)

ARENA = {"n_way": 2, "judges": None, "segments": None}
"""Votes by people whom the file does not name, each on a prompt of its own."""

groups = Nature(GROUPS)

SHAPES: dict[str, Nature] = {
    "spread": Nature(SPREAD),
    "steps": Nature(STEPS),
    "close": Nature(CLOSE),
    "iid": replace(groups, segments=None, taste=0.0),
    "30 segments": replace(groups, segments=30),
    "heavy tails": replace(groups, heavy_tails=True),
    "grown 4 times": replace(groups, tasks=2400),
    "grown 16 times": replace(groups, tasks=9600),
    "null, grown 16 times": Nature(NULL, tasks=9600),
    "drawn, sd .15": Nature(systems=8, ability_deviation=0.15),
    "drawn, sd .3": Nature(systems=8, ability_deviation=0.3),
    "arena": Nature(systems=50, ability_deviation=0.4, tasks=500, **ARENA),
    "tiny": Nature((0.0, 0.3, 0.3), tasks=30, n_way=3, judges=None, segments=None),
}
"""Worlds of other shapes."""

CORE: dict[str, Nature] = {
    "groups": groups,
    "5 judges": replace(groups, judges=5),
    "null": Nature(NULL),
    "null, 2 systems": Nature(equal(2)),
    "null, 3 systems": Nature(equal(3)),
    "null, 16 systems": Nature(equal(16)),
    "null, 40 systems": Nature(equal(40), tasks=1500),
    "null, 100 systems": Nature(equal(100), tasks=3000),
    "null, 2 judges": Nature(NULL, judges=2),
    "null, 4 judges": Nature(NULL, judges=4),
    "null, 5 judges": Nature(NULL, judges=5),
    "null, 8 judges": Nature(NULL, judges=8),
    "null, 40 judges": Nature(NULL, judges=40),
    "null, judges differ": Nature(NULL, taste=0.3),
    "null, 10 judges who differ": Nature(NULL, judges=10, taste=0.3),
    "null, equal loads": Nature(NULL, load="equal"),
    "null, Zipf loads": Nature(NULL, load="Zipf"),
    "null, 8 judges of Zipf loads": Nature(NULL, judges=8, load="Zipf"),
    "null, one judge with 60%": Nature(NULL, load="dominant"),
    "groups, one judge with 60%": replace(groups, load="dominant"),
    "null, 10 segments": Nature(NULL, segments=10),
    "null, documents of 20": Nature(NULL, document=20, document_taste=0.15),
    "null, documents of 10": Nature(NULL, document=10, document_taste=0.4),
    "groups, documents of 20": replace(groups, document=20, document_taste=0.15),
    "null, sparse votes": Nature(equal(20), tasks=400, **ARENA),
    "null, votes": Nature(NULL, tasks=3000, **ARENA),
    "null, votes on few prompts": Nature(NULL, tasks=3000, n_way=2, judges=200, segments=80),
    "null, one polarizing system": Nature(NULL, polarizing=0.6),
    "null, 5 judges, one polarizing system": Nature(NULL, judges=5, polarizing=0.6),
    "clumps of 4": Nature(steps((4, 4, 4, 4), 0.4), tasks=1200),
    "16 twins": Nature(steps((2,) * 8, 0.4), tasks=1200),
    "one far behind": Nature(FAR),
    "one far behind, 4 judges": Nature(FAR, judges=4),
    "two near leaders": Nature(TWO_NEAR_LEADERS),
    "one leader of 16": Nature(LEADER, tasks=1500),
    "two leaders of 16": Nature(TWO_LEADERS, tasks=1500),
}
"""Where the promises are to be kept: from 2 to 100 systems, 2 to 200 judges of equal, uneven, Zipf
and dominant loads, documents, few votes, groups of equal systems, one that is far behind, one on
which judges differ, leaders."""

WORLDS = {**CORE, **SHAPES}
