"""Tables of which a row compares two systems: which columns name them, which one says who won."""

from __future__ import annotations

import re
from collections import Counter, defaultdict

import numpy as np

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    JUDGE,
    NOT_A_SCORE,
    OUTCOME_SIDES,
    OVERALL,
    SYSTEM,
    WINNER,
    is_answer,
    is_criterion,
    is_id,
    is_lower_better,
    is_score,
    listed,
    place_of,
    sides,
    strength,
    words_of,
)
from analysis.formats.mapping.guess.verdicts import (
    named_verdicts,
    successes_of_one,
    votes_for_two,
)
from analysis.formats.mapping.profile import Outcome, Profile
from analysis.formats.mapping.winners import Decided, decided, meaning
from analysis.formats.rankings import number

_SHOWN_SYSTEM = {*SYSTEM, "tag", "source", "type", "label", "participant", "team", "origin"}
_RESULT = re.compile(r"\d+\s*([-\u2013:])\s*\d+")
_OF_GAMES = (("home", "away"), ("home", "visitor"), ("white", "black"))
_OTHERS = ("opponent", "baseline")
_WORSE = {"worse", "worst", "loser", "losing", "lost", "rejected", "dispreferred"}
_OF_RESULTS = {"result", "score", "points", "outcome"}
_BEGIN = re.compile(r"\W*(?:the |i prefer |option )?([a-z]+ ?#?)([ab12])\b", re.IGNORECASE)
_OF_POINTS: dict[float, Outcome] = {1.0: "a", 0.5: "tie", 0.0: "b"}
"""Points of the first player of a game."""
_SWAPPED = {"swap", "swapped", "flip", "flipped", "reversed", "switched", "inverted", "mirrored"}
_SHOWN_AT = {"left", "right", "first", "second", "top", "order"}
_SUCCESS = {"better", "best", "wins", "win", "won", "preferred", "superior"}
_YES, _NO = {"true", "yes", "1", "1.0"}, {"false", "no", "0", "0.0"}
_NOT_A_WINNER = frozenset(
    listed(
        "gold golden expected predicted prediction truth difficult difficulty confidence confident "
        "sure quality order"
    )
)
"""Words of columns whose values are those of winners, but say something else."""
_VOTES = 0.9
_POINTS = {"goals", "result", "rank", "points", "pts", "position", "runs", "sets", "wins"}
_SAYS_SIDE = re.compile(
    r"\b(?:answer|response|option|output|text|translation|summary|system|model|assistant)\s*#?"
    r"(?P<side>[ab12])\s+(?:is|was|seems|does|did|has|gives|provides)\b[^.]{0,30}\b"
    r"(?P<what>better|best|superior|preferable|worse)",
    re.IGNORECASE,
)


def guess_pairs(looks: Looks) -> list[Draft]:
    """Return what two columns of systems and one of winners suggest."""
    verdicts = named_verdicts(looks)
    values = tuple(verdicts.items())
    looks = Looks(looks.table.prepared(Profile(values=values))) if verdicts else looks
    found = [draft for one in _system_columns(looks) if (draft := _with_winner(looks, *one))]
    found += [*_winner_and_loser(looks), *_in_order(looks), *votes_for_two(looks, [*verdicts])]
    found += [*successes_of_one(looks), *_by_raters(looks)]
    for draft in found if verdicts else ():
        draft.roles["values"] = values
    return found


def _by_raters(looks: Looks) -> list[Draft]:
    """Read columns of winners for each criterion and judge: ``fluency_rater1``."""
    groups: dict[str, dict[str, str]] = defaultdict(dict)
    for column in looks.columns:
        words = [*words_of(column)]
        place = next((k for k, word in enumerate(words[:-1]) if word in JUDGE), -1)
        if place >= 0 and re.fullmatch(r"\d{1,2}|[a-h]", words[place + 1]):
            rater = " ".join(words[place : place + 2])
            rest = " ".join(words[:place] + words[place + 2 :])
            if not looks.is_number(column) and (is_criterion(rest) or strength(rest, WINNER)):
                groups[rest][rater] = column
    raters = {frozenset(own) for own in groups.values()}
    if len(raters) != 1 or len(*raters) < 2 or not groups.keys().isdisjoint(looks.columns):
        return []
    order = sorted(*raters)
    repeats = tuple((what, tuple(own[r] for r in order)) for what, own in groups.items())
    roles = Profile(repeats=repeats, repeat_name="{judge}")
    left = looks.table.prepared(roles).without({c for _, own in repeats for c in own})
    found = [
        own for own in guess_pairs(Looks(left)) if groups.keys() <= {*Profile(**own.roles).used}
    ]
    for draft in found:
        draft.roles |= {"repeats": repeats, "repeat_name": "{judge}", "judge": "judge"}
    return found


