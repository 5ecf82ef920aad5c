"""All ranking tasks of a campaign, in columns.

The atom is the *ranking task*: one judge, one segment, some outputs, each with a rank. An
*output* is a translation that one system made, or several systems made alike. Everything here is
immutable; nothing downstream changes what it was given.

Each system has a place among the colors, the same in all language pairs.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from analysis.campaign.attributes import About, Attribute, Texts
from analysis.campaign.ragged import IntArray, Ragged, distinct, make_read_only, smallest
from analysis.campaign.scores import Checks, Scores
from analysis.colors import MAX_COLORED
from analysis.errors import PodiumError, control, unknown
from analysis.languages import pair_key
from analysis.names import is_reference, short_names

UNNAMED_JUDGE = "unknown"
"""Stands for all judges of a file that names none."""

UNNAMED_SEGMENT = "unknown"
"""Stands for what was judged in a file that only counts."""

DOCUMENT = "document"
"""The attribute that names the document of a segment or task."""


@dataclass(frozen=True, eq=False)
class RankingTasks:
    """All ranking tasks of a campaign, in columns, for any number of language pairs.

    Task ``t`` was done by ``task_judge[t]`` on ``task_segment[t]`` of ``task_pair[t]``. Its
    entries are ``task_start[t]:task_start[t+1]`` of ``entry_output`` and ``entry_rank``, in
    displayed order. Output ``o`` was made by the systems
    ``output_system[output_start[o]:output_start[o+1]]``. ``attributes`` are what the files say
    beside the judgments, ``texts`` what
    judges read, where the file holds it. ``files`` are the names of the files that tasks come from,
    in their order, with the number of tasks of each.

    Where judges gave scores, a task is what one judge saw on one screen, of a single output too;
    ranks follow from the scores. Row ``e`` of ``scores`` is then the score of entry ``e``, and
    ``checks`` show how judges worked, where a campaign asked.
    """

    pairs: tuple[str, ...]
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    segments: tuple[str, ...]
    task_pair: IntArray
    task_segment: IntArray
    task_judge: IntArray
    task_start: IntArray
    entry_output: IntArray
    entry_rank: IntArray
    output_start: IntArray
    output_system: IntArray
    task_seconds: npt.NDArray[np.float32] | None = None
    attributes: tuple[Attribute, ...] = ()
    title: str = ""
    simulated_from: str = ""
    scores: Scores | None = None
    checks: Checks | None = None
    texts: Texts | None = None
    files: tuple[tuple[str, int], ...] = ()
    criterion: str = ""

    def __post_init__(self) -> None:
        make_read_only(vars(self).values())

    @cached_property
    def color_places(self) -> tuple[Mapping[str, int], ...]:
        """Each language pair's systems with their places among the colors."""
        n_outputs = len(self.output_start) - 1
        of_entry = np.repeat(self.task_pair, np.diff(self.task_start)).astype(np.int64)
        there = np.zeros(len(self.pairs) * n_outputs, dtype=bool)
        there[of_entry * n_outputs + self.entry_output] = True
        made = np.repeat(np.arange(n_outputs), np.diff(self.output_start))
        shown = [
            {self.systems[k] for k in self.output_system[outputs[made]].tolist()}
            for outputs in there.reshape(len(self.pairs), n_outputs)
        ]
        return places_of([[s for s in names if not is_reference(s)] for names in shown])

    @property
    def n_tasks(self) -> int:
        return len(self.task_pair)

    @cached_property
    def fingerprint(self) -> str:
        """Twelve hex digits that two campaigns share when their judgments are the same.

        Names count, codes do not: the order in which a file lists its vocabulary is no content.
        """
        digest = hashlib.sha256()
        made_by = [[self.systems[s] for s in group] for group in self.output_groups()]
        if any("+" in name for name in self.systems):  # Else a+b could be one system or two.
            digest.update(b"+")
            made_by = [[f"{len(name)}:{name}" for name in group] for group in made_by]
        outputs = np.array(["+".join(group) for group in made_by] or [""], dtype=object)
        for names, codes in (
            (np.array([pair_key(pair) for pair in self.pairs], dtype=object), self.task_pair),
            (np.array(self.segments, dtype=object), self.task_segment),
            (np.array(self.judges, dtype=object), self.task_judge),
            (outputs, self.entry_output),
        ):
            _update_with_names(digest, names, codes)
        digest.update(np.diff(self.task_start).astype("<i4").tobytes())
        ranks = smallest(self.entry_rank, np.int8)
        digest.update(ranks.astype(ranks.dtype.newbyteorder("<")).tobytes())
        for attribute in self.attributes:
            attribute.update(digest, self._in_order_of_names(attribute.about))
        if self.scores is not None:
            _update_with_scores(digest, self.scores)
        return digest.hexdigest()[:12]

    def _in_order_of_names(self, about: About) -> IntArray:
        """Return the codes of those whom an attribute describes, in an order that names settle."""
        names = {"segment": self.segments, "judge": self.judges, "system": self.systems}.get(about)
        if names is None:
            return np.arange(self.n_tasks if about == "task" else len(self.entry_rank))
        return np.argsort(np.array(names, dtype=object), kind="stable")

    def attribute(self, name: str, where: str = "Attribute") -> Attribute:
        """Return the attribute of this name, in any case of its letters; ``where`` it is named."""
        for attribute in self.attributes:
            if attribute.name.casefold() == name.strip().casefold():
                return attribute
        if self.attributes:
            raise unknown(where, name, [attribute.name for attribute in self.attributes])
        raise PodiumError(
            where,
            f"{name!r} is not known, and this campaign has no attributes",
            "Attributes are further columns of the file, such as domain or document.",
        )

    def of_tasks(self, attribute: Attribute) -> Attribute:
        """Return an attribute of segments or judges as one of the tasks that they are in."""
        if attribute.about == "segment":
            return attribute.take(self.task_segment, "task")
        if attribute.about == "judge":
            return attribute.take(self.task_judge, "task")
        if attribute.about == "task":
            return attribute
        raise PodiumError(
            "Attribute",
            f"{attribute.name} describes {attribute.about}s, not ranking tasks",
            "Name one that describes segments, judges or ranking tasks.",
        )

    @cached_property
    def task_document(self) -> IntArray | None:
        """The document of each task, where files name fewer documents than segments; else None.

        A segment that is not in a known document is a document of its own.
        """
        named = [a for a in self.attributes if a.name.casefold() == DOCUMENT]
        if not named or named[0].about not in ("segment", "judge", "task"):
            return None
        found = self.of_tasks(named[0])
        code = pd.factorize(found.column)[0]
        label = np.where(found.is_known, code, len(code) + self.task_segment.astype(np.int64))
        document, names = pd.factorize(label)
        return smallest(document) if 1 < len(names) < len(distinct(self.task_segment)) else None

    @cached_property
    def shown(self) -> Ragged:
        """The outputs that each task showed, in displayed order."""
        return Ragged(self.task_start, self.entry_output)

    @cached_property
    def made_by(self) -> Ragged:
        """The systems that made each output."""
        return Ragged(self.output_start, self.output_system)

    def output_groups(self) -> list[tuple[int, ...]]:
        """Return, for every output, the systems that made it."""
        return [tuple(systems) for systems in self.made_by.to_lists()]

    def task_outputs(self, task: int) -> list[tuple[str, ...]]:
        """Return, for every output that a task showed, the names of the systems that made it."""
        shown = self.entry_output[self.task_start[task] : self.task_start[task + 1]]
        return [
            tuple(self.systems[s] for s in group) for group in self.made_by.take(shown).to_lists()
        ]

    def find_pair(self, wanted: str | None) -> str:
        """Return the campaign's own spelling of a language pair; None where there is only one."""
        if wanted is None:
            if len(self.pairs) == 1:
                return self.pairs[0]
            raise PodiumError(
                "Language pair",
                f"none is given, and this campaign has {len(self.pairs)}: {', '.join(self.pairs)}",
                f"Name one, for example {control('--lang-pair ' + self.pairs[0], self.pairs[0])}.",
            )
        for pair in self.pairs:
            if pair_key(pair) == pair_key(wanted):
                return pair
        where = control("--lang-pair", "Language pair", "lang_pair")
        if self.pairs == ("all",):
            got = f"{wanted!r} is not known, since this campaign names no language pairs"
            raise PodiumError(where, got, "Leave it out.")
        raise unknown(where, wanted, self.pairs)


