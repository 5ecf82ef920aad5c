"""Columns of words that are grades: ``pass`` and ``fail``, ``strongly agree``, ``4 - good``."""

from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    ERRORS,
    MAYBE_ERRORS,
    NOT_A_SCORE,
    is_criterion,
    is_lower_better,
    listed,
    words_of,
)
from analysis.formats.mapping.profile import Profile

_SCALES = (
    ("fail failed", "pass passed"),
    ("incorrect wrong", "partially_correct partly_correct partial", "correct right"),
    ("bad", "neutral ok okay average mixed", "good"),
    ("unacceptable not_acceptable", "acceptable"),
    ("i n", "p", "c"),
    ("very_bad bad", "poor", "fair acceptable average", "good", "excellent very_good"),
    ("very_poor", "poor", "fair average neutral acceptable", "good", "very_good excellent"),
    ("very_bad", "bad", "neutral average fair acceptable ok", "good", "very_good"),
    ("very_dissatisfied", "dissatisfied", "neutral", "satisfied", "very_satisfied"),
)
"""Words from the worst to the best; those of one place mean the same."""
_OF_A_QUESTION = (
    ("no false", "yes true"),
    ("no", "partially partly somewhat", "yes"),
    (
        "strongly_disagree completely_disagree", "disagree", "somewhat_disagree slightly_disagree",
        "neutral neither_agree_nor_disagree neither", "somewhat_agree slightly_agree", "agree",
        "strongly_agree completely_agree",
    ),
    ("not_at_all", "slightly a_little", "somewhat moderately", "very mostly", "extremely fully"),
    ("none", "some few", "most", "all"),
    ("low", "medium moderate", "high"),
)  # fmt: skip
"""Answers of which the question says whether they are good."""
_PLACES = [
    ({word: k for k, words in enumerate(scale, 1) for word in words.split()}, is_clear)
    for scales, is_clear in ((_SCALES, True), (_OF_A_QUESTION, False))
    for scale in scales
]
"""The place of each word on its scale, and whether the scale says what is good."""
_UNKNOWN = frozenset(
    listed("unsure unclear n/a na none null nan unknown don't_know not_sure skip skipped")
)
_NUMBERED = re.compile(r"[(\[]?(\d{1,2})[)\]]?\s*(?:[-:.=)\u2013\u2014]\s*|\()?\s*([A-Za-z].*)")
_NO_GRADE = re.compile(r"(n/a|other|unsure|uncertain|unclear|not sure|cannot)\b", re.IGNORECASE)
"""How answers begin that give no grade: *N/A: no outcome is mentioned*."""
_GOOD = frozenset(
    listed(
        "factual acceptable accurate correct faithful supported valid passed pass solved success "
        "successful resolved grounded entailed good attributable"
    )
)
_NOT_GRADES = NOT_A_SCORE | {"check", "condition", "status", "priority", "level"}
_ASKS = frozenset(
    listed("answer response result label judgment judgement rating score grade verdict")
)
_BAD = re.compile(r"hallucinat\w+|incorrect|wrong|bad|toxic|offensive|unsafe|harmful|fail(ed|s)?|"
                  r"repetitive|contradict\w*|missing|" + ERRORS.pattern)  # fmt: skip


class Graded(NamedTuple):
    """What the words of a column are worth, and whether the worth is good in itself."""

    values: tuple[tuple[str, str], ...]
    is_clear: bool


