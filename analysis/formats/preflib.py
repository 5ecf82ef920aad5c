"""PrefLib's orders: how many voters gave which order of the alternatives.

Alternatives within braces are tied. In incomplete orders (soi, toi) those that an order does not
name were not ranked, so that nothing is compared with them. A voter is one judge's ranking; who the
voters are is unknown.
"""

from __future__ import annotations

import array
import io
import itertools
import re
from collections.abc import Callable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from analysis.campaign import UNNAMED_JUDGE, UNNAMED_SEGMENT, IntArray, Ragged
from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.rankings import NO_PAIR, Codes, Column, Findings, Rankings, cleaned

COLUMNS = (
    "# ALTERNATIVE NAME lines, then a number of voters and an order per line, such as 12: 3,{1,2}"
)

_TYPE = re.compile(r"#\s*DATA TYPE:\s*(\w+)\s*", re.IGNORECASE)
_NAME = re.compile(r"#\s*ALTERNATIVE NAME\s+(\d{1,9})\s*:(.*)", re.IGNORECASE)
_ORDER = re.compile(r"\s*(\d{1,9})\s*:(.*)")
_OLD_NAME = re.compile(r"\s*(\d{1,9})\s*,(.*)")
_OLD_TOTALS = re.compile(r"\s*\d{1,9}\s*,\s*\d{1,9}\s*,\s*\d{1,9}\s*")
_GROUP = re.compile(r"\{([^{}]*)\}|([^,{}]+)")
_PLAIN = re.compile(r"\d{1,9}(?:,\d{1,9})*", re.ASCII)
_MOST_BY_TABLE = 1_000_000
"""Largest number of an alternative for which a table of all numbers is laid out."""
_BROKEN = re.compile(r"[{}]")


def is_preflib(content: Content) -> bool:
    """Return whether the first lines name alternatives in PrefLib's newer or older way."""
    if content.kind != "table" or content.frame is not None:
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


class _Orders:
    """Names of the alternatives by number, and each order: how many gave it, and its places.

    Order ``k`` has the next ``sizes[k]`` alternatives and their ranks; one that cannot be read has
    none.
    """

    def __init__(self) -> None:
        self.names: dict[int, str] = {}
        self.kind = ""
        self.times, self.lines = array.array("q"), array.array("q")
        self.sizes, self.alternatives = array.array("i"), array.array("i")
        self.ranks = array.array("h")

    def add(self, line: int, times: str | None, order: str) -> None:
        """Keep an order."""
        places = [] if times is None else _places(order)
        self.lines.append(line)
        self.times.append(int(times or 0))
        self.sizes.append(len(places))
        budgets.check_outputs(len(places), f"line {line}")
        self.alternatives.extend([alternative for alternative, _ in places])
        self.ranks.extend([rank for _, rank in places])


