"""A test set of mt-metrics-eval as one archive: human scores, documents and domains.

``human-scores/PAIR.KIND.seg.rating`` holds a rating a line (system, rating, now and then the
rater), as a number or as a list of errors, ``PAIR.KIND.seg.score`` a segment's mean and
``PAIR.KIND.sys.score`` a system's; the lines of each system stand in the order of the segments.
``documents/PAIR.docs`` tells each segment's domain and document. A campaign has one kind of
score: of several kinds the one with ratings is read, and the report names the others.
"""

from __future__ import annotations

import array
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from analysis.campaign import (
    MQM,
    UNNAMED_JUDGE,
    ErrorSpans,
    FloatArray,
    IntArray,
    MqmWeights,
    Scale,
)
from analysis.errors import ReadingError
from analysis.formats import budgets, unpacking
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.rankings import Codes, Column, Findings, cleaned, number
from analysis.formats.report import MAX_PLACES, counted
from analysis.formats.scored import Scored
from analysis.formats.spans import SpanList, spread
from analysis.formats.unpacking import to_utf8
from analysis.formats.wmt_direct import WHOLE_SYSTEM

_SCORES = re.compile(
    r"(?:.*/)?human-scores/(?P<pair>[^/.]+)\.(?P<kind>[^/.]+)(?P<rating>(?:\.[^/]+)?)"
    r"\.(?P<level>seg\.rating|seg\.score|sys\.score)"
)
_DOCUMENTS = re.compile(r"(?:.*/)?documents/(?P<pair>[^/.]+)\.docs")
_LEVELS = ("seg.rating", "seg.score", "sys.score")
_BEFORE = ("mqm", "esa", "da-sqm", "wmt-appraise", "wmt-raw", "wmt")
"""Which kind is read first where several have ratings, or none has."""

_SCALES = {
    "mqm": MQM,
    "esa": Scale("ESA score", 0, 100),
    "da-sqm": Scale("DA+SQM score", 0, 100),
    "wmt-raw": Scale("direct assessment", 0, 100),
}
MERGED = "merged"
"""Names the ratings of several raters in one file."""


@dataclass(frozen=True)
class _Source:
    """One file of human scores: what it is about, and its text."""

    pair: str
    kind: str
    rating: str
    level: str
    text: str


def is_tree(content: Content) -> bool:
    """Return whether an archive holds human scores."""
    if content.kind != "archive":
        return False
    return any(_SCORES.fullmatch(name) for name in unpacking.names(content.data))


def read(content: Content) -> Scored:
    """Read the ratings of one kind, all language pairs."""
    findings = content.findings
    findings.unit = "rating"
    sources, documents = _sources(content)
    chosen, kind = _choose(sources, findings)
    beside = [source for source in sources if source.kind != kind or source.level == "seg.score"]
    del sources
    lines = _Lines.of(chosen, content.where)
    del chosen
    known = ~np.isnan(lines.value)
    kept = np.flatnonzero(known)
    findings.place_of = lambda rows: lines.number[rows] if len(rows) else rows
    findings.leave_out(
        "a segment that was not judged",
        np.flatnonzero(~known),
        lambda row: (
            f"{lines.system.names[lines.system.codes[row]]}: {lines.unread.get(row, '')[:40]!r}"
        ),
    )
    _compare_with_means(lines, kept, [s for s in beside if s.kind == kind], findings)
    document, domain = _documents(lines, kept, documents)
    return Scored(
        n_rows=len(lines.value),
        scale=MQM if lines.errors is not None else _SCALES.get(kind, Scale(kind)),
        pair=lines.pair.take(kept),
        system=lines.system.take(kept),
        segment=Column(lines.segment[kept], lines.segments),
        judge=lines.judge.take(kept),
        value=lines.value[kept],
        row=kept,
        findings=findings,
        document=document,
        domain=domain,
        errors=None if lines.errors is None else spread(lines.errors, len(lines.value), kept),
        standardized=_standardized(lines, kept, beside, kind),
        users=None,
    )


def _sources(content: Content) -> tuple[list[_Source], dict[str, list[str]]]:
    """Return the human scores, in order of their names, and the lines of documents by pair."""
    wanted = (*(f".{level}" for level in _LEVELS), ".docs")
    files = unpacking.contents(content.data, content.where, wanted, content.max_bytes)
    sources: list[_Source] = []
    documents: dict[str, list[str]] = {}
    for path in sorted(files):
        scores, docs = _SCORES.fullmatch(path), _DOCUMENTS.fullmatch(path)
        if scores is None and docs is None:
            continue
        place = f"{content.where}, {path}"
        text = to_utf8(files[path], place, content.findings).decode()
        if docs is not None:
            documents[docs["pair"]] = text.split("\n")
        elif scores is not None:
            parts = scores.groupdict()
            parts["rating"] = parts["rating"].removeprefix(".")
            sources.append(_Source(**parts, text=text))
    return sources, documents


