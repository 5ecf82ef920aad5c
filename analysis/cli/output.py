"""Tables for people, and JSON, CSV and LaTeX for machines and papers."""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd

from analysis.errors import PodiumError
from analysis.escaping import printable
from analysis.reporting.csv_table import to_csv
from analysis.reporting.latex import to_latex, write_latex
from analysis.reporting.paper_tables import PaperTable
from analysis.wording import fixed, is_p_value, p_number

SCHEMA = 1
"""Version of the answers' keys in JSON."""


def emit(
    options: argparse.Namespace,
    document: dict[str, Any] | list[dict[str, Any]],
    frame: pd.DataFrame,
    *,
    heading: str = "",
    notes: Sequence[str] = (),
    decimals: int = 3,
    signature: str = "",
    schema: int | None = SCHEMA,
    first: Sequence[str] = (),
    legend: Mapping[str, str] = MappingProxyType({}),
    paper: Callable[[], PaperTable] | None = None,
) -> None:
    """Print an answer in the form that the flags ask for; notes go to people only.

    ``signature`` makes the answer again; a table has it as the last line, unless there is one for
    each of several methods, and a wide CSV as a column. ``schema`` is the version of the keys of
    every object in JSON; an answer in an old shape has none. ``first`` are the columns that a
    narrow terminal keeps as long as it can, the most important first. ``legend`` explains columns,
    several by comma; a person sees the explanations of the columns shown. ``paper`` makes the table
    that the dashboard offers for papers, where it has one.
    """
    made_by = [f"signature: {signature}"] if signature and " & " not in signature else []
    notes = (*notes, *made_by)
    if options.json:
        if schema is not None:
            of_each = document if isinstance(document, list) else [document]
            of_each = [{"schema": schema, **one} for one in of_each]
            document = of_each if isinstance(document, list) else of_each[0]
        _say(_json(document))
    elif options.csv:
        _say(to_csv(frame, signature if options.wide else ""), to_machine=True)
    elif options.latex and paper is not None:
        _say(write_latex(paper(), (signature,)), to_machine=True)
    elif options.latex:
        comments = (heading, _explained(legend, frame), *notes)
        _say(to_latex(frame, decimals=decimals, comments=comments), to_machine=True)
    else:
        width = terminal_width()
        fitting, left_out = fitted(frame, decimals, None if options.wide else width, first)
        is_cut = not fitting.equals(frame[[*fitting]])
        more = [f"more columns: {', '.join(left_out)}"] if left_out else []
        hidden = ["whole names"] * is_cut + more
        told = f"--wide shows {' and '.join(hidden)}." if hidden else ""
        explained = _explained(legend, fitting)
        before, after = wrapped([heading], width), wrapped([told, explained, *notes], width)
        parts = (*before, text_table(fitting, decimals), *after)
        _say("\n".join(part for part in parts if part) + "\n")
    if getattr(options, "resamples_given", False) and signature and "runs:" not in signature:
        warn(["--resamples has no effect here: the intervals have a closed form."])


def _explained(legend: Mapping[str, str], frame: pd.DataFrame) -> str:
    """Return what the columns of a table mean, those that a legend explains."""
    shown = () if frame.empty else frame
    known = [names for names in legend if not set(names.split(", ")).isdisjoint(shown)]
    return " ".join(f"{names}: {legend[names]}" for names in known)


