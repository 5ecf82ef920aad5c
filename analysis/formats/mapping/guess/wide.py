"""Tables of which a row has a column for each system: ranks, ratings, results of a benchmark."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

import numpy as np

from analysis.formats.mapping.apply import without_common
from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    DOCUMENT,
    JUDGE,
    METRIC,
    NOT_A_SCORE,
    RANK,
    SCORE,
    SEGMENT,
    SIDES,
    SYSTEM,
    is_criterion,
    is_id,
    is_known_system,
    is_lower_better,
    strength,
    words_of,
)
from analysis.formats.mapping.profile import Profile

_FROM, _GRID_FROM = 2, 4
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_PLACES = frozenset({"st", "nd", "rd", "th", "rank", "ranked", "place", "choice", "preference"})
"""Words next to a number that say that it is a place."""
_ABOVE = ({"models"}, {"systems"})
"""Names of records whose fields are systems: ``{"models": {"gen2": 2.2}}``."""
_GRID = re.compile(r"(?P<item>[^_\- .:|/]+)(?P<sign>[_\- :|/])(?P<system>.+?)(?P<end>\.\w{2,4})?")


def guess_wide(looks: Looks) -> list[Draft]:
    """Return what columns of ranks or ratings suggest that are called like systems."""
    found = [
        _best_worst(looks),
        _placed(looks),
        _orders(looks),
        _numbered(looks),
        _grid(looks),
        _ranks(looks),
        _prefixed(looks),
        _named(looks),
    ]
    return [draft for draft in found if draft is not None]


def _by_number(looks: Looks, is_meant: Callable[[str], bool], numeric: bool) -> dict[str, str]:
    """Return columns such as rank1, rank_2 or rank_b by what numbers them."""
    found: dict[str, str] = {}
    for column in looks.columns:
        words = words_of(column)
        fits = looks.is_number(column) == numeric and len(words) > 1
        if fits and any(is_meant(word) or is_meant(word[:-1]) for word in words):
            for word in words:
                if re.fullmatch(r"\d{1,3}|[a-h]", word):
                    found.setdefault(word, column)
                    break
    stems = {tuple(own for own in words_of(c) if own != word) for word, c in found.items()}
    return found if len(stems) == 1 else {}


def _best_worst(looks: Looks) -> Draft | None:
    """Find columns such as item1 to item4 of which one is named as the best, one as the worst."""
    best = next((c for c in looks.columns if "best" in words_of(c)), None)
    worst = next((c for c in looks.columns if "worst" in words_of(c)), None)
    if best is None:
        return None
    by_stem: dict[tuple[str, ...], list[str]] = {}
    for column in looks.columns:
        stem = tuple(word for word in words_of(column) if not re.fullmatch(r"\d{1,2}|[a-h]", word))
        if column not in (best, worst) and len(stem) < len(words_of(column)):
            by_stem.setdefault(stem, []).append(column)
    for stem, columns in by_stem.items():
        known = list(dict.fromkeys(text for c in columns for text in looks.known(c)))
        is_named = bool(set(stem) & {*SYSTEM, "item", "option", "tuple"})
        is_named = is_named or (not stem and set(looks.usual(best)) <= set(known))
        if len(columns) < 3 or not is_named or looks.why_not_systems(known, is_named=True):
            continue
        named = {*known, *columns, *(chr(65 + k) for k in range(len(columns)))}
        said = looks.usual(best)
        places = {str(k) for k in range(1, len(columns) + 1)}
        if not set(said) <= named | places | {word.lower() for word in named}:
            continue
        return Draft({"systems": tuple(columns), "best": best, "worst": worst or ""})
    return None


def _placed(looks: Looks) -> Draft | None:
    """Find columns such as *1st choice*, *2nd choice* and *3rd choice* that name systems."""
    places: dict[int, str] = {}
    for column in looks.columns:
        words = set(words_of(column))
        found = [k for k, own in enumerate(_ORDINALS, 1) if own in words]
        found += [int(word) for word in words if word.isdecimal() and len(word) < 3]
        if len(found) == 1 and words & _PLACES and not looks.is_number(column):
            places.setdefault(found[0], column)
    columns = tuple(places[k] for k in sorted(places))
    if len(columns) < 3 or sorted(places) != [*range(1, len(columns) + 1)]:
        return None
    draft = _of_places(looks, columns)
    if draft is not None and words_of(columns[2])[:2] == ("choice", "3"):
        draft.doubt(0.7, f"{columns[0]} may be what was shown first")
    return draft


def _of_places(looks: Looks, columns: tuple[str, ...]) -> Draft | None:
    """Return rankings of the systems that columns name from the best to the worst."""
    known = list(dict.fromkeys(text for c in columns for text in looks.known(c)))
    if looks.why_not_systems(known, is_named=True) or len(known) < len(columns):
        return None
    rows = zip(*(looks.table.values[c] for c in columns), strict=True)
    named = [[text for text in row if text] for row in rows]
    if sum(len(set(row)) == len(row) for row in named) < 0.95 * looks.n:
        return None
    places = [set(looks.known(c)) for c in columns]
    if sum(sum(text in own for own in places) > 1 for text in known) < 0.5 * len(known):
        return None
    ranks = tuple(f"place {k}" for k in range(1, len(columns) + 1))
    constants = tuple((name, str(k)) for k, name in enumerate(ranks, 1))
    draft = Draft({"systems": columns, "ranks": ranks, "constants": constants})
    draft.doubt(0.95, f"{columns[0]} is used as the best system")
    return draft


def _orders(looks: Looks) -> Draft | None:
    """Find a column of whole rankings, such as ``cmu > kit > uedin``."""
    for column in looks.columns:
        known = looks.known(column)
        sizes = {text.count(">") for text in known}
        if len(known) > 1 and len(sizes) == 1 and min(sizes) > 1:
            names = tuple(f"system {k}" for k in range(1, min(sizes) + 2))
            pattern = ">".join(f"{{{name}}}" for name in names)
            cut = Looks(looks.table.prepared(Profile(patterns=((column, pattern),))))
            draft = _of_places(cut, names)
            if draft is not None:
                draft.roles["patterns"] = ((column, pattern),)
                draft.used.add(column)
                return draft
    return None


def _numbered(looks: Looks) -> Draft | None:
    """Find columns such as system1 and rank1, system2 and rank2."""
    systems = _by_number(looks, lambda word: word in SYSTEM, numeric=False)
    if len(systems) < _FROM:
        return None
    known = list(dict.fromkeys(text for c in systems.values() for text in looks.known(c)))
    if looks.why_not_systems(known, is_named=True):
        return None
    any_name = {w for c in looks.columns for w in words_of(c)} - {*NOT_A_SCORE, *METRIC}
    kinds = (("ranks", {*RANK}), ("scores", {*SCORE, "quality"}), ("scores", any_name))
    for role, names in kinds if len(systems) > _FROM else kinds[:2]:
        values = _by_number(looks, partial(_is_value, names=names), numeric=True)
        both = [w for w in systems if w in values and systems[w] != values[w]]
        if len(both) >= (len(systems) if names is any_name else _FROM):
            columns = tuple(values[w] for w in both)
            draft = Draft({role: columns, "systems": tuple(systems[w] for w in both)})
            if role == "scores":
                draft.roles["better"] = "lower" if is_lower_better(columns[0]) else "higher"
                if names is any_name:
                    draft.doubt(0.85, f"{columns[0]} is not a usual name for a score")
                if rival := _numbered_alike(looks, columns[0]):
                    draft.doubt(0.6, f"{columns[0]} and {rival} may both be scores")
            return draft
    return None


def _numbered_alike(looks: Looks, column: str) -> str | None:
    """Return another column of numbers that is called as one but for a word of its name."""
    words = words_of(column)
    for other in looks.columns:
        own = words_of(other)
        differs = [a for a, b in zip(own, words, strict=False) if a != b]
        is_alike = len(own) == len(words) > 1 and len(differs) == 1 and not differs[0].isdigit()
        if is_alike and looks.is_number(other) and not set(differs) & {*NOT_A_SCORE, *METRIC}:
            return other
    return None


def _is_value(word: str, names: set[str]) -> bool:
    return word in names or ("score" in names and is_criterion(word))


def _grid(looks: Looks) -> Draft | None:
    """Find columns for every item and system, such as ``005-lstm.wav``."""
    cells = {}
    for column in looks.columns:
        match = _GRID.fullmatch(column)
        if match and looks.is_number(column) and not strength(column, JUDGE):
            cells[column] = match
    items = list(dict.fromkeys(match["item"] for match in cells.values()))
    systems = list(dict.fromkeys(match["system"] for match in cells.values()))
    ends = {(match["sign"], match["end"] or "") for match in cells.values()}
    if len(items) < 2 or len(systems) < 2 or len(cells) < _GRID_FROM or len(ends) > 1:
        return None
    if len(items) * len(systems) != len(cells):
        return None
    ((sign, end),) = ends
    item_is_number = all(item.isdigit() for item in items)
    swapped = not item_is_number and all(system.isdigit() for system in systems)
    parts = ("system", "item") if swapped else ("item", "system")
    draft = Draft({
        "system": "system", "segment": "item", "score": "rating",
        "repeats": (("rating", tuple(cells)),),
        "repeat_name": f"{{{parts[0]}}}{sign}{{{parts[1]}}}{end}",
    })  # fmt: skip
    if all(re.fullmatch(r"[QqVv]\d+", name) for name in items) or all(
        re.fullmatch(r"[QqVv]\d+", name) for name in systems
    ):
        draft.doubt(0.5, "numbers of questions may be criteria")
    if any(is_criterion(name) for name in (*items, *systems)):
        draft.doubt(0.4, "the parts of the columns' names may be criteria")
    if not item_is_number and not swapped:
        draft.doubt(0.5, "either part of the columns' names may be the systems")
    draft.doubt(0.9, "the columns' names are used as an item and a system each")
    return draft


def _free(looks: Looks) -> list[str]:
    others, no_score = [*JUDGE, *SEGMENT, *DOCUMENT], {*NOT_A_SCORE, "number"}
    return [c for c in looks.columns if looks.is_number(c) and not is_id(c)
            and not {*words_of(c)} & no_score and strength(c, others) < 1]  # fmt: skip


def _ranks(looks: Looks) -> Draft | None:
    """Find columns that are ranked row by row."""
    places = [
        c for c in looks.columns
        if looks.is_number(c) and 1 < looks.n_known(c) <= 100 and not is_id(c)
        and _are_places(looks.numbers(c)) and strength(c, [*JUDGE, *SEGMENT]) < 1
        and not (len(words_of(c)) < 4 and set(words_of(c)) & (NOT_A_SCORE - {"rank", "position"}))
    ]  # fmt: skip
    ranks = _longest_ranking(looks, places)
    if len(ranks) < _FROM:
        return None
    draft = Draft({"ranks": tuple(ranks), "systems": ()})
    named = len({words_of(c)[0] for c in ranks}) == 1 or all(strength(c, RANK) for c in ranks)
    if not named and not _are_permutations(looks, ranks):
        draft.doubt(0.6, f"{ranks[0]} and {ranks[1]} may be something other than ranks")
    elif len(ranks) == 2:
        draft.doubt(0.85, f"{ranks[0]} and {ranks[1]} may be something other than ranks")
    if len({tuple(w for w in words_of(c) if not w.isdigit()) for c in ranks}) == 1:
        draft.doubt(0.3, f"no column names the systems of {ranks[0]} and {ranks[1]}")
    if any(map(is_criterion, without_common(ranks))):
        draft.doubt(0.4, "the ranked columns may be criteria")
    return draft


def _are_places(values: np.ndarray) -> bool:
    return bool((values % 1 == 0).all() and values.min() >= 1 and values.max() <= 100)


def _longest_ranking(looks: Looks, columns: list[str]) -> list[str]:
    """Return neighboring columns of which nearly every row is a ranking."""
    runs: list[list[str]] = []
    for column in columns:
        near = runs and looks.columns.index(column) - looks.columns.index(runs[-1][-1]) == 1
        if near:
            runs[-1].append(column)
        else:
            runs.append([column])
    alike: dict[tuple[str, ...], list[str]] = {}
    for column in columns:
        alike.setdefault(words_of(column)[:1], []).append(column)
    good = [run for run in (*runs, columns, *alike.values())
            if len(run) > 1 and _are_rankings(looks, run)]  # fmt: skip
    return max(good, key=lambda run: (_are_permutations(looks, run), len(run)), default=[])


def _are_permutations(looks: Looks, columns: list[str]) -> bool:
    """Return whether nearly every row has each place once, as far as it is filled."""
    values = np.sort(np.stack([looks.row_numbers(c) for c in columns], axis=1), axis=1)
    expected = np.arange(1, len(columns) + 1)
    rows = (values[:, 0] == 1) & ((values == expected) | np.isnan(values)).all(axis=1)
    answered = ~np.isnan(values).all(axis=1)
    return bool(answered.any() and rows[answered].mean() >= 0.9)


def _are_rankings(looks: Looks, columns: list[str]) -> bool:
    """Return whether most rows have a first place, and none past the number of outputs."""
    values = np.stack([looks.row_numbers(c) for c in columns], axis=1)
    known = ~np.isnan(values)
    rows = known.sum(axis=1) > 1
    if rows.sum() < 2:
        return False
    values, known = values[rows], known[rows]
    best = np.where(known, values, np.inf).min(axis=1) == 1
    last = np.where(known, values, -np.inf).max(axis=1) <= known.sum(axis=1)
    several = np.where(known, values, 1).max(axis=1) > 1
    return bool((best & last).mean() >= 0.9 and several.mean() >= 0.5)


def _prefixed(looks: Looks) -> Draft | None:
    """Find columns such as score_cmu and score_kit."""
    found = [c for c in looks.columns if looks.is_number(c) and len(words_of(c)) > 1
             and words_of(c)[0] in ("rank", "score", "rating", "mos", "esa", "da")
             and not set(words_of(c)[1:]) & NOT_A_SCORE]  # fmt: skip
    if len(found) < _FROM:
        return None
    if any({*pair} <= {word for c in found for word in words_of(c)[1:]} for pair in SIDES[:6]):
        return None
    role = "ranks" if words_of(found[0])[0] == "rank" else "scores"
    draft = Draft({role: tuple(found), "systems": ()})
    if role == "scores":
        draft.roles["better"] = "lower" if is_lower_better(found[0].partition("_")[2]) else "higher"
    tails = [words_of(c)[1:] for c in found]
    if all(tail[0].isdigit() for tail in tails):
        draft.doubt(0.3, f"{found[0]} may be a judge's")
    if any(is_criterion(" ".join(tail)) for tail in tails):
        draft.doubt(0.3, f"{found[0]} may be a criterion's")
    draft.doubt(0.9, f"{found[0]} is used as a system")
    return draft


def _named(looks: Looks) -> Draft | None:
    """Find columns of numbers on one scale that may be called like systems."""
    free = [c for c in _free(looks) if looks.n_known(c) > 1]
    if len(free) < _FROM:
        return None
    draft = Draft({"scores": tuple(free), "systems": (), "better": "higher"})
    if any(map(is_criterion, free)) or any(strength(c, SCORE) for c in free):
        draft.doubt(0.2, f"{free[0]} may be a criterion, not a system")
    if apart := _unlike_the_others(looks, free):
        draft.doubt(0.6, f"{apart} differs from the other columns of numbers")
    named = [c for c in looks.columns if strength(c, ["dataset", "benchmark", "task"]) == 1]
    of_benchmark = len(named) == 1 and looks.n_known(named[0]) == looks.n > 5
    if of_benchmark:
        draft.roles["segment"] = named[0]
    if beside := _beside_known(looks, free):
        of_benchmark = True
        draft.roles["scores"] = beside
    above = {name.rpartition(".")[0].casefold() for name in free}
    sure = 0.9 if above in _ABOVE else 0.75 if of_benchmark else 0.5
    draft.doubt(sure, "the columns of numbers may be something other than systems")
    return draft


def _beside_known(looks: Looks, columns: list[str]) -> tuple[str, ...]:
    """Return the columns with the numbers of systems that their names show, on the same scale."""
    known = [c for c in columns if is_known_system(c)]
    if len(known) < 3 and (len(known) < 2 or len(columns) > 4):
        return ()
    values = np.unique(np.concatenate(list(map(looks.numbers, known))))
    others = ["source", "src", "input", "original", "gold", "human"]

    is_graded, beyond = len(values) <= 11, np.ptp(values)

    def is_on_scale(column: str) -> bool:
        own = looks.numbers(column)
        if is_graded:
            return bool(np.isin(own, values).all())
        return bool(values[0] - beyond <= own.min() and own.max() <= values[-1] + beyond)

    kept = (*known, *columns) if not is_graded else known
    found = tuple(
        c for c in looks.columns
        if looks.is_number(c) and (c in columns or strength(c, others) == 1)
        and (c in kept or is_on_scale(c))
    )  # fmt: skip
    # A plain word with grades, such as level, may be something else than a system.
    words = [c for c in found if c not in known and c.islower() and c.isalpha()]
    return () if is_graded and set(words) - set(others) else found


def _unlike_the_others(looks: Looks, columns: list[str]) -> str:
    """Return a column of another scale than the others, or that does not rise with them."""
    values = np.stack([looks.row_numbers(c) for c in columns], axis=1)
    size = np.nanmedian(values, axis=0)
    # The sum of the others is unknown where one of them is.
    total, n_unknown = np.nansum(values, axis=1), np.isnan(values).sum(axis=1)
    along = []
    for k, column in enumerate(columns):
        usual = np.median(np.delete(size, k))
        if not usual / 4 <= size[k] <= 4 * usual:
            return column
        own = values[:, k]
        others = (total - np.nan_to_num(own)) / (len(columns) - 1)
        pair = np.stack([own, np.where(n_unknown == np.isnan(own), others, np.nan)])
        pair = pair[:, ~np.isnan(pair).any(axis=0)]
        varies = pair.shape[1] > 5 and bool(np.ptp(pair, axis=1).all())
        along.append(float(np.corrcoef(pair)[0, 1]) if varies else 1.0)
    least = int(np.argmin(along))
    is_apart = along[least] < 0.2 < 0.4 < np.mean(np.delete(along, least))
    return columns[least] if is_apart else ""
