"""Tables of which a row is one output: its system, and the scores it got."""

from __future__ import annotations

import itertools
import re
from collections import Counter, defaultdict

import numpy as np

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    JUDGE,
    JUDGE_MODEL,
    MAYBE_ERRORS,
    METRIC,
    NOT_A_SCORE,
    NOT_A_SYSTEM,
    OVERALL,
    RANK,
    SCORE,
    SEGMENT,
    SYSTEM,
    core_of,
    is_answer,
    is_criterion,
    is_id,
    is_known_model,
    is_lower_better,
    is_score,
    listed,
    place_of,
    strength,
    words_of,
)
from analysis.formats.mapping.guess.within_names import cut_item, within_a_name
from analysis.formats.mapping.guess.worded import graded, worded_scores

_MADE = {"response", "completion", "answer", "output", "text", "language"}
_WELL_KNOWN = 5
"""Words for systems that mean nothing else."""
_MOST_PLACES = 11
"""Different values of a rating scale."""
_RATING = {"rating", "mos", "grade", "likert", "stars", "opinion", "human"}
"""Words of scores that people gave."""
_RATER = {*JUDGE, *listed("rating score human h r a person anno ann annotation vote opinion")}
_ANSWER = ["choice", "answer", "response", "selection", "judgement", "judgment"]


def guess_long(looks: Looks) -> list[Draft]:
    """Return what a column of systems next to scores suggests."""
    drafts = []
    for column, sure, doubt in _systems(looks)[:2]:
        draft = Draft({"system": column})
        draft.doubt(sure, doubt)
        drafts.append(draft)
    for draft in drafts:
        cut_item(looks, draft)
    if not any(strength(draft.roles["system"], SYSTEM) for draft in drafts):
        drafts += within_a_name(looks)
    return [draft for draft in drafts if _with_scores(looks, draft)]


def _systems(looks: Looks) -> list[tuple[str, float, str]]:
    """Return the columns that may name systems, with how sure that is."""
    found = []
    numbered = Counter(stem for column in looks.columns if (stem := _stem(column)))
    for column in looks.columns:
        is_of_several = column in looks.of_sides or numbered[_stem(column)] > 2
        if is_of_several and not looks.is_number(column):
            continue
        core = set(core_of(column))
        fits = strength(column, SYSTEM)
        if not fits or _is_about_something_else(column) or looks.is_date(column):
            continue
        if strength(column, JUDGE) > fits or core <= {"to", "name"} or core & JUDGE_MODEL:
            continue
        if looks.why_not_systems(looks.known(column), is_named=fits == 1.0):
            continue
        early = place_of(column, SYSTEM)
        sure = {1.0: 1.0, 0.85: 0.95}.get(fits, 0.85) * (0.9 if early > 14 else 1.0)
        if looks.is_number(column):
            sure *= 0.85
        found.append((sure, -early, column))
    found.sort(reverse=True)
    found = found or _types(looks)
    named = [(column, sure, f"{column} is used as the systems") for sure, _, column in found]
    giving = {word: c for c in looks.columns for word in words_of(c) if word in ("from", "to")}
    if not named and len(giving) == 2 and _of_one_kind(looks, giving["from"], giving["to"]):
        return [(giving["to"], 0.85, f"{giving['to']} is used as the one who gets the points")]
    return named or _keys(looks) or _known_by_values(looks)


def _stem(column: str) -> tuple[str, ...]:
    """Return the words of a numbered name without its number: of ``system 3``; else nothing."""
    words = words_of(column)
    stem = tuple(word for word in words if not word.isdigit())
    return stem if len(stem) < len(words) else ()


def _types(looks: Looks) -> list[tuple[float, int, str]]:
    """Return a column such as model_type, which names systems if no other column does."""
    return [
        (0.85, 0, column)
        for column in looks.columns
        if words_of(column)[1:] == ("type",)
        and words_of(column)[0] in SYSTEM[:_WELL_KNOWN]
        and not looks.why_not_systems(looks.known(column), is_named=True)
    ]