def wrapped(lines: Sequence[str], width: int | None) -> list[str]:
    """Break sentences between words for a terminal, and a signature between its parts."""
    if width is None:
        return list(lines)
    found = []
    for line in (line for text in lines for line in text.splitlines()):
        is_signature = line.startswith("signature:")
        text = textwrap.fill(
            line.replace("|", "| ") if is_signature else line, max(width, 20),
            subsequent_indent="  ", break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
        found.append(text.replace("| ", "|") if is_signature else text)
    return found


def _say(text: str, *, to_machine: bool = False) -> None:
    """Print all of an answer, or tell why not; a name from data never steers a terminal."""
    out = sys.stdout
    if out is None:
        raise PodiumError("Standard output", "it is closed", "Send the answer to a file.")
    if not to_machine or out.isatty():
        text = printable(text)
    encoding = out.encoding or "utf-8"
    if not _can_show(encoding, "−"):
        text = text.replace("−", "-")
    if not _can_show(encoding, text):
        warn(
            [
                f"Characters that {encoding} cannot show appear as ?. "
                "PYTHONIOENCODING=utf-8 shows them."
            ]
        )
    try:
        out.write(text)
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        silence()
        raise PodiumError(
            "Standard output", error.strerror or str(error), "Send the answer to another place."
        ) from error


def _can_show(encoding: str, text: str) -> bool:
    return text.encode(encoding, "replace").decode(encoding) == text


def silence() -> None:
    """Let go of standard output, so that Python does not complain of it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _json(document: object) -> str:
    """Write JSON; outside UTF-8, and for what steers a terminal, as escapes."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    only_ascii = encoding.replace("-", "").casefold() != "utf8"
    text = json.dumps(plain(document), ensure_ascii=only_ascii, indent=2)
    steering = {c for c in text if printable(c) != c}
    return text.translate({ord(c): f"\\u{ord(c):04x}" for c in steering}) + "\n"


def new_file(name: str, *, force: bool = False) -> Path:
    """Return the file to write; refuse standard output, a missing folder and what exists."""
    target = Path(name)
    if name == "-":
        raise PodiumError("-o -", "standard output is not possible here", "Name a file.")
    if not target.parent.is_dir():
        raise PodiumError(
            str(target.parent), "the folder does not exist", "Make it, or name another file."
        )
    if target.is_dir():
        raise PodiumError(str(target), "this is a folder", "Name a file in it.")
    if target.exists() and not force:
        raise PodiumError(str(target), "it exists already", "Add --force to replace it.")
    return target


def write_whole(target: Path, content: bytes) -> None:
    """Write a file whole or not at all; what stood there before stays until then."""
    half = target.resolve().with_name(f".{target.name}.{os.getpid()}.part")
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # a device or a pipe
            return
        try:
            half.write_bytes(content)
            half.replace(target.resolve())
        finally:
            half.unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise PodiumError(str(target), reason, "Name another file.") from error


def plain(value: Any) -> Any:
    """Turn results into what JSON knows; a number that is not defined becomes null."""
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if value is pd.NA or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value


def terminal_width() -> int | None:
    """Return the columns of the terminal, or those that COLUMNS names; None for a pipe."""
    if os.environ.get("COLUMNS", "").isdecimal() or (sys.stdout and sys.stdout.isatty()):
        return shutil.get_terminal_size().columns
    return None


def fitted(
    frame: pd.DataFrame, decimals: int, width: int | None, first: Sequence[str] = ()
) -> tuple[pd.DataFrame, list[str]]:
    """Return a table that fits a width, and the columns that it leaves out.

    Columns that say nothing go first, then the last ones that ``first`` does not name. Long names
    are cut before one of ``first`` goes. Both ends of an interval go together.
    """
    if width is None or frame.empty:
        return frame, []
    given = [str(name) for name in frame]
    empty = [
        name
        for name in given
        if frame[name].isna().all() or (name == "lang_pair" and len({*frame[name]}) == 1)
    ]
    important = [name for name in first if name in given and name not in empty]
    important = important or [name for name in given if name not in empty] or given
    others = [name for name in reversed(given) if name not in important]
    shown = list(given)
    for name in (*empty, *others, *important[:0:-1]):
        table = frame[shown]
        if name in important:
            table = _cut(table, decimals, width)
        if _width(table, decimals) <= width:
            break
        ends = {name, name.replace("low", "high"), name.replace("high", "low")}
        shown = [other for other in shown if other not in ends]
    return _cut(frame[shown], decimals, width), [name for name in given if name not in shown]


def _width(frame: pd.DataFrame, decimals: int) -> int:
    return max(map(len, text_table(frame, decimals).splitlines()))


def _cut(frame: pd.DataFrame, decimals: int, width: int) -> pd.DataFrame:
    """Return a table that has … within its names where it is too wide, the longest cut first.

    A name keeps two thirds and 12 letters, and stays different from the others.
    """
    words = {name: _cells(frame, str(name), decimals) for name in frame}
    longest = {name: max(map(len, cells)) for name, cells in words.items()}
    for name in sorted(words, key=lambda name: -longest[name]):
        excess = _width(frame, decimals) - width
        least = max(12, 2 * longest[name] // 3, len(str(name)))
        size = max(least, longest[name] - excess)
        if excess <= 0 or size >= longest[name] or not all(map(_has_letters, words[name])):
            continue
        end = (size - 1) // 2
        cut = [
            f"{cell[: size - 1 - end]}…{cell[-end:]}" if len(cell) > size else cell
            for cell in words[name]
        ]
        if len({*cut}) == len({*words[name]}):
            frame = frame.assign(**{str(name): cut})
    return frame


def _has_letters(cell: str) -> bool:
    return cell in ("", "–", "…") or any(map(str.isalpha, cell))


ENDS = {
    "low": "ci_low",
    "high": "ci_high",
    "others_low": "ci_low_new",
    "others_high": "ci_high_new",
}
"""What answers call the ends of a confidence interval, those for new judges last."""


def with_ends(record: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a record or a row whose intervals have the names that answers use.

    >>> with_ends({"value": 1, "low": 0, "high": 2})
    {'value': 1, 'ci_low': 0, 'ci_high': 2}
    """
    return {ENDS.get(name, name): value for name, value in record.items()}


def text_table(frame: pd.DataFrame, decimals: int = 3) -> str:
    """Lay a table out for a terminal: words to the left, numbers to the right.

    Return an empty text for a table without rows.
    """
    if frame.empty:
        return ""
    columns = [
        [printable(cell, keep="") for cell in (str(name), *_cells(frame, name, decimals))]
        for name in frame.columns
    ]
    widths = [max(len(cell) for cell in column) for column in columns]
    is_number = [pd.api.types.is_numeric_dtype(frame[name]) for name in frame.columns]
    lines = []
    for row in zip(*columns, strict=True):
        cells = [
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, is_number, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _cells(frame: pd.DataFrame, name: str, decimals: int) -> list[str]:
    if is_p_value(name):
        return [p_number(float(value)) for value in frame[name]]
    if _is_whole(frame[name]):
        return [fixed(value, 0).replace(",", "") for value in frame[name]]
    return [_cell(value, decimals) for value in frame[name]]


def _is_whole(column: pd.Series[Any]) -> bool:
    """Return whether a column of floats has whole numbers above 1, as counts are."""
    if not pd.api.types.is_float_dtype(column):
        return False
    known = column.to_numpy(float)
    known = known[np.isfinite(known)]
    return bool(len(known) and (known % 1 == 0).all() and known.max() > 1)


def _cell(value: object, decimals: int) -> str:
    if value is pd.NA or value is None:
        return "–"
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, float):
        return fixed(value, decimals).replace(",", "")
    return printable(str(value), keep="")


def warn(lines: Sequence[str]) -> None:
    """Tell a person what to know beside the answer, without disturbing machines."""
    for line in wrapped(lines, terminal_width()):
        print(printable(line), file=sys.stderr)
