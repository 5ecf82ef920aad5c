"""What the words of a column of winners mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.errors import ReadingError, control
from analysis.formats.mapping.profile import Outcome
from analysis.formats.rankings import Codes, Column, Findings, number

UNKNOWN_WINNER = "a winner that is neither of the two nor a tie"

_WORDS: dict[Outcome, str] = {
    "a": "a l left first one model_a system_a player_a model_1 system_1 output_a output_1 "
    "response_a response_1 candidate_a answer_a option_a win wins x a_wins a_better prefer_a a>b "
    "1_0",
    "b": "b r right second two model_b system_b player_b model_2 system_2 output_b output_2 "
    "response_b response_2 candidate_b answer_b option_b loss lose loses y b_wins b_better "
    "prefer_b b>a 0_1",
    "tie": "tie tied draw equal same both both_good bothgood neither both_bad bothbad none_better "
    "no_preference nopreference equally_good equally_bad tie_(bothbad) a=b = no_difference "
    "tie_(bothgood) tie_(both_bad) tie_bothbad tie_both_bad "
    "undecided indifferent 1/2_1/2 0.5_0.5 ½_½ similar",
    "skip": "skip skipped ignore none null nan invalid n/a na unknown error",
}
_MEANING = {word: outcome for outcome, words in _WORDS.items() for word in words.split()}
_MUCH = re.compile(r"(?:_?(?:is|was|much|slightly|clearly|strongly|far|a_bit|a_little|better|"
                   r"preferred|wins|won|votes?))+")  # fmt: skip


@lru_cache(maxsize=1 << 14)
def meaning(word: str) -> Outcome | None:
    """Return what a word means by itself; None for one that is not known.

    >>> meaning("Left is better"), meaning("TIE"), meaning("slightly A"), meaning("uedin")
    ('a', 'tie', 'a', None)
    """
    key = re.sub(r"[\s-]+", "_", word.strip("[] \t\n").casefold())
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


def meaning_of(word: str, winners: Sequence[tuple[str, Outcome]]) -> Outcome | None:
    """Return what a profile says of a word: the first of its words that fits.

    ``Text 1*`` are all words that begin so, ``1..1.5`` all numbers from one to the other.

    >>> meaning_of("Text 1 - sure", [("Text 1*", "a"), ("none", "skip")])
    'a'
    """
    folded = word.strip().casefold()
    value = number(folded)
    for known, outcome in winners:
        begin = known.strip().casefold()
        if folded == begin or (begin.endswith("*") and folded.startswith(begin[:-1])):
            return outcome
        low, dots, high = begin.partition("..")
        if number(begin) == value or (dots and number(low) <= value <= number(high)):
            return outcome
    return None


class Decided(NamedTuple):
    """What the words of a column of winners mean, how sure that is, and why not more."""

    winners: tuple[tuple[str, Outcome], ...]
    sure: float
    doubt: str = ""


_SIDE_WORDS: dict[str, Outcome] = {
    **dict.fromkeys(("a", "1", "left", "first", "one"), "a"),
    **dict.fromkeys(("b", "2", "right", "second", "two"), "b"),
}
_BETTER = re.compile(r"better|prefer|wins?\b|won\b|beats|stronger|superior|best|good")
_A_BIT = re.compile(r"(?<![^\W_])a[\W_]+(?:bit|little|lot)(?![^\W_])")
"""An article, which names no side."""
_SHORT_TIES = {"n", "np", "t", "d", "e", "eq", "[[c]]"}
"""Next to words of both sides: none, no preference, tie, draw, equal."""
_TIE = re.compile(
    r"\b(same|equal|equally|tie|draw|neither|similar|no (difference|preference|winner)|cannot|"
    r"can't)\b"
)


AROUND_A_SIDE = (
    "model sys system team player method variant algorithm output out answer ans response resp "
    "assistant chatbot bot agent llm text translation mt hyp hypothesis option candidate side "
    "version choice sample item image img picture photo audio sound voice clip video sentence "
    "paragraph passage document story summary caption title headline description dialogue "
    "conversation generation completion reply solution code the is was it i think than over to "
    "for beats prefer prefers preferred preference better best wins win won winner winning chosen "
    "selected picked votes vote voted stronger superior good much slightly clearly strongly "
    "somewhat significantly marginally substantially considerably definitely far more sure unsure "
    "likely probably"
)
_IN_A_PHRASE = {*_SIDE_WORDS, *AROUND_A_SIDE.split()}
"""Words of a phrase that names a side; a phrase with any other word is not understood."""


@lru_cache(maxsize=1 << 14)
def side_in(word: str) -> Outcome | None:
    """Return the side that a short phrase of known words names.

    >>> side_in("text1"), side_in("TRANSLATION 2"), side_in("a-is-better"), side_in("A beats B")
    ('a', 'b', 'a', 'a')
    >>> side_in("not_b"), side_in("lost_a"), side_in("modle_b")
    (None, None, None)
    """
    apart = _A_BIT.sub(" ", re.sub(r"(?<=[a-z])(?=\d)", " ", word.casefold()))
    tokens = re.findall(r"[^\W_]+", apart)
    met = [_SIDE_WORDS[token] for token in tokens if token in _SIDE_WORDS]
    if not met or len(tokens) > 8 or not _IN_A_PHRASE.issuperset(tokens):
        return None
    if len(met) == 1 and (len(tokens) <= 3 or _BETTER.search(apart)):
        return met[0]
    return met[0] if _BETTER.search(apart) and len(met) == 2 and met[0] != met[1] else None


def decided(
    words: Sequence[str], systems: Collection[str], side: tuple[str, str], column: Sequence[str]
) -> Decided | None:
    """Return what the words of a column mean if nearly all name a system, a side or a tie.

    ``side`` is how the columns of systems are told apart, ``column`` are the words of the column's
    own name: 0 and 1 are places in ``acceptedIndex``, elsewhere nobody knows.

    >>> decided(["text1", "text2"], (), ("1", "2"), ["choice"]).winners
    (('text1', 'a'), ('text2', 'b'))
    >>> decided(["1", "0"], (), ("a", "b"), ["label"]).sure < 0.7
    True
    """
    named = [word for word in words if word in systems]
    free = [word for word in words if word not in systems]
    if free and all(number(word) == number(word) for word in free) and not named:
        return _of_numbers(words, side, column)
    own = {side[0]: "a", side[1]: "b"} if side[0] else {}
    own |= {"red": "a", "blue": "b"} if side == ("r", "b") else {}
    initials = {name[:1]: outcome for name, outcome in own.items()}
    if {"home", "white"} & {side[0]} and {w.casefold() for w in free} <= {*initials, "d", "t", ""}:
        own |= initials | {"d": "tie", "t": "tie"}
    found: dict[str, Outcome] = {}
    for word in free:
        outcome = own.get(word.strip().casefold()) or meaning(word) or side_in(word)
        if outcome is None and len(word.split()) <= 6 and _TIE.search(word.casefold()):
            outcome = "tie"
        if outcome is not None:
            found[word] = outcome  # type: ignore[assignment]
    known_sides = {outcome for outcome in found.values() if outcome in ("a", "b")}
    left = [word for word in free if word not in found]
    if len(known_sides) == 2 and len(left) == 1 and left[0].strip().casefold() in _SHORT_TIES:
        found[left[0]] = "tie"
    if len(found) + len(named) < 0.9 * len(words):
        return (
            None if len(known_sides) + len(named) or not found else Decided(tuple(found.items()), 0)
        )
    if len(named) > 1 or len(known_sides) > 1 or (named and known_sides):
        return Decided(tuple(found.items()), 1.0)
    if len(named) + len(known_sides) == 1 and len(words) <= 2:
        return Decided(tuple(found.items()), 0.6, "only one side ever wins")
    return None


def _of_numbers(
    words: Sequence[str], side: tuple[str, str], column: Sequence[str]
) -> Decided | None:
    values = {number(word) for word in words}
    if len(values) < 2 or len(values) > 11 or any(value % 0.5 for value in values):
        return None
    winners = tuple((word, _side(number(word), values)) for word in words)
    if values <= {0.0, 1.0}:
        if {"index", "idx"} & set(column) or side == ("0", "1"):
            return Decided(winners, 1.0)
        return Decided(winners, 0.5, "0 and 1 may mean either side")
    if values == {0.0, 1.0, 2.0} and side != ("1", "2"):
        return Decided(winners, 0.5, "0 may mean the first side or a tie")
    if values <= {0.0, 1.0, 2.0} and side != ("0", "1"):
        return Decided(
            winners, 0.95 if side == ("1", "2") else 0.85, ("1 and 2 are assumed to be sides")
        )
    if values <= {1.0, 2.0, 3.0}:
        return Decided(winners, 0.65, "3 is assumed to be a tie")
    return Decided(winners, 0.5, "either end of the scale may be the first side")


def told_of(
    winner: Column, is_unknown: npt.NDArray[np.bool_], column: str = "winner"
) -> Callable[[int], str]:
    """Return a function that says which unknown word a vote has, and names the other ones."""
    words = [winner.names[code] for code in dict.fromkeys(winner.codes[is_unknown].tolist())]

    def told(row: int) -> str:
        own = winner.names[winner.codes[row]]
        others = ", ".join(repr(word[:40]) for word in words if word != own)
        more = f"; nor are {others}" if others else ""
        return f"{column}: {own!r} is neither of the two nor a tie{more}"

    return told


def require_most_known(where: str, findings: Findings, usable: npt.NDArray[np.bool_]) -> None:
    """Refuse votes most of whose winners have unknown words: the rest may be misread as well."""
    left_out = [gone for gone in findings.left_out if gone.reason == UNKNOWN_WINNER]
    if left_out and left_out[0].count > np.count_nonzero(usable) > 0:
        raise ReadingError(
            where,
            f"most words for the winner are unknown ({left_out[0].example})",
            "Write model_a, model_b or tie, or give the meaning of each word with "
            f"{control('--map PROFILE', 'the form below')}.",
        )


def usable_votes(
    findings: Findings,
    sides: tuple[Codes, Codes],
    names: list[str],
    is_unknown: npt.NDArray[np.bool_],
    told: Callable[[int], str],
) -> npt.NDArray[np.bool_]:
    """Report the votes without two systems or a winner, and return which ones can be used."""
    left, right = sides
    empty = names.index("") if "" in names else -1
    unnamed = (left == empty) | (right == empty)
    findings.leave_out(
        "a system without a name",
        np.flatnonzero(unnamed),
        lambda row: f"the {'first' if left[row] == empty else 'second'} system is empty",
    )
    findings.leave_out(
        "a system compared with itself",
        np.flatnonzero((left == right) & ~unnamed),
        lambda row: f"{names[left[row]]} is compared with itself",
    )
    usable = ~unnamed & (left != right)
    findings.leave_out(UNKNOWN_WINNER, np.flatnonzero(is_unknown & usable), told)
    return np.asarray(usable & ~is_unknown)
