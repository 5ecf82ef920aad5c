"""A user's choices of what counts: which systems, judges and segments, and how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from analysis.campaign.ragged import IntArray, smallest
from analysis.campaign.tasks import RankingTasks
from analysis.errors import PodiumError, control, unknown
from analysis.names import is_reference

Mask = npt.NDArray[np.bool_]
Identical = Literal["expanded", "collapsed"]
Copies = Literal["kept", "dropped"]
BothBad = Literal["tie", "dropped"]

Kind = Literal["switch", "systems", "judges", "range", "number", "slices"]


@dataclass(frozen=True)
class SelectionField:
    """A choice of what counts, in all the words that front ends need.

    ``on`` is a switch's other value; a number is 0 or more. ``letter`` stands for the choice in
    links; ``chip`` and ``sentence`` may hold ``{}`` for what is chosen, ``left_out`` is the noun of
    what a sentence counts as left out. A choice without a title has no control of its own in the
    dashboard.
    """

    name: str
    default: Any
    kind: Kind
    letter: str
    help: str
    chip: str
    flag: str = ""
    metavar: str = ""
    title: str = ""
    tooltip: str = ""
    sentence: str = ""
    left_out: str = ""
    on: Any = True

    def words(self, value: Any) -> tuple[str, ...]:
        """Return a value as its flags take it; nothing where it is the default."""
        if value == self.default:
            return ()
        if self.kind in ("systems", "slices"):
            return tuple(value)
        if self.kind == "judges":
            return (",".join(value),)
        if self.kind == "range":
            return (f"{value[0]}-{value[1]}",)
        if self.kind == "number":
            return (f"{value:.15g}",)
        return ("yes" if value is True else str(value),)

    def shown(self, value: Any) -> str:
        """Return a value as people read it in a sentence or on a chip."""
        if self.kind == "range":
            return f"{value[0]}\N{EN DASH}{value[1]}"
        return ", ".join(self.words(value))

    def arguments(self, value: Any) -> list[str]:
        """Return a value as a command's words."""
        if self.kind == "switch":
            words = self.words(value)
            return [] if not words else [self.flag] if self.on is True else [self.flag, *words]
        if self.kind == "range":
            return [part for word in self.words(value) for part in (self.flag, word)]
        return [f"{self.flag}={word}" for word in self.words(value)]

    def names(self, campaign: RankingTasks) -> tuple[str, ...]:
        """Return the vocabulary that the choice is made from."""
        return campaign.systems if self.kind == "systems" else campaign.judges


