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
        assignment = cls(judgments, rng, segments, shuffled, use, load)
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
        for judge in np.argsort(self.load, kind="stable").tolist():
            seen = self._seen_by(self.judges[judge])
            segment = self._pick([name not in seen.shown for name in self.segments])
            if segment is None:
                segment = self._pick([seen.is_new(name, systems) for name in self.segments])
            if segment is not None:
                task = Task(segment, self.judges[judge], systems)
                self._count(task)
                return task
        raise PodiumError(
            "Segments",
            "every judge has seen these systems' outputs on every segment",
            "Name more segments or judges.",
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

    def _seen_by(self, judge: str) -> _Seen:
        if judge == UNNAMED_JUDGE:
            return _Seen({}, [])
        if judge not in self.seen:
            self.seen[judge] = _Seen.of(self.judgments, judge)
        return self.seen[judge]

    def _pick(self, possible: list[bool]) -> str | None:
        """Return one of the least used of the possible segments, at random."""
        at = np.flatnonzero(possible)
        if not len(at):
            return None
        use = self.use[at]
        return self.segments[int(self.rng.choice(at[use == use.min()]))]


@dataclass(eq=False)
class _Seen:
    """What one judge was shown, in all of the campaign, whatever a selection leaves out.

    ``shown[segment]`` are the tasks' systems, one for each output first, then those who made it
    alike; ``done`` are the segment and systems of tasks that could be repeated.
    """

    shown: dict[str, list[tuple[frozenset[str], frozenset[str]]]]
    done: list[tuple[str, tuple[str, ...]]]

    @classmethod
    def of(cls, judgments: Judgments, judge: str) -> _Seen:
        seen, campaign = cls({}, []), judgments.campaign
        if judge in campaign.judges:
            own = campaign.task_judge == campaign.judges.index(judge)
            own &= campaign.task_pair == campaign.pairs.index(judgments.pair)
            for task in np.flatnonzero(own).tolist():
                seen._add(judgments, task)
        return seen

    def _add(self, judgments: Judgments, task: int) -> None:
        campaign = judgments.campaign
        segment = campaign.segments[campaign.task_segment[task]]
        outputs = campaign.task_outputs(task)
        ranked = [next((s for s in o if s in judgments.systems), o[0]) for o in outputs]
        self.show(segment, ranked, [s for output in outputs for s in output])
        there = tuple(s for s in ranked if s in judgments.systems)
        if len(there) > 1:
            self.done.append((segment, there))

    def show(self, segment: str, systems: Iterable[str], alike: Iterable[str] = ()) -> None:
        """Count a task as seen; ``alike`` are all who made its outputs."""
        task = frozenset(systems)
        self.shown.setdefault(segment, []).append((task, task.union(alike)))

    def is_new(self, segment: str, systems: Sequence[str]) -> bool:
        """Return whether none of these outputs of the segment was shown."""
        return not any(everybody.intersection(systems) for _, everybody in self.shown[segment])

    def times(self, segment: str, systems: Iterable[str]) -> int:
        """Return how often a task was shown."""
        wanted = frozenset(systems)
        return sum(task >= wanted for task, _ in self.shown.get(segment, ()))

    def done_once(self) -> list[tuple[str, tuple[str, ...]]]:
        """Return the tasks that were done and neither repeated nor sent again."""
        return [(segment, shown) for segment, shown in self.done if self.times(segment, shown) == 1]


def unanswered(judgments: Judgments, sent: Sequence[Task]) -> list[Task]:
    """Return the tasks that their judges have not done yet; repeated ones take two times."""
    if any(task.judge == UNNAMED_JUDGE for task in sent):
        raise PodiumError(
            "Tasks sent out",
            "they name no judges, so it cannot be told which of them are answered",
            "Leave them out, or name judges when you make a batch.",
        )
    seen = {name: _Seen.of(judgments, name) for name in {task.judge for task in sent}}
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
        state = "the campaign has none yet" if given is None else "there is none among those named"
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
            raise PodiumError("Segments", f"{part} goes down", f"Write {last}-{first}.")
        if len(names) + last - first >= MOST_SEGMENTS:
            raise PodiumError(
                "Segments", f"{part} makes more than {MOST_SEGMENTS:,}", "Name fewer at a time."
            )
        names += [str(n) for n in range(first, last + 1)] if ends else [part]
    return names
