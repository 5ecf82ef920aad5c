"""Appraise's CSV exports of scores: no header, 7 to 12 columns, a row a scored item.

Direct assessment (with or without times), document-level assessment, ESA and MQM with error
spans, and assessment of two outputs side by side. Only items of the type TGT count for systems:
BAD items are outputs made worse on purpose, CHK items repeat others, REF items show a reference;
they tell how judges work.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from analysis.campaign import (
    MQM,
    Checks,
    ErrorSpans,
    FloatArray,
    IntArray,
    MqmWeights,
    Scale,
    distinct,
    smallest,
)
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.delimited import Table, plain_texts, read_rows
from analysis.formats.format import Format
from analysis.formats.header import Header
from analysis.formats.rankings import (
    Codes,
    Column,
    Findings,
    combine,
    joint,
    number,
    numbers_of,
    pair_name,
)
from analysis.formats.report import counted
from analysis.formats.scored import Scored
from analysis.formats.spans import read_lists, spread
from analysis.formats.usable import any_twice

TYPES = ("TGT", "BAD", "REF", "CHK")
LONGEST_PAUSE = 600.0
"""Seconds without a score above which a judge has done something else."""

_BASE = ("user", "system", "item", "type", "source", "target", "score")
_SPAN_WORDS = ("[", "{")
_GENERATED = re.compile(r"([a-z]{6}[0-9a-f]{2,4}(\n|$))*")
_TUTORIAL = re.compile(r"(?:.*[-_.])?tutorial\d*", re.IGNORECASE)
_DOMAIN = re.compile(r"test-[a-z]{2,3}-([a-z]+)_")
_MARK = re.compile(r"(bad|dup|duplicate|incomplete)\d*")
_SYSTEM_NAMES = (
    re.compile(r"wmt\d\d\.(?P<name>.+)"),
    re.compile(r"\w+20\d\d\.[a-z]{2,3}-[a-z]{2,3}\.hyp\.(?P<name>.+)\.[a-z]{2,3}\.txt"),
    re.compile(r"\w+20\d\d\.[a-z]{2,3}-[a-z]{2,3}\.(?P<ref>ref)\.(?P<name>.+)\.[a-z]{2,3}\.txt"),
)

_ESA = Scale("ESA score", 0, 100)
_DIRECT = Scale("direct assessment", 0, 100)


def columns_of(first: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what the columns of an export are, from its first row; None for anything else.

    >>> row = ("u", "A", "7", "TGT", "eng", "deu", "68")
    >>> columns_of((*row, "1.5", "2.5"))[7:], columns_of((*row, "news.1", "False", "[]"))[7:]
    (('start', 'end'), ('document', 'complete', 'spans'))
    """
    n = len(first)
    if not 7 <= n <= 13 or first[3].strip() not in TYPES or np.isnan(number(first[6])):
        return None
    rest = [field.strip() for field in first[7:]]
    names = list(_BASE)
    times: list[str] = []
    if len(rest) >= 2 and not any(np.isnan(number(field)) for field in rest[-2:]):
        rest, times = rest[:-2], ["start", "end"]
    if len(rest) >= 2 and rest[1] in ("True", "False"):
        names += ["document", "complete"]
        rest = rest[2:]
    if rest and (rest[0][:1] in _SPAN_WORDS or (rest[0] == "None" and len(rest) == 1)):
        names.append("spans")
        rest = rest[1:]
    # What is left are remarks on errors, which some tasks of two outputs ask for.
    names += [f"remark{k}" for k in range(len(rest))]
    return (*names, *times) if len(rest) <= 2 else None


def is_data_assessment(first: tuple[str, ...]) -> bool:
    """Return whether a row judges texts of a corpus, not outputs of systems."""
    return len(first) in (7, 8, 9) and first[5].strip() in TYPES and "::" in first[3]


def is_export(content: Content) -> bool:
    """Return whether the first line is a row of an export."""
    if content.header is None:
        return False
    names = content.header.names
    return columns_of(names) is not None or is_data_assessment(names)


def _no_scores(where: str) -> ReadingError:
    return ReadingError(
        where,
        "this is Appraise's data assessment, which judges the texts of a corpus; it contains "
        "no scores of systems",
        "Export a campaign in which systems were scored.",
    )