def _choose(sources: Sequence[_Source], findings: Findings) -> tuple[list[_Source], str]:
    """Return the files that count, all of one kind, the finest there are for each pair."""
    kinds = list(dict.fromkeys(source.kind for source in sources))

    def order(kind: str) -> tuple[int, int]:
        level = min(_LEVELS.index(s.level) for s in sources if s.kind == kind)
        return level, _BEFORE.index(kind) if kind in _BEFORE else len(_BEFORE)

    kind, *others = sorted(kinds, key=order)
    if others:
        findings.note(
            "other-scores",
            f"The archive also contains {', '.join(others)}; {kind} was read. To read another "
            f"kind, pack the tree without the files {kind} in human-scores.",
            len(others),
        )
    chosen = []
    own = [source for source in sources if source.kind == kind]
    for pair in dict.fromkeys(source.pair for source in own):
        of_pair = [source for source in own if source.pair == pair]
        level = min(_LEVELS.index(source.level) for source in of_pair)
        finest = [source for source in of_pair if source.level == _LEVELS[level]]
        single = [source for source in finest if source.rating != MERGED]
        chosen += single or finest
    return chosen, kind


@dataclass(frozen=True)
class _Lines:
    """The lines of all files that count: a value each, nan where there is none, and its errors.

    ``segment`` is a segment's number from 1, 0 for a whole system. ``unread`` are the first ratings
    that are neither numbers nor errors.
    """

    pair: Column
    system: Column
    segment: Codes
    judge: Column
    number: Codes
    value: FloatArray
    errors: ErrorSpans | None
    unread: Mapping[int, str]

    @classmethod
    def of(cls, sources: Sequence[_Source], where: str) -> _Lines:
        several = len({source.rating for source in sources}) > 1
        sizes = []
        system, judge, segment, place = (array.array("i") for _ in range(4))
        systems: dict[str, int] = {}
        judges: dict[str, int] = {}
        value = array.array("d")
        spans, has_lists = SpanList(), False
        unread: dict[int, str] = {}
        for source in sources:
            judge_of_file = source.rating if several and source.rating else UNNAMED_JUDGE
            before = len(value)
            for n, name, own, rating, rater in _split(source):
                score, errors = _read(rating)
                if errors is not None:
                    has_lists = True
                    spans.add_all(len(value), errors)
                elif score != score and len(unread) < MAX_PLACES:
                    unread[len(value)] = rating
                system.append(systems.setdefault(name, len(systems)))
                judge.append(judges.setdefault(rater or judge_of_file, len(judges)))
                segment.append(own)
                place.append(n)
                value.append(score)
            sizes.append(len(value) - before)
        budgets.check_rows(len(value), where)
        if not value:
            raise ReadingError(
                where, "its human scores are empty", ("Make a new download or archive.")
            )
        budgets.check_systems(len(systems), where, "human-scores")
        pairs = list(dict.fromkeys(source.pair for source in sources))
        codes = np.array([pairs.index(source.pair) for source in sources], dtype=np.int16)
        found = spans.spans() if has_lists else None
        numbers = np.frombuffer(value, dtype=np.float64)
        if found is not None:
            numbers = numbers + MqmWeights().scores(found, len(numbers))
        return cls(
            pair=Column(np.repeat(codes, sizes), pairs),
            system=Column(np.frombuffer(system, dtype=np.int32), list(systems)),
            segment=np.frombuffer(segment, dtype=np.int32),
            judge=Column(np.frombuffer(judge, dtype=np.int32), list(judges)),
            number=np.frombuffer(place, dtype=np.int32),
            value=numbers,
            errors=found,
            unread=unread,
        )

    @property
    def segments(self) -> list[str]:
        """The names of all segments by their numbers."""
        return [WHOLE_SYSTEM, *map(str, range(1, int(self.segment.max(initial=0)) + 1))]

    def keys(self, rows: IntArray) -> IntArray:
        """Return a number for each row that is equal where pair, system and segment are."""
        at = self.pair.codes[rows].astype(np.int64) * len(self.system.names)
        return (at + self.system.codes[rows]) * (1 << 32) + self.segment[rows]

    def scores_of(self, sources: Sequence[_Source]) -> tuple[IntArray, FloatArray]:
        """Return the scores of other files by such numbers, in their order."""
        pairs = {name: k for k, name in enumerate(self.pair.names)}
        systems = {name: k for k, name in enumerate(self.system.names)}
        keys, values = array.array("q"), array.array("d")
        for source in sources:
            if source.pair not in pairs:
                continue
            for _, name, segment, score, _ in _split(source):
                if name in systems:
                    at = pairs[source.pair] * len(systems) + systems[name]
                    keys.append(at * (1 << 32) + segment)
                    values.append(number(score))
        key = np.frombuffer(keys, dtype=np.int64)
        order = np.argsort(key, kind="stable")
        return key[order], np.frombuffer(values, dtype=np.float64)[order]


