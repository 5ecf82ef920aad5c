"""From ranking tasks, one at a time, to a campaign."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis.campaign.campaign import Campaign
from analysis.campaign.ragged import Ragged, smallest
from analysis.languages import pair_key


@dataclass
class CampaignBuilder:
    """Collects ranking tasks and makes a `Campaign` of them.

    >>> builder = CampaignBuilder()
    >>> builder.add_task("fr-en", "7", "ann", outputs=[("a",), ("b", "c")], ranks=[1, 2])
    >>> builder.build().systems
    ('a', 'b', 'c')
    """

    _pairs: dict[str, int] = field(default_factory=dict)
    _pair_names: list[str] = field(default_factory=list)
    _systems: dict[str, int] = field(default_factory=dict)
    _judges: dict[str, int] = field(default_factory=dict)
    _segments: dict[str, int] = field(default_factory=dict)
    _outputs: dict[tuple[str, ...], int] = field(default_factory=dict)
    _tasks: list[tuple[int, int, int, float]] = field(default_factory=list)
    _starts: list[int] = field(default_factory=lambda: [0])
    _entry_output: list[int] = field(default_factory=list)
    _entry_rank: list[int] = field(default_factory=list)

    def add_task(
        self,
        pair: str,
        segment: str,
        judge: str,
        outputs: Sequence[tuple[str, ...]],
        ranks: Iterable[int],
        seconds: float = float("nan"),
    ) -> None:
        """Add one ranking task: outputs in displayed order, each the systems that made it."""
        self._tasks.append(
            (
                self._pair_code(pair),
                self._segments.setdefault(segment, len(self._segments)),
                self._judges.setdefault(judge, len(self._judges)),
                seconds,
            )
        )
        for output in outputs:
            code = self._outputs.get(output)
            if code is None:
                code = self._outputs[output] = len(self._outputs)
                for system in output:
                    self._systems.setdefault(system, len(self._systems))
            self._entry_output.append(code)
        self._entry_rank.extend(ranks)
        self._starts.append(len(self._entry_output))

    def _pair_code(self, pair: str) -> int:
        code = self._pairs.get(pair)
        if code is None:
            for known, name in enumerate(self._pair_names):
                if pair_key(name) == pair_key(pair):
                    code = known
                    break
            else:
                code = len(self._pair_names)
                self._pair_names.append(pair)
            self._pairs[pair] = code
        return code

    def build(self, title: str = "", simulated_from: str = "") -> Campaign:
        """Return the campaign of all tasks added so far."""
        tasks = np.array(self._tasks, dtype=np.float64).reshape(-1, 4)
        seconds = tasks[:, 3].astype(np.float32)
        made_by = Ragged.from_lists(
            [[self._systems[s] for s in output] for output in self._outputs]
        )
        return Campaign(
            pairs=tuple(self._pair_names),
            systems=tuple(self._systems),
            judges=tuple(self._judges),
            segments=tuple(self._segments),
            task_pair=tasks[:, 0].astype(np.int16),
            task_segment=tasks[:, 1].astype(np.int32),
            task_judge=tasks[:, 2].astype(np.int32),
            task_start=np.array(self._starts, dtype=np.int64),
            entry_output=np.array(self._entry_output, dtype=np.int32),
            entry_rank=smallest(np.array(self._entry_rank, dtype=np.int64), np.int8),
            output_start=made_by.start,
            output_system=made_by.values,
            task_seconds=None if np.isnan(seconds).all() else seconds,
            title=title,
            simulated_from=simulated_from,
        )


def narrow_win() -> Campaign:
    """Return 400 votes by four judges of one mind: a wins 222, which is barely significant."""
    builder = CampaignBuilder()
    for task, first in enumerate(np.random.default_rng(1).permutation(400) < 222):
        judge = ("ann", "bob", "cyd", "eve")[task % 4]
        builder.add_task("cs-en", str(task), judge, [("a",), ("b",)], [1, 2] if first else [2, 1])
    return builder.build()