def graded(known: list[str]) -> Graded | None:
    """Return what words are worth if they are the places of one scale.

    >>> graded(["fail", "pass"]).values
    (('fail', '1'), ('pass', '2'))
    >>> graded(["4 - good", "1 - bad", "2 - poor"]).values
    (('4 - good', '4'), ('1 - bad', '1'), ('2 - poor', '2'))
    >>> graded(["news", "sport"]) is None
    True
    """
    if not 2 <= len(known) <= 12:
        return None
    graded_not = [text for text in known if _NO_GRADE.match(text.strip())]
    if 2 <= len(known) - len(graded_not) < len(known):
        own = graded([text for text in known if text not in graded_not])
        if own is not None and all(value for _, value in own.values):
            return own._replace(values=(*own.values, *((text, "") for text in graded_not)))
    matches = [_NUMBERED.fullmatch(text.strip()) for text in known]
    if all(matches):
        numbers = [match[1] for match in matches if match]
        texts = graded([match[2] for match in matches if match])
        if len(set(numbers)) < len(known):
            return None
        rises = texts is not None and _rises(numbers, [own for _, own in texts.values])
        return Graded(tuple(zip(known, numbers, strict=True)), rises)
    keys = [_key(text) for text in known]
    good = min(keys, key=len)
    if sorted(keys) == sorted((good, f"not_{good}")):
        places = [(text, "12"[key == good]) for text, key in zip(known, keys, strict=True)]
        return Graded(tuple(places), not _GOOD.isdisjoint(good.split("_")))
    for place, is_clear in _PLACES:
        worth = [place.get(key, 0) for key in keys]
        others = {key for key, own in zip(keys, worth, strict=True) if not own}
        if len(set(worth) - {0}) > 1 and others <= _UNKNOWN:
            values = (str(own) if own else "" for own in worth)
            return Graded(tuple(zip(known, values, strict=True)), is_clear)
    return None


def _key(text: str) -> str:
    return re.sub(r"[\s_-]+", "_", text.strip().casefold().rstrip(".!"))


def _rises(numbers: list[str], places: list[str]) -> bool:
    """Return whether higher numbers come with better words."""
    pairs = sorted(
        (float(a), float(b)) for a, b in zip(numbers, places, strict=True) if b
    )  # fmt: skip
    return all(a[1] <= b[1] for a, b in itertools.pairwise(pairs))


def worded_scores(looks: Looks, draft: Draft) -> tuple[Looks, list[str]]:
    """Return columns of words that grade outputs, and what the table looks like with numbers."""
    found: dict[str, Graded] = {}
    taken = draft.taken
    for column in looks.columns:
        words = set(words_of(column))
        if column in taken or looks.is_number(column) or words & _NOT_GRADES:
            continue
        own = graded(looks.known(column))
        if own is not None and max(map(len, looks.known(column))) == 1 and not words & _ASKS:
            continue
        if own is not None and (own.is_clear or _says(column) or words & _ASKS):
            found[column] = own
    for column, own in found.items():
        is_sure = (
            not _is_bad(column) if own.is_clear else _says(column) or _meets(looks, draft, column)
        )
        if not is_sure:
            draft.doubt(0.65, f"higher values of {column} may be better or worse")
            break
    if not found:
        return looks, []
    draft.roles["values"] = tuple((column, own.values) for column, own in found.items())
    return Looks(looks.table.prepared(Profile(**draft.roles))), list(found)


def _says(column: str) -> bool:
    """Return whether a name says if more of it is good or bad."""
    is_good = is_criterion(column) or bool(set(words_of(column)) & _GOOD)
    return is_lower_better(column) or (is_good and not _is_bad(column))


def _meets(looks: Looks, draft: Draft, column: str) -> bool:
    """Return whether a verdict says that an output meets criteria, none of which may be bad."""
    named = [c for c in looks.columns if looks.may_name_criteria(c, [*draft.used])]
    asked = [text for c in named for text in looks.known(c)]
    words = {word for text in asked for word in words_of(text)} - {"complexity"}
    is_bad = any(map(_BAD.fullmatch, words)) or any(map(MAYBE_ERRORS.fullmatch, words))
    return "verdict" in words_of(column) and any(map(is_criterion, asked)) and not is_bad


def _is_bad(column: str) -> bool:
    return any(map(_BAD.fullmatch, words_of(column)))
