"""What the columns of a table mean, as a person or `guess` says: a few lines of YAML."""

from __future__ import annotations

import base64
import re
import zlib
from collections import Counter
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

Named = tuple[tuple[str, tuple[str, ...]], ...]


def key(name: str) -> str:
    """Return a column's name as tables look it up."""
    return name.strip().casefold()


def source_of(name: str) -> str:
    """Return the column whose words are replaced: ``later turn = turn`` makes a new one of turn."""
    return name.rpartition("=")[2].strip()


def target_of(name: str) -> str:
    """Return the column that has the new words."""
    return name.partition("=")[0].strip()


def names_in(pattern: str) -> list[str]:
    """Return the columns that a pattern makes.

    >>> names_in("{speaker}_{system}_{}.wav")
    ['speaker', 'system']
    """
    return [name for name in re.findall(r"\{([^{}]*)\}", pattern) if name]


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

    A table is first made ready (`analysis.formats.mapping.prepared`): ``records`` is the path to
    the records of nested JSON, rows with one of the ``excluded`` words do not count, ``repeats``
    make a row of each of several columns, ``ticked`` makes one column of answers that have a column
    each, ``patterns`` cut a column into new ones, ``templates``
    put columns together, ``values`` replace words and ``constants`` are columns with one word.
    ``lengths`` are columns of texts of the first and the second output; ``scale`` is a name with
    its ends, such as ``grade 1..10``; ``shared`` stands between the names of systems that gave the
    same output.
    """

    system_a: str = _role("First system", "Names the system that was shown first or on the left.")
    system_b: str = _role("Second system", "Names the other system.")
    winner: str = _role("Winner", "Names the better of the two, or a tie.")
    score_a: str = _role("Score of the first", "A score or a rank of the first system.")
    score_b: str = _role("Score of the second", "A score or a rank of the second system.")
    system: str = _role("System", "Names the system, where a row is one output.")
    rank: str = _role("Rank", "The output's rank among those judged together; 1 is best.")
    score: str = _role("Score", "The score that the judge gave to the output.")
    best: str = _role("Best", "Names the best of several systems, by name or by column.")
    worst: str = _role("Worst", "Names the worst of several systems.")
    judge: str = _role("Judge", "Who judged.")
    segment: str = _role("Item", "The item that was judged: a segment, a question, a sample.")
    document: str = _role("Document", "The document that the item is from.")
    domain: str = _role("Domain", "News, speech, chat …")
    pair: str = _role("Language pair", "Splits the campaign: one ranking per value.")
    source: str = _role("Source language", "With a target language it makes the pair.")
    target: str = _role("Target language", "With a source language it makes the pair.")
    seconds: str = _role("Seconds", "Duration of the judgment.")
    task: str = _role("Task", "Rows with the same value here were together on one screen.")
    criterion: str = _role("Criterion", "Names the criterion: fluency, adequacy …")
    systems: tuple[str, ...] = _columns("Columns that name systems", "In the order of the ranks.")
    ranks: tuple[str, ...] = _columns("Columns of ranks", "One for each system; 1 is best.")
    scores: tuple[str, ...] = _columns("Columns of scores", "One for each system.")
    criteria: tuple[str, ...] = _columns(
        "Criteria", "Several columns of scores or of winners, one per criterion."
    )
    attributes: tuple[str, ...] = _columns(
        "More about the item or the judge", "Columns to split results by, or to adjust for."
    )
    outputs: tuple[tuple[str, str, str], ...] = ()
    winners: tuple[tuple[str, Outcome], ...] = ()
    better: Better = "higher"
    lower: tuple[str, ...] = ()
    records: str = ""
    sheet: str = ""
    excluded: Named = ()
    ticked: Named = ()
    repeats: Named = ()
    repeat_name: str = ""
    patterns: tuple[tuple[str, str], ...] = ()
    templates: tuple[tuple[str, str], ...] = ()
    lengths: Named = ()
    scale: str = ""
    shared: str = ""
    values: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()
    constants: tuple[tuple[str, str], ...] = ()

    @property
    def layout(self) -> Layout:
        """What a row is; raises for a profile that names no two systems and who is better."""
        decided = self.winner or self.criteria or (self.score_a and self.score_b)
        if self.system_a and self.system_b and decided:
            return "pairs"
        wide = self.ranks or self.scores
        if self.best and len(self.systems) > 2 and not wide:
            return "wide"
        if (
            len(wide) > 1
            and len(self.systems) in (0, len(wide))
            and not (self.ranks and self.scores)
        ):
            return "wide"
        if self.system and sum(map(bool, (self.rank, self.score, self.criteria))) == 1:
            return "long"
        raise ReadingError("Columns", self._missing(), REMEDY)

    def _missing(self) -> str:
        if self.system_a or self.system_b:
            if not (self.system_a and self.system_b):
                return "only one of the two systems has a column"
            return "no column names the better of the two systems"
        if self.ranks and self.scores:
            return "there are columns of ranks and columns of scores"
        if self.ranks or self.scores:
            n = len(self.ranks or self.scores)
            if n < 2:
                return "there is a column for only one of the systems"
            return f"{len(self.systems)} columns name systems and {n} contain their values"
        if self.system:
            what = (
                "both a rank and a score"
                if self.rank and self.score
                else ("neither a rank nor a score")
            )
            return f"the column {self.system} names systems, and there is {what} next to it"
        return "no column names the systems"

    @property
    def gives_scores(self) -> bool:
        """Whether the table holds scores of outputs, not rankings."""
        return self.layout in ("long", "wide") and bool(self.score or self.scores or self.criteria)

    @property
    def used(self) -> tuple[str, ...]:
        """All columns that have a role, each once."""
        single = [getattr(self, role) for role in COLUMN_ROLES]
        several = [name for role in LISTS for name in getattr(self, role)]
        pairs = [name for _, a, b in self.outputs for name in (a, b)]
        made = {key(name) for name in self.made}
        return tuple(
            dict.fromkeys(
                name
                for name in (*single, *several, *pairs, *self._sources)
                if name and key(name) not in made
            )
        )

    @property
    def made(self) -> tuple[str, ...]:
        """The columns that the table does not have before it is made ready."""
        cut = [part for _, pattern in self.patterns for part in names_in(pattern)]
        named = names_in(self.repeat_name) if self.repeats else []
        first = [
            name for name, _ in (*self.ticked, *self.repeats, *self.templates, *self.constants)
        ]
        first += [target_of(name) for name, _ in self.values if "=" in name]
        return tuple(dict.fromkeys((*first, *named, *cut)))

    @property
    def _sources(self) -> tuple[str, ...]:
        several = [
            own for _, columns in (*self.ticked, *self.repeats, *self.lengths) for own in columns
        ]
        several += [own for _, text in self.templates for own in names_in(text)]
        single = [name for name, _ in (*self.excluded, *self.patterns)]
        single += [source_of(name) for name, _ in self.values]
        return (*several, *single)

    def of_criterion(self, name: str) -> Profile:
        """Return the profile that reads one of the columns of criteria."""
        role = "winner" if self.layout == "pairs" else "score"
        better: Better = "lower" if name in self.lower else self.better
        changes: dict[str, Any] = {role: name, "criteria": (), "better": better}
        return replace(self, **changes)

    def check(self, columns: Sequence[str], where: str) -> None:
        """Raise where a column is missing or has two roles, or where the roles make no sense."""
        known = {key(name) for name in columns}
        missing = [name for name in self.used if key(name) not in known]
        if missing:
            raise ReadingError(
                where,
                f"the profile names the column {', '.join(missing[:5])}, which the table does not "
                "have",
                f"Its columns are {', '.join(name[:40] for name in columns[:12])}.",
            )
        single = [getattr(self, role) for role in COLUMN_ROLES if getattr(self, role)]
        several = [name for role in LISTS[:4] for name in getattr(self, role)]
        twice = [name for name, n in Counter(single + several).items() if n > 1]
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
        for part in _MAPPINGS:
            if getattr(self, part):
                content[part] = {
                    name: dict(own) if part == "values" else list(own) if part in _OF_LISTS else own
                    for name, own in getattr(self, part)
                }
        if self.lower:
            content["lower"] = list(self.lower)
        return content | {part: getattr(self, part) for part in _TEXTS if getattr(self, part)}

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
        return cls.from_content(content, where)

    @classmethod
    def from_content(cls, content: Any, where: str) -> Profile:
        """Return the profile that a YAML document's content describes, all values as text."""
        if not isinstance(content, dict) or not isinstance(content.get("columns"), dict):
            raise PodiumError(where, "it has no part called columns", _EXAMPLE)
        _only(content, (*_PARTS, *_MAPPINGS, *_TEXTS, "lower"), where, "part")
        if content.get("podium", _VERSION) != _VERSION:
            raise PodiumError(
                where, f"it is of version {content['podium']!s:.20}", f"Write podium: {_VERSION}."
            )
        better = content.get("better", "higher")
        if better not in ("higher", "lower"):
            raise PodiumError(where, f"better is {better!s:.40}", "Use higher or lower.")
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
        for part in _MAPPINGS:
            values[part] = tuple(
                (name, _own(own, part, where))
                for name, own in _table(content.get(part), part, where).items()
            )
        values |= {part: _text(content.get(part, ""), part, where) for part in _TEXTS}
        values["lower"] = _texts(content.get("lower", []), "lower", where)
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


