"""Delimited text as dictionary-encoded columns, with the file's line number of every row."""

from __future__ import annotations

import array
import csv
import io
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from analysis.errors import ReadingError
from analysis.formats import budgets
from analysis.formats.header import Header
from analysis.formats.rankings import Codes, Column, Findings
from analysis.formats.report import counted
from analysis.wording import thousands

MOST_WRONG_ROWS = 100_000
"""Rows with another number of fields than the header; more are not counted one by one."""

_BLANK, _LINE_FEED, _LAST_ASCII = ord(" "), ord("\n"), 0x7F
_BLOCK = 1 << 22
"""Bytes that are parsed together: as each processor holds a block, they bound the memory."""

MAY_BREAK_LINES = ("question", "question_id", "item")
"""Columns whose values may be texts of several lines; elsewhere that is a quote gone astray."""


@dataclass(frozen=True)
class Table:
    """Some columns of a table by their names in lower case, and the header as it stands.

    ``plain`` are columns that were asked for as they stand in the file, value for value.
    """

    columns: Mapping[str, Column]
    header: tuple[str, ...]
    n_rows: int
    format: str
    findings: Findings = field(default_factory=Findings)
    plain: Mapping[str, pa.ChunkedArray] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Column:
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    def first(self, names: Sequence[str]) -> Column | None:
        """Return the first of some columns that the table has."""
        return self.columns.get(self.name_of(names))

    def name_of(self, names: Sequence[str]) -> str:
        """Return the name of the first of some columns that the table has, "" if it has none."""
        return next((name for name in names if name in self.columns), "")


def read_rows(
    text: bytes,
    header: Header,
    wanted: Sequence[str],
    where: str,
    findings: Findings,
    may_break: Sequence[str] = MAY_BREAK_LINES,
    *,
    plain: Sequence[str] = (),
) -> Table:
    """Read the wanted columns (by key); rows of another length are counted and left out.

    A value may have several lines. Where one of a column outside of ``may_break`` has, every
    quotation mark of the file must open or close a field, since one that is never closed swallows
    rows. Columns named in ``plain``, whose values hardly ever come twice, stay as they are.
    """
    names = [f"c{k}" for k in range(len(header.keys))]
    place = {key: names[k] for k, key in reversed(list(enumerate(header.keys)))}
    columns = {key: place[key] for key in (*wanted, *plain) if key in place}
    wrong_length: list[str] = []

    def skip_row(row: pa_csv.InvalidRow) -> str:
        wrong_length.append(row.text or "")
        return "skip" if len(wrong_length) <= MOST_WRONG_ROWS else "error"

    begins = _first_row(text, header)
    has_quotes = header.quoted and text.find(b'"', begins) >= 0
    encoded_ones = [name for key, name in columns.items() if key not in plain]
    read = list(columns.values())
    # To look for line breaks within quotation marks takes as long as to parse: first without.
    ways = [(False, _BLOCK), (has_quotes, _BLOCK), (has_quotes, budgets.LARGEST_ROW)]
    for breaks, block in ways[has_quotes and _breaks_soon(text, begins) :]:
        wrong_length.clear()
        try:
            table = _parse(text, begins, header, names, read, encoded_ones, skip_row, block, breaks)
        except pa.ArrowException as error:
            is_too_long = "straddling" in str(error) or breaks < has_quotes
            if not is_too_long or block == budgets.LARGEST_ROW:
                raise _unreadable(where, header, error, text, begins, len(wrong_length)) from None
            continue
        n_all_rows = table.num_rows if not wrong_length else -1
        lines = _LineNumbers(text, begins, header, n_all_rows, breaks)
        if breaks == has_quotes or lines.n_lines == table.num_rows + len(wrong_length):
            break
        table = pa.table({})  # lets go of the rows before they are parsed again
    in_wrong_rows = breaks and any("\n" in row for row in wrong_length)
    if in_wrong_rows and text.count(b'"', begins) % 2:
        raise _unclosed_quote(where, text, begins, header)
    findings.place_of, findings.settle = lines.of_rows, lines.settled
    if wrong_length:
        lines.report_wrong_lengths(findings, len(wrong_length))
    findings.note_columns_twice(header.names)
    n_rows = lines.n_rows = table.num_rows
    budgets.check_rows(n_rows, where)
    # A column is let go as soon as it is encoded: texts take more than all the rest.
    unread = {name: table.column(name) for name in set(columns.values())}
    del table
    encoded, as_they_are, broken = {}, {}, {}
    for key, name in columns.items():
        if key in plain:
            as_they_are[key] = unread.pop(name)
            is_broken = breaks and pc.any(pc.match_substring(as_they_are[key], "\n")).as_py()
            if is_broken and not _quotes_are_closed(text[begins:], header):
                raise _unclosed_quote(where, text, begins, header)
            continue
        column = encode(unread.pop(name))
        if breaks and "\n" in "".join(column.names):
            if key not in may_break and not _quotes_are_closed(text[begins:], header):
                raise _unclosed_quote(where, text, begins, header)
            broken[key] = column
        encoded[key] = column.cleaned(findings)
    if broken:
        known = {
            names.index(columns[key]): {*column.names} - {""}
            for key, column in encoded.items()
            if key not in broken
        }
        for key, column in broken.items():
            _note_swallowed_rows(key, column, header, known, findings)
    pa.default_memory_pool().release_unused()
    return Table(encoded, header.names, n_rows, "csv", findings, as_they_are)


