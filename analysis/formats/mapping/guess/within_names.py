"""Systems and items that are parts of another name: ``p232_sys1_005``."""

from __future__ import annotations

import re
from collections import defaultdict

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import JUDGE, SEGMENT, TALKS, strength, words_of
from analysis.formats.mapping.prepared import cut
from analysis.formats.mapping.profile import Profile

_SIGNS = ("_", "-", "/", "|", ":", ".", " ")
_OF_SYSTEM = re.compile(
    r"(sys|system|model|method|mt|team|cond|alg|s|m|t|b)[-.]?\d{1,2}", re.IGNORECASE
)
_OF_ITEM = re.compile(r"^\d+$|\d{3}|test|utt|sent|file|item", re.IGNORECASE)
_MOST_PARTS = 6
_MOST_NAMES = 100_000
"""Names of all columns that are cut into parts; more take seconds."""


def within_a_name(looks: Looks) -> list[Draft]:
    """Find systems that are a part of another name: ``p232_sys1_005``."""
    best: Draft | None = None
    n_names = 0
    for column in looks.columns:
        known = looks.known(column)
        if n_names + len(known) > _MOST_NAMES or not _may_be_cut(looks, column):
            continue
        n_names += len(known)
        for sign in _SIGNS:
            draft = cut_by(looks, column, sign)
            if draft and (best is None or draft.confidence > best.confidence):
                best = draft
    return [best] if best else []


def cut_item(looks: Looks, draft: Draft) -> None:
    """Take the item from a name that has the system's as a part, unless it has its own column."""
    system = draft.roles["system"]
    others = [c for c in looks.columns if c != system]
    if any(strength(c, SEGMENT) and looks.crossing(c, system) > 0.5 for c in others):
        return
    known = set(looks.known(system))
    judges = [c for c in others if strength(c, JUDGE) == 1]
    for column in (c for c in others if not TALKS & set(words_of(c))):
        if any(looks.fixes(column, c) for c in judges if c != column):
            continue
        for sign in _SIGNS if _may_be_cut(looks, column) else ():
            own = cut_by(looks, column, sign, known)
            if own is None:
                continue
            made = looks.table.prepared(Profile(**own.roles)).values
            if made["system"] == looks.table.values[system]:
                draft.roles |= {**own.roles, "system": system}
                draft.used.add(column)
                return


def _may_be_cut(looks: Looks, column: str) -> bool:
    """Return whether a column has names that may have parts."""
    n = looks.n_known(column)
    if looks.is_number(column) or not 8 <= n <= _MOST_NAMES or looks.is_date(column):
        return False
    return not (looks.is_opaque(column) or not looks.is_short(column) or strength(column, JUDGE))


def cut_by(looks: Looks, column: str, sign: str, systems: set[str] | None = None) -> Draft | None:
    """Cut names at a sign, at the place that has the ``systems`` or looks like systems most."""
    known = looks.known(column)
    n = min(len(text.split(sign)) for text in known)
    if not 2 <= n <= _MOST_PARTS:
        return None
    found: list[tuple[float, int, int]] = []
    for size in range(2, n + 1):
        parts = [text.split(sign, size - 1) for text in known]
        # The last of fewer parts is all that is left: v1_5 of photo_3_v1_5.
        for place in range(size) if size == n else (size - 1,):
            words = {part[place] for part in parts}
            if not 2 <= len(words) <= min(100, len(known) / 2):
                continue
            items: dict[str, set[str]] = defaultdict(set)
            for part in parts:
                items[sign.join(part[:place] + part[place + 1 :])].add(part[place])
            crossed = sum(len(own) > 1 for own in items.values()) / len(items)
            if crossed < 0.8 or len(items) < 3:
                continue
            is_of_items = sum(bool(_OF_ITEM.search(word)) for word in words) > len(words) / 2
            if is_of_items if systems is None else words != systems:
                continue
            filled = len(known) / (len(words) * len(items))
            sure = 0.6 if filled < 0.5 else 0.9 if filled > 0.9 and len(items) > 9 else 0.72
            sure = 0.95 if all(map(_OF_SYSTEM.fullmatch, words)) else sure
            sure *= (1 if crossed > 0.95 else 0.9) * (0.8 if _share_ends(words) else 1)
            found.append((sure, size, place))
    if not found:
        return None
    sure, n, place = max(found, key=lambda one: one[0])
    parts = [text.split(sign, n - 1) for text in known]
    sets = [{part[k] for part in parts} for k in range(n)]
    if sure < 0.94 and len(found) > 1:
        sure *= 0.7
    others = [k for k in range(n) if k != place and len(sets[k]) > 1]
    names = {place: "system", **{k: f"part {k + 1}" for k in others}}
    begin, end = _around(sets[place]) if systems is None else ("", "")
    named = ["{" + names.get(k, "") + "}" for k in range(n)]
    named[place] = f"{begin}{named[place]}{end}"
    pattern = sign.join(named)
    if any(cut(text, pattern) is None for text in known):
        return None
    roles: dict[str, object] = {"system": "system", "patterns": ((column, pattern),)}
    parts_of_item = tuple(names[k] for k in others)
    if len(parts_of_item) == 1:
        roles["segment"] = parts_of_item[0]
    elif parts_of_item:
        item = ":".join(f"{{{part}}}" for part in parts_of_item)
        roles |= {"segment": "item", "templates": (("item", item),)}
    draft = Draft(roles, used={column})
    draft.doubt(sure, f"the systems come from a part of {column}")
    return draft


def _around(words: set[str]) -> tuple[str, str]:
    """Return the folder before all names, and the folder or ending of a file behind all of them.

    >>> _around({"x.net/cmu/clip", "x.net/kit/clip"}), _around({"cmu.wav", "kit.wav"})
    (('x.net/', '/clip'), ('', '.wav'))
    """
    one = min(words)
    begins = [one[: k + 1] for k, sign in enumerate(one) if sign == "/"]
    ends = [one[k:] for k in range(len(one)) if re.fullmatch(r"/.*|\.\w{2,4}", one[k:])]
    begin = max((b for b in begins if all(w.startswith(b) for w in words)), key=len, default="")
    end = max((e for e in ends if all(w.endswith(e) for w in words)), key=len, default="")
    return begin, end


def _share_ends(words: set[str]) -> bool:
    """Return whether names still have a common beginning and end, so that a part is too long."""
    for ends in ([*words], [word[::-1] for word in words]):
        first = {word.partition(sign)[0] for word in ends for sign in _SIGNS if sign in word}
        if len(first) == 1 and all(word.startswith(tuple(first)) for word in ends):
            return True
    return False
