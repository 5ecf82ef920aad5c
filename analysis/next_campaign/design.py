"""A campaign that has not begun: its power, the tiers to expect, its cost, the tasks to start with.

n tasks show m outputs each of K systems; S segments of D documents and J judges share them evenly.
The difference of two systems' abilities then has the variance

    σ² = v K / (n (m - 1)) + a_S (1/S - 1/n)⁺ + a_D (1/D - 1/S)⁺ + a_J (1/J - 1/n)⁺,

with v what a task leaves open, a_S, a_D, a_J what tasks on one segment, segments of one document
and tasks of one judge have in common. `TYPICAL` are the medians over the language pairs of WMT13
and WMT15 by Bradley–Terry, in log-odds; `components_of` measures them on a campaign.

Campaigns are drawn: true abilities, estimates that are off by σ, and standard errors that are
themselves estimated with ν degrees of freedom,

    ν = V² / [(V_task + V_S + V_D)²/(A - 1) + (V_task + V_J)²/(J - 1)],  A = D or, without it, S;

what they show is counted by the rules of every ranking.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, Judgments
from analysis.errors import PodiumError, control
from analysis.formats.rankings import NO_PAIR
from analysis.next_campaign.batch import Batch, Task
from analysis.next_campaign.choosing_matches import usual_outputs
from analysis.next_campaign.planning import SECONDS_PER_OUTPUT, Cost, round_up, usual_minutes
from analysis.next_campaign.shown import BoolArray, show
from analysis.ranking.covariance import LEAST_FREEDOM, Unit, number_alike
from analysis.ranking.variance import Differences
from analysis.ranking.verdict import Verdict

Grows = Literal["segments", "documents", "judges"]

WANTED_POWER = 0.8
MANY_TIMES, WORTH_SAYING = 8, 0.05
"""So many times the units are tried for more power, which counts from this gain on."""
STEPS = 2.0 ** np.arange(-6, 11) / 4
"""Sizes, in campaigns as planned, at which the power is looked at."""

TABLED = 16
"""Times the plan up to which a table lists sizes; a wanted power may lie beyond."""


@dataclass(frozen=True)
class Components:
    """What makes a difference uncertain: v, a_S, a_D and a_J of the formula above.

    ``is_scored``: judges gave scores, so that each output counts alone and differences are points.
    ``spread`` is the deviation of the systems' abilities, where a campaign shows it. ``unknown``
    units are not named by the campaign: their variation is taken as 0. ``judgments_per_pair`` are
    those of two outputs on one screen: above 1 where several systems made one alike.
    """

    task: float
    segment: float
    document: float
    judge: float
    minutes_per_output: float = SECONDS_PER_OUTPUT / 60
    is_scored: bool = False
    spread: float | None = None
    source: str = "the median of 11 language pairs of WMT13 and WMT15"
    unknown: tuple[Unit, ...] = ()
    judgments_per_pair: float = 1.0


TYPICAL = Components(
    task=5.1, segment=2.8, document=0.07, judge=0.03, source="typical WMT campaigns"
)


@dataclass(frozen=True)
class Design:
    """What is known before the first judgment; ``tasks`` are ranking tasks in all.

    ``effect`` is the difference of two neighbors, all of them as far apart: of rankings the better
    one wins ``0.5 + effect`` of their decided comparisons, of scores it is in points. None: systems
    differ as in the campaign that `Components` were measured on. ``growing`` names the units of
    which there are more where there are more tasks.
    """

    judges: int
    segments: int
    tasks: int
    effect: float | None = None
    systems: int = 8
    outputs: int = 5
    documents: int | None = None
    growing: tuple[Grows, ...] = ()

    def __post_init__(self) -> None:
        for what, value, least in (
            ("Judges", self.judges, 2),
            ("Segments", self.segments, 2),
            ("Systems", self.systems, 2),
            ("Outputs per task", self.outputs, 1),
            ("Tasks", self.tasks, 1),
            ("Documents", self.documents or self.segments, 2),
        ):
            if value < least:
                raise PodiumError(what, f"{value} is too few", f"Use {least} or more.")
        if self.documents is not None and self.documents > self.segments:
            raise PodiumError(
                "Documents", f"{self.documents} have only {self.segments} segments", "Use fewer."
            )
        if self.effect is not None and not self.effect > 0:
            raise PodiumError("Effect", f"{self.effect:g} is not above 0", "Use 0.05, for example.")

    @property
    def shown(self) -> int:
        """How many outputs a task shows: no more than there are systems."""
        return min(self.outputs, self.systems)

    @property
    def judgments(self) -> int:
        """How many pairs of outputs are compared."""
        return self.tasks * self.shown * (self.shown - 1) // 2

    def sized(self, tasks: int) -> Design:
        """Return the design with so many tasks, and what grows with them."""
        of_units = {
            unit: max(round(number * tasks / self.tasks), 2)
            for unit in self.growing
            if (number := getattr(self, unit)) is not None
        }
        segments = of_units.get("segments", self.segments)
        if self.documents is not None:
            of_units["documents"] = min(of_units.get("documents", self.documents), segments)
        return replace(self, tasks=tasks, **of_units)


def design(
    *,
    judges: int,
    segments: int,
    effect: float | None = None,
    systems: int = 8,
    outputs: int = 5,
    documents: int | None = None,
    tasks: int | None = None,
    hours: float | None = None,
    minutes_per_task: float | None = None,
    components: Components = TYPICAL,
    growing: tuple[Grows, ...] = (),
) -> Design:
    """Return a design; tasks follow from the ``hours`` of all judges together.

    What is ``growing`` has the given number at so many ``tasks``. Without tasks or hours each
    output is judged once. Times per task are `components`' by default.
    """
    shown = max(min(outputs, systems), 1)
    if documents is not None and "documents" in growing:
        documents = min(documents, segments)
    tasks = tasks or segments * math.ceil(systems / shown)
    planned = Design(judges, segments, tasks, effect, systems, outputs, documents, growing)
    if hours is None:
        return planned
    return planned.sized(
        int(60 * hours / (minutes_per_task or shown * components.minutes_per_output))
    )


def components_of(judgments: Judgments, verdict: Verdict, source: str = "") -> Components:
    """Measure the components on a campaign, averaged over the pairs of systems that compare."""
    units = verdict.uncertainty.units
    ranked = np.flatnonzero(~np.isnan(verdict.scores))
    i, j = (ranked[side] for side in np.triu_indices(len(ranked), 1))
    parts = verdict.uncertainty.parts_along(Differences(i, j), "new")
    task, segment, judge = (
        float(np.mean(part)) for part in (parts.task, parts.segment, parts.judge)
    )
    rows = judgments.task_rows.astype(np.float64)
    if judgments.scores is not None:
        rows = np.diff(judgments.task_start).astype(np.float64)
    n, of_tasks = judgments.n_tasks, 1 / number_alike(rows)

    def in_common(unit: str, added: float) -> float:
        """Return what two tasks of one unit share: V - V_task by how often two tasks are of one."""
        if unit not in units:
            return 0.0
        label = judgments.task_source if unit == "segment" else judgments.task_judge
        together = 1 / number_alike(np.bincount(label, rows)) - of_tasks
        return added / together if together > 0 else 0.0

    is_scored = verdict.uncertainty.all_compare
    # A screen shows an output once that several systems made alike: it informs on all of them.
    shown = len(judgments.entry_output) / n if is_scored else usual_outputs(judgments)
    source_added = in_common("segment", segment)
    by_document = judgments.source_unit == "document"
    scores = verdict.scores[ranked]
    true_variance = scores.var(ddof=1) - (task + segment + judge) / 2
    minutes = usual_minutes(judgments)
    return Components(
        task=task * n * (shown if is_scored else max(shown - 1, 1)) / len(ranked),
        segment=0.0 if by_document else source_added,
        document=source_added if by_document else 0.0,
        judge=in_common("judge", judge),
        minutes_per_output=TYPICAL.minutes_per_output if minutes is None else minutes / shown,
        is_scored=is_scored,
        spread=math.sqrt(max(float(true_variance), 0.0)),
        source=source,
        unknown=tuple(verdict.missing),
        judgments_per_pair=1.0 if is_scored else len(judgments) / (n * shown * (shown - 1) / 2),
    )


@dataclass(frozen=True, eq=False)
class Prospect:
    """What campaigns of a design show: ``share``, ``tiers`` and ``winner`` of each drawn one [D].

    ``power`` is how often two neighbors differ significantly, or two systems where no effect is
    given; ``needed`` the tasks at which it reaches `WANTED_POWER`, without more of what does not
    grow with them: inf where it does not. Then ``lacking`` is what more of would raise it most,
    empty where nothing would: some systems are too similar.
    """

    design: Design
    components: Components
    level: float
    se: float
    freedom: float
    power: float
    share: FloatArray
    tiers: FloatArray
    winner: float
    right_winner: float
    needed: float
    lacking: str
    curve: pd.DataFrame
    seed: int

    @property
    def counted(self) -> Literal["votes", "tasks"]:
        """What its tasks are called: a ranking of two outputs is a vote."""
        return "votes" if self.design.shown == 2 and not self.components.is_scored else "tasks"

    @property
    def judgments(self) -> int:
        """How many pairwise judgments there will be, counted as in the campaign it is like."""
        return round(self.design.judgments * self.components.judgments_per_pair)

    @property
    def table(self) -> pd.DataFrame:
        """The sizes up to `TABLED` times the plan, or to the one with the wanted power."""
        most = TABLED * self.design.tasks
        if math.isfinite(self.needed):
            most = max(most, math.ceil(self.needed))
        return self.curve[self.curve["tasks"].shift(fill_value=0) < most]

    @property
    def signature(self) -> str:
        """What makes the numbers again, as text."""
        planned = dict(vars(self.design))
        planned["growing"] = "+".join(self.design.growing)
        own = "|".join(f"{name}:{value}" for name, value in planned.items() if value)
        return f"design|{own}|level:{self.level:g}|seed:{self.seed}"

    def tiers_interval(self, certainty: float = 0.9) -> tuple[int, int, int]:
        """Return the median number of tiers and the ends of the interval."""
        tail = (1 - certainty) / 2
        low = np.quantile(self.tiers, tail, method="lower")
        high = np.quantile(self.tiers, 1 - tail, method="higher")
        return int(np.median(self.tiers)), int(low), int(high)

    def share_interval(self, certainty: float = 0.9) -> tuple[float, float]:
        """Return the interval of the share of pairs that differ significantly."""
        low, high = np.quantile(self.share, [(1 - certainty) / 2, (1 + certainty) / 2])
        return float(low), float(high)

    def minutes(self, minutes_per_task: float | None = None) -> float:
        """Return a judge's minutes for a task."""
        return minutes_per_task or self.design.shown * self.components.minutes_per_output

    def cost(self, minutes_per_task: float | None, per_hour: float | None) -> Cost:
        return Cost(self.minutes(minutes_per_task), per_hour)


