"""Read a file of judgments, whatever its format, and write campaigns back.

The format is found from the content, never from the name. A new one is a module that ends in its
`Format`, a place for it in `registry.FORMATS`, and an example file.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa

from analysis.campaign import Campaign
from analysis.errors import BrokenError, ReadingError, control
from analysis.formats import budgets
from analysis.formats.assembly import assemble_campaign
from analysis.formats.content import Content
from analysis.formats.criteria import with_criteria
from analysis.formats.file_names import without_endings
from analysis.formats.format import Format
from analysis.formats.frames import as_arrow
from analysis.formats.mapping import (
    Guess,
    Preview,
    Profile,
    apply,
    apply_to,
    fits,
    guess_content,
    preview,
)
from analysis.formats.mapping.apply import Parts
from analysis.formats.mapping.in_words import judgments_in_words
from analysis.formats.rankings import Findings
from analysis.formats.registry import FORMATS, GENERIC, find_format, formats_in_words
from analysis.formats.report import LeftOut, Mapped, Oddity, ReadReport, SeveralKindsError
from analysis.formats.results import refuse_results
from analysis.formats.system_attributes import describe_systems, is_about_systems
from analysis.formats.unpacking import ANY_FILE, no_other_error, only_file, unpack
from analysis.formats.workbook import is_workbook, to_csv
from analysis.wording import listed

__all__ = [
    "AUTO",
    "FORMATS",
    "Guess",
    "LeftOut",
    "Meaning",
    "Oddity",
    "Profile",
    "ReadReport",
    "SeveralKindsError",
    "UnknownTableError",
    "bytes_of",
    "first_rows",
    "formats_in_words",
    "guess_file",
    "read",
    "read_many",
    "read_path",
    "read_sources",
]

MAPPED, MAPPED_TITLE = "mapped", "a table"
"""What a table is called that a profile explains."""

AUTO: Literal["auto"] = "auto"
"""Asks for a guess of what the columns of an unknown table mean."""

Source = str | Path | tuple[str, Any] | Any
"""A path, an open file, a frame, or a name with bytes, a frame or a list of dictionaries."""

Meaning = Profile | Literal["auto"] | None
"""What the columns of a table mean: a profile, or a guess if it is sure, or a known format only."""


NEW_LAYOUT = "the layout is new"
"""What is said of a table of no known format whose columns could be guessed."""


class UnknownTableError(ReadingError):
    """A table of no known format, with the guess of what its columns mean and its first rows."""

    def __init__(self, known: ReadingError, guess: Guess, rows: Sequence[str]) -> None:
        self.guess = guess
        where = known.where
        if guess.is_complete:
            self.details = (*guess.profile.to_yaml().splitlines(), "", *rows)
        if guess.is_complete:
            doubts = f" ({'; '.join(guess.doubts[:2])})" if guess.doubts else ""
            certain = "certain" if guess.is_sure else "not certain"
            got = f"{NEW_LAYOUT}, and Podium is {certain} what its columns mean{doubts}"
            super().__init__(where, got, self._remedy(guess))
        else:
            super().__init__(where, f"{known.got}; {guess.doubts[0]}", known.remedy)

    def _remedy(self, guess: Guess) -> str:
        if guess.is_sure:
            return f"Accept it with {control('--map auto', 'one click')}, or change its profile."
        return f"Correct its profile and use that ({control('--map PROFILE', 'the form below')})."


def read(
    data: bytes,
    *,
    name: str = "",
    judge_names: bool = False,
    max_bytes: int | None = None,
    mapping: Meaning = None,
) -> tuple[Campaign, ReadReport]:
    """Read one file of judgments.

    ``name`` is the file's name, for messages. ``judge_names`` keeps the judges' names of an
    Appraise file, which are real users; without it they are numbered by first appearance.
    ``max_bytes`` is what the file may grow to when it is unpacked, by default what fits in memory.
    """
    return read_many([(name, data)], judge_names=judge_names, max_bytes=max_bytes, mapping=mapping)


def read_path(
    path: str | Path, *more: str | Path, judge_names: bool = False, **how: Any
) -> tuple[Campaign, ReadReport]:
    """Read a file of judgments from the disk, or several as one campaign; as `read_sources`."""
    paths = [Path(one) for one in (path, *more)]
    return read_sources(paths, judge_names=judge_names, **how)


def bytes_of(path: Path) -> bytes:
    """Return what a file on the disk contains; a stream, which may never end, up to a limit."""
    try:
        if path.is_file():
            return path.read_bytes()
        parts, n_bytes, limit = [], 0, budgets.max_bytes()
        with path.open("rb") as stream:
            while part := stream.read(1 << 20):
                n_bytes += len(part)
                budgets.check_bytes(n_bytes, limit, str(path), "it")
                parts.append(part)
        return b"".join(parts)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be read"
        remedy = f"Name its files: {path}/*." if path.is_dir() else "Check the path."
        raise ReadingError(str(path), reason, remedy) from None


def read_many(
    files: Sequence[tuple[str, bytes]], *, judge_names: bool = False, **how: Any
) -> tuple[Campaign, ReadReport]:
    """Read several files, as (name, bytes), together; as `read_sources`."""
    return read_sources(files, judge_names=judge_names, **how)


def read_sources(
    sources: Sequence[Source],
    *,
    judge_names: bool = False,
    max_bytes: int | None = None,
    mapping: Meaning = None,
    criterion: str | None = None,
    sheet: str = "",
) -> tuple[Campaign, ReadReport]:
    """Read files, frames and lists of dictionaries, and put them together into one campaign.

    A file that cannot be read stops all: no part is presented as the whole. ``mapping`` says what
    the columns of a table mean; of several files it is for those that have all of its columns.
    ``criterion`` chooses one of several, ``sheet`` a workbook's sheet. A source may be a path, an
    open file, a frame, or a name with bytes, a frame or a list of dictionaries.
    """
    limit = budgets.max_bytes() if max_bytes is None else max_bytes
    return _read_all(
        [_named(source, place, limit, sheet) for place, source in enumerate(sources, 1)],
        judge_names=judge_names,
        mapping=mapping,
        criterion=criterion,
    )


def _named(source: Source, place: int, limit: int, sheet: str) -> tuple[str, Callable[[], Content]]:
    """Return a source's name, and what gives its content when its turn comes."""
    if isinstance(source, str | Path):
        path = Path(source)
        return path.name, lambda: _content(bytes_of(path), path.name, limit, sheet)
    name, inside = source if isinstance(source, tuple) else (f"Table {place}", source)
    if hasattr(inside, "read"):
        name = Path(str(getattr(inside, "name", name))).name
        text = inside.read()
        inside = text.encode() if isinstance(text, str) else text
    if isinstance(inside, bytes):
        return name, lambda: _content(inside, name or "This file", limit, sheet)
    table = as_arrow(inside, name)
    return name, lambda: Content.of_frame(table, name, Findings(file=name, place="row"))


