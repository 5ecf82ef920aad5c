"""Arguments of the front door: a slip is one `PodiumError` that names the argument."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from math import isfinite
from numbers import Integral, Real
from typing import Any, NamedTuple, ParamSpec, TypeVar

from analysis.errors import PodiumError, did_you_mean
from analysis.rankers.resampling import UNITS
from analysis.ranking.variance import SCOPES

MOST = 1_000_000
"""Of resamples, tasks and the like; more is a slip."""
_ABOVE_0 = 1e-9


class Rule(NamedTuple):
    """What an argument may be, and what to write instead of anything else."""

    allows: Callable[[Any], bool]
    remedy: str
    names: tuple[str, ...] = ()


def _text(example: str) -> Rule:
    return Rule(lambda value: isinstance(value, str), f"Give a name, such as {example!r}.")


def _number(low: float, high: float, example: float, *, whole: bool = False) -> Rule:
    kind = Integral if whole else Real
    what = "a whole number" if whole else "a number"
    what += " between 0 and 1" if high <= 1 else " above 0" if low == _ABOVE_0 else f" from {low:g}"

    def allows(value: Any) -> bool:
        is_number = isinstance(value, kind) and not isinstance(value, bool)
        return bool(is_number and low <= value <= high and isfinite(value))

    return Rule(allows, f"Give {what}, such as {example:g}.")


def _one_of(names: Iterable[str]) -> Rule:
    known = tuple(names)
    return Rule(
        lambda value: value in known, f"Choose one of {', '.join(map(repr, known))}.", known
    )


def _is_names(value: Any) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(name, str) for name in value)


RULES = {
    "method": _text("bradley-terry"),
    "methods": Rule(_is_names, "Give a list of names, such as ['bojar', 'bradley-terry']."),
    "lang_pair": _text("cs-en"),
    "criterion": _text("fluency"),
    "sheet": _text("Sheet1"),
    "level": _number(_ABOVE_0, 1 - _ABOVE_0, 0.95),
    "share": _number(_ABOVE_0, 1, 0.9),
    "margin": _number(_ABOVE_0, float("inf"), 0.02),
    "resamples": _number(0, MOST, 1000, whole=True),
    "seed": _number(0, float("inf"), 0, whole=True),
    "clusters": _number(1, MOST, 3, whole=True),
    "new_segments": _number(0, MOST, 500, whole=True),
    "new_judges": _number(0, MOST, 10, whole=True),
    "minutes_per_task": _number(0, MOST, 1.5),
    "cost_per_hour": _number(0, float("inf"), 20),
    "scope": _one_of(SCOPES),
    "unit": _one_of(UNITS),
    "identical": _one_of(("collapsed", "expanded")),
}

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


def checked(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Check a function's arguments before it runs, and let its errors name them as Python does."""
    signature = inspect.signature(function)
    known = [p.name for p in signature.parameters.values() if p.kind != p.VAR_KEYWORD]
    takes_more = len(known) < len(signature.parameters)

    @functools.wraps(function)
    def opened(*arguments: Given.args, **named: Given.kwargs) -> Answer:
        for name in named:
            if name not in known and not takes_more:
                remedy = f"{did_you_mean(name, known)}Arguments: {', '.join(known)}."
                raise PodiumError(name, f"{function.__name__} has no such argument", remedy)
        try:
            given = signature.bind(*arguments, **named).arguments
        except TypeError as error:
            usage = f"Arguments: {', '.join(known)}."
            raise PodiumError(function.__name__, str(error), usage) from None
        for name, value in given.items():
            _check(name, value, is_optional=signature.parameters[name].default is None)
        try:
            return function(*arguments, **named)
        except PodiumError as error:
            _speak_python(error)
            raise

    return opened


def _check(name: str, value: object, *, is_optional: bool) -> None:
    rule = RULES.get(name)
    if rule is None or (value is None and is_optional) or rule.allows(value):
        return
    shown = repr(value)
    shown = shown if len(shown) <= 40 else f"this {type(value).__name__}"
    raise PodiumError(
        name, f"{shown} is not possible", f"{did_you_mean(shown, rule.names)}{rule.remedy}"
    )


def _speak_python(error: PodiumError) -> None:
    """Name arguments as Python does in an error that speaks of flags."""
    error.where, error.got, error.remedy = error.args = tuple(
        re.sub(r"--([a-z][a-z-]*)( auto\b)?", _as_argument, text)
        for text in (error.where, error.got, error.remedy)
    )


def _as_argument(flag: re.Match[str]) -> str:
    name = "mapping" if flag[1] == "map" else flag[1].replace("-", "_")
    return f"{name}='auto'" if flag[2] else name
