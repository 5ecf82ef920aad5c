"""Label Studio's JSON export: tasks with annotations, each a choice of two or an order of a list.

A pair's systems stand in the task's data (model_a and model_b, or such); the items of a list name
theirs, or are called by their ids. JSON-MIN and CSV exports hold no choice of a pair.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from analysis.errors import ReadingError, control
from analysis.formats.collecting import Collector, ranks_of_vote, segment_of
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.nested import Records, dict_of, first_text, list_of, text_of
from analysis.formats.rankings import Rankings

UNNAMED = "no choice between named outputs"
COLUMNS = "tasks with data and annotations, as its JSON export has them"
_SIDES = (("a", "b"), ("1", "2"), ("left", "right"), ("first", "second"))
_SYSTEM = "(?:model|system|generator|player)"
SYSTEM_OF_ITEM = ("model", "system", "generator", "model_name")
SELECTED = {"left": 1, "right": -1, "tie": 0, "both": 0, "equal": 0, "none": 0}


def is_label_studio(content: Content) -> bool:
    """Return whether tasks hold annotations, or an export holds what is left of them."""
    record = content.first_record
    if record is not None and isinstance(record.get("annotations"), list):
        return "data" in record
    return {"annotation_id", "annotator", "lead_time"} <= content.keys


def read(content: Content) -> Rankings:
    """Make a ranking of each annotation that chooses or orders."""
    if "annotation_id" in content.keys:
        raise ReadingError(
            content.place,
            "this export of Label Studio contains no choices between outputs",
            "Make a new export as JSON, not as JSON-MIN, CSV or TSV.",
        )
    records = Records(content, ())
    found = Collector(content, people=True)
    unnamed, reasons = 0, set()
    for row, record in enumerate(records):
        data = {str(k).casefold(): v for k, v in dict_of(record.get("data")).items()}
        annotations = [dict_of(a) for a in list_of(record.get("annotations"))]
        before = len(found)
        reason = "no annotation" if not annotations else ""
        for annotation in annotations:
            if annotation.get("was_cancelled"):
                reason = "annotations that were skipped"
                found.miss(row, "skipped")
                continue
            for result in map(dict_of, list_of(annotation.get("result"))):
                shown = _shown(result, data)
                if shown is None:
                    unnamed += result.get("type") == "pairwise"
                    reason = UNNAMED
                    continue
                outputs, ranks, texts = shown
                lead = annotation.get("lead_time")
                found.add(
                    row,
                    outputs,
                    ranks,
                    segment=segment_of(data, record, ("id",)),
                    judge=_judge(annotation),
                    seconds=float(lead) if isinstance(lead, int | float) else float("nan"),
                    characters=[float(len(text)) for text in texts],
                )
        if len(found) == before:
            reasons.add(reason)
            found.leave_out(reason or "no annotation", row, f"the task has {reason or 'nothing'}")
    if unnamed and not len(found):
        raise ReadingError(
            content.place,
            "the tasks do not name the systems of the left and the right output",
            "Give each task's data the fields model_a and model_b, and make a new export.",
        )
    if reasons == {UNNAMED} and not len(found):
        remedy = f"Name its columns ({control('--map FILE', 'the form below')})."
        error = ReadingError(content.place, f"its tasks have {UNNAMED}", remedy)
        error.is_unknown = True
        raise error
    return found.rankings(len(records), "the tasks' data")


Shown = tuple[list[str], list[int], list[str]]
"""Outputs as they were shown, their ranks, and their texts where they are known."""


def _shown(result: Mapping[str, Any], data: Mapping[str, Any]) -> Shown | None:
    """Return what one answer says; None for an answer of another kind."""
    value, kind = dict_of(result.get("value")), result.get("type")
    if kind == "pairwise":
        outcome = SELECTED.get(text_of(value.get("selected")).casefold())
        systems = systems_of_pair(data)
        if outcome is None or systems is None:
            return None
        return systems, list(ranks_of_vote(outcome)), []
    if kind == "ranker":
        return _order(value.get("ranker"), data)
    return None


def systems_of_pair(data: Mapping[str, Any]) -> list[str] | None:
    """Return the systems of the left and the right output, by the names of the data's fields."""
    for pair in _SIDES:
        names = []
        for side in pair:
            pattern = re.compile(rf"{_SYSTEM}(?:_name)?[ _-]?{side}|{side}[ _-]?{_SYSTEM}")
            keys = [key for key in data if pattern.fullmatch(key)]
            names.append(text_of(data[keys[0]]) if keys else "")
        if all(names):
            return names
    return None


def _order(ranker: object, data: Mapping[str, Any]) -> Shown | None:
    """Return the order of a list's items; buckets count where their names are numbers."""
    buckets: Sequence[object] | None = None
    if isinstance(ranker, list):
        return _items([[item] for item in ranker], data)
    if isinstance(ranker, dict):
        named = {str(k): list_of(v) for k, v in ranker.items() if k != "_"}
        if len(named) == 1:
            (buckets,) = named.values()
            return _items([[item] for item in buckets], data)
        if named and all(re.fullmatch(r"\d{1,4}", name) for name in named):
            return _items([named[name] for name in sorted(named, key=int)], data)
    return None


def _items(groups: Sequence[Sequence[object]], data: Mapping[str, Any]) -> Shown | None:
    """Return items, in the order in which the data list them, ranked by their groups."""
    rank = {text_of(item): k for k, group in enumerate(groups, 1) for item in group}
    rank.pop("", None)
    for listed in data.values():
        items = {text_of(dict_of(item).get("id")): dict_of(item) for item in list_of(listed)}
        shown = [key for key in items if key in rank]
        if len(shown) == len(rank) >= 2:
            names = [first_text(items[key], SYSTEM_OF_ITEM) or key for key in shown]
            texts = [text_of(items[key].get("body")) for key in shown]
            known = texts if all(texts) else []
            return names, [rank[key] for key in shown], known
    return None


def _judge(annotation: Mapping[str, Any]) -> str:
    by = annotation.get("completed_by")
    return first_text(by, ("email", "id")) if isinstance(by, dict) else text_of(by)


FORMAT = Format(
    name="label-studio",
    title="Label Studio exports",
    columns=COLUMNS,
    sniff=is_label_studio,
    read=read,
)