def plain_texts(column: pa.ChunkedArray, findings: Findings) -> pa.ChunkedArray:
    """Return a plain column's texts, `cleaned`; findings get what was changed."""
    if all(_are_clean(chunk) for chunk in column.chunks):
        return column
    encoded = encode(column).cleaned(findings)
    names = pa.array(encoded.names, pa.string())
    return pa.chunked_array([names.take(pa.array(encoded.codes))])


def _note_swallowed_rows(
    key: str,
    column: Column,
    header: Header,
    known: Mapping[int, Collection[str]],
    findings: Findings,
) -> None:
    """Note lines inside a text that look like rows: as many fields, with values of other rows."""
    swallowed = {
        code: n for code, name in enumerate(column.names) if (n := _rows_in(name, header, known))
    }
    if swallowed:
        total = sum(swallowed.values())
        rows = np.flatnonzero(np.isin(column.codes, list(swallowed)))
        findings.note(
            "swallowed-rows",
            f"{counted(total, 'line')} read as part of a text in the column {key}, but "
            f"{'looks like a row' if total == 1 else 'look like rows'} of the table (first: "
            f"line {findings.places(rows)[0]}); an unclosed quotation mark may have swallowed "
            f"{'it' if total == 1 else 'them'}.",
            total,
            rows,
        )


def _rows_in(text: str, header: Header, known: Mapping[int, Collection[str]]) -> int:
    """Count the lines of a text of several lines that look like rows of the table."""
    if "\n" not in text:
        return 0
    least = min(len(known), 2)
    rows = (line.split(header.separator) for line in text.split("\n"))
    return sum(
        sum(row[place].strip() in names for place, names in known.items()) >= least
        for row in rows
        if len(row) == len(header.names)
    )


def _quotes_are_closed(rows: bytes, header: Header) -> bool:
    """Return whether each quotation mark opens or closes a whole field, as a valid CSV has it."""
    lines = io.StringIO(rows.decode("utf-8", "replace"), newline="")
    try:
        for _ in csv.reader(lines, delimiter=header.separator, strict=True):
            pass
    except csv.Error:
        return False
    return True