def _keys(looks: Looks) -> list[tuple[str, float, str]]:
    """Return the names of records that each item has: of two columns of names, items have numbers.

    Without numbers it is unknown whether models are within data sets or the reverse.
    """
    keys = [c for c in looks.columns if "key" in words_of(c) and looks.n_known(c) > 1]
    items = [c for c in looks.columns if c not in keys and strength(c, SEGMENT) == 1.0]
    found = [
        (column, 0.85, f"the names of records in {column} are used as systems")
        for column in keys
        if not looks.why_not_systems(looks.known(column), is_named=False)
        and any(
            looks.crossing(other, column) > 0.95 and looks.n_known(other) > looks.n_known(column)
            for other in (*[c for c in keys if _are_of_items(looks, c)], *items)
        )
    ]
    return found[:1]


def _known_by_values(looks: Looks) -> list[tuple[str, float, str]]:
    """Return a column of which most values are names of well-known models."""
    found = [
        (column, 0.85, f"{column} is used as the systems")
        for column in looks.columns
        if not looks.is_number(column)
        and not strength(column, [*JUDGE, "by"])
        and not looks.why_not_systems(looks.known(column), is_named=False)
        and np.mean([is_known_model(text) for text in looks.known(column)]) > 0.5
    ]
    return found if len(found) == 1 else []


def _are_of_items(looks: Looks, column: str) -> bool:
    """Return whether names differ in their numbers only, or are texts or identifiers."""
    known = looks.known(column)
    stems = {re.sub(r"\d+", "", text) for text in known}
    return len(stems) <= 2 or not looks.is_short(column) or looks.is_opaque(column)


def _is_about_something_else(column: str) -> bool:
    """Return whether a name is that of a system's kind, text or score: not ``response_model``."""
    core = core_of(column)
    is_made_by = core[-1] in SYSTEM[:_WELL_KNOWN] and set(core[:-1]) & _MADE
    return bool(set(core) & (NOT_A_SYSTEM - {"id"} - (_MADE if is_made_by else set())))


def _of_one_kind(looks: Looks, one: str, other: str) -> bool:
    a, b = set(looks.known(one)), set(looks.known(other))
    return len(a & b) > 0.5 * min(len(a), len(b)) > 1 and not looks.is_number(one)


def _with_scores(looks: Looks, draft: Draft) -> bool:
    """Add the columns of scores, ranks or several judges' ratings; False if there are none."""
    taken = draft.taken
    others = [c for c in looks.columns if c not in taken]
    free = [c for c in others if looks.is_number(c) and looks.n_known(c) > 1]
    if _raters(looks, draft, others):
        return True
    ranks = [c for c in free if strength(c, RANK) and _are_ranks(looks, c)]
    scores = [c for c in free if c not in ranks and not is_id(c)
              and (is_score(c) or words_of(c)[-1] == "human")]  # fmt: skip
    if scores:
        computed = [c for c in scores if set(words_of(c)) & set(METRIC)]
        scores = [c for c in scores if c not in computed] or scores
        beside = [c for c in free if c not in (*scores, *computed) and _is_beside(looks, c, scores)]
        apart = [c for c in beside if not _goes_along(looks, c, scores)]
        if apart:
            draft.doubt(0.65, f"{apart[0]} may be a score, too")
        scores += [c for c in beside if c not in apart]
        if computed == scores:
            others = [c for c in free if c not in scores and _is_bounded(looks, c)]
            named = (c for c in looks.columns if strength(c, JUDGE) == 1 or graded(looks.known(c)))
            for other in itertools.islice(itertools.chain(others, named, scores[1:]), 1):
                draft.doubt(0.6, f"{scores[0]} is computed, and {other} is next to it")
        _of_scores(looks, draft, [c for c in looks.columns if c in scores])
        return True
    if ranks:
        draft.roles["rank"] = ranks[0]
        if {"order", "position"} & set(words_of(ranks[0])):
            draft.doubt(0.6, f"{ranks[0]} may be the order of presentation")
        return True
    generic = [c for c in free if _is_bounded(looks, c)]
    worded, grades = worded_scores(looks, draft)
    if grades:
        if generic:
            draft.doubt(0.75, f"{generic[0]} may be a score, too")
        _of_scores(worded, draft, grades)
        return True
    if not generic:
        return False
    _of_scores(looks, draft, generic)
    is_nameless = words_of(generic[0])[0] == "column" and len(generic) == 1
    is_nameless = is_nameless and looks.filled(generic[0]) > 0.5
    is_scale = len(generic) == 1 and looks.n_known(generic[0]) <= _MOST_PLACES
    is_filled = is_scale and (strength(generic[0], _ANSWER) == 1.0 or is_answer(generic[0]))
    is_filled = is_filled or (len(generic) == 1 and words_of(generic[0]) == ("result",))
    sure = 0.9 if is_nameless or is_filled else 0.75 if is_scale else 0.6
    draft.doubt(sure, f"{generic[0]} is not a usual name for a score")
    return True


