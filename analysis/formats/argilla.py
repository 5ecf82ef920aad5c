"""Argilla's rankings: records with fields, and what each person answered to a ranking question.

A ranking is a list of options, best first, or of options with ranks. Records come nested
(``responses``), flat (``NAME.responses`` and ``NAME.responses.users``), or as older versions wrote
them (a list of answers with ``user_id`` and ``value`` under the question's name). Datasets as
Parquet are flat or of older versions; there a list of answers may be lists side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from analysis.formats.collecting import Collector, segment_of
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.nested import Records, dict_of, first_text, list_of, text_of
from analysis.formats.rankings import Rankings

COLUMNS = "records with fields and responses to a ranking question"
_PLACE = re.compile(
    r"(?:response|reply|answer|output|generation|completion|text)[ _-]?(\d+|[a-z])", re.IGNORECASE
)
UNFINISHED = ("discarded", "draft", "pending")


def is_argilla(content: Content) -> bool:
    """Return whether records hold answers of people to questions."""
    record = content.first_record
    if content.kind == "parquet":
        keys = content.keys
        older = {"external_id", "metadata"} <= keys and any(k.endswith("-suggestion") for k in keys)
        return older or any(key.endswith(".responses") for key in keys)
    if record is None:
        return False
    nested = isinstance(record.get("responses"), dict | list) and "fields" in record
    flat = any(key.endswith(".responses") for key in record)
    return nested or flat or any(map(_is_answers, record.values()))


def _is_answers(value: object) -> bool:
    first = dict_of(value[0]) if isinstance(value, list) and value else {}
    return {"user_id", "value", "status"} <= first.keys()


class _Answer(NamedTuple):
    value: object
    user: str
    status: str


def read(content: Content) -> Rankings:
    """Make a ranking of each answer to a ranking question."""
    records = Records(content, ())
    found = Collector(content, people=True)
    for row, record in enumerate(records):
        data = _data(record)
        before, reason = len(found), "no answer"
        for answer in _answers(record):
            order = _ranked(answer.value)
            if order is None:
                continue
            if answer.status.casefold() in UNFINISHED:
                reason = f"answers that are {answer.status.casefold()}"
                found.miss(row, answer.status.casefold())
                continue
            options = sorted(order)
            found.add(
                row,
                [_system(option, data) for option in options],
                [order[option] for option in options],
                segment=segment_of(data, record, ("external_id", "id")),
                judge=answer.user,
                characters=_lengths(options, data),
            )
        if len(found) == before:
            found.leave_out(reason, row, f"the record has {reason}")
    rankings = found.rankings(len(records), "the options of the ranking question")
    if rankings.outputs and all(_PLACE.fullmatch(name) for (name,) in rankings.outputs):
        found.note(
            "places-not-systems",
            "The options are called by their places ("
            + ", ".join(name for (name,) in rankings.outputs[:3])
            + (
                "), which may contain another system in each record. Give the records metadata "
                "such as model_1 and model_2."
            ),
        )
    return rankings


def _answers(record: Mapping[str, Any]) -> Iterator[_Answer]:
    """Yield all answers of a record, whatever version wrote it."""
    responses = record.get("responses")
    if isinstance(responses, dict):
        for answers in responses.values():
            for answer in map(dict_of, list_of(answers)):
                yield _answer(answer.get("value"), answer)
    for answer in map(dict_of, list_of(responses)):
        for value in dict_of(answer.get("values")).values():
            yield _answer(dict_of(value).get("value"), answer)
    for key, value in record.items():
        if key.endswith(".responses"):
            users = list_of(record.get(f"{key}.users"))
            statuses = list_of(record.get(f"{key}.status"))
            for k, own in enumerate(list_of(value)):
                user = text_of(users[k]) if k < len(users) else ""
                yield _Answer(own, user, text_of(statuses[k]) if k < len(statuses) else "")
        elif key != "responses" and _is_answers(answers := _one_by_one(value)):
            for answer in map(dict_of, answers):
                yield _answer(answer.get("value"), answer)


def _one_by_one(value: object) -> list[Any]:
    """Return a list of answers, also where it came as lists side by side."""
    if not isinstance(value, dict) or not all(isinstance(own, list) for own in value.values()):
        return list_of(value)
    return [dict(zip(value, own, strict=False)) for own in zip(*value.values(), strict=False)]


def _answer(value: object, about: Mapping[str, Any]) -> _Answer:
    return _Answer(value, text_of(about.get("user_id")), text_of(about.get("status")))


def _ranked(value: object) -> dict[str, int] | None:
    """Return the rank of each option; None for what is no ranking of two or more."""
    if isinstance(value, dict):
        options, ranks = list_of(value.get("value")), list_of(value.get("rank"))
        pairs = list(zip(options, ranks, strict=False))
    else:
        listed = list_of(value)
        if all(isinstance(one, str) for one in listed):
            pairs = [(one, k) for k, one in enumerate(listed, 1)]
        else:
            items = [dict_of(one) for one in listed]
            pairs = [(one.get("value"), one.get("rank")) for one in items]
    found = {
        text_of(option): rank
        for option, rank in pairs
        if text_of(option) and isinstance(rank, int) and 0 < rank < 1000
    }
    return found if len(found) >= 2 and len(found) == len(pairs) else None


def _data(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields and metadata under their names; a flat record holds them itself."""
    own = {**record, **dict_of(record.get("fields")), **dict_of(record.get("metadata"))}
    return {str(key).casefold(): value for key, value in own.items()}


def _system(option: str, data: Mapping[str, Any]) -> str:
    """Return the system that made an option: from the metadata, else the option's own name."""
    low = option.casefold()
    keys = [f"{low}{sign}{word}" for word in ("model", "system", "generator") for sign in "_-."]
    place = _PLACE.fullmatch(option)
    if place:
        end = place[1].casefold()
        keys += [f"{word}{sign}{end}" for word in ("model", "system") for sign in ("_", "-", "")]
    return first_text(data, keys) or option


def _lengths(options: list[str], data: Mapping[str, Any]) -> list[float]:
    texts = [data.get(option.casefold()) for option in options]
    if all(isinstance(text, str) and text for text in texts):
        return [float(len(str(text))) for text in texts]
    return []


FORMAT = Format(
    name="argilla",
    title="Argilla rankings",
    held_in="JSON or Parquet",
    columns=COLUMNS,
    sniff=is_argilla,
    read=read,
)