def _unclosed_quote(where: str, text: bytes, begins: int, header: Header) -> ReadingError:
    """Name the first line whose last field is open although the next line looks like a row."""
    sign = re.escape(header.separator).encode()
    opens = re.compile(rb'(?:^|.*%s)"[^"]*$' % sign)
    is_row = re.compile(rb'(?:[^"]*%s)?"|[^"]*$' % sign)
    lines = text[begins:].split(b"\n")
    is_open = [k for k, line in enumerate(lines) if opens.match(line)]
    before_rows = (
        k for k in is_open
        if k + 1 < len(lines) and is_row.match(lines[k + 1])
        and len(lines[k + 1].split(header.separator.encode())) == len(header.names)
    )  # fmt: skip
    line = text.count(b"\n", 0, begins) + 1 + next(before_rows, is_open[-1] if is_open else 0)
    return ReadingError(
        where,
        f'line {line} seems to open a quotation mark " that is never closed, so rows would be lost',
        "Close or remove it.",
    )


def _breaks_soon(text: bytes, begins: int) -> bool:
    """Return whether one of the first lines ends within quotation marks."""
    first = text[begins : begins + (_BLOCK >> 6)].split(b"\n")[:-1]
    return any(line.count(b'"') % 2 for line in first)


def _first_row(text: bytes, header: Header) -> int:
    """Return where the rows begin; they are never copied out of the file's text."""
    begins = len(text) - len(text.lstrip(b"\n \t"))
    for _ in range(0 if header.is_row else header.n_lines):
        line_feed = text.find(b"\n", begins)
        begins = len(text) if line_feed < 0 else line_feed + 1
    return begins


def _unreadable(
    where: str, header: Header, error: Exception, text: bytes, begins: int, n_wrong: int
) -> ReadingError:
    """Say in words why Arrow could not parse the rows."""
    if n_wrong > MOST_WRONG_ROWS:
        return ReadingError(
            where,
            f"more than {thousands(MOST_WRONG_ROWS)} rows do not have the header's "
            f"{len(header.names)} fields",
            "Check that the header belongs to the rows, and which character separates fields.",
        )
    if "straddling" in str(error) and _longest_line(text, begins) > budgets.LARGEST_ROW:
        return ReadingError(
            where, "a row is longer than 16 MB", "Leave out the columns with texts."
        )
    return ReadingError(
        where,
        f"the rows cannot be separated ({str(error).splitlines()[0][:120]})",
        'Look for a quotation mark " that is opened and never closed.',
    )


def _longest_line(text: bytes, begins: int) -> int:
    longest = 0
    while (end := text.find(b"\n", begins)) >= 0:
        longest, begins = max(longest, end - begins), end + 1
    return max(longest, len(text) - begins)


def _parse(
    text: bytes,
    begins: int,
    header: Header,
    names: list[str],
    wanted: list[str],
    encoded: list[str],
    skip_row: Callable[[pa_csv.InvalidRow], str],
    block: int,
    breaks: bool,
) -> pa.Table:
    kind = pa.dictionary(pa.int32(), pa.string())
    if not text[begins : begins + 4096].strip() and not text[begins:].strip():
        return pa.table({name: pa.array([], pa.string()) for name in wanted})
    return pa_csv.read_csv(
        pa.BufferReader(pa.py_buffer(text).slice(begins)),
        read_options=pa_csv.ReadOptions(
            column_names=names,
            block_size=block,
            # Arrow ends a process that ends while its threads do, as one on a small file may.
            use_threads=len(text) - begins > _BLOCK,
        ),
        parse_options=pa_csv.ParseOptions(
            delimiter=header.separator,
            quote_char='"' if header.quoted else False,
            newlines_in_values=breaks,
            invalid_row_handler=skip_row,
        ),
        convert_options=pa_csv.ConvertOptions(
            column_types={name: kind if name in encoded else pa.string() for name in wanted},
            include_columns=wanted,
            null_values=[],
            strings_can_be_null=False,
            check_utf8=False,
        ),
    )


