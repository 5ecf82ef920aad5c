"""Appraise XML, read as a stream, in the two dialects that its versions export.

The later one nests HIT → ranking-task → ranking-result → translation. The earlier one nests
ranking-result (or a name that ends so) → ranking-item → translation: the outer element holds the
languages, and an item is one ranking. A translation's ``system`` may list several systems whose
outputs were identical, separated by commas or, in the earlier dialect, by blanks. A ranking that is
marked skipped, or holds no translation, was skipped.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from xml.parsers import expat

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, Ragged
from analysis.campaign.attributes import Texts
from analysis.errors import ReadingError
from analysis.formats.content import Content
from analysis.formats.described import documents
from analysis.formats.format import Format
from analysis.formats.rankings import (
    BAD_RANK,
    NO_PAIR,
    Column,
    Findings,
    Output,
    Rankings,
    cleaned,
    number,
    pair_name,
    read_rank,
)

_MORE_EXPECTED = {
    expat.errors.codes[message]
    for message in (
        expat.errors.XML_ERROR_NO_ELEMENTS,
        expat.errors.XML_ERROR_UNCLOSED_TOKEN,
        expat.errors.XML_ERROR_PARTIAL_CHAR,
        expat.errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
}


def read(content: Content) -> Rankings:
    """Read all results; judges keep the users' names here."""
    data, where, findings = content.data, content.where, content.findings
    if data[:4096].lower().lstrip().startswith((b"<!doctype html", b"<html")):
        raise ReadingError(where, "this is a web page", "Download the file itself.")
    findings.unit = "result"
    collector = _Collector()
    parser = expat.ParserCreate()
    collector.parser = parser
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    if len(data) <= TEXTS_UP_TO:
        parser.CharacterDataHandler = collector.read
    parser.StartDoctypeDeclHandler = _refuse_doctype
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        if error.code in _MORE_EXPECTED:
            raise ReadingError(
                f"{where}, line {error.lineno}",
                "the XML ends in the middle, so part of it is missing",
                "Make a new download or export.",
            ) from None
        raise ReadingError(
            f"{where}, line {error.lineno}",
            f"this is not well-formed XML ({expat.errors.messages[error.code]})",
            "Make a new export.",
        ) from None
    except (LookupError, ValueError) as error:
        raise ReadingError(
            where, f"the XML's encoding cannot be read ({error})", "Save it as UTF-8."
        ) from None
    except _DoctypeError:
        raise ReadingError(
            f"{where}, line {parser.CurrentLineNumber}",
            "the XML has a DOCTYPE, which can insert text from elsewhere",
            "Export it without a DOCTYPE.",
        ) from None
    if not collector.lines:
        raise ReadingError(
            where,
            f"this XML (<{collector.root}>) contains no <ranking-result> and no <ranking-item>",
            f"Podium reads the ranking export of Appraise: {ELEMENTS}.",
        )
    return collector.rankings(findings)


TEXTS_UP_TO = 32 * 2**20
"""Bytes of a file up to which its texts are kept."""

ELEMENTS = (
    "HIT, ranking-task, ranking-result, translation, or ranking-result, ranking-item, translation"
)

AS_NAMED = 'judges="as-named"'
"""What the root of a file says whose users are called as Podium called them: nobody's real name."""


class _DoctypeError(Exception):
    pass


def _refuse_doctype(*_: object) -> None:
    raise _DoctypeError


class _Vocabulary(dict[str, int]):
    """Codes by first appearance."""

    def __missing__(self, name: str) -> int:
        code = self[name] = len(self)
        return code