def _read_all(
    sources: Sequence[tuple[str, Callable[[], Content]]],
    *,
    judge_names: bool,
    mapping: Meaning,
    criterion: str | None,
) -> tuple[Campaign, ReadReport]:
    """Read files one after the other: of each only its codes stay, so that many parts fit.

    Files of identical content are read once.
    """
    if not sources:
        raise ReadingError("Files", "no file was given", ANY_FILE)
    names = [name for name, _ in sources]
    parts: list[Parts] = []
    tables: list[Content] = []
    mapped: list[Mapped] = []
    of_content: dict[Hashable, list[str]] = {}
    used: list[str] = []
    for name, content_of in sources:
        with no_other_error(name or "This file"):
            content = content_of()
            if len(names) > 1 and is_about_systems(content):
                tables.append(content)
                continue
            found, how = _read_one(content, mapping, alone=len(names) == 1)
            mapped += [how] if how else []
            if len(names) > 1:
                alike = of_content.setdefault(_identity(content, found), [])
                alike.append(content.where)
                if len(alike) > 1:
                    continue
                for part in found.values():
                    part.findings.let_go_of_text()
            parts.append({name: part.narrowed() for name, part in found.items()})
            used.append(name)
        del content, found
        # What threads let go of is given back by the next call only.
        pa.default_memory_pool().release_unused()
    if isinstance(mapping, Profile) and not mapped:
        raise ReadingError(
            ", ".join(names),
            f"none of the files has the profile's columns {', '.join(mapping.used[:8])}",
            "Give the profile that was made for them, or leave it out.",
        )
    if not parts:
        raise ReadingError(
            ", ".join(table.where for table in tables),
            "tables about systems contain no judgments",
            "Give the file of judgments as well.",
        )
    copies = tuple(
        Oddity("identical-files", f"{_alike_words(alike)} used once.")
        for alike in of_content.values()
        if len(alike) > 1
    )
    with no_other_error(", ".join(filter(None, used)) or "This file"):
        try:
            campaign, report = with_criteria(
                parts,
                lambda own: assemble_campaign(
                    own, used, judge_names=judge_names, title=without_endings(used[0])
                ),
                criterion,
            )
        except SeveralKindsError as error:
            error.question = " ".join([*(copy.sentence for copy in copies), error.question])
            raise
        for table in tables:
            campaign, report = describe_systems(campaign, report, table)
        report = replace(report, oddities=(*copies, *report.oddities))
        return campaign, replace(report, mapped=mapped[0] if mapped else None)


def first_rows(data: bytes, name: str) -> Preview:
    """Return the first rows of a table of any columns; raise for what is no table of judgments."""
    with no_other_error(name):
        return preview(_unknown(data, name))


def guess_file(data: bytes, name: str) -> tuple[Preview, Guess]:
    """Return the first rows of a table, where its records are, and what its columns may mean."""
    with no_other_error(name):
        return guess_content(_unknown(data, name))