def has_two_systems(looks: Looks) -> bool:
    """Return whether two columns name systems."""
    named = [rest for _, _, rest, _ in sides(looks.columns) if set(rest) & _SHOWN_SYSTEM]
    return bool(named or _system_columns(looks))


def _system_columns(looks: Looks) -> list[tuple[Draft, tuple[str, str]]]:
    drafts = []
    third = {rest for _, _, rest, _ in sides(looks.columns, (("1", "3"), ("a", "c"), ("0", "2")))}
    for one, other, rest, side in sides(looks.columns):
        if rest in third:
            continue
        a, b = looks.known(one), looks.known(other)
        is_named = any(word in _SHOWN_SYSTEM for word in rest)
        is_named = is_named or (not rest and (side in _OF_GAMES or side[1] in _OTHERS))
        together = list(dict.fromkeys([*a, *b]))
        if looks.why_not_systems(together, is_named) or len(a) < 1 or len(b) < 1:
            continue
        if len(together) == 2 and a[0] in one and b[0] in other:
            continue  # Records by name: versions 1.0 and 1.1 are no sides.
        if not looks.is_short(one) or any(is_score(c) and looks.is_number(c) for c in (one, other)):
            continue
        shared = len(set(a) & set(b)) / min(len(a), len(b))
        draft = Draft({"system_a": one, "system_b": other})
        if not is_named:
            draft.doubt(0.8 if shared > 0.5 else 0.4, f"{one} is not a usual name for systems")
        elif any(word in ("type", "label", "source", "tag", "origin") for word in rest):
            draft.doubt(0.9, f"{one} may be a kind, not a system")
        if shared < 0.3 and not is_named:
            draft.doubt(0.6, f"{one} and {other} have few values in common")
        draft.roles["_shared"] = shared
        drafts.append((draft, side))
    drafts.sort(key=lambda found: (-found[0].confidence, -found[0].roles["_shared"],
                                   is_id(found[0].roles["system_a"])))  # fmt: skip
    for draft, _ in drafts:
        del draft.roles["_shared"]
    return drafts[:3]


def _with_winner(looks: Looks, draft: Draft, side: tuple[str, str]) -> Draft | None:
    one, other = draft.roles["system_a"], draft.roles["system_b"]
    systems = {*looks.known(one), *looks.known(other)}
    found = [
        (column, said)
        for column in looks.columns
        if column not in (one, other)
        and (said := _says_winner(looks, column, systems, side)) is not None
    ]
    found.sort(key=lambda pair: (-round(pair[1].sure * _name_of_winner(pair[0]), 1),
                                 place_of(pair[0], WINNER),
                                 -strength(pair[0], WINNER)))  # fmt: skip
    sure = found[0][1].sure * _name_of_winner(found[0][0]) if found else 0.0
    if sure >= 0.5:
        _decide(looks, draft, found, side)
        return draft
    result = _result(looks)
    if result is not None:
        column, sign = result
        draft.roles |= {"patterns": ((column, f"{{score 1}}{sign}{{score 2}}"),),
                        "score_a": "score 1", "score_b": "score 2"}  # fmt: skip
        draft.used.add(column)
        draft.doubt(0.97, "")
        return draft
    if _with_scores(looks, draft, side):
        unread = [c for c in looks.columns if words_of(c) == ("winner",) and looks.known(c)]
        if unread:
            draft.doubt(0.5, f"{unread[0]} names the winner in unknown words")
        return draft
    if sure < 0.3:
        return None
    _decide(looks, draft, found, side)
    return draft