class _Collector:
    """Takes the parser's events and lays the results down in columns."""

    def __init__(self) -> None:
        self.parser = expat.ParserCreate()
        self.root = ""
        self.as_named = False
        self.pairs, self.segments = _Vocabulary(), _Vocabulary()
        self.users, self.outputs = _Vocabulary(), _Vocabulary()
        self.pair_of_hit = self.pairs[NO_PAIR]
        self.segment_of_task = self.segments[""]
        self.pair, self.segment, self.judge = array("i"), array("i"), array("i")
        self.documents, self.document, self.document_of_task = _Vocabulary(), array("i"), ""
        self.seconds, self.lines = array("f"), array("l")
        self.output, self.rank, self.size = array("i"), array("i"), array("i")
        self.problems: dict[str, list[tuple[int, str]]] = {}
        self.ranks = {str(rank): rank for rank in range(1, 6)}
        self.in_result = False
        self.has_items = False
        self.words: list[str] | None = None
        self.source = ""
        self.sources: list[str] = []
        self.texts: list[str] = []

    def read(self, words: str) -> None:
        """Take text of a source or a translation."""
        if self.words is not None:
            self.words.append(words)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in ("source", "translation"):
            self.words = []
        if tag == "translation":
            if self.in_result:
                self._translation(attributes)
        elif tag == "ranking-item":
            self.has_items = True
            segment = attributes.get("src-id") or attributes.get("id", "")
            self._result(attributes, self.segments[segment])
        elif tag == "HIT" or "source-language" in attributes:
            source = attributes.get("source-language", "")
            target = attributes.get("target-language", "")
            self.pair_of_hit = self.pairs[pair_name(source, target)]
        elif tag == "ranking-result":
            self._result(attributes, self.segment_of_task)
        elif tag == "ranking-task":
            self.segment_of_task = self.segments[attributes.get("id", "")]
            self.document_of_task = attributes.get("doc-id", "")
        if not self.root:
            self.root = tag
            self.as_named = attributes.get("judges") == "as-named"

    def end(self, tag: str) -> None:
        if tag in ("source", "translation"):
            text = "".join(self.words or ()).strip()
            self.words = None
            if tag == "source":
                self._source(text)
            elif self.in_result:
                self.texts.append(text)
        if tag in ("ranking-task", "HIT"):
            self.source = ""
        if tag in ("ranking-result", "ranking-item"):
            self.in_result = False

    def _source(self, text: str) -> None:
        """Hold a source: of the result that it stands in, or of all of its task."""
        if self.in_result and self.sources:
            self.sources[-1] = text
        else:
            self.source = text

    def _result(self, attributes: dict[str, str], segment: int) -> None:
        self.in_result = attributes.get("skipped", "").casefold() != "true"
        self.pair.append(self.pair_of_hit)
        self.segment.append(segment)
        self.document.append(self.documents[attributes.get("doc-id") or self.document_of_task])
        self.judge.append(self.users[attributes.get("user", UNNAMED_JUDGE)])
        self.seconds.append(read_duration(attributes.get("duration", "")))
        self.lines.append(self.parser.CurrentLineNumber)
        self.size.append(0)
        self.sources.append(self.source)

    def _translation(self, attributes: dict[str, str]) -> None:
        text = attributes.get("rank")
        rank = self.ranks.get(text or "")
        if rank is None:
            rank = self._unusual_rank(text)
        system = attributes.get("system", "")
        if not cleaned(system):
            self._problem("a translation without a system", "system is empty")
        self.output.append(self.outputs[system])
        self.rank.append(rank)
        self.size[-1] += 1

    def _unusual_rank(self, text: str | None) -> int:
        rank = BAD_RANK if text is None else read_rank(text)
        if rank == BAD_RANK:
            got = "the rank is missing" if text is None else f"rank {text!r} is not a rank"
            self._problem("a rank that is not a whole number above 0", got)
        return rank

    def _problem(self, reason: str, got: str) -> None:
        self.problems.setdefault(reason, []).append((len(self.lines) - 1, got))

    def rankings(self, findings: Findings) -> Rankings:
        """Return what was collected, without the results that have problems."""
        lines, size = np.array(self.lines), np.array(self.size)
        findings.place_of = lambda rows: lines[rows]
        bad = self._leave_out(findings, size, np.array(self.rank))
        good = ~bad
        entries = np.repeat(good, size)
        output = Column(np.array(self.output), list(self.outputs)).cleaned(findings)
        users = Column(np.arange(len(self.users)), list(self.users)).cleaned(findings)
        return Rankings(
            n_rows=len(lines),
            pair=Column(np.array(self.pair)[good], list(self.pairs)).cleaned(findings),
            segment=Column(np.array(self.segment)[good], list(self.segments)).cleaned(findings),
            judge=Column(users.codes[np.array(self.judge)[good]], users.names),
            start=Ragged.from_sizes(size[good]).start,
            output=output.codes[entries],
            outputs=split_systems(output.names, by_blanks=self.has_items),
            rank=np.array(self.rank)[entries],
            row=np.flatnonzero(good),
            findings=findings,
            seconds=np.array(self.seconds)[good],
            systems_in="the attribute system",
            users=None if self.as_named else tuple(users.names),
            attributes=documents(Column(np.array(self.document)[good], list(self.documents))),
            texts=self._texts(size, good),
        )

    def _texts(self, size: np.ndarray, good: np.ndarray) -> Texts | None:
        """Return source and translations of each good result, where the file holds any."""
        if not any(self.texts) or len(self.texts) != int(size.sum()):
            return None
        ends = np.cumsum(size)
        return Texts.packed(
            (self.sources[k], *self.texts[ends[k] - size[k] : ends[k]])
            for k in np.flatnonzero(good).tolist()
        )

    def _leave_out(self, findings: Findings, size: np.ndarray, rank: np.ndarray) -> np.ndarray:
        result = np.repeat(np.arange(len(size)), size)
        too_high = rank > np.maximum(5, size)[result]
        for entry in np.flatnonzero(too_high).tolist():
            row = int(result[entry])
            self.problems.setdefault("a rank out of bounds", []).append(
                (row, f"rank {rank[entry]} is outside 1–{max(5, size[row])}")
            )
        bad = np.zeros(len(size), dtype=bool)
        for reason, problems in self.problems.items():
            first: dict[int, str] = {}
            for row, got in problems:
                if not bad[row]:
                    first.setdefault(row, got)
            rows = np.array(list(first), dtype=np.int64)
            findings.leave_out(reason, rows, first.__getitem__)
            bad[rows] = True
        return bad


