"""Votes for one of two systems that no column names: ``Ours is slightly better``."""

from __future__ import annotations

import re
from collections import defaultdict

from analysis.formats.mapping.guess import names
from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.labelled import labels_of
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.prepared import common_beginning
from analysis.formats.mapping.profile import Outcome
from analysis.formats.mapping.winners import AROUND_A_SIDE, decided, meaning

_BOTH = ("first system", "second system")
_TIES = re.compile(r"tied?|draw|equal|same|no[ _-]?(preference|difference)", re.IGNORECASE)
_EVEN = re.compile(r"(?!.*\bnot\b)(\w+ ){0,4}(equal(ly \w+)?|similar|neutral|neither( is better)?|"
                   rf"{_TIES.pattern})\W*", re.IGNORECASE)  # fmt: skip
_VERDICT = re.compile(r"(?!.*\b(?:not|and|or|hardly|barely)\b)(?P<name>\S.{0,38}?) (?:is|was) "
                      r"(?:(?:\w+ly|much|far|a (?:bit|little|lot)) )?(?:better|best|preferred|"
                      r"preferable|superior)\W*", re.IGNORECASE)  # fmt: skip
_NO_NAMES = set(names.listed(AROUND_A_SIDE)) | set(names.listed(
    "this that these those other both neither none either only left right first second third two "
    "top bottom upper lower former latter mine yours red blue green yellow black white one on at "
    "in by from of with shown seen generated written produced displayed heard played hand screen"
))  # fmt: skip
"""Words of verdicts that name a place on the screen, or nothing."""
_YES_OR_NO: dict[str, Outcome] = {"true": "a", "yes": "a", "false": "b", "no": "b"}
"""Whether the one system that a column names is better than the other."""


def named_verdicts(looks: Looks) -> dict[str, tuple[tuple[str, str], ...]]:
    """Return what verdicts such as *Ours is much better* name, by the column: a system or a tie."""
    found = {}
    for column in looks.columns:
        known = looks.known(column)
        if not 2 <= len(known) <= 200 or looks.is_number(column):
            continue
        even = [text for text in known if _EVEN.fullmatch(text)]
        matches = {text: _VERDICT.fullmatch(text) for text in known if text not in even}
        named = {text: match["name"] for text, match in matches.items() if match}
        if len(named) == len(matches) and _are_names({*named.values()}):
            found[column] = (*named.items(), *((text, "tie") for text in even))
    return found


def _are_names(subjects: set[str]) -> bool:
    """Return whether verdicts name systems, each by its own words, not sides: *the one by A*."""
    words = [
        frozenset(w for w in names.words_of(s) if len(w) > 1 and w.isalpha()) for s in subjects
    ]
    return len({own - _NO_NAMES for own in words} - {frozenset()}) == len(subjects) > 0


def votes_for_two(looks: Looks, verdicts: list[str]) -> list[Draft]:
    """Find votes for one of two names, in a table that names no systems elsewhere.

    ``verdicts`` are columns that say in words that a system is better.
    """
    if verdicts:
        return _of_verdicts(looks, verdicts)
    drafts = []
    for column in looks.columns:
        known = looks.known(column)
        is_winner = names.strength(column, names.WINNER)
        if not 2 <= len(known) <= 4 or looks.is_number(column) or not is_winner:
            continue
        said = decided(known, set(), ("", ""), names.words_of(column))
        ties = [] if said is None else [word for word, own in said.winners if own == "tie"]
        if any(not _TIES.fullmatch(word.strip()) for word in ties):
            continue
        skipped = [word for word in known if word.strip().casefold() in ("spam", "skip", "skipped")]
        systems = [word for word in known if word not in (*ties, *skipped)]
        if len(systems) != 2 or looks.why_not_systems(systems, is_named=False):
            continue
        if said is not None and any(own in ("a", "b") for _, own in said.winners):
            continue
        draft = Draft({
            "system_a": "first system", "system_b": "second system", "winner": column,
            "constants": (("first system", systems[0]), ("second system", systems[1])),
            "winners": (*((w, "tie") for w in ties), *((w, "skip") for w in skipped)),
        })  # fmt: skip
        both = f"{systems[0]} and {systems[1]} of {column} are used as systems"
        draft.doubt(0.8 if ties else 0.5, f"no column names systems; {both}")
        drafts.append(draft)
    return drafts