def _are_ranks(looks: Looks, column: str) -> bool:
    values = looks.numbers(column)
    return bool((values % 1 == 0).all() and values.min() == 1 and values.max() <= 100)


def _is_bounded(looks: Looks, column: str) -> bool:
    """Return whether numbers may be scores: from a scale, and not called something else."""
    if set(words_of(column)) & NOT_A_SCORE or is_id(column) or strength(column, JUDGE):
        return False
    if strength(column, SEGMENT) == 1.0:
        return False
    values = looks.numbers(column)
    low, high = values.min(), values.max()
    whole = bool((values % 1 == 0).all())
    on_scale = (low >= 0 and high <= 10) or (low >= -5 and high <= 5) or (low >= 0 and high <= 100)
    return on_scale and not (whole and high - low + 1 == looks.n)


def _is_beside(looks: Looks, column: str, scores: list[str]) -> bool:
    """Return whether a column has the same scale as the scores, and is not made from one."""
    words = set(words_of(column))
    if words & NOT_A_SCORE or is_id(column) or strength(column, JUDGE):
        return False
    if strength(column, SEGMENT) == 1.0:
        return False
    values = looks.numbers(column)
    return looks.filled(column) > 0.5 and any(
        _are_on_one_scale(values, own) for own in map(looks.numbers, scores)
    )


def _are_on_one_scale(values: np.ndarray, own: np.ndarray) -> bool:
    """Return whether two columns have the same ends; of a few grades, the lowest may be rare."""
    few = max(len(values), len(own)) <= _MOST_PLACES
    apart = min(1.0, np.ptp(own) / 2) if few else 0.0
    return bool(values.max() == own.max() and abs(values.min() - own.min()) <= apart)


def _of_scores(looks: Looks, draft: Draft, scores: list[str]) -> None:
    if len(scores) > 1 and not all(map(is_criterion, scores)):
        scores = [c for c in scores if not c[-1].isdigit()] or scores
        plain = [c for c in scores if core_of(c) in {("raw",), ("raw", "score"), ("score",)}]
        made = [c for c in scores if {"mean", "avg", "average"} & set(words_of(c))]
        scores = [c for c in scores if c not in made] or scores
        metrics = [c for c in scores if strength(c, SCORE) and not is_criterion(c)]
        human = [c for c in scores if "human" in words_of(c)]
        if human and len(metrics) == len(scores) > len(human):
            draft.doubt(0.9, f"{human[0]} is used, not the scores next to it")
            scores = human
        if plain and len(metrics) == len(scores):
            scores = plain[:1]
    good = [c for c in scores if is_criterion(c)]
    unclear = [
        c
        for c in scores
        if not (is_criterion(c) or _RATING & {*words_of(c)} or _goes_along(looks, c, good))
        and not c.endswith("?")
    ]
    if len(scores) > 1 and unclear:
        draft.doubt(0.65, f"{unclear[0]} may be computed, or no criterion")
    lower = _lower(looks, draft, scores)
    if len(scores) == 1:
        draft.roles |= {"score": scores[0], "better": "lower" if lower else "higher"}
        return
    order = sorted(scores, key=lambda c: place_of(c, OVERALL))
    draft.roles |= {"criteria": tuple(order), "lower": tuple(c for c in order if c in lower)}


def _lower(looks: Looks, draft: Draft, scores: list[str]) -> set[str]:
    """Return the scores of which less is better; those that go along with good ones are not."""
    lower = {c for c in scores if is_lower_better(c)}
    good = [c for c in scores if c not in lower]
    unclear = [c for c in scores if any(map(MAYBE_ERRORS.fullmatch, words_of(c)))]
    clear = [c for c in good if c not in unclear]
    unclear = [c for c in unclear if not _goes_along(looks, c, clear)]
    for column in sorted(lower):
        if _goes_along(looks, column, good):
            lower.discard(column)
            draft.doubt(0.97, "")
    if unclear:
        draft.doubt(0.65, f"lower values of {unclear[0]} may be better")
    if lower and good:
        draft.doubt(0.95, f"lower values of {sorted(lower)[0]} are assumed to be better")
    return lower


