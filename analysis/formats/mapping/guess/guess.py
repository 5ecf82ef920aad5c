"""The guess of a whole table: every reading that its columns allow, and the surest of them."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from analysis.errors import ReadingError
from analysis.formats.controls import control_words
from analysis.formats.mapping.guess import names
from analysis.formats.mapping.guess.asked import guess_asked
from analysis.formats.mapping.guess.draft import Draft, Guess
from analysis.formats.mapping.guess.labelled import guess_labelled
from analysis.formats.mapping.guess.long import guess_long
from analysis.formats.mapping.guess.looks import _FEW, LONG_TEXT, Looks, _cuts
from analysis.formats.mapping.guess.names import sides
from analysis.formats.mapping.guess.pairs import guess_pairs, has_two_systems
from analysis.formats.mapping.guess.ticked import ticked_columns
from analysis.formats.mapping.guess.wide import guess_wide
from analysis.formats.mapping.preview import Preview
from analysis.formats.mapping.profile import Named, Profile

_BY_PLACE = re.compile(r"\.\d+(\.|$)")
_MOST_DRAFTS = 10
"""Readings that are looked at to the end; records by name may allow five hundred."""
_RUNS = frozenset(names.listed("seed fold run rep repetition replicate attempt trial"))
"""Words of columns that number the runs of one system on one item."""
_UNUSED = frozenset(
    names.listed(
        "time timestamp tstamp date created updated started start end expiration ip url zscore z "
        "click clicks flip region city latitude longitude email cost reward "
        "autoapprovaldelayinseconds"
    )
)
"""Words of columns that say nothing to cut results by."""


def guess(table: Preview) -> Guess:
    """Return the surest profile that names and contents suggest, with what makes it unsure."""
    looks = Looks(table)
    if ticked := ticked_columns(looks):
        return _of_ticked(table, ticked)
    drafts = [
        *guess_pairs(looks), *guess_long(looks), *guess_labelled(looks), *guess_wide(looks),
        *guess_asked(looks, guess_pairs),
    ]  # fmt: skip
    if not drafts:
        draft = Draft({}, confidence=0.0)
        _add_others(looks, draft)
        what = "no column names the winner"
        if not has_two_systems(looks):
            what = "no columns name systems and the better one"
        return Guess(Profile(**draft.roles), 0.0, (what,))
    best = Guess(Profile(), -1.0)
    for draft in sorted(drafts, key=lambda draft: -draft.confidence)[:_MOST_DRAFTS]:
        if best.confidence >= draft.confidence:
            break
        best = max(best, _finished(looks, draft), key=lambda found: found.confidence)
    return best


def _of_ticked(table: Preview, ticked: Named) -> Guess:
    """Guess with one column in the place of each group of columns that are ticked."""
    made = table.prepared(Profile(ticked=ticked))
    gone = {own for _, columns in ticked for own in columns}
    found = guess(made.without(gone))
    used = set(found.profile.used)
    needed = tuple(group for group in ticked if group[0] in used)
    return replace(found, profile=replace(found.profile, ticked=needed))


def _finished(looks: Looks, draft: Draft) -> Guess:
    """Add judges, segments and the other roles, and look whether they fit together."""
    table = looks.table
    _exclude(looks, draft)
    if any(draft.roles.get(part) for part in ("patterns", "repeats", "templates", "values")):
        table = table.prepared(Profile(**draft.roles))
        looks = Looks(table)
    _add_others(looks, draft)
    _check(looks, draft)
    profile = Profile(**draft.roles)
    try:
        _ = profile.layout
    except ReadingError:
        return Guess(profile, 0.0, tuple(draft.doubts))
    return Guess(profile, round(max(draft.confidence, 0.01), 2), tuple(dict.fromkeys(draft.doubts)))


def _exclude(looks: Looks, draft: Draft) -> None:
    taken = draft.taken
    systems = {draft.roles.get(role) for role in ("system", "system_a", "system_b")}
    found = []
    for column in looks.columns:
        known = looks.known(column) if column in systems or column not in taken else []
        words = [text for text in known if text.casefold() == "spam"]
        if words := words if column in systems else [*control_words(column, known)]:
            found.append((column, tuple(words)))
    if found:
        draft.roles["excluded"] = tuple(found)


def _add_others(looks: Looks, draft: Draft) -> None:
    roles, taken = draft.roles, draft.taken | set(Profile(**draft.roles).made)
    found: dict[str, str | None] = {}

    def take(role: str, column: str | None) -> None:
        if column is not None and role not in roles:
            found[role] = column
            taken.add(column)

    lengths = _texts_of_outputs(looks, taken) if roles.get("system_a") else ()
    if "lengths" not in roles and lengths:
        roles["lengths"] = lengths
        taken |= set(lengths[0][1])
    source, target = (_whole(looks, known, taken) for known in (names.SOURCE, names.TARGET))
    if source and target:
        take("source", source)
        take("target", target)
    take("judge", _judge(looks, draft, taken))
    naming = (
        c for c in looks.columns
        if c not in taken and (looks.is_criteria(c) or _names_criteria(looks, draft, c))
    )  # fmt: skip
    take("criterion", None if "criteria" in roles else next(naming, None))
    if "segment" not in roles:
        take("segment", _segment(looks, draft, taken, found.get("judge")))
    apart = _apart(looks, {**roles, **found})
    take("document", _plain(looks, names.DOCUMENT, taken | apart))
    take("domain", _plain(looks, names.DOMAIN, taken | apart, most=_FEW))
    take("pair", _plain(looks, names.PAIR, taken | apart, most=_FEW) if "source" not in found
         else None)  # fmt: skip
    take("seconds", next((c for c in looks.columns if c not in taken and looks.is_number(c)
                          and names.strength(c, names.SECONDS) == 1
                          and "limit" not in c.casefold()), None))  # fmt: skip
    roles |= {role: column for role, column in found.items() if column}
    if roles.get("criterion") in looks.columns:
        criteria = looks.known(roles["criterion"])
        roles["lower"] = tuple(name for name in criteria if names.is_lower_better(name))
    if roles.get("system_a"):
        outputs = tuple(
            ("_".join(rest) or one, one, other)
            for one, other, rest, _ in sides(tuple(c for c in looks.columns if c not in taken))
            if looks.is_number(one)
            and looks.is_number(other)
            and looks.filled(one) > 0.1
            and not _UNUSED & set(rest)
            and not any(word.isdigit() for word in rest)
        )
        roles["outputs"] = tuple({name: own for own in outputs for name in [own[0]]}.values())
        taken |= {name for _, a, b in outputs for name in (a, b)}
    made = set(Profile(**roles).made)
    if draft.confidence:
        roles["attributes"] = tuple(
            c for c in looks.columns if c not in taken and c not in made and _cuts(looks, c)
            and not looks.is_date(c) and not _UNUSED & set(names.words_of(c))
            and not _BY_PLACE.search(c)
        )[:40]  # fmt: skip


def _texts_of_outputs(looks: Looks, taken: set[str]) -> Named:
    """Return the columns with the texts of both outputs, whose lengths may decide a vote."""
    found = (
        (one, other)
        for one, other, rest, _ in sides(tuple(c for c in looks.columns if c not in taken))
        if names.OUTPUT_TEXT & set(rest[-1:])
        and not any(looks.is_number(c) or names.is_id(c) for c in (one, other))
        and min(looks.filled(one), looks.filled(other)) > 0.5
        and max(looks.n_known(one), looks.n_known(other)) > 0.2 * looks.n
    )
    return tuple(("characters", pair) for pair in itertools.islice(found, 1))


def _apart(looks: Looks, roles: Mapping[str, Any]) -> set[str]:
    """Return the columns that part the rows of one segment, so that they cannot group segments."""
    segment, judge = roles.get("segment"), roles.get("judge")
    system = roles.get("system") or roles.get("system_a") or judge
    if segment not in looks.columns or system not in looks.columns:
        return set()
    known = [*names.DOCUMENT, *names.DOMAIN, *names.PAIR]
    found = {c for c in looks.columns if names.strength(c, known)}
    of_judge = {
        c for c in found
        if judge in looks.columns and looks.fixes(judge, c) and not looks.fixes(segment, c)
    }  # fmt: skip
    return of_judge | {c for c in found if not looks.groups(c, segment, system)}


def _names_criteria(looks: Looks, draft: Draft, column: str) -> bool:
    """Return whether a column is called as those of criteria, and a judge gave a score of each."""
    beside = [c for c in (draft.roles.get("system"), *draft.used) if c in looks.columns]
    return bool(beside) and looks.may_name_criteria(column, [*draft.used])


def _whole(looks: Looks, known: list[str], taken: set[str]) -> str | None:
    for column in looks.columns:
        words = names.words_of(column)
        if column not in taken and ("_".join(words) in known or "".join(words) in known):
            return column
    return None


def _plain(looks: Looks, known: list[str], taken: set[str], most: int = 10**6) -> str | None:
    found = [
        c for c in looks.columns
        if c not in taken and names.strength(c, known) == 1 and 1 <= looks.n_known(c) <= most
        and looks.is_short(c) and not looks.is_date(c)
    ]  # fmt: skip
    return min(found, key=lambda c: names.place_of(c, known), default=None)


def _judge(looks: Looks, draft: Draft, taken: set[str]) -> str | None:
    """Return the column of judges: by name; of a wide table without one, by a name for each row."""
    found = []
    for column in looks.columns:
        fits = names.strength(column, names.JUDGE)
        core = set(names.core_of(column))
        if core & {"team", "player", "model", "system"} and not core & names.JUDGE_MODEL:
            continue
        if column in taken or not fits or looks.filled(column) < 0.1 or not looks.is_short(column):
            continue
        is_giver = "from" in core and draft.roles.get("system") in _ones_given(looks, column)
        if core & {"from", "session"} and (
            looks.is_number(column) or (len(core) > 1 and not is_giver)
        ):
            continue
        if core & (names.NOT_A_SCORE | {"type", "comment", "feedback", "rating", "score", "name"}
                   - {"id", "name", "experience"}):  # fmt: skip
            continue
        if looks.is_date(column) or (looks.is_number(column) and (looks.numbers(column) % 1).any()):
            continue
        if {text.casefold() for text in looks.known(column)} <= {"true", "false", "yes", "no"}:
            continue
        if looks.n_known(column) > 0.95 * looks.n > 20 and fits < 1:
            continue
        found.append((-fits, names.place_of(column, names.JUDGE), looks.columns.index(column)))
    if found:
        return looks.columns[min(found)[2]]
    if draft.roles.get("ranks") or draft.roles.get("scores") or draft.roles.get("repeat_name"):
        share = Profile(**draft.roles).repeats
        k = len(share[0][1]) if share else 1
        for column in looks.columns:
            own = looks.n_known(column) * k
            is_segment = names.strength(column, names.SEGMENT) == 1 and not (
                names.is_id(column) and names.core_of(column) == names.words_of(column)
            )
            is_measured = set(names.words_of(column)) & (names.NOT_A_SCORE - {"id", "index"})
            if column in taken or is_segment or is_measured or own < 0.98 * looks.n:
                continue
            numbers = looks.numbers(column) if looks.is_number(column) else np.array([0.5])
            counts_rows = np.ptp(numbers) * k == own - k
            if counts_rows or (len(numbers) > 1 and (numbers % 1).any()):
                continue
            if looks.is_short(column):
                draft.doubt(0.97, "")
                return column
    return None


def _ones_given(looks: Looks, column: str) -> list[str]:
    """Return the columns that are called as this one with *to* in the place of *from*."""
    words = tuple("to" if word == "from" else word for word in names.words_of(column))
    return [other for other in looks.columns if names.words_of(other) == words]


def _segment(looks: Looks, draft: Draft, taken: set[str], judge: str | None) -> str | None:
    """Return the column of what was judged: well named, met by several systems, often an id."""
    system = draft.roles.get("system") or ""
    found = _named_segments(looks, draft, taken)
    if found:
        value, best = max(found, key=lambda one: one[0])
        by = [column for column in (system, judge) if column in looks.columns]
        if system and looks.repeated([best, *by]) > 0.3:
            finer = [one for one in found if looks.fixes(one[1], best)]
            finer = [one for one in finer if looks.repeated([one[1], *by]) < 0.05]
            value, best = max(finer, key=lambda one: one[0], default=(value, best))
        is_set = bool(system) and names.core_of(best) in (("dataset",), ("benchmark",))
        inner = [
            c for c in looks.columns if is_set and names.is_id(c) and looks.is_number(c)
            and not _RUNS & {*names.words_of(c)} and looks.crossing(c, system, best) > 0.9
        ]  # fmt: skip
        if inner:
            draft.doubt(0.65, f"{inner[0]} within {best} may name the items")
        is_coarse = not system and looks.n_known(best) < min(10, looks.n / 20)
        for own, other in (one for one in found if one[1] != best):
            is_finer = is_coarse and looks.n_known(other) > 10
            is_rival = value - 0.2 < own and not (
                looks.fixes(best, other) or looks.fixes(other, best)
            )
            if is_finer or is_rival:
                draft.doubt(0.65, f"{best} and {other} may both name the items")
                break
        return best
    return _other_segment(looks, draft, taken, system) if system else None


def _named_segments(looks: Looks, draft: Draft, taken: set[str]) -> list[tuple[float, str]]:
    """Return the columns whose names may be of items, each with how well it fits."""
    system = draft.roles.get("system") or ""
    is_pair = "system_a" in draft.roles
    found: list[tuple[float, str]] = []
    for column in looks.columns:
        n = looks.n_known(column)
        is_key = "key" in names.words_of(column) and "key" in names.words_of(system)
        fits = names.strength(column, names.SEGMENT) or 0.85 * is_key
        if n < (2 if fits < 1 or looks.n > 20 else 1):
            continue
        if column in taken or looks.is_date(column) or looks.filled(column) < 0.5:
            continue
        if is_pair and (_BY_PLACE.search(column) or "year" in names.words_of(column)):
            continue
        if not fits and not names.is_id(column):
            continue
        is_graded = names.is_criterion(column) and not names.is_id(column)
        if looks.is_number(column) and (is_graded or (looks.numbers(column) % 1).any()):
            continue
        is_answer = names.words_of(column)[0] in ("output", "answer", "response")
        if is_answer and not looks.is_short(column):
            continue
        value = fits or 0.3
        early = names.place_of(column, names.SEGMENT)
        value += 0.15 * names.is_id(column) - 0.004 * early
        value += 0.1 * min(math.log(n) / math.log(max(looks.n, 2)), 1)
        longest = max(map(len, looks.known(column)[:50]))
        value -= 0.2 if longest > LONG_TEXT else 0
        # A trial's number counts what one judge saw; trial_id may be an item.
        value -= 0.3 if names.core_of(column) == ("trial",) and not names.is_id(column) else 0
        value -= column.casefold().startswith("assignment:")
        if system:
            crossing = looks.crossing(column, system)
            if crossing < 0.5:
                continue
            value += crossing
        elif n == looks.n > 20:
            value += 0.6 if column == "key" else -0.3
        found.append((value, column))
    return found


def _other_segment(looks: Looks, draft: Draft, taken: set[str], system: str) -> str | None:
    """Return a column without a usual name of which each value meets nearly all systems."""
    for column in looks.columns:
        is_talk = names.is_id(column) and set(names.words_of(column)) & names.TALKS
        if is_talk and column not in taken and looks.fixes(column, system):
            return column
    others = [
        c for c in looks.columns
        if c not in taken and looks.crossing(c, system) > 0.9 and looks.n_known(c) > 2
        and not looks.is_date(c) and not names.is_score(c)
        and not set(names.words_of(c)) & (names.NOT_A_SCORE - {"year", "id", "seed", "index"})
    ]  # fmt: skip
    if others:
        draft.doubt(0.75, f"{others[0]} is not a usual name for items")
    return max(others, key=lambda c: looks.n_known(c), default=None)


def _check(looks: Looks, draft: Draft) -> None:
    """Doubt a reading whose parts do not fit together."""
    roles = draft.roles
    system = roles.get("system")
    repeated = {own for _, columns in roles.get("repeats", ()) for own in columns}
    if any(_is_in_list(looks, column) for column in draft.taken - repeated):
        # Of several verdicts in a list, only the first would be read.
        other, n_lists = _BY_PLACE.subn(r".1\1", roles.get("winner", ""), count=1)
        is_one = not (n_lists and other in looks.columns)
        is_named = is_one and (roles.get("system_a") or roles.get("systems"))
        draft.doubt(0.9 if is_named else 0.5, "lists within records are read by place")
    _look_for_shared(looks, draft)
    ranks = [] if roles.get("constants") else [*roles.get("ranks", ())]
    if ranks and all(c in looks.columns and looks.n_known(c) == 1 for c in ranks):
        draft.doubt(0.4, "all rows have the same ranks")
    if not system:
        if roles.get("system_a") and not roles.get("segment"):
            draft.doubt(0.97, "")
        if pair := _crossed(looks, roles):
            draft.doubt(0.65, f"{pair[0]} and {pair[1]} may name the judges and the items")
        return
    segment, judge = roles.get("segment"), roles.get("judge")
    if segment is None:
        draft.doubt(0.6, "no column shows which outputs belong to one item")
        return
    columns = [c for c in (system, segment, judge, roles.get("criterion"), roles.get("document"),
                           roles.get("pair"), roles.get("source"), roles.get("target"),
                           *roles.get("attributes", ())) if c in looks.columns]  # fmt: skip
    if looks.n < 2 * looks.n_known(system):
        draft.doubt(0.3, f"{system} has hardly more than one row per system: these may be results")
    if judge and looks.repeated(columns) > 0.05:
        draft.doubt(0.75, "a judge often scores the same output more than once")
    runs = [c for c in looks.columns if _numbers_answers(looks, c)]
    if (
        not judge
        and looks.repeated([c for c in columns if c not in roles["attributes"]] + runs) > 0.3
    ):
        draft.doubt(0.65, "outputs have several scores, and no column names a judge")
    if looks.n_known(system) > 0.2 * looks.n > 20:
        draft.doubt(0.8, f"{system} has many different names")
    if looks.crossing(segment, system) < 0.5:
        sure = 0.85 if set(names.words_of(segment)) & names.TALKS else 0.6
        draft.doubt(sure, f"few items of {segment} have more than one system")


def _look_for_shared(looks: Looks, draft: Draft) -> None:
    """Find the sign between systems that gave the same output: ``bart|t5``, never beside ``t5``."""
    roles = draft.roles
    named = [roles.get(role) for role in ("system", "system_a", "system_b")]
    columns = [c for c in (*named, *roles.get("systems", ())) if c in looks.columns]
    known = {text for column in columns for text in looks.known(column)}
    for sign, least in ((",", 1), ("|", 1), (";", 1), ("+", 2), (" ", 3)):
        parts = {text: {*map(str.strip, text.split(sign))} for text in known if sign in text}
        joined = {text: own for text, own in parts.items() if own & known}
        if not joined or any(
            _is_beside(looks, draft, columns, *one) for one in [*joined.items()][:_FEW]
        ):
            continue
        if all(own <= known for own in parts.values()) and len(joined) >= least:
            roles["shared"] = sign
            what = f"{min(joined)} is used as an output that several systems share"
        elif least > 1:
            continue
        else:
            what = f"{min(joined)} may be an output that several systems share"
        draft.doubt(0.9 if "shared" in roles else 0.6, what)
        return


def _is_beside(looks: Looks, draft: Draft, columns: list[str], name: str, parts: set[str]) -> bool:
    """Return whether a name and a part of it were judged together: then it is one system."""
    segment = draft.roles.get("segment")
    values = looks.table.values
    by_item = "system" in draft.roles and segment in values
    groups: Iterable[object] = values[str(segment)] if by_item else range(looks.n)
    with_name: set[object] = set()
    with_part: set[object] = set()
    for column in columns:
        for group, text in zip(groups, values[column], strict=False):
            if text == name:
                with_name.add(group)
            elif text in parts:
                with_part.add(group)
    return not with_name.isdisjoint(with_part)


def _crossed(looks: Looks, roles: Mapping[str, Any]) -> tuple[str, ...]:
    """Return two columns that together number the rows of a table without judges and items."""
    if roles.get("judge") or roles.get("segment"):
        return ()
    for pair in itertools.combinations(roles.get("attributes", ()), 2):
        sizes = [looks.n_known(column) for column in pair]
        if min(sizes) > 2 and math.prod(sizes) == looks.n and not looks.repeated([*pair]):
            return pair
    return ()


def _is_in_list(looks: Looks, column: str) -> bool:
    """Return whether a column is of one place of a list, of which another one is the first."""
    place = _BY_PLACE.search(column)
    return place is not None and any(
        name.startswith(f"{column[: place.start()]}.0") for name in looks.columns
    )


def _numbers_answers(looks: Looks, column: str) -> bool:
    """Return whether a column numbers the answers of one system to one item, as runs do."""
    if set(names.words_of(column)) & _RUNS:
        return True
    if not (names.is_id(column) and looks.is_number(column)):
        return False
    numbers = looks.numbers(column)
    return len(numbers) <= 20 and numbers.min() in (0, 1) and np.ptp(numbers) == len(numbers) - 1
