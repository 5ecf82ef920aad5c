"""PrefLib's orders: how many voters gave which order of the alternatives (soc, soi, toc, toi).

Alternatives within braces are tied. In incomplete orders (soi, toi) those that an order does not
name were not ranked, so that nothing is compared with them. A voter is one judge's ranking; who the
voters are is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, UNNAMED_SEGMENT, Ragged
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.format import Content, Format
from analysis.formats.rankings import NO_PAIR, Column, Findings, Rankings, cleaned
from analysis.formats.report import Oddity

COLUMNS = (
    "# ALTERNATIVE NAME lines, then a number of voters and an order a line, such as 12: 3,{1,2}"
)

_TYPE = re.compile(r"#\s*DATA TYPE:\s*(\w+)\s*", re.IGNORECASE)
_NAME = re.compile(r"#\s*ALTERNATIVE NAME\s+(\d{1,9})\s*:(.*)", re.IGNORECASE)
_ORDER = re.compile(r"\s*(\d{1,9})\s*:(.*)")
_OLD_NAME = re.compile(r"\s*(\d{1,9})\s*,(.*)")
_OLD_TOTALS = re.compile(r"\s*\d{1,9}\s*,\s*\d{1,9}\s*,\s*\d{1,9}\s*")
_GROUP = re.compile(r"\{([^{}]*)\}|([^,{}]+)")
_BROKEN = re.compile(r"[{}]")


def is_preflib(content: Content) -> bool:
    """Return whether the first lines name alternatives in PrefLib's newer or older way."""
    if content.kind != "table":
        return False
    first = [line.decode(errors="replace") for line in content.text.lstrip()[:20_000].split(b"\n")]
    if first[0].startswith("#"):
        return any(_TYPE.fullmatch(line) or _NAME.fullmatch(line) for line in first)
    return bool(
        re.fullmatch(r"\s*\d{1,4}\s*", first[0])
        and len(first) > 2
        and re.fullmatch(r"\s*1\s*,.+", first[1])
        and re.fullmatch(r"\s*2\s*,.+", first[2])
    )


