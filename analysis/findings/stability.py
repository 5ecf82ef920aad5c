"""What becomes of a ranking when one thing is changed, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from analysis.comparing.fewest import Fewest
from analysis.comparing.head_to_head import Cycle
from analysis.comparing.stability import (
    APART,
    CHANGES,
    ORDER,
    TURNED,
    UNKNOWN,
    Change,
    Stability,
    Statement,
    Variant,
)
from analysis.errors import control
from analysis.findings.standings import Name
from analysis.rankers import RANKERS
from analysis.ranking.comparison_checks import likewise
from analysis.ranking.ranking import STAND_IN
from analysis.wording import capital, count, listed, p_value, percent, thousands

MOST_NAMED, MOST_AT_ONCE = 3, 2
"""Changes that a cell and the headline name."""
MODELED = "modeled: "
"""How the ways to count ties begin that a method has as hyperparameters."""
TELLING: tuple[Change, ...] = ("judge", "ties", "system", "segments", "scope", "method")
"""Kinds of change in the order in which the headline names them."""
LOST: dict[Change, str] = {
    "method": "other methods",
    "ties": "ways to count ties",
    "scope": "other scopes",
    "judge": "cases without one judge",
    "system": "cases without one system",
    "segments": "cases without 10% of the data",
}
"""What a finding is lost in."""


def finding(stable: Stability, name: Name = str) -> str:
    """Say whether the winner wins, or the first system stays first, and else what ends that.

    "online-B wins in all 106 changes", "No winner in 6 of 106 changes: without judge3, …",
    "online-B is first in 105 of 106 changes; with ties half it ranks 7th"
    """
    if not stable.neighbors:
        return "Fewer than two systems are ranked"
    leader = stable.statements[stable.neighbors[0]].above[0]
    places = [
        (1 + int(np.sum(seen.scores > seen.scores[seen.systems.index(leader)])), variant)
        for seen, variant in zip(stable.seen, stable.variants, strict=True)
        if leader in seen.systems
    ]
    keep = " that keep it" if len(places) < len(stable.seen) else ""
    changes = f"{count(len(places), 'change')}{keep}"
    worst, variant = max(places, key=lambda found: found[0], default=(1, None))
    if worst == 1 or variant is None:
        if stable.base.winner != leader or stable.base.is_official:
            return f"{name(leader)} stays first in all {changes}"
        lost = [
            variant
            for seen, variant in zip(stable.seen, stable.variants, strict=True)
            if leader in seen.systems and seen.winner != leader
        ]
        if not lost:
            return f"{name(leader)} wins in all {changes}"
        named = [_under(variant, name) for variant in one_of_each(lost)]
        more = ", …" if len(lost) > MOST_AT_ONCE else ""
        return f"No winner in {len(lost)} of {changes}: {', '.join(named[:MOST_AT_ONCE])}{more}"
    kept = sum(place == 1 for place, _ in places)
    how = changed_words(variant.change, variant.what, name)
    return f"{name(leader)} is first in {kept} of {changes}; with {how} it ranks {ordinal(worst)}"


def without_words(winner: str | None, without: Mapping[str, str | None], name: Name = str) -> str:
    """Say whether the winner wins without each other system; empty if nothing was left out.

    "a wins whichever other system is left out; without a, b wins"
    """
    others = {system: found for system, found in without.items() if system != winner}
    changed = [system for system, found in others.items() if found != winner]
    if not others:
        return ""
    if changed:
        more = likewise(len(changed) - 1, "system")
        if winner is not None:
            return f"{name(winner)} would not win without {name(changed[0])}{more}"
        return f"Without {name(changed[0])}, {name(others[changed[0]] or '')} would win{more}"
    if winner is None:
        return "No winner can be named, whichever system is left out"
    next_one = without.get(winner)
    wins = f"{name(next_one)} wins" if next_one else "no winner can be named"
    said = f"{name(winner)} wins whichever other system is left out"
    return f"{said}; without {name(winner)}, {wins}" if winner in without else said


def one_of_each(variants: Sequence[Variant]) -> list[Variant]:
    """Return changes in the order to name them: first one of each kind, a judge before all."""
    seen: Counter[Change] = Counter()
    places = []
    for variant in variants:
        places.append((seen[variant.change], TELLING.index(variant.change)))
        seen[variant.change] += 1
    return [variants[k] for k in sorted(range(len(variants)), key=places.__getitem__)]


def _under(variant: Variant, name: Name) -> str:
    """Say under which change: "with the method Bojar", "without judge07"."""
    if variant.change in ("judge", "system", "segments"):
        return f"without {name(variant.what) if variant.change == 'system' else variant.what}"
    if variant.what.startswith(MODELED):
        return f"with {variant.what.removeprefix(MODELED)} ties"
    return f"with {changed_words(variant.change, variant.what, name)}"


def ordinal(n: int) -> str:
    """Write a rank as a word of order.

    >>> ordinal(1), ordinal(2), ordinal(13), ordinal(22)
    ('1st', '2nd', '13th', '22nd')
    """
    ending = "th" if 10 < n % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{ending}"


def changed_words(change: str, what: str, name: Name = str) -> str:
    """Say one change: "the method Bojar", "judge07 left out"."""
    return {
        "method": _method_words(what),
        "ties": f"ties {what}",
        "scope": f"scope {what}",
        "judge": f"{what} left out",
        "system": f"{name(what)} left out",
        "segments": f"{what} left out",
    }[change]


def _method_words(title: str) -> str:
    """Name a method as the reader's front end calls it."""
    name = next((name for name, ranker in RANKERS.items() if ranker.title == title), title)
    return control(f"--method {name}", f"the method {title}")


