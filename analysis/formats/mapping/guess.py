"""Which role each column of an unknown table may play, from its name and from what it holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from analysis.formats.mapping.preview import Preview
from analysis.formats.mapping.profile import Better, Profile
from analysis.formats.mapping.winners import meanings, tells_winners
from analysis.formats.rankings import number

_SIDES = (
    ("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"), ("x", "y"), ("0", "1"),
    ("one", "two"), ("i", "j"),
)  # fmt: skip
_SYSTEM = "system|model|engine|mt|player|submission|team|method|condition|stimulus|competitor|name"
_NAMES = {
    "judge": "judge|annotator|rater|worker|user|evaluator|participant|listener|coder|assessor|"
    "labeler|labeller|login|voter|subject|expert|person|username|crowdworker|reviewer|who",
    "segment": "segment|seg|item|sentence|sent|question|prompt|sample|example|instance|trial|"
    "utterance|source|src|input|query|instruction|stimulus|text|conversation|line",
    "document": "document|doc|article|story|file|page",
    "domain": "domain|genre|category|topic|register|task",
    "pair": "pair|langpair|lp|language|lang|languages|direction",
    "source": "srclang|sourcelang|sourcelanguage|source_lang|source_language|src_lang|from",
    "target": "trglang|tgtlang|targetlang|targetlanguage|target_lang|target_language|tgt_lang|to",
    "seconds": "seconds|duration|secs|sec|elapsed|time_spent|timespent|time",
    "task": "task|hit|screen|ranking|session|annotation|batch|assignment|battle|page|comparison",
    "rank": "rank|place|position|order|standing|ranking",
    "score": "score|rating|points|mos|grade|value|quality|da|mushra|esa|mqm|stars|likert",
    "winner": "winner|vote|preference|preferred|choice|chosen|label|better|outcome|result|answer|"
    "verdict|decision|judgment|judgement|selection|best|annotation|pick|picked",
}
_LONG_TEXT = 80
_MOST_SYSTEMS = 500
_FEW = 30
_LESS_IS_BETTER = re.compile(r"error|penalt|mqm|wer|ter|rank|place|cost|edit|distance|loss")


def guess(table: Preview) -> Profile:
    """Return the profile that names and content suggest; what nothing suggests stays empty."""
    taken: dict[str, Any] = {}
    for find in (_many_numbered, _pairs, _numbered_places, _wide, _long):
        taken = find(table)
        if taken:
            break
    used = set(Profile(**taken).used) if taken else set()
    for role in ("source", "target", "judge", "segment", "document", "domain", "pair", "seconds",
                 "task"):  # fmt: skip
        column = _by_name(table, role, used)
        if column is not None and _suits(table, role, column):
            taken[role] = column
            used.add(column)
    if "segment" not in taken:
        column = _likely_segment(table, used)
        if column is not None:
            taken["segment"] = column
            used.add(column)
    if not (taken.get("source") and taken.get("target")):
        used -= {taken.pop(role) for role in ("source", "target") if role in taken}
    if taken.get("system_a"):
        taken["outputs"] = _outputs(table, used)
        used |= {name for _, a, b in taken["outputs"] for name in (a, b)}
    taken["attributes"] = cutting_columns(table, used)
    return Profile(**taken)


def cutting_columns(table: Preview, used: Iterable[str]) -> tuple[str, ...]:
    """Return the columns by which results can be cut, without those that have another use."""
    return tuple(c for c in table.columns if c not in used and _cuts(table, c))


def _words(column: str) -> list[str]:
    """Return the words of a column's name: ``leftModel_id`` has left, model and id."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", column)
    apart = re.sub(r"(?<=[A-Za-z])(?=\d)|(?<=\d)(?=[A-Za-z])", "_", apart)
    return [word for word in re.split(r"[^a-z0-9]+", apart.casefold()) if word]


def _called(column: str, names: str) -> bool:
    known = set(names.split("|"))
    words = _words(column)
    return "_".join(words) in known or "".join(words) in known or bool(known & set(words))