@dataclass
class _Orders:
    """Names of the alternatives by number, and each order: how many gave it, and its places."""

    names: dict[int, str] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)
    orders: list[list[tuple[int, int]]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    kind: str = ""


def read(content: Content) -> Rankings:
    """Read the orders and lay out a ranking for every voter."""
    findings, where = content.findings, content.where
    findings.unit = "order"
    budgets.check_rows(content.text.count(b"\n"), where)
    text = content.text.lstrip(b"\n \t")
    before = content.text[: len(content.text) - len(text)].count(b"\n")
    lines = enumerate(text.decode().split("\n"), before + 1)
    parsed = _parse_newer(lines) if text.startswith(b"#") else _parse_older(lines)
    if parsed.kind not in ("", "soc", "soi", "toc", "toi"):
        raise ReadingError(
            where,
            f"PrefLib's {parsed.kind} data are no orders",
            "Podium reads soc, soi, toc and toi.",
        )
    place = np.array(parsed.lines, dtype=np.int64)
    findings.place_of = lambda rows: place[rows]
    codes = {number: k for k, number in enumerate(parsed.names)}
    good = _leave_out(findings, parsed, codes)
    orders = [parsed.orders[k] for k in good]
    times = np.array([parsed.times[k] for k in good], dtype=np.int64)
    sizes = np.array([len(order) for order in orders], dtype=np.int64)
    budgets.check_outputs(int(sizes.max(initial=0)), where)
    budgets.check_rankings(int(times.sum()), where)
    budgets.check_pairs(int((times * np.maximum(sizes * (sizes - 1) // 2, 1)).sum()), where)
    if (sizes < len(codes)).any():
        findings.oddities.append(
            Oddity(
                "incomplete-orders",
                "Some orders do not name every alternative; what an order does not name was not "
                "compared with anything in it.",
            )
        )
    entries = Ragged.from_sizes(sizes)
    voters = entries.take(np.repeat(np.arange(len(orders)), times))
    output = np.array([codes[a] for order in orders for a, _ in order], dtype=np.int32)
    rank = np.array([rank for order in orders for _, rank in order], dtype=np.int16)
    n = int(times.sum())
    names = Column(np.arange(len(codes)), list(parsed.names.values())).cleaned(findings)
    return Rankings(
        n_rows=len(parsed.orders),
        pair=Column.constant(NO_PAIR, n),
        segment=Column.constant(UNNAMED_SEGMENT, n),
        judge=Column.constant(UNNAMED_JUDGE, n),
        start=voters.start,
        output=names.codes[output[voters.values]] if n else np.zeros(0, np.int32),
        outputs=[(name,) for name in names.names],
        rank=rank[voters.values] if n else np.zeros(0, np.int16),
        row=np.repeat(np.array(good, dtype=np.int64), times),
        findings=findings,
        copies_matter=False,
        systems_in="the list of alternatives",
    )


def _parse_newer(lines: Iterator[tuple[int, str]]) -> _Orders:
    found = _Orders()
    for number, line in lines:
        if not line.strip():
            continue
        if line.startswith("#"):
            if match := _TYPE.fullmatch(line):
                found.kind = match[1].casefold()
            elif match := _NAME.fullmatch(line):
                found.names.setdefault(int(match[1]), match[2].strip())
            continue
        match = _ORDER.fullmatch(line)
        _add(found, number, match and match[1], "" if match is None else match[2])
    return found


def _parse_older(lines: Iterator[tuple[int, str]]) -> _Orders:
    """Read how many alternatives there are, their names, the totals, and each order's voters."""
    found = _Orders()
    n = int(next(lines)[1])
    has_totals = False
    for number, line in lines:
        match = _OLD_NAME.fullmatch(line)
        if not line.strip():
            continue
        if match and len(found.names) < n:
            found.names.setdefault(int(match[1]), match[2].strip())
        elif not has_totals and _OLD_TOTALS.fullmatch(line):
            has_totals = True
        else:
            _add(found, number, match and match[1], "" if match is None else match[2])
    return found


def _add(found: _Orders, line: int, times: str | None, order: str) -> None:
    """Keep an order; one that cannot be read is kept as none."""
    found.lines.append(line)
    found.times.append(int(times or 0))
    found.orders.append([] if times is None else _places(order))


def _places(order: str) -> list[tuple[int, int]]:
    """Return the alternatives of an order, each with its rank; nothing for what is no order.

    >>> _places("3,{1,2},4"), _places("3,x"), _places("3,{1")
    ([(3, 1), (1, 2), (2, 2), (4, 3)], [], [])
    """
    places: list[tuple[int, int]] = []
    order = "".join(order.split())
    if _BROKEN.search(_GROUP.sub("", order)):
        return []
    for rank, match in enumerate(_GROUP.finditer(order), 1):
        for text in (match[1] if match[1] is not None else match[2]).split(","):
            if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
                return []
            places.append((int(text), rank))
    return places if len({a for a, _ in places}) == len(places) else []


def _leave_out(findings: Findings, parsed: _Orders, codes: dict[int, int]) -> list[int]:
    """Return which orders can be used."""
    empty = [k for k, order in enumerate(parsed.orders) if not order]
    unknown = [k for k, order in enumerate(parsed.orders) if any(a not in codes for a, _ in order)]
    unnamed = {number for number, name in parsed.names.items() if not cleaned(name)}
    nameless = [k for k, order in enumerate(parsed.orders) if any(a in unnamed for a, _ in order)]
    for reason, rows, words in (
        ("an order that cannot be read", empty, "this is no order of alternatives"),
        ("an alternative that is not listed", unknown, "an alternative is not listed above"),
        ("an alternative without a name", nameless, "an alternative has no name"),
    ):
        findings.leave_out(reason, np.array(rows, dtype=np.int64), _saying(words))
    gone = {*empty, *unknown, *nameless}
    return [k for k in range(len(parsed.orders)) if k not in gone]


def _saying(words: str) -> Callable[[int], str]:
    return lambda row: words


FORMAT = Format(
    name="preflib",
    title="PrefLib orders",
    held_in="soc, soi, toc or toi",
    columns=COLUMNS,
    sniff=is_preflib,
    read=read,
)
