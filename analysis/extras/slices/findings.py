"""What differs between parts of a campaign, and what position and length do, in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analysis.extras.slices.by_slice import BySlice
from analysis.extras.slices.controlled.columns import POSITION
from analysis.extras.slices.effects import Style
from analysis.names import middle_cut
from analysis.wording import count, fixed, listed, percent

NOTHING_TO_CUT = (
    "The file has no columns that describe segments, judges or tasks, or each has a single "
    "value. With columns such as domain, document or length, this page compares the parts."
)

SCALE = (
    "Each score has the mean of the systems common to all parts subtracted, so the parts are "
    "comparable. Intervals (±) are 95% for one score each; differences are tested for all pairs "
    "of parts together (Holm's method)."
)

STYLE = (
    "Position is which output was shown first. Numbers a and b of the two outputs, such as their "
    "lengths, enter as (a − b)/(a + b)."
)

LENGTH = "length"
LENGTHS = frozenset({"characters", "tokens", "words", LENGTH})
"""Columns whose numbers are the lengths of outputs."""

ADD_LENGTHS = "Add the columns text_a and text_b (or length_a, length_b) to adjust for length."

MOST_TOLD = 3
MOST_LETTERS = 24
"""Letters of a part's name in a sentence."""


def slices_finding(found: BySlice, name: Callable[[str], str]) -> str:
    """Say which systems are significantly better in which part, or that nobody can know.

    "cmu is better where domain is news than where it is chat"
    """
    told = found.told
    if not told and not found.has_enough:
        n = count(sum(found.n_judgments), "vote" if found.are_votes else "judgment")
        return f"Too few to compare parts by {spelled(found.attribute)}: {n}"
    if not told:
        return f"No system's score differs significantly by {spelled(found.attribute)}"
    first = told[0]
    more = f"; {count(len(told) - 1, 'more difference')}" if len(told) > 1 else ""
    return (
        f"{name(first.system)} is better where {_where(found, first.more)} than where "
        f"{_where(found, first.less)}{more}"
    )


def _where(found: BySlice, part: str) -> str:
    if part.startswith(found.attribute):
        return spelled(part)
    return f"{spelled(found.attribute)} is {middle_cut(part, MOST_LETTERS)}"


def spelled(attribute: str) -> str:
    """Write the name of a column in words: creative_writing is creative writing."""
    return attribute.replace("_", " ")


def slices_words(found: BySlice, name: Callable[[str], str]) -> str:
    """Say what was tested, what is told, and who is left out."""
    n = len(found.differences)
    words = f"By {found.method}. {len(found.told)} of {count(n, 'difference')} between parts "
    words += f"{'is' if len(found.told) == 1 else 'are'} significant. {SCALE}"
    if found.left_out:
        left_out = listed([name(system) for system in found.left_out], most=5)
        words += f" Not judged in all parts: {left_out}."
    return words


def winner_finding(style: Style, name: Callable[[str], str] = str) -> str:
    """Say whether the winner is another one once outputs are equal in what is adjusted for.

    "gpt-4 still wins when length and position are equal"
    """
    before, after = (one.winner for one in style.verdicts)
    names = {LENGTH if one in LENGTHS else spelled(one) for one in style.effects.names}
    what = listed(sorted(names), most=3)
    when = f"when {what} {'are' if len(names) > 1 else 'is'} equal"
    if names == {POSITION}:
        when = "once adjusted for position"
    if before is None and after is None:
        return f"No winner can be named, with or without adjustment for {what}"
    if after is None:
        return f"{name(str(before))} no longer wins {when}"
    if before == after:
        return f"{name(after)} still wins {when}"
    instead = f"instead of {name(before)}" if before else "but cannot be named without adjusting"
    return f"{name(after)} wins {when}, {instead}"


def style_finding(style: Style) -> str:
    """Say what each effect does to the chances of two outputs that are equally good, length first.

    "An output with twice the tokens wins 56% of decided votes against an equally good one; the one
    shown first, 54%"
    """
    of_outputs = style.effects.of_outputs
    places = sorted(range(len(of_outputs)), key=lambda place: not of_outputs[place])
    return "; ".join(_effect(style, place, is_first=place == places[0]) for place in places)


def adjusted_words(style: Style, columns: Sequence[str]) -> str:
    """Say what a ranking was adjusted for, what that does, and how many places it changes.

    ``columns`` are those of the file that it could be adjusted for besides the position.
    """
    names = listed([spelled(name) for name in style.effects.names])
    more = "" if columns else f" {ADD_LENGTHS}"
    return f"Adjusted for {names}. {style_finding(style)}. {places_words(style)}{more}"


def places_words(style: Style) -> str:
    """Say how many systems have another place once the scores are adjusted."""
    frame = style.to_frame()
    moved = int((frame["place"] != frame["place, adjusted"]).sum())
    if not moved:
        return "Adjusting changes no system's place."
    return f"Adjusting changes the place of {moved} of {count(len(frame), 'system')}."


def can_be_adjusted_words(columns: Sequence[str]) -> str:
    """Say what a ranking can be adjusted for."""
    return f"Not adjusted for {listed([spelled(name) for name in columns], most=3)} or position."


def position_words(share: float) -> str:
    """Say how often the output shown first wins."""
    return f"The output shown first wins {percent(share)} of decided votes."


def adjusted_leader(style: Style, name: Callable[[str], str] = str) -> str:
    """Say who leads once scores are adjusted: "Adjusted for position, b leads instead of a."."""
    frame = style.to_frame().set_index("system")
    was, now = (name(str(frame[place].idxmin())) for place in ("place", "place, adjusted"))
    what = listed([LENGTH if one in LENGTHS else spelled(one) for one in style.effects.names])
    leads = f"{now} still leads" if was == now else f"{now} leads instead of {was}"
    return f"Adjusted for {what}, {leads}."


def _effect(style: Style, place: int, *, is_first: bool) -> str:
    found = style.effects
    what, wins = spelled(found.names[place]), percent(float(found.chances[place]))
    is_open = bool(found.low[place] <= 0 <= found.high[place])
    noun = "votes" if style.are_votes else "judgments"
    against = f"{wins} of decided {noun} against an equally good one"
    if what.casefold() == POSITION:
        said = (
            f"Shown first, an output wins {against}" if is_first else f"the one shown first, {wins}"
        )
    elif found.of_outputs[place]:
        said = f"one with twice the {what}, {wins}"
        if is_first:
            said = f"An output with twice the {what} wins {against}"
    else:
        value = fixed(float(found.values[place]))
        said = f"{what} changes the log-odds by {value} per standard deviation"
    return said + (", which may be noise" if is_open else "")