@dataclass(frozen=True)
class Selection:
    """A user's choices of what counts: which systems, judges and segments, and how.

    ``judges`` and ``exclude_judges`` are names or patterns (``researcher_*``; ``[*]`` is a star);
    ``segments`` is the first and last segment, by number where segments are numbers, else by
    position in the file. ``slices`` are attributes with values (`analysis.campaign.slices`).
    """

    identical: Identical = field(
        default="expanded",
        metadata=dict(
            kind="switch",
            on="collapsed",
            letter="c",
            help=(
                "identical outputs: a tie among their systems, as in the published files "
                "(expanded, the default), or judged once (collapsed)"
            ),
            title="Identical outputs once",
            tooltip=(
                "If systems made the same output, the published files contain a tie among them "
                "in every judgment. Collapsed, that output is judged once."
            ),
            chip="identical outputs once",
            sentence="Systems with identical output were judged once.",
        ),
    )
    exclude_systems: tuple[str, ...] = field(
        default=(),
        metadata=dict(
            kind="systems",
            flag="--exclude-system",
            letter="x",
            metavar="NAME",
            help="leave a system out; may be repeated",
            title="Leave out systems",
            chip="without {}",
            left_out="system",
        ),
    )
    judges: tuple[str, ...] = field(
        default=(),
        metadata=dict(
            kind="judges",
            letter="o",
            metavar="NAMES",
            help="only these judges, comma-separated; * matches any letters: researcher_*",
            chip="only {}",
            sentence="Only chosen judges are used.",
        ),
    )
    exclude_judges: tuple[str, ...] = field(
        default=(),
        metadata=dict(
            kind="judges",
            letter="j",
            metavar="NAMES",
            help="all but these judges, comma-separated; * as above",
            title="Leave out judges",
            chip="without {}",
            left_out="judge or group of judges",
        ),
    )
    segments: tuple[int, int] | None = field(
        default=None,
        metadata=dict(
            kind="range",
            letter="s",
            metavar="FIRST-LAST",
            help="only these segments, by number: 1-500",
            title="Segments",
            chip="segments {}",
            sentence="Only segments {} are used.",
        ),
    )
    references: bool = field(
        default=False,
        metadata=dict(
            kind="switch",
            letter="r",
            help="rank references too",
            title="Rank references too",
            tooltip=(
                "Systems named ref, reference-A, HUMAN-B and similar are human references; they "
                "are left out by default."
            ),
            chip="with references",
            sentence="Human references were ranked too.",
        ),
    )
    slices: tuple[str, ...] = field(
        default=(),
        metadata=dict(
            kind="slices",
            flag="--slice",
            letter="a",
            metavar="NAME=VALUE",
            help=(
                "only the part in which an attribute has a value: domain=news, length=10-50; may "
                "be repeated"
            ),
            title="Only where",
            tooltip="Other columns of the file: domain, document, length …",
            chip="{}",
            sentence="Only judgments with {} are used.",
        ),
    )
    copies: Copies = field(
        default="kept",
        metadata=dict(
            kind="switch",
            on="dropped",
            letter="d",
            help="tasks that repeat an earlier one exactly, such as a file saved twice: kept (the "
            "default) or dropped",
            title="Drop exact copies",
            tooltip=(
                "A task that repeats an earlier one in judge, segment, outputs, answer and (if "
                "known) time counts once."
            ),
            chip="copies dropped",
        ),
    )
    far_off: Copies = field(
        default="kept",
        metadata=dict(
            kind="switch",
            on="dropped",
            letter="w",
            help="ratings far from all others, such as typing errors: kept (the default) or "
            "dropped",
            title="Drop ratings far from all others",
            tooltip=(
                "The middle 98% of the ratings have a range; such ratings lie beyond its ends by "
                "more than three times its width. Most are typing errors."
            ),
            chip="without ratings far from all others",
            sentence="Ratings that lay beyond the middle 98% by more than three times its width "
            "were dropped.",
        ),
    )
    tie_margin: float = field(
        default=0.0,
        metadata=dict(
            kind="number",
            letter="m",
            metavar="POINTS",
            help="scores that differ by at most this many points are a tie (default 0)",
            title="Tie threshold of scores",
            tooltip=(
                "Two scores of one screen that differ by at most this many points are a tie. The "
                "mean score does not depend on it; methods for pairwise judgments do."
            ),
            chip="ties up to {} points",
            sentence="Scores that differed by at most {} points counted as a tie.",
        ),
    )
    both_bad: BothBad = field(
        default="tie",
        metadata=dict(
            kind="switch",
            on="dropped",
            letter="b",
            help="both-bad votes: a tie (the default) or dropped",
            title="Drop both-bad votes",
            tooltip=(
                "Such a vote says that neither output is good enough, but not which is better. "
                "It is a tie unless it is dropped."
            ),
            chip="without both-bad votes",
            sentence="Both-bad votes were dropped.",
        ),
    )

    blocks: float = field(
        default=0,
        metadata=dict(
            kind="number",
            letter="k",
            metavar="N",
            help=(
                "treat N consecutive segments, by number, as one document; 1: each segment by "
                "itself (default: the documents that the file names, else segments)"
            ),
            title="Segments per document",
            tooltip=(
                "Segments of one document are similar, so documents are the sampling unit. 0 "
                "uses the documents that the file names; another number makes a document of that "
                "many consecutive segments; 1 uses each segment by itself."
            ),
            chip="documents of {} segments",
            sentence="Every {} consecutive segments are one document.",
        ),
    )
    judge_share: float = field(
        default=0,
        metadata=dict(
            kind="number",
            letter="l",
            metavar="PERCENT",
            help=(
                "limit each judge to this share of the tasks, a random part of that judge's, so "
                "that no judge dominates: 20 (default: all tasks)"
            ),
            title="Limit each judge's share (%)",
            tooltip=(
                "If one judge did most of the work, little is known of other judges, and few "
                "differences are significant. A limit keeps a random part of that judge's tasks. "
                "0 uses all tasks; 20 is a good limit."
            ),
            chip="judges limited to {}%",
            sentence="Each judge has at most {}% of the tasks; others were left out at random.",
        ),
    )

    @property
    def signature(self) -> str:
        """What counts, in the words of the command line's flags; nothing stands for defaults."""
        parts = [f"identical:{self.identical}"]
        for chosen in SELECTION_FIELDS[1:]:
            words = chosen.words(getattr(self, chosen.name))
            if words:
                parts.append(f"{chosen.flag.removeprefix('--')}:{','.join(words)}")
        return "|".join(parts)


