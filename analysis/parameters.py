"""Hyperparameters, declared once: a field of a frozen dataclass carries its bounds and its help.

The command line's flags, the dashboard's form, validation and the signature all read these fields.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, TypeVar

from analysis.errors import PodiumError, control

Role = Literal["fit", "prediction", "effort"]


@dataclass(frozen=True)
class Hyperparameter:
    """One hyperparameter as its declaration tells it; numbers have bounds, others choices.

    ``role`` says what it bears on: ``fit``, the scores; ``prediction``, only what is read from a
    fit; ``effort``, only how the same scores are computed, or how long. ``only_with`` names the
    values of another hyperparameter without which this one does nothing, ``published`` numbers that
    a paper tried, ``references`` what a choice owes to a paper of its own; ``table`` says that a
    text holds names with numbers, which the command line may take from a file; ``title`` is what
    pages call it, by default its name.
    """

    name: str
    default: Any
    help: str
    symbol: str
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    advanced: bool = False
    role: Role = "fit"
    only_with: tuple[str, tuple[object, ...]] | None = None
    published: tuple[float, ...] = ()
    references: Mapping[str, str] = field(default_factory=dict)
    table: bool = False
    title: str = ""

    @property
    def kind(self) -> type:
        return type(self.default)

    @property
    def flag(self) -> str:
        """The command line's name of it.

        >>> Hyperparameter("draw_probability", .25, "", "p").flag
        '--draw-probability'
        """
        return "--" + self.name.replace("_", "-")


def number(
    default: float,
    help: str,
    *,
    low: float,
    high: float,
    step: float | None = None,
    symbol: str = "",
    advanced: bool = False,
    role: Role = "fit",
    only_with: tuple[str, tuple[object, ...]] | None = None,
    published: tuple[float, ...] = (),
) -> Any:
    """Declare a number between ``low`` and ``high``, inclusive; an int default makes it whole."""
    metadata = dict(
        help=help, low=low, high=high, step=step, symbol=symbol, advanced=advanced, role=role,
        only_with=only_with, published=published,
    )  # fmt: skip
    return field(default=default, metadata=metadata)


def choice(
    default: str,
    help: str,
    choices: Mapping[str, str],
    *,
    symbol: str = "",
    advanced: bool = False,
    role: Role = "fit",
    only_with: tuple[str, tuple[object, ...]] | None = None,
    references: Mapping[str, str] | None = None,
    title: str = "",
) -> Any:
    """Declare a choice; ``choices`` maps each value to the words that explain it."""
    metadata = dict(
        help=help, choices=choices, symbol=symbol, advanced=advanced, role=role,
        only_with=only_with, references=references or {}, title=title,
    )  # fmt: skip
    return field(default=default, metadata=metadata)


def text(
    default: str, help: str, *, symbol: str = "", advanced: bool = False, table: bool = False
) -> Any:
    """Declare free text, such as the name of a baseline system; empty means automatic."""
    metadata = dict(help=help, symbol=symbol, advanced=advanced, table=table)
    return field(default=default, metadata=metadata)


def flag(default: bool, help: str, *, symbol: str = "", advanced: bool = False) -> Any:
    """Declare a yes or no."""
    return field(default=default, metadata=dict(help=help, symbol=symbol, advanced=advanced))


@dataclass(frozen=True)
class Parameterized:
    """Base of frozen dataclasses whose fields are declared with `number`, `choice` and the like."""

    def __post_init__(self) -> None:
        for parameter in hyperparameters(type(self)):
            _check(parameter, getattr(self, parameter.name))

    def settings(self) -> dict[str, Any]:
        """Return every hyperparameter's value by name."""
        return {p.name: getattr(self, p.name) for p in hyperparameters(type(self))}

    def in_use(self) -> tuple[Hyperparameter, ...]:
        """Return the hyperparameters that do something, as the others are set."""
        return tuple(
            p
            for p in hyperparameters(type(self))
            if p.only_with is None or getattr(self, p.only_with[0]) in p.only_with[1]
        )

    def as_fitted(self) -> Self:
        """Return all that a fit depends on: settings that do not bear on it at their defaults."""
        bearing = {p.name for p in self.in_use() if p.role != "prediction"}
        others = [p for p in hyperparameters(type(self)) if p.name not in bearing]
        return dataclasses.replace(self, **{p.name: p.default for p in others})

    def signature(self) -> str:
        """Return the settings as ``symbol:value`` joined by ``|``, all of them, in fixed order."""
        return "|".join(
            f"{p.symbol}:{format_value(getattr(self, p.name))}" for p in hyperparameters(type(self))
        )


P = TypeVar("P", bound=Parameterized)


def hyperparameters(owner: type[Parameterized]) -> tuple[Hyperparameter, ...]:
    """Return the hyperparameters that a dataclass declares, in order."""
    return tuple(
        Hyperparameter(
            name=f.name,
            default=f.default,
            **{**f.metadata, "symbol": f.metadata["symbol"] or f.name},
        )
        for f in fields(owner)
        if "help" in f.metadata
    )


def from_settings(owner: type[P], settings: Mapping[str, Any]) -> P:
    """Make an object from settings that may be text, as links and command lines have them."""
    known = {p.name: p for p in hyperparameters(owner)}
    for name in settings:
        if name not in known:
            raise PodiumError(
                f"Setting {name!r}",
                f"{owner.__name__} has no such hyperparameter",
                f"It has {', '.join(known) or 'none'}.",
            )
    values = {name: _parse(known[name], value) for name, value in settings.items()}
    return dataclasses.replace(owner(), **values)


def format_value(value: object) -> str:
    """Write a setting for a signature.

    >>> [format_value(v) for v in (.25, 1000, True, "rows")]
    ['.25', '1000', 'yes', 'rows']
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        shown = f"{value:g}"
        return shown.replace("0.", ".", 1) if shown.startswith(("0.", "-0.")) else shown
    return str(value)


def _parse(parameter: Hyperparameter, value: Any) -> Any:
    if parameter.kind is bool and isinstance(value, str):
        if value.casefold() in ("yes", "true", "1", "on"):
            return True
        if value.casefold() in ("no", "false", "0", "off"):
            return False
        raise _impossible(parameter, value)
    try:
        parsed = parameter.kind(value)
    except (TypeError, ValueError) as error:
        raise _impossible(parameter, value) from error
    if isinstance(value, float) and parsed != value and value == value:
        raise _impossible(parameter, value)
    return parsed


def _check(parameter: Hyperparameter, value: Any) -> None:
    if parameter.choices and value not in parameter.choices:
        raise _impossible(parameter, value)
    if parameter.low is not None and parameter.high is not None:
        if (
            isinstance(value, bool)
            or not isinstance(value, (int, float))
            or not math.isfinite(value)
        ):
            raise _impossible(parameter, value)
        if parameter.kind is int and value != int(value):
            raise _impossible(parameter, value)
        if not parameter.low <= value <= parameter.high:
            raise _impossible(parameter, value)


def _impossible(parameter: Hyperparameter, value: Any) -> PodiumError:
    if parameter.choices:
        remedy = f"Choose one of {', '.join(parameter.choices)}."
    elif parameter.low is not None:
        whole = "whole number" if parameter.kind is int else "number"
        remedy = f"Use a {whole} from {parameter.low:g} to {parameter.high:g}."
    else:
        remedy = f"Use a value like {format_value(parameter.default)}."
    where = control(parameter.flag, f"Setting {parameter.name.replace('_', ' ')}", parameter.name)
    return PodiumError(where, f"{value!r} is not possible", remedy)