def _with_scores(looks: Looks, draft: Draft, side: tuple[str, str]) -> bool:
    """Add two columns of scores, a system each: those that are best named, if only one is so."""
    named: list[tuple[bool, str, str, tuple[str, ...]]] = []
    for first, second, rest, own in sides(looks.columns):
        if (
            own != side
            or not {first, second}.isdisjoint(draft.taken)
            or not (looks.is_number(first) and looks.is_number(second))
            or set(rest) & (NOT_A_SCORE - {"rank", "position"})
        ):
            continue
        a, b = looks.row_numbers(first), looks.row_numbers(second)
        is_share = np.ptp(a + b) == 0 < np.ptp(a) and looks.filled(first) == 1
        is_named = is_score(" ".join(rest) or "score") or bool(_POINTS & set(rest)) or is_share
        named.append((is_named, first, second, rest))
    listed = {c.removesuffix(".0") for c in looks.columns if c.endswith(".0")}
    for name in listed:
        first, second = f"{name}.0", f"{name}.1"
        is_pair = second in looks.columns and f"{name}.2" not in looks.columns
        if is_pair and is_score(name) and {first, second} <= looks.table.numeric:
            named.append((True, first, second, words_of(name)))
    named.sort(key=lambda found: not found[0])
    if not named:
        return False
    is_named, one, other, rest = named[0]
    lower = is_lower_better(" ".join(rest)) or "position" in rest
    draft.roles |= {"score_a": one, "score_b": other, "better": "lower" if lower else "higher"}
    if not is_named:
        draft.doubt(0.6, f"{one} may be something other than a score")
    rivals = [c for has_name, c, *_ in named[1:] if has_name == is_named]
    if rivals and place_of(one, OVERALL) >= min(place_of(c, OVERALL) for c in rivals):
        draft.doubt(0.65, f"{one} and {rivals[0]} may both say who is better")
    return True


def _decide(
    looks: Looks, draft: Draft, found: list[tuple[str, Decided]], side: tuple[str, str]
) -> None:
    """Take the columns of winners: several that are called alike are criteria."""
    column, said = found[0]
    one, other = draft.roles["system_a"], draft.roles["system_b"]
    last = words_of(column)[-1]
    alike = [c for c, own in found if words_of(c)[-1] == last and own.sure == said.sure]
    alike = [c for c in alike if "worst" not in words_of(c) and strength(c, WINNER)]
    named = [c for c, own in found if own.sure == said.sure and is_criterion(c)]
    alike = named if is_criterion(column) and len(named) > len(alike) else alike
    if words_of(column) == (last,) and not any(map(is_criterion, alike)):
        alike = [column]
    if len(alike) > 1 and len({frozenset(looks.usual(c)) for c in alike}) == 1:
        order = sorted(alike, key=lambda c: "overall" not in words_of(c))
        draft.roles["criteria"] = tuple(order)
    else:
        draft.roles["winner"] = column
    draft.roles["winners"] = said.winners
    sure, doubt = said.sure, said.doubt
    if _WORSE & set(words_of(column)):
        draft.roles["winners"] = _turned(said)
        if not {own for _, own in said.winners} & {"a", "b"}:
            draft.doubt(0.3, f"{column} names the worse of the two")
    if "criteria" in draft.roles and not all(map(is_criterion, alike)):
        draft.doubt(0.6, f"{column} and the others like it may be judges, not criteria")
    if sure < 0.7 and (agrees := _texts_agree(looks, column, said)) is not None:
        sure = 0.9
        if not agrees:
            draft.roles["winners"] = _turned(said)
        doubt = "the judges' texts decide which number means which side"
    draft.doubt(sure, f"{column}: {doubt}" if doubt else "")
    is_usual = bool(strength(column, WINNER) or {*words_of(column)} & (_WORSE | _OF_RESULTS))
    is_usual = is_usual or is_answer(column) or (len(named) > 1 and alike == named)
    is_usual = is_usual or (words_of(column) == ("response",) and said.sure == 1)
    is_usual = is_usual or all("vote" in text.casefold() for text in looks.usual(column))
    if not is_usual and not _asks(column):
        names_systems = bool({*looks.known(one), *looks.known(other)} & {*looks.known(column)})
        is_of_system = {*words_of(column)} <= {*SYSTEM}
        sure = 0.8 if names_systems and not is_of_system else 0.65
        draft.doubt(sure, f"{column} is not a usual name for winners")
    if looks.filled(column) < 0.5:
        draft.doubt(0.9, f"{column} is empty in most rows")
    if rival := _rival(looks, column, alike, found):
        draft.doubt(0.65, f"{column} and {rival} may both say who is better")
    if any(own in ("a", "b") for _, own in said.winners) and (by := _swapped(looks, draft)):
        draft.doubt(0.65, f"{by} may say in which order the two were shown")


def _rival(
    looks: Looks, column: str, alike: list[str], found: list[tuple[str, Decided]]
) -> str | None:
    """Return a column that may name another winner: ``safer_answer`` next to ``better_answer``."""
    words = words_of(column)
    if len(words) == 1:
        return None
    named = {c for c, own in found if own.sure >= 0.9 and strength(c, WINNER) >= 0.85}
    for other in looks.columns:
        if other == column or other in alike:
            continue
        same = sum(a == b for a, b in zip(words, words_of(other), strict=False))
        is_spelled_alike = len(words) == len(words_of(other)) == same + 1
        is_alike = other in named or (
            is_spelled_alike and set(looks.known(column)) == set(looks.known(other))
        )
        if is_alike and not looks.fixes(column, other):
            return other
    return None