def _by_name(table: Preview, role: str, used: Iterable[str]) -> str | None:
    """Return the column whose name is closest to a role's: first equal to it, then holding it."""
    free = [column for column in table.columns if column not in used]
    known = _NAMES[role].split("|")
    whole = [c for c in free if "_".join(_words(c)) in known or "".join(_words(c)) in known]
    ids = [c for c in free if c not in whole and _called(c, _NAMES[role]) and "id" in _words(c)]
    parts = [c for c in free if _called(c, _NAMES[role]) and c not in whole + ids]
    order = {name: place for place, name in enumerate(known)}
    if role == "segment":  # A text tells items apart less surely than their number does.
        whole, ids = ids, whole
    for group in (whole, ids, parts):
        suiting = [c for c in group if _suits(table, role, c)]
        if suiting:
            return min(
                suiting,
                key=lambda c: min((order[w] for w in _words(c) if w in order), default=99),
            )
    return None


def _suits(table: Preview, role: str, column: str) -> bool:
    """Return whether what a column holds can be what its name says."""
    known = table.known(column)
    if not known:
        return False
    if role == "seconds":
        return column in table.numeric or all(":" in value for value in known[:20])
    if role in ("pair", "domain", "source", "target"):
        return len(known) <= max(_FEW, 3) and max(map(len, known)) <= 40
    if role == "judge":
        return max(map(len, known)) <= _LONG_TEXT
    if role == "task":
        return len(known) > 1
    return True


def _pairs(table: Preview) -> dict[str, Any]:
    """Find two columns of systems side by side, and what says which is better."""
    best: tuple[float, str, str] | None = None
    for one, other, _ in _sides(table, table.columns):
        a, b = set(table.known(one)), set(table.known(other))
        if not a or not b or ({one, other} & table.numeric and not _called(one, _SYSTEM)):
            continue
        if len(a | b) > _MOST_SYSTEMS or max(map(len, a | b)) > _LONG_TEXT or len(a | b) < 2:
            continue
        if tells_winners(table.known(one)) and not _called(one, _SYSTEM):
            continue
        shared = len(a & b) / min(len(a), len(b))
        named = 2.0 if _called(one, _SYSTEM) and _called(other, _SYSTEM) else 0.0
        if named + shared > 0.3 and (best is None or named + shared > best[0]):
            best = (named + shared, one, other)
    if best is None:
        return {}
    _, one, other = best
    systems = set(table.known(one)) | set(table.known(other))
    free = [column for column in table.columns if column not in (one, other)]
    found: dict[str, Any] = {"system_a": one, "system_b": other}
    for column in sorted(free, key=lambda c: not _called(c, _NAMES["winner"])):
        known = table.known(column)
        if (
            known
            and (_called(column, _NAMES["winner"]) or column not in table.numeric)
            and (tells_winners(known, systems))
        ):
            found["winner"] = column
            found["winners"] = tuple(meanings(known, systems).items())
            return found
    for role in ("rank", "score"):
        for first, second, rest in _sides(table, free):
            if {first, second} <= table.numeric and any(_called(w, _NAMES[role]) for w in rest):
                better: Better = "lower" if role == "rank" else _better(rest)
                return found | {"score_a": first, "score_b": second, "better": better}
    return {}


def _sides(table: Preview, columns: Iterable[str]) -> list[tuple[str, str, list[str]]]:
    """Return columns whose names differ only in the side, with the words that they share."""
    place = {tuple(_words(column)): column for column in reversed(list(columns))}
    found = []
    for words, column in place.items():
        for first, second in _SIDES:
            for k, word in enumerate(words):
                if word == first:
                    other = place.get((*words[:k], second, *words[k + 1 :]))
                    if other is not None:
                        found.append((column, other, [*words[:k], *words[k + 1 :]]))
    order = {column: k for k, column in enumerate(table.columns)}
    return sorted(found, key=lambda pair: (order[pair[0]], order[pair[1]]))


def _better(words: Iterable[str]) -> Better:
    return "lower" if any(_LESS_IS_BETTER.search(word) for word in words) else "higher"


def _numbered(table: Preview, is_meant: Callable[[str], bool]) -> dict[str, str]:
    """Return columns like rank1, rank_2 or rank_b by the word that numbers them."""
    found: dict[str, str] = {}
    for column in table.columns:
        words = _words(column)
        if len(words) > 1 and any(map(is_meant, words)):
            for word in words:
                if re.fullmatch(r"\d{1,3}|[a-h]", word):
                    found.setdefault(word, column)
                    break
    return found


def _many_numbered(table: Preview) -> dict[str, Any]:
    found = _numbered_places(table)
    return found if len(found.get("systems", ())) > 2 else {}


