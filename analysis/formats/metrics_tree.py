"""A test set of mt-metrics-eval as one archive: human scores, documents and domains.

``human-scores/PAIR.KIND.seg.rating`` holds a rating a line (system, rating, now and then the
rater), as a number or as a list of errors, ``PAIR.KIND.seg.score`` a segment's mean and
``PAIR.KIND.sys.score`` a system's; the lines of each system stand in the order of the segments.
``documents/PAIR.docs`` tells each segment's domain and document. A campaign has one kind of
score: of several kinds the one with ratings is read, and the report names the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

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
from analysis.formats import archive, budgets
from analysis.formats.format import Content, Format
from analysis.formats.rankings import Column, Findings, cleaned, number
from analysis.formats.report import Oddity, counted
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
    return any(_SCORES.fullmatch(name) for name in archive.names(content.data))


def read(content: Content) -> Scored:
    """Read the ratings of one kind, all language pairs."""
    findings = content.findings
    findings.unit = "rating"
    sources, documents = _sources(content)
    chosen, kind = _choose(sources, findings)
    lines = _Lines.of(chosen, content.where)
    judged = lines.read()
    kept = np.flatnonzero(judged.is_known)
    numbers = np.array(lines.number, dtype=np.int64)
    findings.place_of = lambda rows: numbers[rows] if len(rows) else rows
    findings.leave_out(
        "a segment that was not judged",
        np.flatnonzero(~judged.is_known),
        lambda row: f"{lines.system[row]}: {lines.rating[row][:40]!r}",
    )
    _compare_with_means(lines, judged, kept, sources, kind, findings)
    document, domain = _documents(lines, kept, documents, content.where)
    return Scored(
        n_rows=len(lines.system),
        scale=MQM if judged.errors is not None else _SCALES.get(kind, Scale(kind)),
        pair=_column([lines.pair[k] for k in kept]),
        system=_column([lines.system[k] for k in kept]),
        segment=_column([lines.segment[k] for k in kept]),
        judge=_column([lines.judge[k] for k in kept]),
        value=judged.value[kept],
        row=kept,
        findings=findings,
        document=document,
        domain=domain,
        errors=None if judged.errors is None else spread(judged.errors, len(lines.system), kept),
        standardized=_standardized(lines, kept, sources, kind),
        users=None,
    )


def _sources(content: Content) -> tuple[list[_Source], dict[str, list[str]]]:
    """Return the human scores, in order of their names, and the lines of documents by pair."""
    wanted = (*(f".{level}" for level in _LEVELS), ".docs")
    files = archive.contents(content.data, content.where, wanted, content.max_bytes)
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
        findings.oddities.append(
            Oddity(
                "other-scores",
                f"The archive also holds {', '.join(others)}; {kind} was read. To read another "
                f"kind, pack the tree without the files {kind} in human-scores.",
                len(others),
            )
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
class _Judged:
    """What the ratings say: a value each, known or not, and the errors behind it."""

    value: FloatArray
    is_known: np.ndarray
    errors: ErrorSpans | None


@dataclass
class _Lines:
    """The lines of all files that count, as columns of text."""

    pair: list[str]
    system: list[str]
    segment: list[str]
    judge: list[str]
    rating: list[str]
    number: list[int]

    @classmethod
    def of(cls, sources: Sequence[_Source], where: str) -> _Lines:
        lines = cls([], [], [], [], [], [])
        several = len({source.rating for source in sources}) > 1
        for source in sources:
            judge = source.rating if several and source.rating else UNNAMED_JUDGE
            for number_of, system, segment, rating, rater in _split(source):
                lines.pair.append(source.pair)
                lines.system.append(system)
                lines.segment.append(segment)
                lines.judge.append(rater or judge)
                lines.rating.append(rating)
                lines.number.append(number_of)
        budgets.check_rows(len(lines.system), where)
        if not lines.system:
            raise ReadingError(where, "its human scores are empty", "Download or pack it again.")
        budgets.check_systems(len(set(lines.system)), where, "human-scores")
        return lines

    def read(self) -> _Judged:
        """Read every rating as a number or as a list of errors."""
        value = np.full(len(self.rating), np.nan)
        spans, n_lists = SpanList(), 0
        for row, text in enumerate(self.rating):
            if text.startswith("{"):
                errors = _errors(text)
                if errors is not None:
                    n_lists += 1
                    value[row] = 0.0
                    spans.add_all(row, errors)
            else:
                value[row] = number(text)
        if not n_lists:
            return _Judged(value, ~np.isnan(value), None)
        found = spans.spans()
        value = value + MqmWeights().scores(found, len(value))
        return _Judged(value, ~np.isnan(value), found)


def _split(source: _Source) -> Iterator[tuple[int, str, str, str, str]]:
    """Return each line: its number, system, segment, rating and rater."""
    so_far: dict[str, int] = {}
    for n, line in enumerate(source.text.split("\n"), 1):
        fields = line.split("\t") if "\t" in line else line.split()
        system = cleaned(fields[0]) if fields else ""
        if len(fields) < 2 or not system:
            continue
        so_far[system] = so_far.get(system, 0) + 1
        segment = WHOLE_SYSTEM if source.level == "sys.score" else str(so_far[system])
        yield n, system, segment, fields[1].strip(), cleaned(fields[2]) if len(fields) > 2 else ""


def _errors(text: str) -> list[object] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    errors = found.get("errors") if isinstance(found, dict) else None
    return errors if isinstance(errors, list) else None


def _column(names: Sequence[str]) -> Column:
    codes, unique = pd.factorize(np.array(names, dtype=object))
    return Column(codes.astype(np.int32), unique.tolist())


def _documents(
    lines: _Lines, kept: IntArray, documents: Mapping[str, Sequence[str]], where: str
) -> tuple[Column | None, Column | None]:
    """Return each rating's document and domain, where the tree tells them for all."""
    names: list[tuple[str, str]] = []
    for k in kept.tolist():
        of_pair = documents.get(lines.pair[k], ())
        place = int(lines.segment[k]) - 1 if lines.segment[k] != WHOLE_SYSTEM else len(of_pair)
        fields = of_pair[place].split() if place < len(of_pair) else []
        if len(fields) < 2:
            return None, None
        names.append((cleaned(fields[1]), cleaned(fields[0])))
    return _column([document for document, _ in names]), _column([domain for _, domain in names])


