"""Who does which task, and on which segment: the least busy judge, the least used segment.

No judge is given a segment twice while there are others, and no output that this judge has seen,
unless a task is repeated on purpose, to measure how far judges agree with themselves. Where a file
names no judges, nobody can say who has seen what: segments are dealt out evenly, and that is all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNNAMED_JUDGE, IntArray, Judgments, distinct
from analysis.errors import PodiumError
from analysis.next_campaign.batch import Task

Twins = dict[str, dict[str, str]]
"""By segment, for each of the systems that made an output alike the one that stands for them."""

MOST_SEGMENTS = 100_000
"""Segments that can be named at once; a test set has some thousands."""


class NoSegmentLeftError(PodiumError):
    """Every judge has seen outputs of these systems on all segments."""


@dataclass(eq=False)
class Assignment:
    """Deals out tasks; ``use`` counts a segment's tasks so far, ``load`` a judge's new ones."""

    judgments: Judgments
    rng: np.random.Generator
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    use: IntArray
    load: IntArray
    twins: Twins
    tasks: dict[str, list[int]]
    seen: dict[str, _Seen] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        judgments: Judgments,
        segments: Sequence[str] | None,
        judges: Sequence[str] | None,
        rng: np.random.Generator,
        sent: Sequence[Task] = (),
    ) -> Assignment:
        """Begin with what the judges have done, and with tasks sent that they have yet to do."""
        segments = _names(segments, judgments.segments, judgments.task_segment, "segment")
        judges = _names(judges, judgments.judges, judgments.task_judge, "judge")
        campaign = judgments.campaign
        in_pair = campaign.task_segment[campaign.task_pair == campaign.pairs.index(judgments.pair)]
        used = np.bincount(in_pair, minlength=len(campaign.segments)).tolist()
        known = dict(zip(campaign.segments, used, strict=True))
        use = np.array([known.get(name, 0) for name in segments], dtype=np.int64)
        shuffled = tuple(judges[k] for k in rng.permutation(len(judges)))
        load = np.zeros(len(shuffled), dtype=np.int64)
        twins = _find_twins(judgments)
        tasks = _tasks_by_judge(judgments)
        assignment = cls(judgments, rng, segments, shuffled, use, load, twins, tasks)
        for task in sent:
            assignment._count(task)
        return assignment

    def _count(self, task: Task) -> None:
        """Count a task as given."""
        if task.judge in self.judges:
            self.load[self.judges.index(task.judge)] += 1
            self._seen_by(task.judge).show(task.segment, task.systems)
        if task.segment in self.segments:
            self.use[self.segments.index(task.segment)] += 1

    def assign(self, group: IntArray) -> Task:
        """Give a task to the least busy judge who can have it."""
        systems = tuple(self.judgments.systems[code] for code in group)
        fit = [self._differ(name, systems) for name in self.segments]
        for judge in np.argsort(self.load, kind="stable").tolist():
            seen = self._seen_by(self.judges[judge])
            new = [name not in seen.shown for name in self.segments]
            segment = self._pick(np.logical_and(fit, new))
            if segment is None:
                unseen = [seen.is_new(name, systems) for name in self.segments]
                segment = self._pick(np.logical_and(fit, unseen))
            if segment is not None:
                task = Task(segment, self.judges[judge], systems)
                self._count(task)
                return task
        raise NoSegmentLeftError(
            "Segments",
            "no judge has a segment left on which these systems' outputs are new",
            "Ask for fewer tasks, or name more segments or judges.",
        )

    def repeat(self) -> Task | None:
        """Let the least busy judge who can repeat an earlier task; None where nobody can."""
        for judge in np.argsort(self.load, kind="stable").tolist():
            name = self.judges[judge]
            earlier = self._seen_by(name).done_once()
            if earlier:
                segment, systems = earlier[int(self.rng.integers(len(earlier)))]
                again = tuple(systems[k] for k in self.rng.permutation(len(systems)))
                task = Task(segment, name, again, repeats=True)
                self._count(task)
                return task
        return None

    def _differ(self, segment: str, systems: Sequence[str]) -> bool:
        """Return whether no two of the systems are known to have made one output here."""
        alike = self.twins.get(segment)
        return alike is None or len({alike.get(s, s) for s in systems}) == len(systems)

    def _seen_by(self, judge: str) -> _Seen:
        if judge == UNNAMED_JUDGE:
            return _Seen(self.twins)
        if judge not in self.seen:
            self.seen[judge] = _Seen.of(self.judgments, self.tasks.get(judge, []), self.twins)
        return self.seen[judge]

    def _pick(self, possible: npt.NDArray[np.bool_]) -> str | None:
        """Return one of the least used of the possible segments, at random."""
        at = np.flatnonzero(possible)
        if not len(at):
            return None
        use = self.use[at]
        return self.segments[int(self.rng.choice(at[use == use.min()]))]


def _find_twins(judgments: Judgments) -> Twins:
    """Find the systems that anybody's tasks show to have made one output of a segment."""
    campaign = judgments.campaign
    shared = np.diff(campaign.output_start) > 1
    entries = np.flatnonzero(shared[campaign.entry_output])
    tasks = distinct(np.searchsorted(campaign.task_start, entries, side="right") - 1)
    twins: Twins = {}
    for task in tasks[campaign.task_pair[tasks] == campaign.pairs.index(judgments.pair)].tolist():
        here = twins.setdefault(campaign.segments[campaign.task_segment[task]], {})
        for output in campaign.task_outputs(task):
            one = min(here.get(system, system) for system in output)
            joined = {here.get(system, system) for system in output}
            here |= {system: one for system, other in here.items() if other in joined}
            here |= dict.fromkeys(output, one)
    return twins


