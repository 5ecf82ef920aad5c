"""Workbooks (XLSX): the first sheet that holds anything, as delimited text.

A small workbook can ask for much: compressed sheets, and a cell in the last column of the last row,
for which every cell before it would be laid out. Both are looked at before a sheet is read.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from python_calamine import (
    CalamineError,
    CalamineWorkbook,
    PasswordError,
    SheetTypeEnum,
    SheetVisibleEnum,
)

from analysis.errors import ReadingError, control
from analysis.formats import budgets, unpacking
from analysis.formats.rankings import Findings
from analysis.formats.report import Oddity
from analysis.wording import thousands

MOST_CELLS = 40_000_000
"""Cells from the first to the last that is filled; each takes memory."""

_CELL = re.compile(rb"""\sr\s*=\s*["']\$?([A-Za-z]{0,9})\$?(\d{1,20})["']""")
_PIECE, _OVERLAP = 1 << 20, 64


def is_workbook(data: bytes) -> bool:
    """Return whether content is an XLSX file."""
    return unpacking.is_zip(data) and "xl/workbook.xml" in unpacking.names(data)


def to_csv(data: bytes, where: str, max_bytes: int, findings: Findings, wanted: str = "") -> bytes:
    """Return the wanted sheet as CSV, or the first that has content; rows keep their numbers.

    Whole numbers are written without a point, and a cell with an error is empty.
    """
    _check_size(data, where, max_bytes)
    try:
        book = CalamineWorkbook.from_object(io.BytesIO(data))
        sheets = [
            sheet.name
            for sheet in book.sheets_metadata
            if sheet.typ == SheetTypeEnum.WorkSheet and sheet.visible == SheetVisibleEnum.Visible
        ]
        if wanted and wanted not in sheets:
            raise ReadingError(
                where, f"it has no sheet {wanted!r}", f"Its sheets are {', '.join(sheets)[:300]}."
            )
        for name in [wanted] if wanted else sheets:
            sheet = book.get_sheet_by_name(name)
            if sheet.height == 0:
                continue
            if len(sheets) > 1 and not wanted:
                findings.oddities.append(_one_of(name, sheets))
            findings.place = "row"
            return _written(sheet.iter_rows(), where, max_bytes)
    except PasswordError:
        raise ReadingError(
            where, "the workbook is locked with a password", "Save it without one."
        ) from None
    except BaseException as error:
        if not isinstance(error, CalamineError) and type(error).__name__ != "PanicException":
            raise
        raise ReadingError(
            where,
            f"the workbook is damaged ({(str(error).splitlines() or [''])[0][:120]})",
            "Save the sheet as CSV.",
        ) from None
    raise ReadingError(where, "the workbook has no sheet with data", "Make a new export.")


def _one_of(name: str, sheets: Sequence[str]) -> Oddity:
    others = ", ".join(other[:40] for other in sheets if other != name)
    return Oddity(
        "sheets",
        f"The workbook has {len(sheets)} sheets; {name[:60]} was read. To read another one, name "
        f"it ({control('--sheet', 'Sheet on Data')}): {others[:300]}.",
        len(sheets),
    )


def _check_size(data: bytes, where: str, max_bytes: int) -> None:
    """Refuse a workbook that would take more memory than its unpacked content may."""
    for name, sheet in unpacking.contents(data, where, (".xml", ".rels"), max_bytes).items():
        if not name.casefold().startswith("xl/worksheets/"):
            continue
        width = height = 0
        for piece in _pieces(sheet):
            found = set(_CELL.findall(piece))
            width = max([width, *(_number(letters) for letters, _ in found)])
            height = max([height, *(int(row) for _, row in found)])
        if width * height > MOST_CELLS:
            raise ReadingError(
                where,
                f"a sheet has {thousands(height)} rows and {thousands(width)} columns, more than "
                f"the limit of {thousands(MOST_CELLS)} cells here",
                "Delete stray cells far outside of the table, or save the sheet as CSV.",
            )


def _pieces(text: bytes) -> Iterator[bytes]:
    for start in range(0, len(text), _PIECE):
        yield text[start : start + _PIECE + _OVERLAP]


def _number(letters: bytes) -> int:
    """Return the number of a column.

    >>> _number(b"A"), _number(b"Z"), _number(b"AA")
    (1, 26, 27)
    """
    n = 0
    for letter in letters.upper():
        n = n * 26 + letter - 64
    return n


def _written(rows: Iterable[Sequence[object]], where: str, max_bytes: int) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for k, row in enumerate(rows):
        writer.writerow([_cell(value) for value in row])
        if k % 10_000 == 0:
            budgets.check_bytes(text.tell(), max_bytes, where, "its sheet")
            budgets.check_rows(k, where)
    return text.getvalue().encode()


def _cell(value: object) -> object:
    """Return a cell's value, a whole number without a point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value
