"""What becomes of a ranking when one thing is changed, in words."""

from __future__ import annotations

from analysis.comparing.cycles import Cycle
from analysis.comparing.fewest import Fewest
from analysis.comparing.stability import (
    APART,
    CHANGES,
    ORDER,
    TURNED,
    UNKNOWN,
    Stability,
    Statement,
)
from analysis.findings.standings import Name
from analysis.ranking.quick import STAND_IN
from analysis.wording import capital, count, p_value, percent, thousands

MOST_NAMED = 3


def finding(stable: Stability, name: Name = str) -> str:
    """Say what becomes of the two at the top, and how many neighbors keep their order.

    "online-B stays ahead of cu-bojar whatever is changed; 9 of 12 neighbors keep their order"
    """
    pairs = stable.neighbors
    if not pairs:
        return "There are no two neighbors to look at"
    top, turned = stable.statements[pairs[0]], stable.turned
    first, second = name(top.above[0]), name(top.below[0])
    if turned[pairs[0]]:
        how = next(change for change in stable.changes if _turns(stable, pairs[0], change))
        what = stable.where(pairs[0], how, TURNED)[0]
        begin = f"{second} passes {first} with {changed_words(how, what, name)}"
    else:
        begin = f"{first} stays ahead of {second} {_whatever(stable)}"
        if stable.now[pairs[0]] != APART:
            begin += ", though the two are not told apart"
    kept = sum(not turned[k] for k in pairs)
    if len(pairs) == 1:
        return begin
    if kept == len(pairs):
        return f"{begin}; all {len(pairs)} neighbors keep their order"
    return f"{begin}; {kept} of {count(len(pairs), 'neighbor')} keep their order"


def _whatever(stable: Stability) -> str:
    """Say under which changes something holds: all, or those that were looked at."""
    if stable.leaves_out:
        return "whatever is changed"
    looked_at = " and ".join(
        words
        for change, words in (
            ("method", "by every method"),
            ("ties", "however ties count"),
        )
        if change in stable.changes
    )
    return looked_at or "for others and for these"


def changed_words(change: str, what: str, name: Name = str) -> str:
    """Say one change: "the method Bojar", "judge07 left out"."""
    return {
        "method": f"the method {what}",
        "ties": f"ties {what}",
        "target": f"an eye on {what}",
        "judge": f"{what} left out",
        "system": f"{name(what)} left out",
        "segments": f"{what} left out",
    }[change]


def statement_words(statement: Statement, name: Name = str) -> str:
    """Say a statement: "a above b", "line under a"."""
    if statement.is_line:
        return f"line under {name(statement.above[-1])}"
    return f"{name(statement.above[0])} above {name(statement.below[0])}"


def cell_words(stable: Stability, statement: int, change: str, name: Name = str) -> str:
    """Say what one kind of change does to a statement, with what does it."""
    (kind,) = (known for known in stable.changes if known == change)
    n = len(stable.of(kind)) - len(stable.where(statement, kind, UNKNOWN))
    for state, verb in ((TURNED, "turned"), (ORDER, "order kept, not told apart")):
        found = stable.where(statement, kind, state)
        if found:
            shown = [name(what) if kind == "system" else what for what in found[:MOST_NAMED]]
            more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
            return f"{verb} in {len(found)} of {n}: {', '.join(shown)}{more}"
    known = len(stable.where(statement, kind, APART))
    return f"told apart in all {known}" if known else "does not apply"


def sentences(stable: Stability, name: Name = str) -> list[str]:
    """Say of each kind of change how many neighbors it turns, and the first of them."""
    pairs, said, calm = stable.neighbors, [], []
    for change in stable.changes:
        turned = [k for k in pairs if _turns(stable, k, change)]
        if not turned:
            calm.append(CHANGES[change])
            continue
        first = stable.statements[turned[0]]
        what = changed_words(change, stable.where(turned[0], change, TURNED)[0], name)
        said.append(
            f"{capital(CHANGES[change])}: {len(turned)} of {count(len(pairs), 'pair')} of "
            f"neighbors change places, the first {name(first.above[0])} and "
            f"{name(first.below[0])}, with {what}."
        )
    if calm:
        said.append(f"{capital('; '.join(calm))}: no neighbors change places.")
    return said


def fewest_words(found: Fewest, name: Name = str) -> str:
    """Say how few judgments put the lower system above the upper one."""
    above, below = name(found.above), name(found.below)
    how = {"drop": "Leaving out", "turn": "Turning round"}[found.deed]
    if found.n is None:
        return f"{how} judgments does not put {below} above {above}."
    if not found.n:
        return f"{STAND_IN.title}, which stands in here, puts {below} above {above} already."
    words = (
        f"{how} {count(found.n, 'judgment')} ({percent(found.share)} of all) puts {below} above "
        f"{above}."
    )
    if found.alike:
        words += " Other judgments of the same systems with the same outcome do the same."
    return words


def _turns(stable: Stability, statement: int, change: str) -> bool:
    (kind,) = (known for known in stable.changes if known == change)
    return bool(stable.where(statement, kind, TURNED))


def cycle_sentences(n: int, first: Cycle | None, name: Name = str) -> list[str]:
    """Say how many cycles there are, and the strongest."""
    if first is None:
        return ["No three systems beat each other in a circle."]
    a, b, c = (name(system) for system in first.systems)
    many = "One circle" if n == 1 else f"{thousands(n)} circles"
    return [
        f"{many} of three systems that each beat the next more often than not; the strongest: {a} "
        f"beats {b}, {b} beats {c}, {c} beats {a}, each in {percent(first.strength)} or more of "
        f"the decided judgments (weakest link {p_value(first.p)}, one-sided)."
    ]