def _read(rating: str) -> tuple[float, list[object] | None]:
    """Return a rating as a number, or as 0 and a list of errors."""
    if not rating.startswith("{"):
        return number(rating), None
    errors = _errors(rating)
    return (float("nan"), None) if errors is None else (0.0, errors)


def _split(source: _Source) -> Iterator[tuple[int, str, int, str, str]]:
    """Return each line: its number, system, segment (0 for all of them), rating and rater."""
    so_far: dict[str, int] = {}
    for n, line in enumerate(_lines_of(source.text), 1):
        fields = line.split("\t") if "\t" in line else line.split()
        system = cleaned(fields[0]) if fields else ""
        if len(fields) < 2 or not system:
            continue
        so_far[system] = so_far.get(system, 0) + 1
        segment = 0 if source.level == "sys.score" else so_far[system]
        yield n, system, segment, fields[1].strip(), cleaned(fields[2]) if len(fields) > 2 else ""


def _lines_of(text: str) -> Iterator[str]:
    """Yield a text's lines without laying out all of them."""
    begins = 0
    while (end := text.find("\n", begins)) >= 0:
        yield text[begins:end]
        begins = end + 1
    yield text[begins:]


def _errors(text: str) -> list[object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    errors = found.get("errors") if isinstance(found, dict) else None
    return errors if isinstance(errors, list) else None


def _documents(
    lines: _Lines, kept: IntArray, documents: Mapping[str, Sequence[str]]
) -> tuple[Column | None, Column | None]:
    """Return each rating's document and domain, where the tree tells them for all."""
    known: tuple[dict[str, int], dict[str, int]] = {}, {}
    codes = np.full((2, len(kept)), -1, dtype=np.int32)
    pair = lines.pair.codes[kept]
    for p, name in enumerate(lines.pair.names):
        fields = [line.split() for line in documents.get(name, ())]
        own = np.full((2, len(fields) + 1), -1, dtype=np.int32)
        for k, field in enumerate(fields, 1):
            if len(field) >= 2:
                for row, word in enumerate((field[1], field[0])):
                    own[row, k] = known[row].setdefault(cleaned(word), len(known[row]))
        rows = np.flatnonzero(pair == p)
        segment = lines.segment[kept[rows]]
        codes[:, rows] = own[:, np.where(segment < own.shape[1], segment, 0)]
    if (codes < 0).any():
        return None, None
    return Column(codes[0], list(known[0])), Column(codes[1], list(known[1]))


def _standardized(
    lines: _Lines, kept: IntArray, sources: Sequence[_Source], kind: str
) -> FloatArray | None:
    """Return the kind's standardized scores, where the tree has them beside the raw ones."""
    z = {f"{kind}-z", f"{kind.removesuffix('-raw')}-z"}
    beside = [s for s in sources if s.kind in z and s.level == "seg.score"]
    if not beside:
        return None
    key, score = lines.scores_of(beside)
    wanted = lines.keys(kept)
    # The last of several scores of one segment counts.
    at = np.searchsorted(key, wanted, side="right") - 1
    found = np.zeros(len(kept), dtype=bool) if not len(key) else key[np.maximum(at, 0)] == wanted
    values = np.full(len(kept), np.nan)
    values[found] = score[at[found]]
    return values


def _compare_with_means(
    lines: _Lines, kept: IntArray, means: Sequence[_Source], findings: Findings
) -> None:
    """Note where the tree's own scores of segments are not the means of its ratings."""
    if not means or not len(kept):
        return
    keys, owner = np.unique(lines.keys(kept), return_inverse=True)
    ours = np.bincount(owner, lines.value[kept]) / np.bincount(owner)
    key, told = lines.scores_of(means)
    at = np.minimum(np.searchsorted(keys, key), len(keys) - 1)
    is_ours = keys[at] == key
    mean, told = ours[at[is_ours]], told[is_ours]
    other = int((~(np.abs(mean - told) <= 1e-9 * np.maximum(1, np.abs(mean)))).sum())
    if other:
        findings.note(
            "other-means",
            f"{counted(other, 'segment score')} of the tree not the mean of the ratings; the "
            "ratings are used.",
            other,
        )


FORMAT = Format(
    name="mt-metrics-eval",
    title="mt-metrics-eval trees",
    held_in="zip or tar",
    columns="human-scores/PAIR.KIND.seg.rating, .seg.score or .sys.score",
    sniff=is_tree,
    read=read,
)
