"""Pearmut's annotations: a campaign's log as JSON Lines, or ``annotations.json`` of several ones.

A record is a document that a judge sent in: for each of its items, what the judge said of each
model's output, all of which stood on one screen, in the order shown. The log keeps everything:
what was reset or sent in again later, tutorials, attention checks and forms. Only the last word
on each item counts.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from analysis.campaign import MQM, IntArray, MqmWeights, Scale
from analysis.errors import ReadingError
from analysis.formats import budgets, json_stream
from analysis.formats.content import Content
from analysis.formats.file_names import pair_in
from analysis.formats.format import Format
from analysis.formats.rankings import LARGEST, NO_PAIR, Codes, Column, Findings, cleaned
from analysis.formats.report import counted
from analysis.formats.scored import Scored
from analysis.formats.spans import SpanList

RESET = "__RESET__"
"""Stands for the answers of an item whose earlier ones no longer count."""

_APART = "_#_"
"""Stands between the parts of WMT's item names: pair, domain, document, place."""

_MADE_UP = re.compile(r"[a-z]+-[a-z]+-\d{1,3}")
_LONGEST_PAUSE = 60.0
"""Seconds between two actions above which a judge is taken to have done something else."""

_OTHER_ITEMS = {
    "welcome_": "an item that welcomes judges, a tutorial or a form",
    "random_": "an attention check",
    "goodbye_": "an item that says goodbye",
}


def is_pearmut(content: Content) -> bool:
    """Return whether records hold annotations with the judge and the item's place."""
    if content.kind != "json":
        return False
    return all(key in content.text for key in (b'"annotation"', b'"user_id"', b'"item_i"'))