COLUMN_ROLES = tuple(f.name for f in fields(Profile) if f.default == "" and f.metadata)
"""The roles that one column plays."""
LISTS = ("systems", "ranks", "scores", "criteria", "attributes")
"""The roles that several columns play."""
_PARTS = ("podium", "columns", "outputs", "winners", "better")
_MAPPINGS = (
    "excluded", "ticked", "repeats", "patterns", "values", "templates", "lengths", "constants",
)  # fmt: skip
_OF_LISTS = ("excluded", "ticked", "repeats", "lengths")
_TEXTS = ("records", "sheet", "repeat_name", "scale", "shared")

REMEDY = (
    "Name two systems and the winner; or a rank or a score for each system of a row; or one "
    "system and its rank or score per row."
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
        raise PodiumError(where, f"{role} is not a list of columns", f"Write {role}: [one, two].")
    return tuple(_text(one, role, where) for one in value)


def _own(value: Any, part: str, where: str) -> Any:
    """Return what a part says of one name: columns or words, words with others, or a text."""
    if part in _OF_LISTS:
        return _texts(value, part, where)
    if part == "values":
        return tuple(
            (word, _text(new, part, where)) for word, new in _table(value, part, where).items()
        )
    return _text(value, part, where)


def _table(value: Any, part: str, where: str) -> dict[str, Any]:
    """Return a part that has a value for each name."""
    if not value:
        return {}
    if not isinstance(value, dict):
        raise PodiumError(where, f"{part} is not a list of names with values", _EXAMPLE)
    return dict(value)
