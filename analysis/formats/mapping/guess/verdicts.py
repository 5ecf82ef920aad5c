"""Votes for one of two systems that no column names: ``Ours is slightly better``."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    JUDGE,
    SYSTEM,
    WINNER,
    is_criterion,
    listed,
    strength,
    words_of,
)
from analysis.formats.mapping.winners import AROUND_A_SIDE, decided, meaning

_TIES = re.compile(r"tied?|draw|equal|same|no[ _-]?(preference|difference)", re.IGNORECASE)
_EVEN = re.compile(
    r"(?!.*\bnot\b)(\w+ ){0,4}(same|equal(ly \w+)?|tied?|draw|similar|neutral|no (difference|"
    r"preference)|neither( is better)?)\W*",
    re.IGNORECASE,
)
_ROLES = ("first system", "second system")
_VERDICT = re.compile(
    r"(?P<name>\S.{0,38}?) (?:is|was) (?:(?:\w+ly|much|far|a (?:bit|little|lot)) )?"
    r"(?:better|best|preferred|preferable|superior)\W*",
    re.IGNORECASE,
)
_NO_NAMES = frozenset(
    listed(
        "it this that these those other others both neither none either not same only left right "
        "first second third two three top bottom upper lower former latter mine yours red blue "
        "green yellow black white last previous next and or"
    )
) | {*listed(AROUND_A_SIDE)}
"""Words of verdicts that name a place on the screen, or nothing."""


def named_verdicts(looks: Looks) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what verdicts such as *Ours is much better* name, by the column: a system or a tie."""
    found = {}
    for column in looks.columns:
        known = looks.known(column)
        if not 2 <= len(known) <= 200 or looks.is_number(column):
            continue
        matches = {text: _VERDICT.fullmatch(text.strip()) for text in known}
        named = {text: match["name"] for text, match in matches.items() if match}
        ends = [(t, meaning(t) or "tie") for t in known if t not in named and _is_even(t)]
        if named and all(map(_is_name, named.values())) and len(named) + len(ends) == len(known):
            found[column] = (*named.items(), *ends)
    return found


def _is_even(text: str) -> bool:
    return meaning(text) in ("tie", "skip") or _EVEN.fullmatch(text.strip()) is not None


def _is_name(name: str) -> bool:
    """Return whether a verdict's subject names a system, not a side or a place on the screen."""
    words = [word for word in words_of(name) if len(word) > 1 and not word.isdigit()]
    return bool(set(words) - _NO_NAMES) and not {"not", "and", "or"} & set(words)


def votes_for_two(looks: Looks, verdicts: list[str]) -> list[Draft]:
    """Find votes for one of two names, in a table that names no systems elsewhere.

    ``verdicts`` are columns that say in words that a system is better.
    """
    if verdicts:
        return _of_verdicts(looks, verdicts)
    drafts = []
    for column in looks.columns:
        known = looks.known(column)
        if not 2 <= len(known) <= 4 or looks.is_number(column) or not strength(column, WINNER):
            continue
        said = decided(known, set(), ("", ""), words_of(column))
        ties = [] if said is None else [word for word, own in said.winners if own == "tie"]
        if any(not _TIES.fullmatch(word.strip()) for word in ties):
            continue
        skipped = [word for word in known if word.strip().casefold() in ("spam", "skip", "skipped")]
        names = [word for word in known if word not in (*ties, *skipped)]
        if len(names) != 2 or looks.why_not_systems(names, is_named=False):
            continue
        if said is not None and any(own in ("a", "b") for _, own in said.winners):
            continue
        draft = _between(names)
        draft.roles["winner"] = column
        draft.roles["winners"] = (*((w, "tie") for w in ties), *((w, "skip") for w in skipped))
        reason = (
            f"no column names systems; {names[0]} and {names[1]} of {column} are used as systems"
        )
        draft.doubt(0.8 if ties else 0.5, reason)
        drafts.append(draft)
    return drafts


def _between(names: Sequence[str]) -> Draft:
    return Draft({
        "system_a": "first system", "system_b": "second system",
        "constants": (("first system", names[0]), ("second system", names[1])),
    })  # fmt: skip


def _of_verdicts(looks: Looks, verdicts: list[str]) -> list[Draft]:
    """Read verdicts between two systems, or between several pairs; other columns are criteria."""
    groups: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for column in verdicts:
        names = tuple(sorted(name for name in looks.known(column) if meaning(name) is None))
        groups[names][column.rpartition(".")[2]] = column
    first, *others = groups.values()
    known = [name for names in groups for name in names]
    is_alike = all(len(names) == 2 for names in groups) and all(
        own.keys() == first.keys() for own in others
    )
    if (
        not is_alike
        or sum(map(len, groups.values())) < len(verdicts)
        or looks.why_not_systems(known, is_named=False)
    ):
        return []
    draft = _between(known)
    asked = [*first] if others else [*first.values()]
    if others:
        numbered = [
            (f"{role} {k}", name)
            for k, names in enumerate(groups)
            for role, name in zip(_ROLES, names, strict=True)
        ]
        draft.roles["constants"] = tuple(numbered)
        of_pairs = [
            (role, tuple(name for name, _ in numbered if name.startswith(role))) for role in _ROLES
        ]
        of_pairs += [(what, tuple(own[what] for own in groups.values())) for what in first]
        draft.roles["repeats"] = tuple(of_pairs)
    draft.roles |= {"criteria": tuple(asked)} if len(asked) > 1 else {"winner": asked[0]}
    if len(asked) > 1 and (
        any(word.isdigit() for name in first for word in words_of(name))
        or any(strength(name, JUDGE) for name in first)
        or not any(map(is_criterion, first))
    ):
        draft.doubt(0.6, f"{asked[0]} and the others like it may be judges, not criteria")
    others_named = [c for c in looks.columns if strength(c, SYSTEM) and c not in verdicts]
    if any(looks.is_short(c) and looks.filled(c) > 0.1 for c in others_named):
        draft.doubt(0.6, f"another column than {verdicts[0]} may name the systems")
    draft.doubt(0.9, f"{known[0]} and {known[1]} of {verdicts[0]} are used as systems")
    return [draft]
