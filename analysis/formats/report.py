"""What was read, what was left out and why, and what looks odd."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from analysis.campaign.file_copies import FileCopies, copies_words
from analysis.errors import ReadingError
from analysis.registry import hooks
from analysis.wording import count, thousands

Kind = Literal["rankings", "votes", "scores", "counts"]
"""What a file holds."""

MAX_PLACES = 5
"""How many line numbers are kept for each reason."""


class SeveralKindsError(ReadingError):
    """Files that are no one campaign, because they hold different kinds of judgments.

    ``kinds`` has the files of each kind, ``question`` asks which ones are the campaign.
    """

    question = "These files have different kinds of judgments. Which are the campaign?"

    def __init__(self, kinds: Mapping[str, Sequence[str]]) -> None:
        told = "; ".join(f"{', '.join(files)}: {kind}" for kind, files in kinds.items())
        super().__init__(
            "Files",
            f"they contain different kinds of judgments, which cannot be one campaign ({told})",
            "Read one kind at a time.",
        )
        self.kinds = kinds


class SameItemsError(SeveralKindsError):
    """Files of votes on the same items that name no judges: ``kinds`` has what goes with each."""

    def __init__(self, kinds: Mapping[str, Sequence[str]]) -> None:
        others = " ".join(module.other_votes() for module in hooks("same-items"))
        ReadingError.__init__(
            self,
            ", ".join(kinds),
            "these files contain votes on the same items and name no judges, so all would count "
            "as one judge's",
            f"Rank by one of the files, or name the judge of each vote in a column. {others}",
        )
        self.kinds = kinds
        self.question = (
            "These files contain votes on the same items and name no judges. Which has the votes "
            f"to rank by? {others}"
        )


@dataclass(frozen=True)
class LeftOut:
    """A reason why rows were left out, with how many and the first places in the file.

    ``example`` is the first case in full ("line 41, system3rank: 7 is outside 1–5").
    """

    reason: str
    count: int
    places: tuple[int, ...] = ()
    example: str = ""
    file: str = ""
    unit: str = "row"
    place: str = "line"

    def sentence(self) -> str:
        """Return the reason in plain words, with the lines to look at.

        >>> LeftOut("a rank outside 1–5", 1, (41,), "line 41, rank2: 7 is outside 1–5").sentence()
        '1 row was left out because of a rank outside 1–5: line 41, rank2: 7 is outside 1–5.'
        """
        head = f"{counted(self.count, self.unit)} left out because of {self.reason}"
        if self.count == 1 and self.example:
            return f"{head}: {f'{self.file}, ' * bool(self.file)}{self.example}."
        where = f" of {self.file}" if self.file else ""
        lines = places_in_words(self.places, self.count, self.place)
        example = f" The first: {self.example}." if self.example else ""
        return f"{head}{' (' + lines + where + ')' if lines else where}.{example}"


@dataclass(frozen=True)
class Oddity:
    """Something that was read but looks odd: a kind for programs and a sentence for people."""

    kind: str
    sentence: str
    count: int = 0
    places: tuple[int, ...] = ()


@dataclass(frozen=True)
class Share:
    """How many rankings (or scores) of a language pair a file holds, by how many of whom.

    ``left_out`` are its rows that were left out, ``skipped`` the rankings that judges skipped. A
    share without a pair has the rows of which the pair is not known.
    """

    file: str
    pair: str
    judgments: int
    judges: int
    systems: int
    skipped: int = 0
    left_out: int = 0


@dataclass(frozen=True)
class Mapped:
    """How an unknown table was read: the profile, how sure it is, its first rows in words."""

    profile: str
    confidence: float
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class ReadReport:
    """What a reader found in a file. Pairs are spelled as the campaign spells them.

    ``format`` and ``format_name`` are what programs and people call what was read.
    ``n_rows`` counts what the file holds (rows, votes or XML results, as ``unit`` says),
    ``n_tasks`` the rankings that came out; of scores these are the screens, and ``n_scores`` the
    scores themselves. ``skipped``, ``duplicates`` and ``incomplete`` (an
    output without a rank) count rankings of each language pair; ``copies`` says in which files the
    duplicates are. Places are lines as an editor
    that ends lines at line feeds numbers them: CR CR LF is one end of line. ``shares`` says what
    each file gave to each language pair.
    """

    format: str
    format_name: str = ""
    kind: Kind = "rankings"
    files: tuple[str, ...] = ()
    n_rows: int = 0
    n_tasks: int = 0
    n_scores: int = 0
    unit: str = "row"
    left_out: tuple[LeftOut, ...] = ()
    oddities: tuple[Oddity, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    duplicates: Mapping[str, int] = field(default_factory=dict)
    copies: tuple[FileCopies, ...] = ()
    incomplete: Mapping[str, int] = field(default_factory=dict)
    judges_numbered: bool = False
    shares: tuple[Share, ...] = ()
    mapped: Mapped | None = None
    criteria: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n".join(self.sentences())

    @property
    def n_left_out(self) -> int:
        """Rows left out, all reasons together."""
        return sum(reason.count for reason in self.left_out)

    def amount(self) -> str:
        """Return how much was read, in the words of the pages: "6 ratings", "1 of 6 votes"."""
        if self._are_some_votes_unused:
            return f"{thousands(self.n_tasks)} of {counted(self.n_rows, 'vote', verb='')}"
        n = self.n_scores if self.kind == "scores" else self.n_tasks
        return counted(n, self._noun, verb="")

    def left_out_words(self) -> str:
        """Say how much of what was read is left out; empty if nothing is."""
        if not self.left_out:
            return ""
        if self._are_some_votes_unused:
            return f"{self.amount()} can be used."
        left_out = counted(self.n_left_out, self.left_out[0].unit)
        return f"{left_out} left out of {thousands(self.n_rows)} read."

    def left_out_reasons(self) -> str:
        """Say how much was left out and why, in one sentence of a paper; empty if nothing was."""
        if not self.left_out:
            return ""
        reasons = Counter[str]()
        for one in self.left_out:
            reasons[one.reason.replace("; ", ", ")] += one.count
        why = "; ".join(f"{reason} ({thousands(n)})" for reason, n in reasons.items())
        several = len({share.pair for share in self.shares if share.pair}) > 1
        where = " for all language pairs" * several
        were = "was" if self.n_left_out == 1 else "were"
        read = f"{counted(self.n_rows, self.unit, verb='')} read{where}"
        return f"Of {read}, {thousands(self.n_left_out)} {were} left out: {why}."

    @property
    def _noun(self) -> str:
        """What a judge gave."""
        if "vote" in (self.unit, self.kind.removesuffix("s")):
            return "vote"
        return {"scores": "rating", "counts": "pairwise judgment"}.get(self.kind, "ranking task")

    @property
    def _are_some_votes_unused(self) -> bool:
        return self.unit == "vote" and self.n_tasks < self.n_rows

    def sentences(self) -> list[str]:
        """Return the report in plain words, one or two sentences per entry."""
        noun, amount, rows = self._noun, self.amount(), counted(self.n_rows, self.unit, verb="")
        of = f" of {self.format_name}"
        if self._are_some_votes_unused:
            lines = [f"{amount} can be used."]
        elif amount == rows:
            lines = [f"Read {amount}{of * (self.unit not in self.format_name)}."]
        else:
            lines = [f"Read {amount} from {rows}{of}."]
        lines += [reason.sentence() for reason in self.left_out]
        for counts, tense, what, meaning in (
            (
                self.skipped,
                "was",
                "without a winner" if noun == "vote" else "skipped by the judge",
                f"Such {noun}s contain no comparison and are not used.",
            ),
            (
                self.incomplete,
                "is",
                "without a rank for some output",
                f"Scores leave such {noun}s out as a whole; agreement leaves out only those pairs.",
            ),
        ):
            total = sum(counts.values())
            if total:
                where = f" ({_by_pair(counts)})" if len(counts) > 1 else ""
                lines.append(f"{counted(total, noun, tense=tense)} {what}{where}. {meaning}")
        if n_copies := sum(self.duplicates.values()):
            found = copies_words(n_copies, counted(self.n_tasks, noun, verb=""), self.copies)
            where = f" Copies by language pair: {_by_pair(self.duplicates)}."
            lines.append(
                f"{found}{where * (len(self.duplicates) > 1)} Copies count unless you drop them."
            )
        lines += [oddity.sentence for oddity in self.oddities]
        if self.judges_numbered:
            lines.append(
                "Judges are numbered by first appearance, since the file may contain real names."
            )
        return lines


def counted(n: int, noun: str, *, verb: str = "be", tense: str = "was") -> str:
    """Return a count with its noun and, unless ``verb`` is empty, the verb that agrees.

    >>> counted(1, "row"), counted(2000, "ranking", verb="")
    ('1 row was', '2,000 rankings')
    """
    text = count(n, noun)
    if not verb:
        return text
    forms = {"was": ("was", "were"), "is": ("is", "are")}[tense]
    return f"{text} {forms[n != 1]}"


def places_in_words(places: tuple[int, ...], count: int, place: str) -> str:
    """Return the first places, and that there are more where there are.

    >>> places_in_words((41, 57), 3, "line")
    'lines 41, 57, …'
    """
    if not places:
        return ""
    more = ", …" if count > len(places) else ""
    plural = "s" if len(places) > 1 or more else ""
    return f"{place}{plural} {', '.join(map(str, places))}{more}"


def _by_pair(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{pair} {n}" for pair, n in counts.items())