def encode(column: pa.ChunkedArray) -> Column:
    """Return a column of text as codes; a missing value is an empty text."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    array = column.unify_dictionaries().combine_chunks()
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else array
    if isinstance(array, pa.ChunkedArray):
        return Column(np.zeros(0, dtype=np.int32), ())
    names = array.dictionary.to_pylist()
    if array.dictionary.null_count:
        names = ["" if name is None else name for name in names]
    if array.null_count:
        return Column(array.indices.fill_null(len(names)).to_numpy(), [*names, ""])
    return Column(array.indices.to_numpy(), names, is_clean=_are_clean(array.dictionary))


def _are_clean(names: pa.Array) -> bool:
    """Return whether texts are plain ASCII without blanks around them."""
    if not pa.types.is_string(names.type) or names.null_count or names.offset:
        return False
    _, ends, letters = names.buffers()
    if letters is None:
        return True
    place = np.frombuffer(ends, dtype=np.int32)[: len(names) + 1]
    letter = np.frombuffer(letters, dtype=np.uint8)[: place[-1]]
    if len(letter) and letter.max() > _LAST_ASCII:
        return False
    place = place[np.flatnonzero(np.diff(place, prepend=-1))]
    return bool((letter[place[:-1]] > _BLANK).all() and (letter[place[1:] - 1] > _BLANK).all())


class _LineNumbers:
    """The lines on which a table's rows start, found only when something must be reported."""

    def __init__(self, text: bytes, begins: int, header: Header, n_rows: int, breaks: bool) -> None:
        self._text = text
        self._breaks = breaks
        self._begins = begins
        self._header = header
        self._n_rows = n_rows
        self._of_row: Codes | None = None
        self.n_rows = -1
        self._wrong: list[tuple[int, int]] = []

    def of_rows(self, rows: Codes) -> Codes:
        settled = self.settled()
        if settled is not None:
            return settled(rows)
        known = self._find()
        return known[rows[rows < len(known)]]

    def settled(self) -> Callable[[Codes], Codes] | None:
        """Return the lines of rows as a function that does not hold the text, if each is a row."""
        if not self._is_plain:
            return None
        first = self._header.line + (0 if self._header.is_row else 1)
        return lambda rows: first + rows

    @cached_property
    def n_lines(self) -> int:
        """How many lines the rows take; compared as numbers, since `bytes.count` is slower."""
        signs = np.frombuffer(self._text, dtype=np.uint8)[self._begins :]
        return int(np.count_nonzero(signs == _LINE_FEED)) + (not self._text.endswith(b"\n"))

    @cached_property
    def _is_plain(self) -> bool:
        """Whether each line is a row: none is blank, too long or within quotation marks."""
        return not self._breaks and self.n_lines == self.n_rows

    def _find(self) -> Codes:
        if self._of_row is None and self.n_lines == self._n_rows:
            # No row has two lines, and no line is empty.
            self._of_row = np.arange(self._n_rows) + self._header.line + (not self._header.is_row)
        if self._of_row is None:
            n_columns = len(self._header.names)
            good = array.array("q")
            limit = csv.field_size_limit(sys.maxsize)
            rows = io.BytesIO(self._text)
            rows.seek(self._begins)
            try:
                reader = csv.reader(
                    io.TextIOWrapper(rows, encoding="utf-8", newline="\n"),
                    delimiter=self._header.separator,
                    quoting=csv.QUOTE_MINIMAL if self._header.quoted else csv.QUOTE_NONE,
                )
                before = 0
                for row in reader:
                    line = self._header.line + before + (0 if self._header.is_row else 1)
                    before = reader.line_num
                    if len(row) == n_columns:
                        good.append(line)
                    elif row:
                        self._wrong.append((line, len(row)))
            finally:
                csv.field_size_limit(limit)
            self._of_row = np.array(good, dtype=np.int64)
        return self._of_row

    def report_wrong_lengths(self, findings: Findings, count: int) -> None:
        self._find()
        n_columns = len(self._header.names)
        lines = np.array([line for line, _ in self._wrong], dtype=np.int64)
        lengths = [str(length) for _, length in self._wrong] or ["another number of"]
        findings.leave_out_unparsed(
            "the wrong number of fields",
            lines,
            count,
            lambda row: (
                f"{lengths[row]} {'field' if lengths[row] == '1' else 'fields'} where the "
                f"{'first row' if self._header.is_row else 'header'} has {n_columns}"
            ),
        )