def _swapped(looks: Looks, draft: Draft) -> str | None:
    """Return a column that says which of the two was shown first, so that a side may be either."""
    one, other = draft.roles["system_a"], draft.roles["system_b"]
    shown = {word for name in (one, other) for word in words_of(name)}
    either = {"a", "b", "1", "2", "ab", "ba", "12", "21", one.casefold(), other.casefold()}
    named = [name for name in (one, other) if name in looks.columns]
    either |= {text.casefold() for name in named for text in looks.known(name)}
    taken = draft.taken
    for column in looks.columns:
        words = set(words_of(column))
        if column in taken or not words & (_SWAPPED | _SHOWN_AT):
            continue
        known = {text.casefold() for text in looks.known(column)}
        if len(known) < 2:
            continue
        if words & _SWAPPED or (words & _SHOWN_AT - shown and known <= either):
            return column
    return None


def _turned(said: Decided) -> tuple[tuple[str, Outcome], ...]:
    """Return the meanings of words that name who lost."""
    other: dict[Outcome, Outcome] = {"a": "b", "b": "a", "tie": "tie", "skip": "skip"}
    return tuple((word, other[own]) for word, own in said.winners)


def _asks(column: str) -> bool:
    return column.strip().endswith("?")


def _name_of_winner(column: str) -> float:
    if _NOT_A_WINNER & {*words_of(column)}:
        return 0.2
    return 1.0 if strength(column, WINNER) or is_answer(column) else 0.6


def _says_winner(
    looks: Looks, column: str, systems: set[str], side: tuple[str, str]
) -> Decided | None:
    known = looks.usual(column)
    if not known:
        return None
    if looks.n_known(column) > 40 and not systems & set(known):
        return _by_beginning(looks, column)
    if (said := _of_one_side(looks, column, side)) is not None:
        return said
    is_meant = set(words_of(column)) & _OF_RESULTS
    if is_meant and {*map(number, known)} == {*_OF_POINTS}:
        return Decided(tuple((text, _OF_POINTS[number(text)]) for text in known), 0.9)
    is_named = strength(column, WINNER) or is_answer(column)
    if not is_named and (looks.is_number(column) or column in looks.of_sides):
        return None
    if looks.is_number(column) and _is_of_side(looks, column):
        return None
    return decided(known, systems, side, words_of(column))


def _of_one_side(looks: Looks, column: str, side: tuple[str, str]) -> Decided | None:
    """Read yes or no in a column called as one side's success: ``a_is_better``."""
    words = words_of(column)
    sides_named = [own for own in side if own in words]
    known = {text.casefold() for text in looks.known(column)}
    if len(sides_named) != 1 or not _SUCCESS & {*words} or not known or known - _YES - _NO:
        return None
    if column in looks.of_sides:
        return None
    own: Outcome = "a" if sides_named[0] == side[0] else "b"
    against: Outcome = "b" if own == "a" else "a"
    return Decided(
        tuple((text, own if text.casefold() in _YES else against) for text in looks.known(column)),
        0.85,
        f"{column} is used as the winner, and no tie is known",
    )


def _is_of_side(looks: Looks, column: str) -> bool:
    """Return whether a column is one of two numbers, such as label_0 and label_1."""
    return column in looks.of_sides and any(
        column in (one, other) and looks.is_number(one) and looks.is_number(other)
        for one, other, *_ in sides(looks.columns)
    )


def _by_beginning(looks: Looks, column: str) -> Decided | None:
    """Read free answers that nearly all begin with the side: ``Text 1, since it …``"""
    texts = [text for text in looks.table.values[column] if text]
    begins = Counter(found[0] for text in texts if (found := _BEGIN.match(text)))
    stems = Counter(found[1].casefold() for text in texts if (found := _BEGIN.match(text)))
    if not stems or len(texts) < 5 or stems.most_common(1)[0][1] < _VOTES * len(texts):
        return None
    stem = stems.most_common(1)[0][0]
    winners: dict[str, Outcome] = {}
    for begin in begins:
        match = _BEGIN.match(begin)
        assert match is not None
        if match[1].casefold() == stem:
            winners[f"{begin}*"] = "a" if match[2].casefold() in "a1" else "b"
    if {*winners.values()} != {"a", "b"}:
        return None
    return Decided(tuple(winners.items()), 0.85, "free answers are read by how they begin")