@dataclass
class _Outputs:
    """One row an output that was shown, in columns that grow."""

    record: list[int] = field(default_factory=list)
    campaign: list[str] = field(default_factory=list)
    judge: list[str] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    screen: list[int] = field(default_factory=list)
    item: list[str] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    system: list[str] = field(default_factory=list)
    score: list[float] = field(default_factory=list)
    sliders: list[Mapping[str, Any]] = field(default_factory=list)
    spans: list[list[Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    is_check: list[bool] = field(default_factory=list)


def read(content: Content) -> Scored:
    """Read the log; all of it is kept or left out with the reason."""
    findings = content.findings
    findings.unit, findings.place = "output", "record"
    shown, resets = _outputs(_records(content), findings)
    n = len(shown.record)
    if not n:
        raise ReadingError(
            content.where, "no output was scored in it", "Make a new export of the annotations."
        )
    budgets.check_systems(len(set(shown.system)), content.where, "annotation")
    record = np.array(shown.record)
    findings.place_of = lambda rows: record[rows]
    good = _leave_out_places(shown, resets, findings)
    score, scale = _scores(shown, good, findings)
    rows = _leave_out_scores(shown, good, score, scale, findings)
    spans = _errors(shown, rows)
    value = MqmWeights().scores(spans.spans(), len(rows)) if scale is MQM else score[rows]
    document, domain = _documents([shown.document[k] for k in rows])
    return Scored(
        n_rows=n,
        scale=scale,
        pair=_pairs(shown, content.where).take(rows),
        system=_column([shown.system[k] for k in rows]),
        segment=_column([shown.item[k] for k in rows]),
        judge=_column([shown.judge[k] for k in rows]),
        value=value,
        row=rows,
        findings=findings,
        screen=np.array(shown.screen, dtype=np.int64)[rows],
        document=document,
        domain=domain,
        seconds=np.array(shown.seconds)[rows],
        errors=spans.spans(),
        users=_users(shown.judge),
    )


def _records(content: Content) -> Iterator[tuple[int, str, Any]]:
    """Return each record with its number and its campaign; None where it cannot be parsed."""
    text, where = content.text, content.where
    budgets.check_bytes(len(text), budgets.max_json_bytes(), where, "as JSON it")
    try:
        whole = json.loads(text)
    except RecursionError:
        raise ReadingError(where, "the JSON is nested too deeply", "Make a new export.") from None
    except ValueError:
        for n, record in json_stream.lines(text, json.JSONDecoder(), where):
            yield n, "", record
        return
    if isinstance(whole, dict) and "annotation" not in whole:
        n = 0
        for campaign, records in whole.items():
            for record in records if isinstance(records, list) else [records]:
                n += 1
                yield n, cleaned(campaign), record
        return
    for n, record in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield n, "", record


def _outputs(
    records: Iterator[tuple[int, str, Any]], findings: Findings
) -> tuple[_Outputs, dict[tuple[str, str, str], int]]:
    """Return all outputs that were shown, and where each judge's item was reset last."""
    shown = _Outputs()
    resets: dict[tuple[str, str, str], int] = {}
    unread: list[int] = []
    without: list[int] = []
    texts: dict[str, str] = {}
    for n, campaign, record in records:
        if not isinstance(record, dict) or "annotation" not in record:
            unread.append(n)
            continue
        judge, place = _text(record.get("user_id")), _text(record.get("item_i"))
        answers = record["annotation"]
        if answers == RESET:
            resets[campaign, judge, place] = n
        if isinstance(answers, dict):
            answers = [answers]
        before = len(shown.record)
        if isinstance(answers, list):
            _add(shown, n, campaign, judge, place, answers, record, texts)
        if len(shown.record) == before:
            without.append(n)
    for reason, found in (
        ("a record without an annotation", unread),
        ("a reset or a form without scores", without),
    ):
        places = np.array(found, dtype=np.int64)
        findings.leave_out_unparsed(reason, places, len(found), lambda row: "no output in it")
    return shown, resets


def _add(
    shown: _Outputs,
    n: int,
    campaign: str,
    judge: str,
    place: str,
    answers: list[Any],
    record: Mapping[str, Any],
    texts: dict[str, str],
) -> None:
    """Add the outputs of one record."""
    items = record.get("item")
    items = items if isinstance(items, list) else [items]
    names = [_item_name(items, k, texts, place) for k in range(len(answers))]
    first = len(shown.record)
    where: dict[tuple[int, str], int] = {}
    for k, answer in enumerate(answers):
        item = items[k] if k < len(items) and isinstance(items[k], dict) else {}
        validation = item.get("validation")
        screen = len(shown.record)
        for model, said in answer.items() if isinstance(answer, dict) else ():
            if not isinstance(said, dict):
                continue
            where[k, model] = len(shown.record)
            spans, sliders = said.get("error_spans"), said.get("sliders")
            shown.record.append(n)
            shown.campaign.append(campaign)
            shown.judge.append(judge)
            shown.place.append(place)
            shown.screen.append(screen)
            shown.item.append(names[k])
            shown.document.append(names[0])
            shown.system.append(cleaned(model))
            shown.score.append(_number(said.get("score")))
            shown.sliders.append(sliders if isinstance(sliders, dict) else {})
            shown.spans.append(spans if isinstance(spans, list) else [])
            shown.seconds.append(math.nan)
            shown.is_check.append(bool(validation) or bool(item.get("skippable")))
    for row, seconds in _times(record.get("actions"), where, first, len(shown.record)).items():
        shown.seconds[row] = seconds


def _item_name(items: list[Any], k: int, texts: dict[str, str], place: str) -> str:
    """Return an item's own name, else a number for its source text."""
    item = items[k] if k < len(items) and isinstance(items[k], dict) else {}
    name = _text(item.get("item_id"))
    if name:
        return name
    source = _text(item.get("src") or item.get("ref"))
    if source:
        return texts.setdefault(source, f"text {len(texts) + 1}")
    return f"item {place}" if len(items) <= 1 else f"item {place}:{k + 1}"


def _times(
    actions: Any, where: Mapping[tuple[int, str], int], first: int, end: int
) -> dict[int, float]:
    """Return the seconds that each output took: those before the actions on it.

    The time before actions on no output (loading, sending in) is shared among all.
    """
    if not isinstance(actions, list) or first == end:
        return {}
    spent = dict.fromkeys(range(first, end), 0.0)
    shared = 0.0
    last = math.nan
    for action in actions:
        if not isinstance(action, dict):
            continue
        time = _number(action.get("time"))
        pause = min(max(time - last, 0.0), _LONGEST_PAUSE) if time == time and last == last else 0.0
        last = time if time == time else last
        index, model = action.get("index"), action.get("model")
        is_known = isinstance(index, int) and isinstance(model, str)
        row = where.get((index, model)) if is_known else None  # type: ignore[arg-type]
        if row is None:
            shared += pause
        else:
            spent[row] += pause
    if last != last:
        return {}
    return {row: own + shared / (end - first) for row, own in spent.items()}


def _leave_out_places(
    shown: _Outputs, resets: Mapping[tuple[str, str, str], int], findings: Findings
) -> np.ndarray:
    """Report what is no item of the campaign, or not the last word on one."""
    n = len(shown.record)
    good = np.ones(n, dtype=bool)

    def leave(reason: str, which: list[bool], detail: Callable[[int], str]) -> None:
        found = np.array(which, dtype=bool) & good
        findings.leave_out(reason, np.flatnonzero(found), detail)
        good[found] = False

    def of_item(row: int) -> str:
        return f"item {shown.place[row][:60]}"

    for start, reason in _OTHER_ITEMS.items():
        leave(reason, [place.startswith(start) for place in shown.place], of_item)
    leave(
        "a tutorial or attention check, whose right answer is known",
        shown.is_check,
        lambda row: f"item {shown.item[row][:60]}",
    )
    leave("a model without a name", [name == "" for name in shown.system], of_item)
    keys = list(zip(shown.campaign, shown.judge, shown.place, strict=True))
    reset = [resets.get(key, 0) > at for key, at in zip(keys, shown.record, strict=True)]
    leave("a reset of the judge's task", reset, lambda row: f"judge {shown.judge[row][:60]}")
    last: dict[tuple[str, str, str], int] = {}
    for key, at, is_good in zip(keys, shown.record, good.tolist(), strict=True):
        if is_good:
            last[key] = max(last.get(key, 0), at)
    again = [last.get(key, at) > at for key, at in zip(keys, shown.record, strict=True)]
    leave(
        "a later annotation of the same judge for the same item; the last one counts",
        again,
        lambda row: f"judge {shown.judge[row][:60]}",
    )
    return good


def _scores(shown: _Outputs, good: np.ndarray, findings: Findings) -> tuple[np.ndarray, Scale]:
    """Return the scores and their scale: where there are none, sliders or errors stand for them."""
    score = np.array(shown.score)
    if (~np.isnan(score[good])).any():
        has_errors = any(shown.spans[k] for k in np.flatnonzero(good))
        return score, Scale("ESA score" if has_errors else "direct assessment", 0, 100)
    names = list(dict.fromkeys(name for k in np.flatnonzero(good) for name in shown.sliders[k]))
    if names:
        if len(names) > 1:
            findings.note(
                "other-sliders",
                f"Judges answered on {counted(len(names), 'slider', verb='')}; {names[0][:40]} "
                f"was read, {', '.join(name[:40] for name in names[1:6])} not.",
                len(names) - 1,
            )
        first = [_number(sliders.get(names[0])) for sliders in shown.sliders]
        return np.array(first), Scale(cleaned(names[0])[:60] or "score")
    return score, MQM


def _leave_out_scores(
    shown: _Outputs, good: np.ndarray, score: np.ndarray, scale: Scale, findings: Findings
) -> IntArray:
    if scale is not MQM:
        outside = good & (np.isnan(score) | (score < scale.low) | (score > scale.high))
        findings.leave_out(
            "a score that is missing or outside the scale",
            np.flatnonzero(outside),
            lambda row: f"{shown.system[row][:60]}: {shown.score[row]}",
        )
        good = good & ~outside
    rows: IntArray = np.flatnonzero(good)
    return rows


def _errors(shown: _Outputs, rows: IntArray) -> SpanList:
    spans = SpanList()
    for owner, row in enumerate(rows.tolist()):
        spans.add_all(owner, shown.spans[row])
    return spans


def _pairs(shown: _Outputs, where: str) -> Column:
    """Return the language pairs: from the items' names, else the campaign's, else the file's."""
    names = list(dict.fromkeys(zip(shown.campaign, shown.item, strict=True)))
    of_item = {key: pair_in(key[1]) for key in names}
    silent = {campaign for (campaign, _), pair in of_item.items() if not pair}
    pairs = [
        of_item[campaign, item]
        if campaign not in silent
        else pair_in(campaign) or pair_in(where) or NO_PAIR
        for campaign, item in zip(shown.campaign, shown.item, strict=True)
    ]
    return _column(pairs)


def _documents(names: list[str]) -> tuple[Column, Column | None]:
    """Return documents and domains: WMT names items pair_#_domain_#_document_#_place."""
    parts = {name: name.split(_APART) for name in set(names)}
    if not all(len(found) >= 4 for found in parts.values()):
        return _column(names), None
    documents = _column([parts[name][2] for name in names])
    return documents, _column([parts[name][1] for name in names])


def _users(judges: list[str]) -> tuple[str, ...] | None:
    """Return the judges' names unless Pearmut made all of them up (squealing-hit-488)."""
    unique = tuple(dict.fromkeys(judges))
    return None if all(_MADE_UP.fullmatch(name) for name in unique) else unique


def _column(names: list[str]) -> Column:
    codes, unique = pd.factorize(np.array(names, dtype=object))
    found: Codes = codes.astype(np.int32)
    return Column(found, unique.tolist())


def _text(value: Any) -> str:
    return cleaned(str(value)) if isinstance(value, str | int) else ""


def _number(value: Any) -> float:
    """Return a finite number; nan for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if abs(value) < LARGEST else math.nan


FORMAT = Format(
    name="pearmut",
    title="Pearmut annotations",
    held_in="JSON or JSON Lines",
    columns="user_id, item_i, annotation (models with their scores), item and actions",
    sniff=is_pearmut,
    read=read,
)