def _tasks_by_judge(judgments: Judgments) -> dict[str, list[int]]:
    """Return each judge's tasks of the language pair; one look per judge would take J × N steps."""
    campaign = judgments.campaign
    here = np.flatnonzero(campaign.task_pair == campaign.pairs.index(judgments.pair))
    here = here[np.argsort(campaign.task_judge[here], kind="stable")]
    judge = campaign.task_judge[here]
    starts = np.flatnonzero(np.diff(judge, prepend=-1))
    parts = np.split(here, starts[1:])
    names = (campaign.judges[judge[start]] for start in starts)
    return {name: part.tolist() for name, part in zip(names, parts, strict=False)}


@dataclass(eq=False)
class _Seen:
    """What one judge was shown, in all of the campaign, whatever a selection leaves out.

    ``shown[segment]`` are the tasks, each the systems it showed, one for those who made an output
    alike; ``done`` are the segment and systems of tasks that could be repeated.
    """

    twins: Twins
    shown: dict[str, list[frozenset[str]]] = field(default_factory=dict)
    done: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)

    @classmethod
    def of(cls, judgments: Judgments, tasks: Sequence[int], twins: Twins) -> _Seen:
        seen = cls(twins)
        for task in tasks:
            seen._add(judgments, task)
        return seen

    def _add(self, judgments: Judgments, task: int) -> None:
        campaign = judgments.campaign
        segment = campaign.segments[campaign.task_segment[task]]
        outputs = campaign.task_outputs(task)
        self.show(segment, [output[0] for output in outputs])
        ranked = [next((s for s in o if s in judgments.systems), None) for o in outputs]
        there = tuple(system for system in ranked if system is not None)
        if len(there) > 1:
            self.done.append((segment, there))

    def _outputs(self, segment: str, systems: Iterable[str]) -> frozenset[str]:
        alike = self.twins.get(segment, {})
        return frozenset(alike.get(system, system) for system in systems)

    def show(self, segment: str, systems: Iterable[str]) -> None:
        """Count a task as seen."""
        self.shown.setdefault(segment, []).append(self._outputs(segment, systems))

    def is_new(self, segment: str, systems: Iterable[str]) -> bool:
        """Return whether none of these outputs of the segment was shown."""
        wanted = self._outputs(segment, systems)
        return not any(task & wanted for task in self.shown.get(segment, ()))

    def times(self, segment: str, systems: Iterable[str]) -> int:
        """Return how often these outputs were shown in one task."""
        wanted = self._outputs(segment, systems)
        return sum(task >= wanted for task in self.shown.get(segment, ()))

    def done_once(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the tasks that were done and neither repeated nor sent again."""
        return [(segment, shown) for segment, shown in self.done if self.times(segment, shown) == 1]


def unanswered(judgments: Judgments, sent: Sequence[Task]) -> list[Task]:
    """Return the tasks that their judges have not done yet; repeated ones take two times."""
    if any(task.judge == UNNAMED_JUDGE for task in sent):
        raise PodiumError(
            "Tasks sent out",
            "they name no judges, so the answered ones cannot be identified",
            "Leave them out, or name judges in the next batch.",
        )
    twins = _find_twins(judgments) if sent else {}
    tasks = _tasks_by_judge(judgments)
    judges = {task.judge for task in sent}
    seen = {name: _Seen.of(judgments, tasks.get(name, []), twins) for name in judges}
    return [
        task
        for task in sent
        if seen[task.judge].times(task.segment, task.systems) < 1 + task.repeats
    ]


def _names(
    given: Sequence[str] | None, known: tuple[str, ...], codes: IntArray, what: str
) -> tuple[str, ...]:
    """Return the names given, each once, or those of the campaign."""
    if given is None:
        names = tuple(known[k] for k in np.unique(codes))
    else:
        names = tuple(dict.fromkeys(filter(None, map(str.strip, given))))
    if not names:
        state = "the campaign has none yet" if given is None else "none is named"
        raise PodiumError(f"Next tasks, {what}s", state, f"Name some {what}s.")
    return names


def segment_names(text: str) -> list[str]:
    """Return the names in a comma list in which 3-5 stands for 3,4,5.

    >>> segment_names("7, 9-11, intro, 2014-05")
    ['7', '9', '10', '11', 'intro', '2014-05']
    """
    names: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        ends = re.fullmatch(r"(0|[1-9]\d{0,6})-(0|[1-9]\d{0,6})", part)
        first, last = (int(ends[1]), int(ends[2])) if ends else (0, 0)
        if last < first:
            raise PodiumError("Segments", f"{part} goes down", f"Use the form {last}-{first}.")
        if len(names) + last - first >= MOST_SEGMENTS:
            raise PodiumError(
                "Segments", f"{part} makes more than {MOST_SEGMENTS:,}", "Name fewer at a time."
            )
        names += [str(n) for n in range(first, last + 1)] if ends else [part]
    return names