def _goes_along(looks: Looks, column: str, good: list[str]) -> bool:
    """Return whether a score rises with those of which more is better."""
    along = [_correlation(looks, column, other) for other in good]
    along = [value for value in along if value == value]
    return bool(along) and float(np.mean(along)) > 0.2


def _correlation(looks: Looks, one: str, other: str) -> float:
    a, b = looks.row_numbers(one), looks.row_numbers(other)
    both = ~np.isnan(a) & ~np.isnan(b)
    if both.sum() < 5 or a[both].std() == 0 or b[both].std() == 0:
        return float("nan")
    return float(np.corrcoef(a[both], b[both])[0, 1])


def _names_judges(looks: Looks, column: str) -> bool:
    """Return whether a numbered column has names of judges: annotator_1_id."""
    words = words_of(column)
    is_numbered = any(word.isdigit() for word in words) and "id" in words
    return is_numbered and bool(set(words) & set(JUDGE)) and looks.n_known(column) > 1


def _raters(looks: Looks, draft: Draft, free: list[str]) -> bool:
    """Find numbered columns of ratings, a judge each: rating_1, rating_2, rating_3.

    One of them may have the same rating in each row.
    """
    numbered_alike: dict[tuple[str, ...], dict[int, str]] = defaultdict(dict)
    for column in filter(looks.is_number, free):
        words = words_of(column)
        numbered = [word for word in words if word.isdigit() and int(word) < 100]
        if not numbered and set(words) & set(JUDGE):
            numbered = [word for word in words[1:] if re.fullmatch("[a-h]", word)]
        if len(numbered) == 1 and not set(words) & (NOT_A_SCORE - {"rank"}):
            stem = tuple(word for word in words if word not in numbered)
            place = int(numbered[0]) if numbered[0].isdigit() else ord(numbered[0]) - 96
            numbered_alike[stem][place] = column
    groups = {
        stem: own for stem, own in numbered_alike.items()
        if len(own) > 1 and (set(stem) & _RATER or any(is_criterion(c) for c in own.values()))
        and any(looks.n_known(c) > 1 for c in own.values())
    }  # fmt: skip
    begins = {stem[:-1] for stem in groups if len(stem) > 1}
    groups |= {
        stem: own for stem, own in numbered_alike.items()
        if len(own) > 1 and stem[:-1] in begins and len(stem) > 1
    }  # fmt: skip
    sizes = {frozenset(own) for own in groups.values()}
    if not groups or len(sizes) > 1:
        return False
    (numbers,) = sizes
    if max(numbers) - min(numbers) + 1 != len(numbers) or min(numbers) > 1:
        return False
    repeats, criteria = [], []
    while len({stem[0] for stem in groups}) == 1 < len(groups) and all(len(s) > 1 for s in groups):
        groups = {stem[1:]: own for stem, own in groups.items()}
    for stem, own in groups.items():
        short = " ".join(word for word in stem if word not in _RATER)
        name = short if short and short not in looks.columns else " ".join(stem)
        repeats.append((name, tuple(own[k] for k in sorted(numbers))))
        criteria.append(name)
    draft.roles |= {"repeats": tuple(repeats), "repeat_name": "{judge}", "judge": "judge"}
    if any(_names_judges(looks, c) for c in looks.columns):
        draft.doubt(0.6, "columns next to the ratings name the judges")
    ranges = [np.ptp(looks.numbers(c)) for _, own in repeats for c in own if looks.n_known(c) > 1]
    if max(ranges) > 3 * min(ranges):
        draft.doubt(0.8, f"{repeats[0][0]}: the numbered columns differ in scale")
    lower = tuple(name for name in criteria if is_lower_better(name))
    if len(criteria) > 1:
        draft.roles |= {"criteria": tuple(criteria), "lower": lower}
    else:
        draft.roles |= {"score": criteria[0], "better": "lower" if lower else "higher"}
    draft.doubt(0.9, f"{', '.join(repeats[0][1][:2])} … are used as one judge each")
    return True