def read(content: Content) -> Scored:
    """Read the rows; those that count for no system are left out with the reason, or are checks."""
    header, findings = content.header, content.findings
    assert header is not None
    names = columns_of(header.names)
    if names is None:
        raise _no_scores(content.where)
    plain = [name for name in ("start", "end", "spans") if name in names]
    own = Header(names, header.separator, header.line, header.quoted, is_row=True)
    table = read_rows(
        content.text,
        own,
        [*_BASE, "document"],
        content.where,
        findings,
        plain=plain,
    )
    systems = _systems(table["system"], findings)
    budgets.check_systems(len(systems.names), content.where, "the second column")
    rows = _Rows.of(table, systems)
    shown = _Documents.of(table, systems)
    segment = _segments(rows, shown, table, findings)
    counts = _leave_out(findings, table, rows, shown)
    key = joint(rows.judge.codes, rows.pair.codes, rows.system, segment.codes)
    last = _last_of_each(rows, key, shown)
    _leave_out_earlier(findings, counts & ~last, table)
    kept: IntArray = np.flatnonzero(counts & last)
    spans, unreadable = _spans(table, findings)
    value, scale, kept = _values(rows, table, spans, unreadable, kept, findings)
    answered = (rows.value >= 0) & (rows.value <= 100)
    checks = _checks(rows, key, last, shown, np.where(answered, value, np.nan))
    return Scored(
        n_rows=table.n_rows,
        scale=scale,
        pair=rows.pair.take(kept),
        system=systems.take(kept),
        segment=segment.take(kept),
        judge=table["user"].take(kept),
        value=value[kept],
        row=kept,
        findings=findings,
        screen=_screens(rows, kept),
        document=None if shown.document is None else shown.document.take(kept),
        domain=_domains(shown, kept),
        seconds=None if rows.seconds is None else rows.seconds[kept],
        errors=None if spans is None else spread(spans, table.n_rows, kept),
        checks=checks if len(checks) else None,
        users=_users(table["user"]),
    )


@dataclass(frozen=True)
class _Rows:
    """What is known of every row: its pair, score, type and times."""

    pair: Column
    system: Codes
    judge: Column
    item: Codes
    kind: Codes
    value: FloatArray
    start: FloatArray | None
    end: FloatArray | None

    @classmethod
    def of(cls, table: Table, systems: Column) -> _Rows:
        known = {name: k for k, name in enumerate(TYPES)}
        times = {
            name: numbers_of(table.plain[name]) for name in ("start", "end") if name in table.plain
        }
        return cls(
            pair=combine([table["source"], table["target"]], pair_name),
            system=systems.codes,
            judge=table["user"],
            item=table["item"].codes,
            kind=table["type"].map(lambda text: known.get(text.strip().upper(), -1)),
            value=table["score"].numbers(),
            start=times.get("start"),
            end=times.get("end"),
        )

    @property
    def seconds(self) -> FloatArray | None:
        """How long each score took, nan where the times say nothing.

        A row tells the first and the last action on an output, which may be one and the same. So
        a score takes from the end of the judge's last one before, unless a pause lies between.
        """
        if self.start is None or self.end is None:
            return None
        acting = self.end - self.start
        order = np.arange(len(acting))
        if (self.end[1:] < self.end[:-1]).any():
            order = np.argsort(self.end, kind="stable")
        order = order[np.argsort(smallest(self.judge.codes)[order], kind="stable")]
        same = self.judge.codes[order][1:] == self.judge.codes[order][:-1]
        since = np.full(len(order), np.nan)
        since[order[1:]] = np.where(same, np.diff(self.end[order]), np.nan)
        seconds = np.where(since <= LONGEST_PAUSE, np.fmax(since, acting), acting)
        return np.where(seconds >= 0, seconds, np.nan)


@dataclass(frozen=True)
class _Documents:
    """The documents without the marks at the end of their names, and whether a mark says dup."""

    document: Column | None
    is_repeat: np.ndarray
    part: Codes
    """The document as the file names it: a copy or a degraded one is another part."""

    @classmethod
    def of(cls, table: Table, systems: Column) -> _Documents:
        if "document" not in table:
            return cls(
                None, np.zeros(table.n_rows, dtype=bool), np.zeros(table.n_rows, dtype=np.int64)
            )
        column = table["document"]
        own = {*systems.names, *table["system"].names}
        is_mark = cache(lambda part: part in own or _MARK.fullmatch(part) is not None)
        plain = [_without_marks(name, is_mark) for name in column.names]
        codes, unique = pd.factorize(np.array([name for name, _ in plain], dtype=object))
        repeat = np.array([repeat for _, repeat in plain], dtype=bool)
        document = Column(codes.astype(np.int32)[column.codes], unique.tolist())
        return cls(document, repeat[column.codes], column.codes)