def foresee(
    planned: Design,
    components: Components = TYPICAL,
    *,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> Prospect:
    """Draw campaigns of a design and count what they show."""
    if not 0 < level < 1:
        raise PodiumError("Level", f"{level:g} is not between 0 and 1", "Use 0.95 for 95%.")
    if planned.effect is None and components.spread is None:
        raise PodiumError(
            "Effect",
            "none is given",
            f"Use {control('--effect 0.05', 'a number such as 0.05')} or a similar campaign.",
        )
    if planned.effect is not None and not components.is_scored and planned.effect >= 0.5:
        raise PodiumError("Effect", f"{planned.effect:g} is not below 0.5", "Use 0.05.")
    share, tiers, winner, right = _draw(planned, components, level, draws, seed)
    others = [max(round_up(planned.tasks * step), 2) for step in STEPS if step != 1]
    sizes = np.unique([planned.tasks, *others])
    rows = []
    for size in sizes:
        found = share, tiers, winner, right
        if size != planned.tasks:
            found = _draw(planned.sized(int(size)), components, level, max(draws // 5, 50), seed)
        rows.append((size, found[0].mean(axis=0)[0], np.median(found[1]), found[2].mean()))
    curve = pd.DataFrame(rows, columns=["tasks", "power", "tiers", "winner"])
    variance, freedom = _precision(planned, components)
    return Prospect(
        planned, components, level, math.sqrt(variance), freedom,
        power=float(share[:, 0].mean()), share=share[:, 1], tiers=tiers,
        winner=float(winner.mean()), right_winner=float(right.mean()),
        needed=_needed(curve), lacking=_lacking(planned, components, curve, level, seed),
        curve=curve, seed=seed,
    )  # fmt: skip


def _lacking(planned: Design, c: Components, curve: pd.DataFrame, level: float, seed: int) -> str:
    """Return of what `MANY_TIMES` as many would raise the power most; empty where nothing would."""
    if math.isfinite(_needed(curve)):
        return ""
    most = planned.sized(int(curve["tasks"].iloc[-1]))
    segments = most.segments * MANY_TIMES
    grown = {"segments": replace(most, segments=segments)}
    if most.documents is not None:
        documents = most.documents * MANY_TIMES
        grown["documents"] = replace(most, documents=documents, segments=segments)
    if "judge" not in c.unknown:
        grown["judges"] = replace(most, judges=most.judges * MANY_TIMES)
    power = {
        what: float(_draw(more, c, level, 200, seed)[0][:, 0].mean())
        for what, more in grown.items()
        if what not in planned.growing
    }
    best = max(power, key=lambda what: power[what], default="")
    return best if best and power[best] >= curve["power"].iloc[-1] + WORTH_SAYING else ""


def _needed(curve: pd.DataFrame) -> float:
    """Return the tasks at which the power passes `WANTED_POWER`, by logarithms between sizes."""
    power = np.maximum.accumulate(curve["power"].to_numpy())
    at = int(np.searchsorted(power, WANTED_POWER))
    sizes = curve["tasks"].to_numpy(dtype=np.float64)
    if at == len(power):
        return math.inf
    if at == 0:
        return float(sizes[0])
    part = (WANTED_POWER - power[at - 1]) / (power[at] - power[at - 1])
    return float(np.ceil(sizes[at - 1] * (sizes[at] / sizes[at - 1]) ** part))


def _precision(planned: Design, c: Components) -> tuple[float, float]:
    """Return σ² of a difference and its degrees of freedom."""
    tasks = planned.tasks
    shown = planned.shown if c.is_scored else max(planned.shown - 1, 1)
    by_task = c.task * planned.systems / (tasks * shown)
    sources = planned.documents or planned.segments
    by_segment = c.segment * max(1 / planned.segments - 1 / tasks, 0.0)
    by_document = c.document * max(1 / sources - 1 / planned.segments, 0.0)
    by_judge = c.judge * max(1 / planned.judges - 1 / tasks, 0.0)
    variance = by_task + by_segment + by_document + by_judge
    of_sources, of_judges = min(sources, tasks) - 1, min(planned.judges, tasks) - 1
    rough = (variance - by_judge) ** 2 / max(of_sources, LEAST_FREEDOM)
    if "judge" not in c.unknown:
        rough += (by_task + by_judge) ** 2 / max(of_judges, LEAST_FREEDOM)
    freedom = variance**2 / rough
    return variance, freedom * max(planned.systems - 1, 1)


def _draw(
    planned: Design, c: Components, level: float, draws: int, seed: int
) -> tuple[FloatArray, FloatArray, BoolArray, BoolArray]:
    """Return the shares [D, 2] of neighbors and of pairs that differ, tiers, and the winner."""
    rng = np.random.default_rng(seed)
    k = planned.systems
    if planned.effect is None:
        assert c.spread is not None
        truth = rng.normal(0, c.spread, (draws, k))
    else:
        step = (
            planned.effect
            if c.is_scored
            else math.log((0.5 + planned.effect) / (0.5 - planned.effect))
        )
        truth = np.broadcast_to(-step * np.arange(k), (draws, k))
    variance, freedom = _precision(planned, c)
    scores = truth + rng.normal(0, math.sqrt(variance / 2), (draws, k))
    error = np.sqrt(variance * rng.chisquare(freedom, draws) / freedom)
    first, second = np.triu_indices(k, 1)
    z = np.abs(scores[:, first] - scores[:, second]) / error[:, None]
    shown = show(scores, z, first, second, level, freedom)
    found = shown.significant
    neighbors = found if planned.effect is None else found[:, second == first + 1]
    right = shown.winner & (scores.argmax(axis=1) == truth.argmax(axis=1))
    share = np.stack([neighbors.mean(axis=1), found.mean(axis=1)], axis=1)
    return share, shown.tiers.astype(np.float64), shown.winner, np.asarray(right)


def first_tasks(planned: Design, seed: int = 0, pair: str = NO_PAIR) -> Batch:
    """Return the tasks to start with: every system on every segment as often, judges in turn.

    Each round goes over all segments and shows each system there once before any comes again; a
    segment's tasks go to different judges. Consecutive segments form the documents.
    """
    rng = np.random.default_rng(seed)
    names = np.array([f"system{k}" for k in range(1, planned.systems + 1)], dtype=object)
    waiting: list[list[int]] = [[] for _ in range(planned.segments)]
    tasks = []
    judges = rng.permutation(planned.judges)
    for number in range(planned.tasks):
        turn, segment = divmod(number, planned.segments)
        queue = waiting[segment]
        while len(queue) < planned.shown:
            queue += [s for s in rng.permutation(planned.systems).tolist() if s not in queue]
        shown, waiting[segment] = queue[: planned.shown], queue[planned.shown :]
        # From round to round judges move on by one: nobody sees a segment again soon.
        judge = int(judges[(segment + turn) % planned.judges])
        tasks.append(
            Task(
                str(segment + 1),
                f"judge{judge + 1}",
                tuple(names[rng.permutation(shown)]),
                document=_document_of(planned, segment),
            )
        )
    return Batch(pair, "design", seed, tuple(tasks), signature=f"design|seed:{seed}")


def _document_of(planned: Design, segment: int) -> str:
    if planned.documents is None:
        return ""
    return f"document{segment * planned.documents // planned.segments + 1}"