def split_systems(texts: Sequence[str], *, by_blanks: bool) -> list[Output]:
    """Return the systems of each list; one that is named twice counts once.

    Commas separate them. Blanks do where they may and no name has a comma, if what they separate
    stands alone elsewhere: else they are letters of the names.

    >>> split_systems(["a,b", "Moses 2"], by_blanks=True)
    [('a', 'b'), ('Moses 2',)]
    >>> split_systems(["a b", "a"], by_blanks=True), split_systems(["Moses 2"], by_blanks=True)
    ([('a', 'b'), ('a',)], [('Moses 2',)])
    """
    separator = ","
    if by_blanks and not any("," in text for text in texts):
        alone = {text for text in texts if not _holds_blanks(text)}
        lists = [text.split() for text in texts if _holds_blanks(text)]
        if any(not alone.isdisjoint(names) for names in lists):
            separator = " "
    return [_systems(text, separator) for text in texts]


def _holds_blanks(text: str) -> bool:
    return len(text.split()) > 1


def _systems(text: str, separator: str) -> Output:
    parts = text.split() if separator == " " else [name.strip() for name in text.split(separator)]
    return tuple(dict.fromkeys(name for name in parts if name)) or (text,)


def read_duration(text: str) -> float:
    """Return the seconds of ``[[hours:]minutes:]seconds``; nan for anything else.

    >>> read_duration("00:01:14.726000")
    74.726
    """
    seconds = 0.0
    for part in text.split(":"):
        seconds = seconds * 60 + number(part)
    return seconds


FORMAT = Format(
    name="appraise-xml",
    title="Appraise XML",
    columns=f"the elements {ELEMENTS}",
    sniff=lambda content: content.kind == "xml",
    read=read,
)