def _without_marks(name: str, is_mark: Callable[[str], bool]) -> tuple[str, bool]:
    """Return a document's own name, and whether it was marked as a copy.

    >>> marks = {"ONLINE-A", "bad2", "dup"}.__contains__
    >>> _without_marks("latimes.160885#ONLINE-A#bad2", marks), _without_marks("a#dup", marks)
    (('latimes.160885', False), ('a', True))
    """
    repeat = False
    before, sign, last = name.rpartition("#")
    while sign and is_mark(last):
        name, repeat = before, repeat or last.startswith("dup")
        before, sign, last = name.rpartition("#")
    return name, repeat


def _systems(column: Column, findings: Findings) -> Column:
    """Return the systems without the campaign's name before them, where they stay apart."""
    short = [_plain_name(name) for name in column.names]
    changed = [old for old, new in zip(column.names, short, strict=True) if old != new]
    if not changed:
        return column
    findings.note(
        "system-names",
        f"{counted(len(changed), 'name', verb='')} of systems "
        f"{'is' if len(changed) == 1 else 'are'} read without the prefix or suffix of the "
        f"test set; the first: {changed[0][:60]} is {_plain_name(changed[0])[:60]}.",
        len(changed),
    )
    codes, unique = pd.factorize(np.array(short, dtype=object))
    return Column(codes.astype(np.int32)[column.codes], unique.tolist())


def _plain_name(name: str) -> str:
    """Return a system's own name.

    >>> _plain_name("wmt23.ONLINE-M"), _plain_name("generaltest2022.en-liv.ref.A.liv.txt")
    ('ONLINE-M', 'refA')
    """
    for pattern in _SYSTEM_NAMES:
        found = pattern.fullmatch(name)
        if found:
            return f"{found.groupdict().get('ref', '')}{found['name']}"
    return name


def _segments(rows: _Rows, shown: _Documents, table: Table, findings: Findings) -> Column:
    """Return what each row's output translates.

    An item's number is the segment's, unless one number stands in several documents. Then it
    counts the items of a document, or those of a judge's whole task; of the latter the places in
    the document are taken.
    """
    items = Column(rows.item, table["item"].names)
    if shown.document is None or not table.n_rows:
        return items
    document = shown.document
    shown_in = joint(rows.pair.codes, document.codes)
    item = joint(rows.pair.codes, rows.item)
    counts = ~_is_tutorial(rows, table)
    item, shown_by = pd.factorize(item[counts])[0], shown_in[counts]
    of_item = np.zeros(len(item), dtype=shown_in.dtype)
    of_item[item] = shown_by
    if (of_item[item] == shown_by).all():
        return items
    numbers = table["item"].numbers()
    place: IntArray = np.where(np.abs(numbers) < 2**53, numbers, rows.item).astype(np.int64)
    part = joint(rows.judge.codes, rows.pair.codes, rows.system, shown.part)
    if not _counts_within_documents(shown_in, part, place):
        place = _places(shown_in, part, place, rows, shown, findings)
    where = Column.constant("", 0)
    codes, unique = pd.factorize(place)
    where = Column(codes.astype(np.int32), [str(k) for k in unique])
    return combine([document, where], lambda name, k: f"{name}:{k}")


def _counts_within_documents(document: IntArray, part: IntArray, place: IntArray) -> bool:
    """Return whether all parts of a document share their items' numbers."""
    document = pd.factorize(document)[0]
    in_part = pd.factorize(joint(document, part))[0]
    of_part = np.zeros(int(in_part.max(initial=-1)) + 1, dtype=np.int64)
    of_part[in_part] = document
    longest = np.zeros(int(document.max(initial=-1)) + 1, dtype=np.int64)
    np.maximum.at(longest, of_part, _n_different(in_part, place))
    return bool((_n_different(document, place) == longest).all())


