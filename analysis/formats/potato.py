"""Potato's output: choices between two outputs, orders, and best–worst scaling.

An answer is ``selection`` (A, B or tie), ``scale_value`` (below 0 for the first), ``rank_order``
(B,D=A,C) or ``best`` and ``worst``, by the places of what was shown. Who made what stands in the
instance's own data: ``_bws_items`` for tuples, model_a and model_b or ``systems`` else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.errors import ReadingError
from analysis.formats.arena import LEFT, PROMPT, QUESTION, RIGHT
from analysis.formats.collecting import Collector, ranks_of_vote, segment_of
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.label_studio import systems_of_pair
from analysis.formats.nested import Records, dict_of, first_text, list_of, text_of
from analysis.formats.rankings import Rankings, number

COLUMNS = "label_annotations (or columns such as preference:::selection) and who made A and B"
JUDGE = ("user_id", "user", "username", "annotator", "annotator_id")
INSTANCE = ("instance_id", "id")
LISTS = ("systems", "models", "generators")
DATA = ("data", "instance_data", "item", "item_data", "instance")
SIGN = ":::"


def is_potato(content: Content) -> bool:
    """Return whether records hold labels by schema."""
    keys = content.keys
    return "label_annotations" in keys or (
        any(SIGN in key for key in keys) and any(key in keys for key in INSTANCE)
    )


def read(content: Content) -> Rankings:
    """Make a ranking of each answer that chooses or orders."""
    columns = [key for key in sorted(content.keys) if SIGN in key]
    wanted = (*columns, *JUDGE, *INSTANCE, *LEFT, *RIGHT, *LISTS, "_bws_items", *QUESTION, *PROMPT)
    records = Records(content, wanted)
    found = Collector(content, people=True)
    unnamed = 0
    for row, record in enumerate(records):
        data = _data(record)
        answers = list(_answers(record))
        before, reason = len(found), "no choice between outputs"
        for answer in answers:
            order = _ranks(answer)
            if order is None:
                continue
            names = _names(data, order)
            if names is None:
                unnamed += 1
                reason = "outputs whose systems are unknown"
                continue
            outputs, ranks = names
            found.add(
                row,
                outputs,
                ranks,
                segment=segment_of(data, record, INSTANCE),
                judge=first_text(record, JUDGE),
            )
        if len(found) == before:
            found.leave_out(reason, row, f"the instance has {reason}")
    if unnamed and not len(found):
        raise ReadingError(
            content.place,
            "Potato's output does not name the systems of A and B",
            "Add the instances' own data: model_a and model_b, systems, or _bws_items.",
        )
    return found.rankings(len(records), "the instances' data")


def _answers(record: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield what was answered to each schema, by label."""
    for labels in dict_of(record.get("label_annotations")).values():
        yield {str(k).casefold(): text_of(v) for k, v in dict_of(labels).items()}
    flat: dict[str, dict[str, str]] = {}
    for key, value in record.items():
        schema, sign, label = key.partition(SIGN)
        if sign:
            flat.setdefault(schema, {})[label] = text_of(value)
    yield from flat.values()


def _ranks(answer: Mapping[str, str]) -> dict[str, int] | None:
    """Return the ranks of places (A, B, …) that an answer gives; "" stands for all others."""
    chosen = answer.get("selection", "").upper()
    if chosen in ("A", "B", "TIE"):
        first, second = ranks_of_vote({"A": 1, "B": -1, "TIE": 0}[chosen])
        return {"A": first, "B": second}
    scale = number(answer.get("scale_value", ""))
    if scale == scale:
        first, second = ranks_of_vote(int(scale < 0) - int(scale > 0))
        return {"A": first, "B": second}
    best, worst = (answer.get(key, "").upper() for key in ("best", "worst"))
    if len(best) == len(worst) == 1 and best != worst:
        return {best: 1, "": 2, worst: 3}
    order = answer.get("rank_order", "")
    if order:
        ranks: dict[str, int] = {}
        for group in order.split(","):
            rank = len(ranks) + 1
            ranks |= {place.strip(): rank for place in group.split("=") if place.strip()}
        return ranks if len(ranks) >= 2 else None
    return None


def _names(data: Mapping[str, Any], order: Mapping[str, int]) -> tuple[list[str], list[int]] | None:
    """Return the systems as they were shown, and their ranks."""
    shown = _places(data)
    if shown is None or not all(place in shown for place in order if place):
        return None
    places = list(shown) if "" in order else [place for place in shown if place in order]
    ranks = [order.get(place, order.get("", 0)) for place in places]
    if len(places) < 2 or len(places) < len([place for place in order if place]):
        return None
    return [shown[place] for place in places], ranks


def _places(data: Mapping[str, Any]) -> dict[str, str] | None:
    """Return who made what stood at each place."""
    items = [dict_of(item) for item in list_of(data.get("_bws_items"))]
    if items:
        maker = ("system", "model", "source_id")
        named = {text_of(item.get("position")).upper(): first_text(item, maker) for item in items}
        return named if all(named) and all(named.values()) and len(named) == len(items) else None
    listed = next((names for key in LISTS if (names := list_of(data.get(key)))), [])
    if not listed:
        pair = [first_text(data, LEFT), first_text(data, RIGHT)]
        listed = pair if all(pair) else systems_of_pair(data) or []
    names = list(map(text_of, listed))
    return dict(zip(_letters(names), names, strict=True)) if len(names) > 1 and all(names) else None


def _letters(names: Sequence[str]) -> list[str]:
    return [chr(ord("A") + k) for k in range(min(len(names), 26))] + [
        str(k) for k in range(27, len(names) + 1)
    ]


def _data(record: Mapping[str, Any]) -> dict[str, Any]:
    nested = {k: v for key in DATA for k, v in dict_of(record.get(key)).items()}
    return {str(k).casefold(): v for k, v in {**nested, **record}.items()}


FORMAT = Format(
    name="potato",
    title="Potato annotations",
    columns=COLUMNS,
    sniff=is_potato,
    read=read,
)
