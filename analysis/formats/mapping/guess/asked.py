"""Forms of which a column is a question about one item: ``Image 3 [Ours]``, ``Text 2: better?``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import JUDGE, SHOWN, is_criterion, is_id, strength
from analysis.formats.mapping.prepared import common_beginning, cut
from analysis.formats.mapping.profile import Profile

_ITEM = re.compile(rf"({'|'.join(SHOWN)})s?\W{{0,2}}\d+", re.IGNORECASE)
_BETTER = re.compile(r"\b(better|best|prefer\w*)\b", re.IGNORECASE)
_SIGNS = ((" [", "]"), (" - ", ""), (": ", ""), (" (", ")"))
"""What form tools write around an answer's name, which comes behind the question."""
_FROM = 3


def guess_asked(looks: Looks, others: Callable[[Looks], list[Draft]]) -> list[Draft]:
    """Return what questions suggest that differ in the number of the item.

    ``others`` reads a table of which a row is the answer to one of them.
    """
    return [*_ratings(looks), *_choices(looks, others)]


def _ratings(looks: Looks) -> list[Draft]:
    """Find a column of numbers for each item and system."""
    columns = [c for c in looks.columns if looks.is_number(c) and _ITEM.search(c)]
    for code in ("", "{}. "):
        for sign, end in _SIGNS:
            pattern = f"{code}{{item}}{sign}{{system}}{end}"
            cells = {c: parts for c in columns if (parts := cut(c, pattern))}
            items = {parts["item"] for parts in cells.values()}
            systems = {parts["system"] for parts in cells.values()}
            if min(len(items), len(systems)) < 2 or len(items) * len(systems) != len(cells):
                continue
            is_of_items = len({re.sub(r"\d+", "", item) for item in items}) == 1
            if not is_of_items or looks.why_not_systems([*systems], is_named=False):
                continue
            draft = Draft({
                "system": "system", "segment": "item", "score": "rating",
                "repeats": (("rating", tuple(cells)),), "repeat_name": pattern,
            })  # fmt: skip
            _add_respondent(looks, draft)
            if any(map(is_criterion, systems)):
                draft.doubt(0.4, "the parts of the columns' names may be criteria")
            draft.doubt(0.9, "the columns' names are used as an item and a system each")
            return [draft]
    return []


def _choices(looks: Looks, others: Callable[[Looks], list[Draft]]) -> list[Draft]:
    """Find questions which of two is better, asked of each item."""
    alike: dict[str, list[str]] = defaultdict(list)
    for column in looks.columns:
        if _ITEM.search(column) and _BETTER.search(column) and not looks.is_number(column):
            alike[re.sub(r"\d+", "", column)].append(column)
    asked = max(alike.values(), key=len, default=[])
    if len(asked) < _FROM:
        return []
    begin = common_beginning(asked).rstrip("0123456789")
    end = common_beginning([name[::-1] for name in asked])[::-1].lstrip("0123456789")
    repeats, pattern = (("choice", tuple(asked)),), f"{begin}{{item}}{end}"
    table = Looks(looks.table.prepared(Profile(repeats=repeats, repeat_name=pattern)))
    drafts = [draft for draft in others(table) if draft.roles.get("winner") == "choice"]
    for draft in drafts:
        draft.roles |= {"repeats": repeats, "repeat_name": pattern, "segment": "item"}
        _add_respondent(looks, draft)
    return drafts


def _add_respondent(looks: Looks, draft: Draft) -> None:
    """Take the column that identifies the forms as the judge, or the time of each form."""
    apart = [c for c in looks.columns if c not in draft.taken and looks.n_known(c) == looks.n]
    apart = [c for c in apart if looks.is_short(c)]
    order = [(-strength(c, JUDGE), looks.is_date(c), not is_id(c)) for c in apart]
    if apart:
        draft.roles["judge"] = apart[order.index(min(order))]