SELECTION_FIELDS = tuple(
    SelectionField(
        name=f.name,
        default=f.default,
        **{"flag": "--" + f.name.replace("_", "-"), **f.metadata},
    )
    for f in fields(Selection)
)
"""The choices that a `Selection` declares, in order."""

DEFAULT_SELECTION = Selection()


def systems_left_out(systems: list[str], selection: Selection) -> list[str]:
    """Return which of a pair's systems do not count: those named, and references as a rule.

    A reference counts where fewer than two systems would be left: people against one system.
    """
    for wanted in selection.exclude_systems:
        if wanted not in systems:
            where = control("--exclude-system", "System to leave out", "exclude_systems")
            raise unknown(where, wanted, systems)
    counted = [name for name in systems if name not in selection.exclude_systems]
    contestants = [name for name in counted if selection.references or not is_reference(name)]
    kept = contestants if len(contestants) > 1 else counted
    return [name for name in systems if name not in kept]


VOTE, IS_BAD = "vote", "both bad"
"""The attribute of votes, and its word for those that found both outputs bad."""


def both_bad_mask(campaign: RankingTasks) -> Mask | None:
    """Return the tasks whose judge found both outputs bad; None where no file tells."""
    for attribute in campaign.attributes:
        if (
            attribute.name == VOTE
            and IS_BAD in attribute.names
            and attribute.about not in ("output", "system")
        ):
            codes = campaign.of_tasks(attribute).codes
            assert codes is not None
            return np.asarray(codes == attribute.names.index(IS_BAD))
    return None


def segment_mask(campaign: RankingTasks, selection: Selection) -> Mask:
    """Return the tasks on the segments that count."""
    if selection.segments is None:
        return np.ones(campaign.n_tasks, dtype=bool)
    numbers = segment_numbers(campaign.segments)
    first, last = selection.segments
    return ((numbers >= first) & (numbers <= last))[campaign.task_segment]


def segment_numbers(segments: Sequence[str]) -> IntArray:
    """Return segments as numbers where all are, else their positions from 1."""
    if are_numbered(segments):
        return np.array([int(segment) for segment in segments], dtype=np.int64)
    return np.arange(1, len(segments) + 1)


def block_of_segments(segments: Sequence[str], size: float) -> IntArray:
    """Return the block of ``size`` consecutive numbers that each segment is in.

    >>> block_of_segments(["1", "20", "21"], 20).tolist()
    [0, 0, 1]
    """
    if size % 1:
        raise PodiumError("Blocks of segments", f"{size:g} is not a whole number", "Use 20 or 1.")
    if not are_numbered(segments):
        raise PodiumError(
            "Blocks of segments",
            f"segments such as {segments[0][:40]!r} are not numbered",
            "Do not use blocks: without numbers the order of the segments is unknown.",
        )
    _, block = np.unique((segment_numbers(segments) - 1) // size, return_inverse=True)
    return smallest(block)


def are_numbered(segments: Sequence[str]) -> bool:
    """Return whether all are plain numbers of at most 15 digits; longer ones are identifiers.

    >>> are_numbered(["1", "042"]), are_numbered(["1234567890123456711"]), are_numbered(["１"])
    (True, False, False)
    """
    together = "".join(segments)
    sizes = set(map(len, segments))
    return together.isascii() and together.isdecimal() and 0 not in sizes and max(sizes) <= 15