def _texts_agree(looks: Looks, column: str, said: Decided) -> bool | None:
    """Return whether judges' texts name the side that the numbers mean; None if they do not say."""
    meaning = {word: side for word, side in said.winners if side in ("a", "b")}
    agree = Counter[bool]()
    for other in looks.columns:
        if other == column or looks.is_number(other) or looks.n_known(other) < 10:
            continue
        rows = zip(looks.table.values[other], looks.table.values[column], strict=True)
        for (text, word), n in Counter(row for row in rows if row[1] in meaning).items():
            match = _SAYS_SIDE.search(text) if len(text) < 5000 else None
            if match:
                is_a = (match["side"].casefold() in "a1") == (match["what"].casefold() != "worse")
                agree[is_a == (meaning[word] == "a")] += n
    total = agree.total()
    if total < 8 or max(agree.values()) < 0.8 * total:
        return None
    return agree[True] > agree[False]


def _result(looks: Looks) -> tuple[str, str] | None:
    """Find a column of results such as 2-1, with the sign between the numbers."""
    for column in looks.columns:
        known = looks.known(column)
        found = [_RESULT.fullmatch(text) for text in known]
        signs = Counter(match[1] for match in found if match)
        if len(known) > 1 and signs.total() >= _VOTES * len(known) and not looks.is_date(column):
            return column, signs.most_common(1)[0][0]
    return None


def _winner_and_loser(looks: Looks) -> list[Draft]:
    """Find a column of who won and one of who lost."""
    drafts = []
    for one, other, rest, _ in sides(looks.columns, OUTCOME_SIDES):
        together = list(dict.fromkeys([*looks.known(one), *looks.known(other)]))
        is_named = not rest or any(word in _SHOWN_SYSTEM for word in rest)
        numbers = looks.is_number(one) and "id" not in rest
        if numbers or not is_named or not looks.is_short(one):
            continue
        if looks.why_not_systems(together, is_named=True):
            continue
        draft = Draft({
            "system_a": one, "system_b": other, "winner": "winner is first",
            "constants": (("winner is first", "a"),), "winners": (("a", "a"),),
        })  # fmt: skip
        draft.doubt(0.97 if "id" not in rest else 0.9, "")
        drafts.append(draft)
    return drafts


def _in_order(looks: Looks) -> list[Draft]:
    """Find a column that names both systems in the order shown, such as ``beam,nucleus``."""
    for column in looks.columns:
        known = looks.known(column)
        for sign in (",", "|", ";", " vs ", " vs. ", "_vs_", ">"):
            parts = [text.split(sign) for text in known]
            if len(known) < 2 or any(len(p) != 2 or not all(map(str.strip, p)) for p in parts):
                continue
            swapped = {f"{b.strip()}{sign}{a.strip()}" for a, b in parts}
            names = list(dict.fromkeys(name.strip() for pair in parts for name in pair))
            plain = {sign.join(name.strip() for name in pair) for pair in parts}
            chosen = [c for c in looks.columns if c != column and _are_chosen(looks, c, names)]
            if not (plain & swapped or chosen) or looks.why_not_systems(names, is_named=False):
                continue
            pattern = f"{{first system}}{sign}{{second system}}"
            draft = Draft({"system_a": "first system", "system_b": "second system",
                           "patterns": ((column, pattern),)}, used={column})  # fmt: skip
            draft.doubt(0.9, f"{column} is used as the systems in the order shown")
            if len(chosen) > 1 and any(map(is_criterion, chosen)):
                overall = sorted(chosen, key=lambda c: place_of(c, OVERALL))
                draft.roles["criteria"] = tuple(overall)
                return [draft]
            winners = [
                (other, said)
                for other in looks.columns
                if other != column
                and (said := _says_winner(looks, other, set(names), ("1", "2"))) is not None
                and (strength(other, WINNER) or said.sure > 0.9)
            ]
            if winners:
                _decide(looks, draft, [max(winners, key=lambda pair: pair[1].sure)], ("1", "2"))
                return [draft]
    return []


def _are_chosen(looks: Looks, column: str, systems: list[str]) -> bool:
    """Return whether a column names one of the systems in each row, or a tie."""
    known = set(looks.known(column))
    others = [text for text in known - set(systems) if meaning(text) not in ("tie", "skip")]
    return len(known & set(systems)) > 1 and not others