def _unknown(data: bytes, name: str) -> Content:
    content = _content(data, name, budgets.max_bytes())
    refuse_results(content)
    if FORMATS["appraise-scores"].sniff(content):
        raise ReadingError(name, "its columns are known but have no names", "Make a new export.")
    return content


def _content(data: bytes, where: str, max_bytes: int, sheet: str = "") -> Content:
    findings = Findings(file=where, n_bytes=len(data))
    data = unpack(data, where, max_bytes, archives=True)
    found = only_file(data, where, max_bytes)
    if found is not None:
        is_tree = FORMATS["mt-metrics-eval"].sniff(Content(data, where, findings, max_bytes))
        data = data if is_tree else unpack(found, where, max_bytes, archives=True)
    if is_workbook(data):
        data = to_csv(data, where, max_bytes, findings, sheet)
        return Content(data, where, findings, max_bytes, is_well_quoted=True)
    return Content(data, where, findings, max_bytes)


def _read_one(content: Content, mapping: Meaning, *, alone: bool) -> tuple[Parts, Mapped | None]:
    """Read a file by its profile, as its format says, or by a guess that is asked for and sure."""
    if isinstance(mapping, Profile) and (alone or _is_mapped(content, mapping)):
        profile = mapping
        if not profile.records:
            profile.check(preview(content).columns, content.place)
        return _mapped(apply(content, profile), Guess(profile, 1.0))
    try:
        format = find_format(content)
        read = format.read(content)
        parts = read if isinstance(read, dict) else {"": read}
        usable = any(len(part.pair) for part in parts.values())
        if mapping != AUTO or (usable and not _knows_more(content, format, parts)):
            return _called(parts, format.name, format.title), None
    except ReadingError as error:
        if not error.is_unknown and mapping != AUTO:
            raise
        known = error
    else:
        known = ReadingError(content.where, "none of its rows can be used", "Make a new export.")
    try:
        first, guess = guess_content(content)
    except ReadingError as error:
        raise (error if isinstance(error, BrokenError) else known) from None
    content.findings.begin_again()
    if mapping == AUTO and guess.is_sure and (parts := _tried(content, guess)):
        return _mapped(parts, guess)
    if not known.is_unknown:
        raise known
    raise UnknownTableError(known, guess, judgments_in_words(_tried(content, guess, first), 3))


def _knows_more(content: Content, format: Format, parts: Parts) -> bool:
    """Return whether a sure guess finds items or judges where a plain format found none."""
    kinds = {oddity.kind for part in parts.values() for oddity in part.findings.oddities}
    bare = [role for role, kind in (("judge", "no-judges"), ("segment", "no-questions"))
            if kind in kinds]  # fmt: skip
    if format.name not in GENERIC or not bare:
        return False
    try:
        _, guess = guess_content(content)
    except ReadingError:
        return False
    finds = any(getattr(guess.profile, role) for role in bare)
    return guess.is_sure and finds and bool(guess.profile.winner)


def _alike_words(names: Sequence[str]) -> str:
    """Say that files are identical, or that one was given several times, and …

    >>> _alike_words(["a.csv", "b.csv"]), _alike_words(["a.csv", "a.csv"])
    ('a.csv and b.csv are identical and are', 'a.csv was given twice and is')
    """
    different = list(dict.fromkeys(names))
    if len(different) > 1:
        return f"{listed(different)} are identical and are"
    times = "twice" if len(names) == 2 else f"{len(names)} times"
    return f"{names[0]} was given {times} and is"


def _identity(content: Content, parts: Parts) -> Hashable:
    """Return what identical files share: their bytes, and what their names add to these.

    A frame shares nothing with another one.
    """
    if content.frame is not None:
        return object()
    columns = [c for part in parts.values() for c in (part.pair, part.judge, part.segment)]
    return (sha256(content.data).digest(), *(hash(tuple(column.names)) for column in columns))


def _tried(content: Content, guess: Guess, first: Preview | None = None) -> Parts:
    """Return what a table, or its first rows alone, contain by a guess; nothing if that fails."""
    if not guess.is_complete:
        return {}
    try:
        if first is None:
            return apply(content, guess.profile)
        return apply_to(first.table(), guess.profile, content.place)
    except ReadingError:
        return {}


def _mapped(parts: Parts, guess: Guess) -> tuple[Parts, Mapped]:
    parts = _called(parts, MAPPED, MAPPED_TITLE)
    rows = judgments_in_words(parts, 3)
    return parts, Mapped(guess.profile.to_yaml(), guess.confidence, (*rows, *guess.doubts))


def _called(parts: Parts, name: str, title: str) -> Parts:
    return {own: replace(part, format=name, format_name=title) for own, part in parts.items()}


def _is_mapped(content: Content, mapping: Profile) -> bool:
    try:
        return fits(mapping, preview(content).columns)
    except ReadingError:
        return False
