"""A small table beside the judgments that says something of each system: its license, its size.

It has a column of systems, each once, and any other columns. Results can be cut by these, as by
what a file says of its segments and judges.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis.campaign import Attribute, Campaign, smallest
from analysis.errors import ReadingError
from analysis.formats.arena import LEFT, RIGHT
from analysis.formats.content import Content
from analysis.formats.described import words_or_numbers
from analysis.formats.rankings import Column
from analysis.formats.registry import FORMATS
from analysis.formats.report import Oddity, ReadReport
from analysis.formats.scores_table import JUDGE, SCORE, SEGMENT, SYSTEM
from analysis.names import short_names
from analysis.wording import count, listed

MOST_BYTES = 1 << 20
_OF_JUDGMENTS = {*SEGMENT, *SCORE, *JUDGE, *LEFT, *RIGHT, "winner", "rank"}


def is_about_systems(content: Content) -> bool:
    """Return whether a table has a column of systems beside others, and nothing of judgments."""
    if content.header is None or len(content.data) > MOST_BYTES:
        return False
    keys = {key for key in content.header.keys if key}
    named = keys.intersection(SYSTEM)
    if len(named) != 1 or len(keys) < 2 or keys.intersection(_OF_JUDGMENTS):
        return False
    return not any(format.sniff(content) for format in FORMATS.values())


def describe_systems(
    campaign: Campaign, report: ReadReport, content: Content
) -> tuple[Campaign, ReadReport]:
    """Return the campaign with what the table says of its systems, and the report that tells so."""
    assert content.header is not None
    table = content.table(content.header.keys)
    system = table.first(SYSTEM)
    assert system is not None
    names = [system.names[code] for code in system.codes.tolist()]
    again = next((name for k, name in enumerate(names) if name in names[:k]), None)
    if again is not None:
        raise ReadingError(content.where, f"{again} is in two rows", ("Leave one row per system."))
    row_of = {name: row for row, name in enumerate(names)}
    short = short_names(campaign.systems)
    rows = [row_of.get(name, row_of.get(short[name], -1)) for name in campaign.systems]
    if max(rows) < 0:
        raise ReadingError(
            content.where,
            f"it names {listed(names, most=3)}, and there are no judgments about any of these",
            f"Spell systems as the judgments do: {listed(campaign.systems, most=3)}.",
        )
    found = []
    for title in dict.fromkeys(content.header.names):
        key = title.strip().casefold()
        if key and table[key] is not system:
            found.append(_attribute(title.strip(), table[key], np.array(rows)))
    kept = [one for one in campaign.attributes if one.name not in {own.name for own in found}]
    told = Oddity("of-systems", _sentence(campaign, found, rows, len(names)))
    return (
        replace(campaign, attributes=(*kept, *found)),
        replace(report, oddities=(*report.oddities, told)),
    )


def _attribute(name: str, column: Column, rows: np.ndarray) -> Attribute:
    described = words_or_numbers(column, few=0)
    if isinstance(described, np.ndarray):
        return Attribute(name, "system", values=np.where(rows < 0, np.nan, described[rows]))
    codes = np.where(rows < 0, -1, described.codes[rows])
    known = np.array([*(bool(word.strip()) for word in described.names), False])
    return Attribute(
        name,
        "system",
        codes=smallest(np.where(known[codes], codes, -1)),
        names=tuple(described.names),
    )


def _sentence(campaign: Campaign, found: list[Attribute], rows: list[int], n_rows: int) -> str:
    missing = [name for name, row in zip(campaign.systems, rows, strict=True) if row < 0]
    words = f"For systems there is {listed([one.name for one in found], most=6)}"
    words += f", not for {listed(missing, most=5)}" if missing else ""
    unused = n_rows - (len(rows) - len(missing))
    other = f" {count(unused, 'row')} of that table are about other systems." if unused > 1 else ""
    return f"{words}.{other}"
