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

from analysis.campaign import UNNAMED_JUDGE, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.next_campaign.batches import Task

MOST_SEGMENTS = 100_000
"""Segments that can be named at once; a test set has some thousands."""


@dataclass(eq=False)
class Assignment:
    """Deals out tasks; ``use`` counts a segment's tasks so far, ``load`` a judge's new ones."""

    judgments: Judgments
    rng: np.random.Generator
    segments: tuple[str, ...]
    judges: tuple[str, ...]
    use: IntArray
    load: IntArray
    seen: dict[int, _Seen] = field(default_factory=dict)

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
        used = np.bincount(judgments.task_segment, minlength=len(judgments.segments)).tolist()
        known = dict(zip(judgments.segments, used, strict=True))
        use = np.array([known.get(name, 0) for name in segments], dtype=np.int64)
        shuffled = tuple(judges[k] for k in rng.permutation(len(judges)))
        load = np.zeros(len(shuffled), dtype=np.int64)
        assignment = cls(judgments, rng, tuple(segments), shuffled, use, load)
        assignment._count(sent)
        return assignment

    def _count(self, sent: Sequence[Task]) -> None:
        segments = {name: k for k, name in enumerate(self.segments)}
        judges = {name: k for k, name in enumerate(self.judges)}
        systems = {name: k for k, name in enumerate(self.judgments.systems)}
        for task in sent:
            judge, segment = judges.get(task.judge), segments.get(task.segment)
            if judge is not None:
                self.load[judge] += 1
            if segment is not None:
                self.use[segment] += 1
            if judge is not None and segment is not None:
                shown = [systems[name] for name in task.systems if name in systems]
                self._seen_by(judge).show(segment, shown)

    def assign(self, group: IntArray) -> Task:
        """Give a task to the least busy judge who can have it."""
        for judge in np.argsort(self.load, kind="stable").tolist():
            seen = self._seen_by(judge)
            segment = self._pick(seen.unseen_segments())
            if segment is None:
                segment = self._pick(seen.segments_without(group))
            if segment is not None:
                seen.show(segment, group.tolist())
                self.use[segment] += 1
                self.load[judge] += 1
                return Task(self.segments[segment], self.judges[judge], self._systems(group))
        raise PodiumError(
            "Segments",
            "every judge has seen these systems' outputs on every segment",
            "Name more segments or judges.",
        )

    def repeat(self) -> Task | None:
        """Let the least busy judge who can repeat an earlier task; None where nobody can."""
        for judge in np.argsort(self.load, kind="stable").tolist():
            earlier = self._seen_by(judge).not_yet_repeated
            if earlier:
                task = earlier.pop(int(self.rng.integers(len(earlier))))
                self.load[judge] += 1
                start = self.judgments.task_start
                codes = self.judgments.entry_output[start[task] : start[task + 1]]
                segment = self.judgments.segments[self.judgments.task_segment[task]]
                systems = self._systems(self.rng.permutation(codes))
                return Task(segment, self.judges[judge], systems, repeats=True)
        return None

    def _seen_by(self, judge: int) -> _Seen:
        if self.judges[judge] == UNNAMED_JUDGE:
            return _Seen({}, len(self.segments), [])
        if judge not in self.seen:
            self.seen[judge] = _Seen.of(self.judgments, self.judges[judge], self.segments)
        return self.seen[judge]

    def _pick(self, possible: IntArray) -> int | None:
        """Return one of the least used of some segments, at random."""
        if not len(possible):
            return None
        use = self.use[possible]
        return int(self.rng.choice(possible[use == use.min()]))

    def _systems(self, outputs: Iterable[int]) -> tuple[str, ...]:
        """Return a system for each output; one of those who made it alike."""
        n, systems = self.judgments.n_systems, self.judgments.systems
        groups = self.judgments.groups
        return tuple(systems[code if code < n else groups[code - n][0]] for code in outputs)


@dataclass(eq=False)
class _Seen:
    """What one judge has seen: ``shown[segment]`` are systems; and tasks that could be repeated."""

    shown: dict[int, set[int]]
    n_segments: int
    not_yet_repeated: list[int]

    @classmethod
    def of(cls, judgments: Judgments, judge: str, segments: tuple[str, ...]) -> _Seen:
        place = {name: k for k, name in enumerate(segments)}
        n_systems, start = judgments.n_systems, judgments.task_start
        shown: dict[int, set[int]] = {}
        tasks: list[int] = []
        if judge in judgments.judges:
            code = judgments.judges.index(judge)
            tasks = np.flatnonzero(judgments.task_judge == code).tolist()
        for task in tasks:
            segment = place.get(judgments.segments[judgments.task_segment[task]])
            if segment is not None:
                systems = shown.setdefault(segment, set())
                for output in judgments.entry_output[start[task] : start[task + 1]].tolist():
                    alike = output >= n_systems
                    systems.update(judgments.groups[output - n_systems] if alike else (output,))
        whole = [task for task in tasks if start[task + 1] - start[task] > 1]
        return cls(shown, len(segments), whole)

    def unseen_segments(self) -> IntArray:
        unseen = np.ones(self.n_segments, dtype=bool)
        unseen[list(self.shown)] = False
        return np.flatnonzero(unseen)

    def segments_without(self, group: IntArray) -> IntArray:
        """Return the segments on which the judge has seen none of these systems."""
        systems = set(group.tolist())
        return np.array([s for s, shown in self.shown.items() if not shown & systems], dtype=int)

    def show(self, segment: int, group: Iterable[int]) -> None:
        self.shown.setdefault(segment, set()).update(group)


def unanswered(judgments: Judgments, sent: Sequence[Task]) -> list[Task]:
    """Return the tasks whose judges have not ranked all of these outputs of the segment yet."""
    segments = tuple(dict.fromkeys(task.segment for task in sent))
    seen = {name: _Seen.of(judgments, name, segments) for name in {task.judge for task in sent}}
    system = {name: k for k, name in enumerate(judgments.systems)}
    return [
        task
        for task in sent
        if not {system[name] for name in task.systems if name in system}
        <= seen[task.judge].shown.get(segments.index(task.segment), set())
    ]


def _names(
    given: Sequence[str] | None, known: tuple[str, ...], codes: IntArray, what: str
) -> tuple[str, ...]:
    """Return the names given, each once, or those of the campaign."""
    names = tuple(dict.fromkeys(given)) if given else tuple(known[k] for k in np.unique(codes))
    if not names:
        raise PodiumError(
            f"Next tasks, {what}s", "the campaign has none yet", f"Name some {what}s."
        )
    return names


def segment_names(text: str) -> list[str]:
    """Return the names in a comma list in which 3-5 stands for 3,4,5.

    >>> segment_names("7, 9-11, intro")
    ['7', '9', '10', '11', 'intro']
    """
    names: list[str] = []
    for part in filter(None, map(str.strip, text.split(","))):
        ends = re.fullmatch(r"(\d{1,7})-(\d{1,7})", part)
        first, last = (int(ends[1]), int(ends[2])) if ends else (0, 0)
        if len(names) + last - first >= MOST_SEGMENTS:
            raise PodiumError(
                "Segments", f"{part} makes more than {MOST_SEGMENTS:,}", "Name fewer at a time."
            )
        names += [str(n) for n in range(first, last + 1)] if ends else [part]
    return names