def _numbered_places(table: Preview) -> dict[str, Any]:
    """Find columns like system1 and rank1, system2 and rank2."""
    systems = _numbered(table, lambda word: _called(word, _SYSTEM))
    systems = {word: column for word, column in systems.items() if column not in table.numeric}
    for role in ("rank", "score"):
        values = _numbered(table, lambda word, role=role: _called(word, _NAMES[role]))  # type: ignore[misc]
        values = {word: column for word, column in values.items() if column in table.numeric}
        both = [word for word in values if word in systems and systems[word] != values[word]]
        if len(both) > 1:
            return _of_wide(role, [values[w] for w in both], [systems[w] for w in both])
    return {}


def _wide(table: Preview) -> dict[str, Any]:
    """Find columns of ranks or scores that are called like systems."""
    free = [c for c in table.columns if c in table.numeric and not _is_known_by_name(c)]
    ranks = [c for c in free if all(1 <= number(v) <= 40 and number(v) % 1 == 0
                                    for v in table.known(c))]  # fmt: skip
    if len(ranks) > 1 and _are_rankings(table, ranks):
        return _of_wide("rank", ranks, [])
    prefixed = [c for c in table.columns if c in table.numeric and len(_words(c)) > 1
                and _words(c)[0] in ("rank", "score", "rating")]  # fmt: skip
    if len(prefixed) > 1:
        return _of_wide("rank" if _words(prefixed[0])[0] == "rank" else "score", prefixed, [])
    return {}


def _of_wide(role: str, values: list[str], systems: list[str]) -> dict[str, Any]:
    if role == "rank":
        return {"ranks": tuple(values), "systems": tuple(systems)}
    words = [word for column in values for word in _words(column)]
    return {"scores": tuple(values), "systems": tuple(systems), "better": _better(words)}


def _is_known_by_name(column: str) -> bool:
    return any(_called(column, names) for role, names in _NAMES.items() if role != "rank") or (
        _words(column)[-1:] == ["id"]
    )


def _are_rankings(table: Preview, columns: list[str]) -> bool:
    """Return whether most rows have a first place, and none past the number of outputs."""
    rows = list(zip(*(table.values[column] for column in columns), strict=True))
    good = 0
    for row in rows:
        ranks = [number(value) for value in row if value]
        good += len(ranks) > 1 and min(ranks) == 1 and max(ranks) <= len(ranks)
    return good >= 0.9 * len(rows)


def _long(table: Preview) -> dict[str, Any]:
    """Find a column of systems, and a rank or a score beside it."""
    systems = [
        column
        for column in table.columns
        if _called(column, _SYSTEM)
        and column not in table.numeric
        and 2 <= len(table.known(column)) <= _MOST_SYSTEMS
    ]
    if not systems:
        return {}
    system = min(systems, key=lambda c: len(table.known(c)) / max(len(table), 1))
    for role in ("rank", "score"):
        for column in table.columns:
            if column != system and column in table.numeric and _called(column, _NAMES[role]):
                better: Better = _better(_words(column)) if role == "score" else "higher"
                return {"system": system, role: column, "better": better}
    free = [
        c
        for c in table.columns
        if c in table.numeric and not _is_known_by_name(c) and len(table.known(c)) > 2
    ]
    return (
        {"system": system, "score": free[-1], "better": _better(_words(free[-1]))} if free else {}
    )


def _likely_segment(table: Preview, used: Iterable[str]) -> str | None:
    """Return a free column that looks like numbers or names of items: many, and some repeat."""
    n = len(table)
    fit = [
        column
        for column in table.columns
        if column not in used and "id" in _words(column) and 3 < len(table.known(column)) <= n
    ]
    return max(fit, key=lambda c: len(table.known(c)) < n, default=None)


def _outputs(table: Preview, used: Iterable[str]) -> tuple[tuple[str, str, str], ...]:
    """Return numbers about both outputs, such as their lengths."""
    free = [column for column in table.columns if column not in set(used)]
    return tuple(
        ("_".join(words) or one, one, other)
        for one, other, words in _sides(table, free)
        if {one, other} <= table.numeric
    )


def _cuts(table: Preview, column: str) -> bool:
    """Return whether results can be cut by a column: few words, or numbers."""
    known = table.known(column)
    if len(known) < 2 or _words(column)[-1:] == ["id"]:
        return False
    if column in table.numeric:
        return len(known) < len(table) or len(known) <= _FEW
    return len(known) <= min(_FEW, max(len(table) // 2, 2)) and max(map(len, known)) <= 60
