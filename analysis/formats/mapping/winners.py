"""What the words of a column of winners mean."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from analysis.formats.mapping.profile import Outcome
from analysis.formats.rankings import number

_WORDS: dict[Outcome, str] = {
    "a": "a l left first one model_a system_a player_a model_1 system_1 output_a output_1 "
    "response_a response_1 candidate_a answer_a option_a win wins x a_wins a_better prefer_a a>b",
    "b": "b r right second two model_b system_b player_b model_2 system_2 output_b output_2 "
    "response_b response_2 candidate_b answer_b option_b loss lose loses y b_wins b_better "
    "prefer_b b>a",
    "tie": "tie tied draw equal same both both_good bothgood neither both_bad bothbad none_better "
    "no_preference nopreference equally_good equally_bad tie_(bothbad) a=b = no_difference "
    "undecided indifferent",
    "skip": "skip skipped ignore none null nan invalid n/a na unknown error",
}
_MEANING = {word: outcome for outcome, words in _WORDS.items() for word in words.split()}
_MUCH = re.compile(r"(?:_?(?:is|was|much|slightly|clearly|strongly|far|a_bit|a_little|better|"
                   r"preferred|wins|won))+")  # fmt: skip


def meaning(word: str) -> Outcome | None:
    """Return what a word means by itself; None for one that is not known.

    >>> meaning("Left is better"), meaning("TIE"), meaning("slightly A"), meaning("uedin")
    ('a', 'tie', 'a', None)
    """
    key = re.sub(r"[\s-]+", "_", word.strip().casefold())
    if key in _MEANING:
        return _MEANING[key]
    return _MEANING.get(_MUCH.sub("", key).strip("_:!."))


def meanings(words: Sequence[str], systems: Collection[str] = ()) -> dict[str, Outcome]:
    """Return what words mean together, those left out that name systems or are not known.

    Numbers mean a side by what numbers there are: 1 and 2 are the first and the second, with 0 or 3
    a tie; with 0 and 1 alone, 0 is the first; where some are negative, those are against the first.
    """
    free = [word for word in words if word not in systems]
    numbers = {word: number(word) for word in free}
    if free and all(value == value for value in numbers.values()):
        return {word: _side(value, set(numbers.values())) for word, value in numbers.items()}
    found = {word: meaning(word) for word in free}
    return {word: outcome for word, outcome in found.items() if outcome is not None}


def _side(value: float, all_values: set[float]) -> Outcome:
    if min(all_values) < 0:
        return "a" if value > 0 else "b" if value < 0 else "tie"
    if all_values <= {0.0, 1.0}:
        return "a" if value == 0 else "b"
    if all_values == {0.0, 0.5, 1.0}:
        return "b" if value == 0 else "a" if value == 1 else "tie"
    if all_values <= {0.0, 1.0, 2.0, 3.0}:
        return "a" if value == 1 else "b" if value == 2 else "tie"
    middle = (min(all_values) + max(all_values)) / 2
    return "a" if value < middle else "b" if value > middle else "tie"


def tells_winners(words: Sequence[str], systems: Collection[str] = ()) -> bool:
    """Return whether words can be those of a column of winners: nearly all name a side or a system.

    >>> tells_winners(["left", "right"]), tells_winners(["uedin", "cmu"]), tells_winners(["tie"])
    (True, False, False)
    """
    known = meanings(words, systems)
    named = [word for word in words if word in systems]
    sides = {outcome for outcome in known.values() if outcome in ("a", "b")}
    enough = len(named) > 1 or len(sides) > 1 or (named and sides)
    return bool(enough) and len(known) + len(named) >= 0.9 * len(words) and len(known) < 30