def _update_with_scores(digest: hashlib._Hash, scores: Scores) -> None:
    """Feed what scores say beside the ranks that follow from them."""
    digest.update(f"scores{scores.scale}".encode())
    for numbers in (scores.value, scores.standardized):
        if numbers is not None:
            digest.update(numbers.astype("<f8").tobytes())
    for names, codes in ((scores.documents, scores.document), (scores.domains, scores.domain)):
        if codes is not None:
            _update_with_names(digest, np.array(names, dtype=object), codes)
    if scores.errors is not None:
        errors = scores.errors
        digest.update(errors.scored.astype("<i8").tobytes())
        for names, codes in (
            (errors.categories, errors.category),
            (errors.severities, errors.severity),
        ):
            _update_with_names(digest, np.array(names, dtype=object), codes)


def _update_with_names(
    digest: hashlib._Hash, names: npt.NDArray[np.object_], codes: IntArray
) -> None:
    """Feed a column to a digest by its names, whatever their codes."""
    is_used = np.zeros(len(names), dtype=bool)
    is_used[codes] = True
    used = np.flatnonzero(is_used)
    order = used[np.argsort(names[used], kind="stable")]
    place = np.zeros(len(names), dtype="<i4")
    place[order] = np.arange(len(order))
    digest.update("\0".join(names[order]).encode())
    digest.update(place[codes].data)


def places_of(pairs: Sequence[Sequence[str]]) -> tuple[Mapping[str, int], ...]:
    """Return each pair's systems with their places; systems of one pair have different ones.

    A system is identified by its short name, since its name differs between language pairs. Systems
    in most language pairs choose first. Where a pair has more systems than there are colors, only
    those in at least half of several pairs have one of these places, in every pair.

    >>> places_of([["de.a", "de.b"], ["fr.a", "fr.c"]])
    ({'de.a': 0, 'de.b': 1}, {'fr.a': 0, 'fr.c': 1})
    """
    named = [short_names(sorted(systems)) for systems in pairs]
    seen = Counter(name for names in named for name in names.values())
    is_crowded = max(map(len, named), default=0) > MAX_COLORED
    place: dict[str, int] = {}
    for name in sorted(seen, key=lambda one: (-seen[one], one)):
        together = {other for names in named if name in names.values() for other in names.values()}
        taken = {place[other] for other in together if other in place}
        is_rare = is_crowded and seen[name] < max(2, len(pairs) / 2)
        first = MAX_COLORED if is_rare else 0
        place[name] = next(k for k in range(first, first + len(seen)) if k not in taken)
    return tuple({full: place[short] for full, short in names.items()} for names in named)