def successes_of_one(looks: Looks) -> list[Draft]:
    """Find yes or no to one of two texts being better: ``overall_ours_better``, for each criterion.

    The texts stand in columns called as both systems: *ours_summary* and *base_summary*.
    """
    labels = labels_of(looks)
    found: dict[tuple[str, ...], dict[str, dict[str, Outcome | None]]] = defaultdict(dict)
    for column in looks.columns if len(labels) == 2 else ():
        *words, last = names.words_of(column)
        named = [label for label in labels if label == tuple(words[-len(label) :])]
        said = {
            text: _YES_OR_NO.get(text.casefold()) or meaning(text) for text in looks.known(column)
        }
        if (
            last == "better"
            and len(named) == 1
            and {"a", "b"} <= {*said.values()} <= {*"ab", "tie"}
        ):
            found[named[0]][column] = said
    if len(found) != 1:
        return []
    ((label, own),) = found.items()
    texts = [labels[label], *(text for other, text in labels.items() if other != label)]
    end = len(common_beginning([text[::-1] for text in texts]))
    systems = [text[: len(text) - end].strip("_- .") for text in texts]
    asked = sorted(own, key=lambda c: names.place_of(c, names.OVERALL))
    draft = Draft({"system_a": _BOTH[0], "system_b": _BOTH[1]}, used={*texts})
    draft.roles |= {"criteria": tuple(asked)} if len(asked) > 1 else {"winner": asked[0]}
    draft.roles["constants"] = tuple(zip(_BOTH, systems, strict=True))
    draft.roles["winners"] = tuple(
        {word: side for said in own.values() for word, side in said.items()}.items()
    )
    if len(asked) > 1 and not any(map(names.is_criterion, asked)):
        draft.doubt(0.6, f"{asked[0]} and the others like it may be judges, not criteria")
    draft.doubt(0.85, f"{systems[0]} and {systems[1]} are used as systems")
    return [draft]


def _of_verdicts(looks: Looks, verdicts: list[str]) -> list[Draft]:
    """Read verdicts between two systems, or between several pairs; other columns are criteria."""
    groups: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
    for column in verdicts:
        pair = tuple(sorted(name for name in looks.known(column) if meaning(name) is None))
        groups[pair][column.rpartition(".")[2]] = column
    systems = [name for pair in groups for name in pair]
    first, *others = groups.values()
    if (
        any(len(pair) != 2 or own.keys() != first.keys() for pair, own in groups.items())
        or len(groups) * len(first) < len(verdicts)
        or (others and not first.keys().isdisjoint(looks.columns))
        or looks.why_not_systems(systems, is_named=False)
    ):
        return []
    made = [f"system {k}" for k in range(1, len(systems) + 1)] if others else [*_BOTH]
    asked = tuple(first if others else first.values())
    draft = Draft({"system_a": _BOTH[0], "system_b": _BOTH[1]})
    draft.roles |= {"criteria": asked} if len(asked) > 1 else {"winner": asked[0]}
    draft.roles["constants"] = tuple(zip(made, systems, strict=True))
    if others:
        sides = tuple((role, tuple(made[k::2])) for k, role in enumerate(_BOTH))
        asked_of = ((what, tuple(own[what] for own in groups.values())) for what in first)
        draft.roles["repeats"] = (*sides, *asked_of)
    judges = [c for c in first if names.strength(c, names.JUDGE) or re.search(r"\d", c)]
    if len(asked) > 1 and (judges or not any(map(names.is_criterion, first))):
        draft.doubt(0.6, f"{asked[0]} and the others like it may be judges, not criteria")
    others_named = [c for c in looks.columns if names.strength(c, names.SYSTEM)]
    if any(looks.is_short(c) and looks.filled(c) > 0.1 for c in others_named):
        draft.doubt(0.6, f"another column than {verdicts[0]} may name the systems")
    draft.doubt(0.9, f"{systems[0]} and {systems[1]} of {verdicts[0]} are used as systems")
    return [draft]