def statement_words(statement: Statement, name: Name = str) -> str:
    """Say a statement: "a wins", "a above b", "cluster ends at a"."""
    if statement.is_winner:
        return f"{name(statement.above[0])} wins"
    if statement.is_line:
        return f"cluster ends at {name(statement.above[-1])}"
    return f"{name(statement.above[0])} above {name(statement.below[0])}"


def cell_words(stable: Stability, statement: int, change: str, name: Name = str) -> str:
    """Say what one kind of change does to a statement, with what does it."""
    (kind,) = (known for known in stable.changes if known == change)
    n = len(stable.of(kind)) - len(stable.where(statement, kind, UNKNOWN))
    word = stable.statements[statement].word
    for state, verb in ((TURNED, word(TURNED)), (ORDER, word(ORDER))):
        found = stable.where(statement, kind, state)
        if found:
            shown = [name(what) if kind == "system" else what for what in found[:MOST_NAMED]]
            more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
            return f"{verb} in {len(found)} of {n}: {', '.join(shown)}{more}"
    known = len(stable.where(statement, kind, APART))
    return f"{word(APART)} in all {known}" if known else "does not apply"


def sentences(stable: Stability, name: Name = str) -> list[str]:
    """Say what is lost most often, then how many neighbors each kind of change turns."""
    pairs, said, calm = stable.neighbors, _losses(stable, name), []
    winners = [k for k, one in enumerate(stable.statements) if one.is_winner]
    costly = {change for change in stable.changes for k in winners if stable.lost(k, change)[0]}
    if not stable.leaves_out:
        said.append("No judge, system or segment was left out in this table.")
    for change in stable.changes:
        turned = [k for k in pairs if _turns(stable, k, change)]
        if not turned:
            calm.append(change)
            continue
        first = stable.statements[turned[0]]
        what = changed_words(change, stable.where(turned[0], change, TURNED)[0], name)
        changes = "changes places:" if len(turned) == 1 else "change places, the first"
        said.append(
            f"{capital(CHANGES[change])} ({len(stable.of(change))} tried): {len(turned)} of "
            f"{count(len(pairs), 'adjacent pair')} {changes} {name(first.above[0])} and "
            f"{name(first.below[0])}, with {what}."
        )
    for kinds, but in (
        ([kind for kind in calm if kind in costly], ", but in some of them the winner is lost"),
        ([kind for kind in calm if kind not in costly], ""),
    ):
        if kinds:
            words = capital("; ".join(CHANGES[kind] for kind in kinds))
            said.append(f"{words}: no adjacent systems change places{but}.")
    return said


def _losses(stable: Stability, name: Name) -> list[str]:
    """Say which finding is lost most often, and what else is lost of the cluster boundaries."""
    lost = stable.is_lost.sum(axis=1) * (stable.now == APART)
    lines = [k for k, one in enumerate(stable.statements) if one.is_line]
    fragile = [k for k in lines if lost[k]]
    said = []
    if lost.any():
        most = int(lost.argmax())
        fragile = [k for k in fragile if k != most]
        what = statement_words(stable.statements[most], name)
        of = int((stable.states[most] != UNKNOWN).sum())
        said.append(f"Lost most often: “{what}”, in {lost[most]} of {count(of, 'change')}.")
    above = listed([name(stable.statements[k].above[-1]) for k in fragile])
    if len(fragile) == 1:
        how = _lost_in(stable, fragile[0])
        said.append(f"The cluster boundary below {above} is fragile: lost {how}.")
    elif fragile:
        said.append(f"The cluster boundaries below {above} are fragile: a change removes each.")
    if lines and not lost[lines].any():
        which, stay = ("The", "stays") if len(lines) == 1 else ("All", "stay")
        them = count(len(lines), "cluster boundary", "cluster boundaries")
        said.append(f"{which} {them} {stay} in all changes.")
    return said


def _lost_in(stable: Stability, statement: int) -> str:
    """Say in how many changes of each kind a statement is lost."""
    found = [(change, *stable.lost(statement, change)) for change in stable.changes]
    return f"in {listed([f'{n} of {of} {LOST[change]}' for change, n, of in found if n])}"


def fewest_words(found: Fewest, name: Name = str, noun: str = "judgment") -> str:
    """Say how few judgments put the lower system above the upper one."""
    above, below = name(found.above), name(found.below)
    how = {"drop": "Leaving out", "turn": "Reversing"}[found.alteration]
    if found.n is None:
        return f"{how} {noun}s does not put {below} above {above}."
    if not found.n:
        return (
            f"{STAND_IN.title} (used here in place of this method) already ranks {below} above "
            f"{above}."
        )
    words = f"{how} {count(found.n, noun)} ({found.share:.2%} of all) puts {below} above {above}."
    if found.alike:
        words += f" Other {noun}s of the same systems with the same outcome do the same."
    return words


def _turns(stable: Stability, statement: int, change: str) -> bool:
    (kind,) = (known for known in stable.changes if known == change)
    return bool(stable.where(statement, kind, TURNED))


def cycle_sentences(n: int, first: Cycle | None, name: Name = str) -> list[str]:
    """Say how many cycles there are, and the strongest."""
    if first is None:
        return ["There are no cycles (A beats B, B beats C, C beats A)."]
    a, b, c = (name(system) for system in first.systems)
    many = "One cycle" if n == 1 else f"{thousands(n)} cycles"
    return [
        f"{many} of three systems that each beat the next in most decided judgments; the "
        f"strongest: {a} beats {b}, {b} beats {c}, {c} beats {a}, each in "
        f"{percent(first.strength)} or more (weakest link {p_value(first.p)}, one-sided)."
    ]