def _standardized(
    lines: _Lines, kept: IntArray, sources: Sequence[_Source], kind: str
) -> FloatArray | None:
    """Return the kind's standardized scores, where the tree has them beside the raw ones."""
    z = {f"{kind}-z", f"{kind.removesuffix('-raw')}-z"}
    beside = [s for s in sources if s.kind in z and s.level == "seg.score"]
    if not beside:
        return None
    known = {
        (source.pair, system, segment): number(score)
        for source in beside
        for _, system, segment, score, _ in _split(source)
    }
    keys = ((lines.pair[k], lines.system[k], lines.segment[k]) for k in kept.tolist())
    return np.array([known.get(key, np.nan) for key in keys], dtype=np.float64)


def _compare_with_means(
    lines: _Lines,
    judged: _Judged,
    kept: IntArray,
    sources: Sequence[_Source],
    kind: str,
    findings: Findings,
) -> None:
    """Note where the tree's own scores of segments are not the means of its ratings."""
    means = [s for s in sources if s.kind == kind and s.level == "seg.score"]
    if not means or not len(kept):
        return
    frame = pd.DataFrame(
        {
            "key": [(lines.pair[k], lines.system[k], lines.segment[k]) for k in kept],
            "value": judged.value[kept],
        }
    )
    ours = frame.groupby("key")["value"].mean().to_dict()
    told = [
        (ours[key], number(score))
        for source in means
        for _, system, segment, score, _ in _split(source)
        if (key := (source.pair, system, segment)) in ours
    ]
    other = sum(not abs(a - b) <= 1e-9 * max(1, abs(a)) for a, b in told)
    if other:
        findings.oddities.append(
            Oddity(
                "other-means",
                f"{counted(other, 'segment score')} of the tree not the mean of its ratings; the "
                "ratings count.",
                other,
            )
        )


FORMAT = Format(
    name="mt-metrics-eval",
    title="mt-metrics-eval trees",
    held_in="zip or tar",
    columns="human-scores/PAIR.KIND.seg.rating, .seg.score or .sys.score",
    sniff=is_tree,
    read=read,
)