def read(content: Content) -> Rankings:
    """Read the orders and lay out a ranking for every voter."""
    findings, where = content.findings, content.where
    findings.unit = "order"
    budgets.check_rows(content.text.count(b"\n"), where)
    lines = enumerate(io.TextIOWrapper(io.BytesIO(content.text), "utf-8", newline="\n"), 1)
    parsed = _parse(line for line in lines if line[1].strip())
    if parsed.kind not in ("", "soc", "soi", "toc", "toi", "cat"):
        raise ReadingError(
            where,
            f"PrefLib's {parsed.kind} data are not orders",
            "Podium reads soc, soi, toc, toi and cat.",
        )
    if parsed.kind == "cat":
        findings.note(
            "categories",
            "The voters sorted alternatives into categories: these are treated as orders "
            "with ties, the first category the best.",
        )
    place = np.frombuffer(parsed.lines, dtype=np.int64)
    findings.place_of = lambda rows: place[rows]
    sizes, alternative = (
        np.frombuffer(own, np.int32) for own in (parsed.sizes, parsed.alternatives)
    )
    orders = Ragged.from_sizes(sizes, _codes(parsed.names, alternative))
    good = _leave_out(findings, parsed.names, orders)
    times = np.frombuffer(parsed.times, dtype=np.int64)[good]
    sizes = orders.sizes[good].astype(np.int64)
    budgets.check_outputs(int(sizes.max(initial=0)), where)
    n_pairs = int((times * np.maximum(sizes * (sizes - 1) // 2, 1)).sum())
    budgets.check_counted(int(times.sum()), len(times), where)
    findings.n_bytes += int((times - 1).sum())
    budgets.check_pairs(n_pairs, where, findings.n_bytes, names_judges=False)
    if (sizes < len(parsed.names)).any():
        findings.note(
            "incomplete-orders",
            "Some orders do not name every alternative; those not named were not compared "
            "with the others in that order.",
        )
    names = Column(
        np.arange(len(parsed.names), dtype=np.int32), list(parsed.names.values())
    ).cleaned(findings)
    n, each = int(times.sum()), np.repeat(good, times)
    voters, ranks = orders, Ragged(orders.start, np.frombuffer(parsed.ranks, dtype=np.int16))
    if len(each) != len(orders) or (each != np.arange(len(orders))).any():
        voters, ranks = orders.take(each), ranks.take(each)
    output = names.codes[voters.values] if n else np.zeros(0)
    return Rankings(
        n_rows=len(orders),
        pair=Column.constant(NO_PAIR, n),
        segment=Column.constant(UNNAMED_SEGMENT, n),
        judge=Column.constant(UNNAMED_JUDGE, n),
        start=voters.start,
        output=output.astype(np.int32, copy=False),
        outputs=[(name,) for name in names.names],
        rank=ranks.values,
        row=each,
        findings=findings,
        systems_in="the list of alternatives",
    )


def _parse(lines: Iterator[tuple[int, str]]) -> _Orders:
    """Read all lines that are not blank, in the newer way, or in the older one without marks."""
    number, first = next(lines)
    parse = _parse_newer if first.lstrip().startswith("#") else _parse_older
    return parse(itertools.chain([(number, first.lstrip())], lines))


def _parse_newer(lines: Iterator[tuple[int, str]]) -> _Orders:
    found = _Orders()
    for number, line in ((number, line.rstrip("\n")) for number, line in lines):
        if line.startswith("#"):
            if match := _TYPE.fullmatch(line):
                found.kind = match[1].casefold()
            elif match := _NAME.fullmatch(line):
                found.names.setdefault(int(match[1]), match[2].strip())
            continue
        match = _ORDER.fullmatch(line)
        found.add(number, match and match[1], "" if match is None else match[2])
    return found


def _parse_older(lines: Iterator[tuple[int, str]]) -> _Orders:
    """Read how many alternatives there are, their names, the totals, and each order's voters."""
    found = _Orders()
    n = int(next(lines)[1])
    has_totals = False
    for number, line in ((number, line.rstrip("\n")) for number, line in lines):
        match = _OLD_NAME.fullmatch(line)
        if match and len(found.names) < n:
            found.names.setdefault(int(match[1]), match[2].strip())
        elif not has_totals and _OLD_TOTALS.fullmatch(line):
            has_totals = True
        else:
            found.add(number, match and match[1], "" if match is None else match[2])
    return found


def _places(order: str) -> list[tuple[int, int]]:
    """Return the alternatives of an order, each with its rank; nothing for what is no order.

    >>> _places("3,{1,2},4"), _places("3,x"), _places("3,{1")
    ([(3, 1), (1, 2), (2, 2), (4, 3)], [], [])
    """
    places: list[tuple[int, int]] = []
    order = "".join(order.split())
    if _PLAIN.fullmatch(order):
        plain = [int(text) for text in order.split(",")]
        return [(a, rank) for rank, a in enumerate(plain, 1)] if len({*plain}) == len(plain) else []
    if _BROKEN.search(_GROUP.sub("", order)):
        return []
    for rank, match in enumerate(_GROUP.finditer(order), 1):
        for text in (match[1] if match[1] is not None else match[2]).split(","):
            if not re.fullmatch(r"\d{1,9}", text, re.ASCII):
                return []
            places.append((int(text), rank))
    return places if len({a for a, _ in places}) == len(places) else []


def _codes(names: Mapping[int, str], alternative: Codes) -> Codes:
    """Return the place of each alternative in the list, -1 for one that is not in it."""
    if not names or max(names) > _MOST_BY_TABLE:
        place = {number: k for k, number in enumerate(names)}
        return np.array([place.get(number, -1) for number in alternative.tolist()], dtype=np.int32)
    table = np.full(max(names) + 2, -1, dtype=np.int32)
    table[list(names)] = np.arange(len(names))
    return table[np.minimum(alternative, max(names) + 1)]


def _leave_out(findings: Findings, names: Mapping[int, str], orders: Ragged) -> IntArray:
    """Return which orders, of codes of alternatives, can be used."""
    nameless = np.array([not cleaned(name) for name in names.values()] + [False])
    bad = np.zeros(len(orders), dtype=bool)
    for reason, which, words in (
        ("an order that cannot be read", orders.sizes == 0, "this is not an order of alternatives"),
        (
            "an alternative that is not listed",
            _any(orders, orders.values < 0),
            "an alternative is not listed above",
        ),
        (
            "an alternative without a name",
            _any(orders, nameless[orders.values]),
            "an alternative has no name",
        ),
    ):
        findings.leave_out(reason, np.flatnonzero(which), _saying(words))
        bad |= which
    return np.flatnonzero(~bad)


def _any(orders: Ragged, which: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return for each order whether any of its alternatives is so."""
    found = np.zeros(len(orders), dtype=bool)
    found[orders.owners[which]] = True
    return found


def _saying(words: str) -> Callable[[int], str]:
    return lambda row: words


FORMAT = Format(
    name="preflib",
    title="PrefLib orders",
    held_in="soc, soi, toc, toi or cat",
    columns=COLUMNS,
    sniff=is_preflib,
    read=read,
)
