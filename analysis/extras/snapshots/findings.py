"""What two states of a campaign say, in words: what moved, what of it may be noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from analysis.extras.snapshots.moves import Move, Moves, sorted_by
from analysis.extras.snapshots.snapshots import PairChange, States, verdict_of
from analysis.findings.changes import describe_order
from analysis.findings.head_to_head import differ
from analysis.findings.standings import Name, own_words
from analysis.rankers import ranker_class
from analysis.wording import count, fixed, listed, p_value, percent, thousands

MOST_NAMED = 3
MOST_IN_HEADLINE = 2

MEANING = {
    "turned": "Significant before and now, in opposite directions",
    "settled": "Significant now, too close to call before",
    "opened": "Significant before, too close to call now",
    "swapped": "Changed places; significant neither before nor now, so this may be noise",
}
OFFICIAL = {
    "turned": "Separate rank ranges before and now, in opposite directions",
    "settled": "Separate rank ranges now, not before",
    "opened": "Separate rank ranges before, not now",
    "swapped": "Changed places; no separate rank ranges before or now, so this may be noise",
}
"""The kinds of changes in words, by a test and by an official procedure."""


SIMULATED = " Two simulated campaigns of the same systems almost always differ in such a pair."
"""What `tests/tools/audit/states.py` measures: the claim that a pair differs in one state alone."""


def meaning(states: States) -> Mapping[str, str]:
    """Return the kinds of changes in words."""
    return OFFICIAL if states.is_official else MEANING


def states_headline(states: States, name: Name = str) -> str:
    """Return the finding: which systems changed, or else who leads and which pairs changed."""
    if states.same_items:
        return f"{_same_items(states)}; compare them as judges"
    if states.moves and states.moves.significant:
        return _moved(states, states.moves, name)
    if states.moves and states.share is not None:
        return f"{_leader(states, name)}; no system changed significantly"
    turned, settled, opened = (states.of(kind) for kind in ("turned", "settled", "opened"))
    pair = "pair" if states.has_same_systems else "shared pair"
    parts = []
    verdict = verdict_of(states.after)
    if turned:
        parts.append(f"{_pairs(turned, name)} reversed")
    if settled:
        fewer, n = f", {len(opened)} no longer" if opened else "", len(settled)
        parts.append(f"{count(n, f'more {pair}')} {differ(verdict, n)}{fewer}")
    elif opened:
        parts.append(f"{count(len(opened), pair)} no longer {differ(verdict, len(opened))}")
    if not parts:
        is_any = verdict.significant.any() or verdict_of(states.before).significant.any()
        parts.append(
            f"the same pairs {differ(verdict)}"
            if is_any
            else f"no pair {differ(verdict, 1)}, before or now"
        )
    return "; ".join([_leader(states, name), *parts])


def _n_swaps(before: Sequence[str], after: Sequence[str]) -> int:
    """Return how many pairs of systems, adjacent or not, change places."""
    place = {system: k for k, system in enumerate(after)}
    return sum(place[upper] > place[lower] for upper, lower in combinations(before, 2))


def _moved(states: States, moves: Moves, name: Name) -> str:
    found = moves.significant
    since = _since(states, moves)
    if len(found) > MOST_IN_HEADLINE:
        return f"{count(len(found), 'system')} changed significantly {since}"
    return f"{changes_words(moves, name)} {since}"


def changes_words(moves: Moves, name: Name = str, most: int | None = None) -> str:
    """Name the systems that changed: "a gained 0.62 and b lost 0.75"."""
    return listed([_change(move, name) for move in moves.significant], most)


def _change(move: Move, name: Name) -> str:
    return (
        f"{name(move.system)} {'gained' if move.change > 0 else 'lost'} {fixed(abs(move.change))}"
    )


def _since(states: States, moves: Moves) -> str:
    """Say since when: "since the first half", "compared with the other file"."""
    if moves.share is None:
        return "compared with the other file"
    return f"since the {_first_part(states, moves.share)}"


def _first_part(states: States, share: float) -> str:
    """Name the first part of a file: "first half", "first 25% of the tasks"."""
    tasks = f"{_noun(states, 'task')}s"
    return "first half" if round(share, 2) == 0.5 else f"first {percent(share)} of the {tasks}"


def _noun(states: States, general: str) -> str:
    """Return what the counts are of: ratings, votes or, in general, tasks."""
    if states.ratings is not None:
        return "rating"
    return "vote" if states.after.judgments.are_votes else general


def _same_items(states: States) -> str:
    words = "Both files have judgments on the same segments"
    return own_words(states.after.judgments, words)


def _moves_sentences(states: States, moves: Moves, name: Name) -> list[str]:
    """Say which systems changed from the first part to the second, and how that was tested."""
    found, since = moves.significant, _since(states, moves)
    parts = "here minus that in the other file"
    if moves.share is not None:
        parts = f"in the rest minus that in the {_first_part(states, moves.share)}"
    judges = "" if states.after.judgments.n_judges is None else " and judges"
    how = (
        f"By {moves.method}: the score {parts}, each relative to the mean of the systems in both; "
        + own_words(states.after.judgments, f"tested for new segments{judges}.")
    )
    if not found:
        what = f"No system changed significantly {since}."
    else:
        others = len(moves.systems) - len(found)
        none = f"; {count(others, 'other system')} did not change significantly" if others else ""
        changes = [f"{_change(move, name)} ({p_value(move.p_adjusted)})" for move in found]
        what = f"{listed(changes)} {since}{none}."
    by = sorted_by(states.after.judgments) if moves.share is not None else ""
    other = f"The file is sorted by {by}: a change may show other {by}s, not a change over time."
    if by == "system" and states.ratings is not None:
        other = (
            "The file is sorted by system, so no order in time is known. Its segments are split in "
            "order of appearance: a change may show other segments."
        )
    return [what, how, *([own_words(states.after.judgments, other)] if by else [])]


def _shared_words(states: States) -> str:
    """Say what places and scores are compared over where the states have other systems."""
    both = f"the {len(states.common)} systems in both"
    if not ranker_class(states.after.standings.method).is_relative:
        return f"Places are among {both}."
    return f"Places are among {both}; their mean score is set to be the same before and now."


def _leader(states: States, name: Name) -> str:
    before, after = states.before, states.after
    won, wins = (one and name(one) for one in (before.winner, after.winner))
    if won and won == wins:
        return f"{wins} still wins"
    if won or wins:
        now_words = f"{wins} wins now" if wins else "No winner now"
        return f"{now_words}, {won} won before" if won else f"{now_words}, not before"
    was, now = before.systems[before.order[0]], after.systems[after.order[0]]
    if was == now:
        return f"{name(now)} still has the highest score"
    return f"{name(now)} now has the highest score, {name(was)} had it before"


def _pairs(changes: tuple[PairChange, ...], name: Name) -> str:
    if len(changes) > MOST_NAMED:
        return count(len(changes), "pair")
    return listed([f"{name(c.lower)} and {name(c.upper)}" for c in changes])


def states_sentences(states: States, name: Name = str) -> list[str]:
    """Return what else there is to know: the judgments, the systems, the order."""
    counted = states.ratings or states.tasks
    first, one = _noun(states, "ranking task"), _noun(states, "task")
    sentences = [] if states.moves is None else _moves_sentences(states, states.moves, name)
    if states.same_items:
        sentences.append(
            f"{_same_items(states)}, so judges may differ instead of systems. Open both files "
            "together to compare their judges on Agreement."
        )
    if states.share is not None:
        tasks = f"{count(counted.kept + counted.removed, first)} in the"
        sentences.append(
            f"Before: {tasks} {_first_part(states, states.share)}; now: "
            f"{thousands(counted.kept + counted.added)} in the rest."
        )
    else:
        sentences.append(
            f"{count(counted.kept, first)} in both, {count(counted.added, one)} only now, "
            f"{count(counted.removed, one)} only before."
        )
    if states.new:
        are = "system is" if len(states.new) == 1 else "systems are"
        named = listed(list(map(name, states.new)), 6)
        sentences.append(f"{len(states.new)} {are} new: {named}.")
    if states.gone:
        sentences.append(f"Systems no longer there: {listed(list(map(name, states.gone)), 6)}.")
    if not states.has_same_systems:
        sentences.append(_shared_words(states))
    there = set(states.common)
    before = [states.before.systems[k] for k in states.before.order]
    order = describe_order([s for s in before if s in there], states.common, name)
    swapped = len(states.of("swapped"))
    if order:
        noise = f" {count(swapped, 'swapped pair')} may be noise." if swapped else ""
        if swapped > 1 and swapped == _n_swaps([s for s in before if s in there], states.common):
            noise = f" All {swapped} swaps may be noise."
        sentences.append(f"Order: {order}.{noise}")
    else:
        sentences.append("The systems in both have the same order.")
    untested = states.moves is None and not states.same_items
    if untested and (states.of("settled") or states.of("opened")):
        sentences.append(
            f"A pair that {differ(verdict_of(states.after), 1)} in only one of the two snapshots "
            "is not evidence of a change: more or different judgments alone can cause it."
            f"{'' if states.is_official else SIMULATED}"
        )
    if states.of("turned"):
        both = f"differed significantly both times, each time at {states.after.level:.0%} by itself"
        if states.is_official:
            both = "had separate rank ranges both times"
        sentences.append(
            f"A reversed pair {both}: check the judges, the segments, and whether outputs changed."
        )
    return sentences