def _n_different(labels: IntArray, values: IntArray) -> IntArray:
    """Return for each label, by first appearance, how many different values stand beside it."""
    label, names = pd.factorize(labels)
    value, different = pd.factorize(values)
    n = max(len(different), 1)
    return np.bincount(distinct(label * n + value) // n, minlength=len(names))


def _places(
    document: IntArray,
    part: IntArray,
    place: IntArray,
    rows: _Rows,
    shown: _Documents,
    findings: Findings,
) -> IntArray:
    """Return places in documents, from 1, of items that are numbered through a judge's task.

    A document that is cut at the end of one judge's task goes on in the next one's.
    """
    rank = (
        pd.DataFrame({"part": part, "place": place})
        .groupby("part")["place"].rank("dense").to_numpy().astype(np.int64)
    )  # fmt: skip
    frame = pd.DataFrame(
        {
            "document": document,
            "part": part,
            "system": rows.system,
            "judge": rows.judge.codes,
            "plain": _is_plain(rows, shown),
            "rank": rank,
        }
    )
    parts = frame.groupby("part").agg(
        document=("document", "first"), system=("system", "first"), judge=("judge", "first"),
        plain=("plain", "first"), size=("rank", "max"),
    )  # fmt: skip
    parts["full"] = parts.groupby("document")["size"].transform("max")
    is_cut = parts["size"] < parts["full"]
    by_name = np.argsort(np.argsort(np.array(rows.judge.names, dtype=object), kind="stable"))
    cut = parts[is_cut & parts["plain"]]
    cut = cut.assign(name=by_name[cut["judge"]]).sort_values(["document", "system", "name"])
    pieces = cut.groupby(["document", "system"])["size"]
    is_whole = pieces.transform("sum") == cut["full"]
    known = cut.assign(start=pieces.cumsum() - cut["size"])[is_whole]
    who = zip(known["document"], known["system"], known["judge"], strict=True)
    before: dict[tuple[int, int, int], int] = dict(zip(who, known["start"].tolist(), strict=True))
    unknown = int((~is_whole).sum())
    if unknown:
        findings.note(
            "cut-documents",
            f"{counted(unknown, 'document')} not scored to the end by a judge, and the file "
            "does not name the scored part; Podium assumes that it is the first segments.",
            unknown,
        )
    keys = zip(parts["document"], parts["system"], parts["judge"], strict=True)
    offset = pd.Series([before.get(key, 0) for key in keys], index=parts.index)
    offset = offset.where(is_cut, 0)
    return rank + offset.reindex(part).to_numpy()


def _is_plain(rows: _Rows, shown: _Documents) -> np.ndarray:
    return (rows.kind == TYPES.index("TGT")) & ~shown.is_repeat


def _is_tutorial(rows: _Rows, table: Table) -> np.ndarray:
    return table["system"].map(lambda name: _TUTORIAL.fullmatch(name) is not None) == 1


def _leave_out(findings: Findings, table: Table, rows: _Rows, shown: _Documents) -> np.ndarray:
    """Report what counts for no system; return what is left."""
    system, score = table["system"], table["score"]
    kinds = table["type"]
    bad = np.ones(table.n_rows, dtype=bool)

    def leave(reason: str, which: np.ndarray, column: Column, what: str) -> None:
        nonlocal bad
        findings.leave_out(
            reason,
            np.flatnonzero(which & bad),
            lambda row: f"{what} {column.names[column.codes[row]]!r}",
        )
        bad &= ~which

    leave("a tutorial", _is_tutorial(rows, table), system, "system")
    leave("a system without a name", system.map(lambda s: s == "") == 1, system, "system")
    leave("an item type that is not TGT, BAD, REF or CHK", rows.kind < 0, kinds, "type")
    leave("a score of -1, which means no answer", rows.value == -1, score, "score")
    outside = ~((rows.value >= 0) & (rows.value <= 100))
    leave("a score that is not a number from 0 to 100", outside, score, "score")
    for name, what in (
        ("BAD", "an output that was made worse on purpose (BAD) to check the judge"),
        ("REF", "a reference that checks the judge (REF)"),
        ("CHK", "a repeated item, which checks the judge (CHK)"),
    ):
        leave(what, rows.kind == TYPES.index(name), system, "system")
    if shown.document is not None:
        why = "a repeated document (#dup), which checks the judge"
        leave(why, shown.is_repeat, table["document"], "document")
    return bad


def _last_of_each(rows: _Rows, item: IntArray, shown: _Documents) -> np.ndarray:
    """Return which rows are the last of a judge for one item of one kind."""
    key = joint(item, rows.kind + 1, shown.is_repeat.astype(np.int64))
    last = np.ones(len(key), dtype=bool)
    several = np.zeros(0, dtype=np.int64)
    if any_twice(key):
        several = np.flatnonzero(pd.Series(key).duplicated(keep=False))
    if len(several):
        value = rows.value[several]
        answered = (value >= 0) & (value <= 100)
        time = np.zeros(len(several)) if rows.end is None else rows.end[several]
        order = several[np.lexsort((several, np.nan_to_num(time, nan=-1.0), answered))]
        last[order] = ~pd.Series(key[order]).duplicated(keep="last").to_numpy()
    return last


def _leave_out_earlier(findings: Findings, earlier: np.ndarray, table: Table) -> None:
    user = table["user"]
    findings.leave_out(
        "a later score of the same judge for the same item; the last one counts",
        np.flatnonzero(earlier),
        lambda row: f"judge {user.names[user.codes[row]]!r}",
    )


def _spans(table: Table, findings: Findings) -> tuple[ErrorSpans | None, IntArray]:
    """Return the errors of each row, and the rows whose errors cannot be read."""
    if "spans" not in table.plain:
        return None, np.zeros(0, np.int64)
    return read_lists(plain_texts(table.plain["spans"], findings))


def _values(
    rows: _Rows,
    table: Table,
    spans: ErrorSpans | None,
    unreadable: IntArray,
    kept: IntArray,
    findings: Findings,
) -> tuple[FloatArray, Scale, IntArray]:
    """Return scores and scale; in MQM the errors are the score and all else is 0."""
    if spans is None:
        return rows.value, _DIRECT, kept
    broken = np.isin(kept, unreadable)
    is_mqm = len(spans.scored) > 0 and len(kept) > 0 and not rows.value[kept].any()
    if not is_mqm:
        if broken.any():
            findings.note(
                "unreadable-errors",
                f"The errors of {counted(int(broken.sum()), 'score', verb='')} could not be "
                "read; the scores are used without them.",
                int(broken.sum()),
                kept[broken],
            )
        return rows.value, _ESA, kept
    findings.leave_out("errors that cannot be read", kept[broken], lambda row: "the list of errors")
    findings.note(
        "scores-of-errors",
        "All scores in the file are 0, so the marked errors are the judgment.",
    )
    return MqmWeights().scores(spans, table.n_rows), MQM, kept[~broken]


def _checks(
    rows: _Rows, key: IntArray, last: np.ndarray, shown: _Documents, value: FloatArray
) -> Checks:
    """Return degraded and repeated outputs beside the same judge's score of the original."""
    usable = last & ~np.isnan(value)
    repeated = (rows.kind == TYPES.index("CHK")) | (
        shown.is_repeat & (rows.kind == TYPES.index("TGT"))
    )
    found = np.flatnonzero(usable & (repeated | (rows.kind == TYPES.index("BAD"))))
    originals = np.flatnonzero(usable & _is_plain(rows, shown)) if len(found) else found
    place = pd.Index(key[originals]).get_indexer(pd.Index(key[found]))
    found, place = found[place >= 0], place[place >= 0]
    return Checks(
        pairs=tuple(rows.pair.names),
        judges=tuple(rows.judge.names),
        pair=rows.pair.codes[found],
        judge=rows.judge.codes[found],
        kind=repeated[found].astype(np.int8),
        value=value[found],
        original=value[originals[place]],
    )


def _screens(rows: _Rows, kept: IntArray) -> Codes | None:
    """Return what was shown together, where most scores share their times with another one.

    Tasks with two outputs on a screen give both scores the screen's times.
    """
    if rows.start is None or rows.end is None or not len(kept):
        return None
    # Outputs of one screen are written one after the other.
    if 4 * int((np.diff(rows.start[kept]) == 0).sum()) < len(kept):
        return None
    times = joint(*(pd.factorize(column)[0] for column in (rows.start, rows.end)))
    screen = joint(rows.judge.codes, rows.pair.codes, rows.item, times)[kept]
    n_systems = pd.DataFrame({"screen": screen, "system": rows.system[kept]}).groupby("screen")
    together = n_systems["system"].nunique().reindex(screen).to_numpy() > 1
    return screen if 2 * int(together.sum()) >= len(kept) else None


def _domains(shown: _Documents, kept: IntArray) -> Column | None:
    """Return the domains that WMT's documents carry in their names (test-en-news_…)."""
    if shown.document is None:
        return None
    names = shown.document.names
    codes, used = pd.factorize(shown.document.codes[kept])
    found = [_DOMAIN.match(names[k]) for k in used.tolist()]
    words = [match[1] for match in found if match]
    if not words or len(words) < len(found):
        return None
    of_document, domains = pd.factorize(np.array(words, dtype=object))
    return Column(of_document.astype(np.int32)[codes], domains.tolist())


def _users(column: Column) -> tuple[str, ...] | None:
    """Return the users' names unless all are accounts that Appraise made up (engdeu6905)."""
    if _GENERATED.fullmatch("\n".join(column.names)):
        return None
    return tuple(column.names[code] for code in pd.unique(column.codes).tolist())


FORMAT = Format(
    name="appraise-scores",
    title="Appraise scores CSV",
    columns=(
        "no header; user, system, item, TGT, BAD, REF or CHK, two languages, score (then document, "
        "error spans and times)"
    ),
    sniff=is_export,
    read=read,
)
