"""What the columns of a table mean, as a person or `guess` says: a few lines of YAML."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal, get_args

import yaml

from analysis.errors import PodiumError, ReadingError

Outcome = Literal["a", "b", "tie", "skip"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
Better = Literal["higher", "lower"]
Layout = Literal["pairs", "wide", "long"]

MOST_LETTERS = 100_000
"""Letters of a profile; one of this size names a thousand columns."""

_VERSION = "1"


class _Words(yaml.BaseLoader):
    """Reads every value as the words that stand there: a name may be ``no``, ``007`` or ``1.50``.

    Anchors are refused: a few lines of them stand for more than any memory holds.
    """

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()
        if getattr(event, "anchor", None) is not None:
            raise yaml.composer.ComposerError(
                None, None, "& and * at the start need quotes", event.start_mark
            )
        return super().compose_node(parent, index)


def _role(title: str, help: str) -> Any:
    return field(default="", metadata={"title": title, "help": help})


def _columns(title: str, help: str) -> Any:
    return field(default=(), metadata={"title": title, "help": help})


@dataclass(frozen=True)
class Profile:
    """Which column plays which role; empty where none does.

    Three layouts of tables are known. *Pairs*: a row compares two systems, which stand in
    ``system_a`` and ``system_b``, and ``winner`` says which is better, or ``score_a`` and
    ``score_b`` do. *Wide*: a row is a ranking, with a rank (``ranks``) or a score (``scores``) for
    each system; ``systems`` are the columns that name them, and without those the columns of ranks
    or scores are called like the systems. *Long*: a row is one output of ``system`` with its
    ``rank`` or its ``score``; rows of one judge, segment and ``task`` stood side by side.

    ``winners`` says what words in the column of winners mean: ``a``, ``b``, ``tie`` or ``skip``;
    a name of one of the two systems needs no word. ``better`` says which scores are good.
    ``outputs`` are pairs of columns with a number about the first and the second output, by name.
    """

    system_a: str = _role("First system", "Names the system that was shown first or on the left.")
    system_b: str = _role("Second system", "Names the other system.")
    winner: str = _role("Winner", "Says which of the two is better, or that they tie.")
    score_a: str = _role("Score of the first", "A score or a rank of the first system.")
    score_b: str = _role("Score of the second", "A score or a rank of the second system.")
    system: str = _role("System", "Names the system, where a row is one output.")
    rank: str = _role("Rank", "The output's rank among those judged together; 1 is best.")
    score: str = _role("Score", "The score that the judge gave to the output.")
    judge: str = _role("Judge", "Who judged.")
    segment: str = _role("Item", "What was judged: a sentence, a question, a sample.")
    document: str = _role("Document", "The document that the item is from.")
    domain: str = _role("Domain", "News, speech, chat …")
    pair: str = _role("Language pair", "Splits the campaign: a ranking for each value.")
    source: str = _role("Source language", "With a target language it makes the pair.")
    target: str = _role("Target language", "With a source language it makes the pair.")
    seconds: str = _role("Seconds", "How long the judgment took.")
    task: str = _role("Task", "Rows with one value here stood side by side on one screen.")
    systems: tuple[str, ...] = _columns("Columns that name systems", "In the order of the ranks.")
    ranks: tuple[str, ...] = _columns("Columns of ranks", "One for each system; 1 is best.")
    scores: tuple[str, ...] = _columns("Columns of scores", "One for each system.")
    attributes: tuple[str, ...] = _columns(
        "More about the item or the judge", "Columns to cut results by, or to control for."
    )
    outputs: tuple[tuple[str, str, str], ...] = ()
    winners: tuple[tuple[str, Outcome], ...] = ()
    better: Better = "higher"

    @property
    def layout(self) -> Layout:
        """What a row is; raises for a profile that names no two systems and who is better."""
        if self.system_a and self.system_b and (self.winner or (self.score_a and self.score_b)):
            return "pairs"
        wide = self.ranks or self.scores
        if (
            len(wide) > 1
            and len(self.systems) in (0, len(wide))
            and not (self.ranks and self.scores)
        ):
            return "wide"
        if self.system and bool(self.rank) != bool(self.score):
            return "long"
        raise ReadingError("Columns", self._missing(), REMEDY)

    def _missing(self) -> str:
        if self.system_a or self.system_b:
            if not (self.system_a and self.system_b):
                return "only one of the two systems has a column"
            return "no column says which of the two systems is better"
        if self.ranks and self.scores:
            return "there are columns of ranks and columns of scores"
        if self.ranks or self.scores:
            n = len(self.ranks or self.scores)
            if n < 2:
                return "there is a column for one system only"
            return f"{len(self.systems)} columns name systems and {n} hold what they got"
        if self.system:
            what = "both a rank and a score" if self.rank and self.score else "no rank and no score"
            return f"the column {self.system} names systems, and {what} stands beside it"
        return "no column names the systems"

    @property
    def gives_scores(self) -> bool:
        """Whether the table holds scores of outputs, not rankings."""
        return self.layout in ("long", "wide") and bool(self.score or self.scores)

    @property
    def used(self) -> tuple[str, ...]:
        """All columns that have a role, each once."""
        single = [getattr(self, role) for role in COLUMN_ROLES]
        several = [name for role in LISTS for name in getattr(self, role)]
        pairs = [name for _, a, b in self.outputs for name in (a, b)]
        return tuple(dict.fromkeys(name for name in (*single, *several, *pairs) if name))

    def check(self, columns: Sequence[str], where: str) -> None:
        """Raise where a column is missing or has two roles, or where the roles make no sense."""
        known = {name.strip().casefold() for name in columns}
        missing = [name for name in self.used if name.strip().casefold() not in known]
        if missing:
            raise ReadingError(
                where,
                f"the profile names the column {', '.join(missing[:5])}, which the table does not "
                "have",
                f"Its columns are {', '.join(name[:40] for name in columns[:20])}.",
            )
        single = [getattr(self, role) for role in COLUMN_ROLES if getattr(self, role)]
        several = [name for role in LISTS[:3] for name in getattr(self, role)]
        twice = [name for name in single + several if (single + several).count(name) > 1]
        if twice:
            raise ReadingError(
                where, f"the column {twice[0]} has two roles in the profile", "Give it one role."
            )
        try:
            _ = self.layout
        except ReadingError as error:
            raise ReadingError(where, error.got, error.remedy) from None

    def to_yaml(self) -> str:
        """Return the profile as text that people can read and change."""
        return str(yaml.safe_dump(self._content(), sort_keys=False, allow_unicode=True, width=100))

    def to_link(self) -> str:
        """Return the profile as letters for a link."""
        packed = zlib.compress(self.to_yaml().encode(), 9)
        return base64.urlsafe_b64encode(packed).decode().rstrip("=")

    def _content(self) -> dict[str, Any]:
        columns = {role: getattr(self, role) for role in COLUMN_ROLES if getattr(self, role)}
        columns |= {role: list(getattr(self, role)) for role in LISTS if getattr(self, role)}
        content: dict[str, Any] = {"podium": int(_VERSION), "columns": columns}
        if self.outputs:
            content["outputs"] = {name: [a, b] for name, a, b in self.outputs}
        if self.winners:
            content["winners"] = dict(self.winners)
        if self.better != "higher":
            content["better"] = self.better
        return content

    @classmethod
    def from_yaml(cls, text: str | bytes, where: str = "Profile") -> Profile:
        """Read a profile; raise for what is none, with what is wrong and what would be right."""
        if len(text) > MOST_LETTERS:
            raise PodiumError(where, f"it has more than {MOST_LETTERS} letters", _EXAMPLE)
        try:
            content = yaml.load(text, _Words)
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            told = " ".join(str(error).split())[:120]
            raise PodiumError(where, f"this is not YAML ({told})", _EXAMPLE) from None
        if not isinstance(content, dict) or not isinstance(content.get("columns"), dict):
            raise PodiumError(where, "it has no part called columns", _EXAMPLE)
        _only(content, ("podium", "columns", "outputs", "winners", "better"), where, "part")
        if content.get("podium", _VERSION) != _VERSION:
            raise PodiumError(
                where, f"it is of version {content['podium']!s:.20}", f"Write podium: {_VERSION}."
            )
        better = content.get("better", "higher")
        if better not in ("higher", "lower"):
            raise PodiumError(where, f"better is {better!s:.40}", "Write higher or lower.")
        _only(content["columns"], (*COLUMN_ROLES, *LISTS), where, "role")
        values: dict[str, Any] = {}
        for role, name in content["columns"].items():
            values[role] = _texts(name, role, where) if role in LISTS else _text(name, role, where)
        outputs = _table(content.get("outputs"), "outputs", where)
        both = {name: _texts(columns, name, where) for name, columns in outputs.items()}
        if any(len(columns) != 2 for columns in both.values()):
            raise PodiumError(
                where,
                "a part of outputs does not name two columns",
                "Write length: [length_a, length_b].",
            )
        winners = _table(content.get("winners"), "winners", where)
        for word, outcome in winners.items():
            if outcome not in OUTCOMES:
                raise PodiumError(
                    where,
                    f"the winner {word[:40]!r} means {outcome!s:.40}",
                    f"Write {', '.join(OUTCOMES)}.",
                )
        return cls(
            **values,
            outputs=tuple((name, *columns) for name, columns in both.items()),  # type: ignore[misc]
            winners=tuple(winners.items()),
            better=better,
        )

    @classmethod
    def from_link(cls, letters: str) -> Profile:
        """Return the profile that a link carries."""
        try:
            packed = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
            unpacker = zlib.decompressobj()
            text = unpacker.decompress(packed, MOST_LETTERS)
        except (ValueError, zlib.error):
            raise PodiumError("Link", "its profile of columns is cut off", _EXAMPLE) from None
        return cls.from_yaml(text, "Link")

    def without(self, *names: str) -> Profile:
        """Return the profile without some columns."""
        gone = {role: "" for role in COLUMN_ROLES if getattr(self, role) in names}
        lists = {
            role: tuple(name for name in getattr(self, role) if name not in names) for role in LISTS
        }
        kept = tuple(output for output in self.outputs if not {*output[1:]} & {*names})
        changes: dict[str, Any] = {**gone, **lists, "outputs": kept}
        return replace(self, **changes)


COLUMN_ROLES = tuple(f.name for f in fields(Profile) if f.default == "")
"""The roles that one column plays."""
LISTS = ("systems", "ranks", "scores", "attributes")
"""The roles that several columns play."""

REMEDY = (
    "Name two systems and the winner; or a rank or a score for each system of a row; or a system "
    "and its rank or score a row."
)
_EXAMPLE = (
    "A profile looks like this: columns: {system_a: left, system_b: right, winner: vote, "
    "judge: worker, segment: item}."
)


def load(path: str | Path) -> Profile:
    """Read a profile from the disk."""
    try:
        text = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise PodiumError(f"--map {path}", reason, "Check the path.") from None
    return Profile.from_yaml(text, str(path))


def _only(content: Mapping[Any, Any], known: Sequence[str], where: str, what: str) -> None:
    unknown = [str(key) for key in content if key not in known]
    if unknown:
        raise PodiumError(
            where, f"the {what} {unknown[0][:40]!r} is not known", f"Known are {', '.join(known)}."
        )


def _text(value: Any, role: str, where: str) -> str:
    if not isinstance(value, str):
        raise PodiumError(
            where, f"{role} is {value!s:.40}, not the name of a column", "Put names in quotes."
        )
    return value


def _texts(value: Any, role: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise PodiumError(where, f"{role} is no list of columns", f"Write {role}: [one, two].")
    return tuple(_text(one, role, where) for one in value)


def _table(value: Any, part: str, where: str) -> dict[str, Any]:
    """Return a part that has a value for each name."""
    if not value:
        return {}
    if not isinstance(value, dict):
        raise PodiumError(where, f"{part} is no list of names with values", _EXAMPLE)
    return dict(value)
