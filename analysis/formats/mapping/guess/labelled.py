"""Tables of which a row has texts of several systems and scores next to them: ``t5_fluency``."""

from __future__ import annotations

import re
from collections import defaultdict

from analysis.formats.mapping.guess.draft import Draft
from analysis.formats.mapping.guess.looks import Looks
from analysis.formats.mapping.guess.names import (
    METRIC,
    NOT_A_SCORE,
    RANK,
    SIDES,
    is_criterion,
    is_lower_better,
    is_score,
    listed,
    words_of,
)
from analysis.formats.mapping.prepared import common_beginning

_TEXTS = frozenset(
    listed(
        "output summary translation response text answer generation hypothesis completion caption "
        "story simplification hyp prediction generated reply out"
    )
)
_NOT_SYSTEMS = frozenset(word for pair in SIDES[:11] for word in pair) | frozenset(
    listed("source src input prompt question context document article original gold golden")
)

_ABOVE = frozenset(listed("model models system systems sys"))
"""Words of a record whose fields are systems: ``{"model_output": {"t5": {"fluency": 3}}}``."""
_CHECKED = {("judge",), ("correct",), ("is", "correct"), ("human",), ("acc",), ("label",)}
"""What a column is called that says of each system's answer whether it is right."""
_WORTH = (("true", "1"), ("yes", "1"), ("false", "0"), ("no", "0"))

Words = tuple[str, ...]


def guess_labelled(looks: Looks) -> list[Draft]:
    """Return what columns suggest that begin or end with the name of a column of texts."""
    labels = labels_of(looks)
    for at_start in (True, False):
        groups: dict[Words, dict[Words, str]] = defaultdict(dict)
        for column in looks.columns:
            own = _cut(words_of(column), labels, at_start)
            if own is not None and (looks.is_number(column) or _is_yes_or_no(looks, column)):
                groups[own[1]][own[0]] = column
        groups = {
            what: own
            for what, own in groups.items()
            if _is_of_scores(what, own) or (what in _CHECKED and set(own) == set(labels))
        }
        groups = {what: own for what, own in groups.items() if "human" in what} or groups
        most = max(map(len, groups.values()), default=0)
        groups = {what: own for what, own in groups.items() if len(own) == most > 1}
        if groups and len({frozenset(own) for own in groups.values()}) == 1:
            draft = _draft(looks, groups, at_start)
            draft.used |= set(labels.values())
            by_row = {"scores": draft.roles["repeats"][0][1], "systems": ()}
            by_row["better"] = draft.roles.get("better", "")
            wide = Draft(by_row, 0.98 * draft.confidence, [*draft.doubts], {*draft.used})
            return [draft] if draft.roles["values"] or "criteria" in draft.roles else [draft, wide]
    return []


def labels_of(looks: Looks) -> dict[Words, str]:
    """Return the columns of texts by what names them, without output, summary and such."""
    found: dict[Words, str] = {}
    for column in looks.columns:
        words = words_of(column)
        above, _, rest = column.partition(".")
        if "." in rest and set(words_of(above)) & _ABOVE:
            found.setdefault(words_of(f"{above}.{rest.partition('.')[0]}"), column)
            continue
        named = _TEXTS & {*re.findall("[a-z]+", column.casefold())}
        is_answer = named and looks.n_known(column) > 0.5 * looks.n
        if (
            (looks.is_short(column) and not is_answer)
            or looks.is_number(column)
            or not looks.known(column)
        ):
            continue
        label = tuple(word for word in words if word not in _TEXTS)
        apart = {*re.split(r"[\W_]+", column.casefold())} | ({*label} if len(label) == 1 else set())
        if label and not apart & _NOT_SYSTEMS and not all(word.isdigit() for word in label):
            found[label] = column
    return found


def _cut(words: Words, labels: dict[Words, str], at_start: bool) -> tuple[Words, Words] | None:
    """Return the label that a name begins or ends with, the longest one, and what is left."""
    for n in range(len(words) - 1, 0, -1):
        label, rest = (words[:n], words[n:]) if at_start else (words[-n:], words[:-n])
        if label in labels:
            return label, rest
    return None


def _is_of_scores(what: Words, own: dict[Words, str]) -> bool:
    name = " ".join(what)
    is_named = is_criterion(name) or is_score(name)
    return is_named and len(own) > 1 and not set(what) & {*METRIC, *NOT_A_SCORE, *RANK}


def _is_yes_or_no(looks: Looks, column: str) -> bool:
    known = {text.casefold() for text in looks.known(column)}
    return bool(known) and known <= {word for word, _ in _WORTH}


def _draft(looks: Looks, groups: dict[Words, dict[Words, str]], at_start: bool) -> Draft:
    names = {what: " ".join(what) for what in groups}
    n = common_beginning([*names.values()]).rfind(" ") + 1 if len(groups) > 1 else 0
    names = {what: name[n:] for what, name in names.items()}
    repeats = tuple((names[what], tuple(own.values())) for what, own in _in_order(groups).items())
    first = repeats[0][1]
    turned = common_beginning([name[::-1] for name in first])[::-1]
    above = re.sub(r"^(([A-Za-z_ ]+\.)*).*", r"\1", common_beginning(first))
    pattern = f"{above}{{system}}{turned}" if at_start else common_beginning(first) + "{system}"
    draft = Draft({"system": "system", "repeats": repeats, "repeat_name": pattern})
    lower = tuple(name for name in names.values() if is_lower_better(name))
    if len(names) > 1:
        draft.roles |= {"criteria": tuple(name for name, _ in repeats), "lower": lower}
    else:
        draft.roles |= {"score": repeats[0][0], "better": "lower" if lower else "higher"}
    used = {own for _, columns in repeats for own in columns}
    words_used = [own for own in used if not looks.is_number(own)]
    draft.roles["values"] = tuple((own, _WORTH) for own in sorted(words_used))
    for column in looks.columns:
        words = words_of(column)
        if (
            column not in used
            and looks.is_number(column)
            and any(
                len(words) > len(what)
                and (words[-len(what) :] if at_start else words[: len(what)]) == what
                for what in groups
            )
        ):
            draft.doubt(0.6, f"no column has the text of {column}")
            break
    draft.doubt(0.9, f"{', '.join(first[:2])} … are used as one system each")
    return draft


def _in_order(groups: dict[Words, dict[Words, str]]) -> dict[Words, dict[Words, str]]:
    """Return the groups with their systems in the order of the first one."""
    order = list(next(iter(groups.values())))
    return {what: {label: own[label] for label in order} for what, own in groups.items()}
