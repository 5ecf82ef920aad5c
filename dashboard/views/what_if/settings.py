"""What if the method were set differently?"""

from __future__ import annotations

import dataclasses

from streamlit.delta_generator import DeltaGenerator

from analysis.comparing.what_if import (
    SettingSweep,
    numeric_settings,
    setting_values,
    sweep_setting,
)
from analysis.drawing.curves import Curve, Curves
from analysis.escaping import as_markdown
from analysis.parameters import Hyperparameter, format_value
from dashboard import compute
from dashboard.session.view import ViewContext
from dashboard.views.what_if.answer import show_change, slider
from dashboard.widgets.questions import choose

GUESSING = 3.0
"""Perplexity of three outcomes that are equally likely, whoever meets."""


def ask(context: ViewContext, head: DeltaGenerator) -> None:
    """Ask for one number of the method, which has some; before is the sidebar's value."""
    declared = {p.name: p for p in numeric_settings(type(context.ranker))}
    name = choose(
        "Setting",
        declared,
        f"setting.{context.ranker.name}",
        default="radius" if "radius" in declared else None,
        format_func=lambda key: key.replace("_", " ").capitalize(),
    )
    _ask_one(context, head, declared[name])


def _ask_one(context: ViewContext, head: DeltaGenerator, parameter: Hyperparameter) -> None:
    now = float(getattr(context.ranker, parameter.name))
    values = setting_values(parameter, now, *parameter.published)
    sweep = _sweep(context, parameter, values)
    marks = [] if sweep is None else [("Tuned:", sweep.tuned)]
    value = slider(
        f"{parameter.symbol}: {parameter.help}",
        values,
        now,
        key=f"what.{context.ranker.name}.{parameter.name}",
        shown=_shown,
        marks=[*marks, ("Default:", float(parameter.default))],
        help=as_markdown(f"Default: {_shown(parameter.default)} ({context.ranker.citation}).")
        + " Tuned is the value with the lowest perplexity on these judgments; the other "
        "hyperparameters are those of the sidebar.",
    )
    ranker = dataclasses.replace(context.ranker, **{parameter.name: value})
    condition = f"With {parameter.symbol} = {_shown(value)}"
    show_change(
        context,
        context if value == now else context.with_ranker(ranker),
        head,
        "setting",
        condition,
        title=_title(sweep, value, condition),
        curves=lambda: None if sweep is None else _curves(context, parameter, sweep, value),
    )


def _sweep(
    context: ViewContext, parameter: Hyperparameter, values: tuple[float, ...]
) -> SettingSweep | None:
    if not context.ranker.sweeps(parameter.name):
        return None
    ranker, seed = context.ranker, context.certainty.seed
    return compute.remember(
        context,
        ("setting sweep", ranker, parameter.name, seed),
        lambda: sweep_setting(ranker, parameter.name, context.judgments, values, seed),
    )


def _curves(
    context: ViewContext, parameter: Hyperparameter, sweep: SettingSweep, value: float
) -> Curves:
    judgments = context.judgments
    return Curves(
        sweep.values,
        parameter.symbol,
        (
            Curve(
                "Perplexity, lower is better",
                sweep.perplexity,
                level=GUESSING,
                level_label="guessing",
                top=1.05 * max(GUESSING, float(sweep.perplexity.min())),
            ),
            Curve(
                "Mean probability of a tie",
                sweep.ties,
                True,
                judgments.tie_share,
                "ties of the judges",
            ),
        ),
        value,
        ((sweep.tuned, "tuned"), (float(parameter.default), "default")),
    )


def _title(sweep: SettingSweep | None, value: float, condition: str) -> str:
    if sweep is None:
        return f"{condition}: result"
    perplexity, ties = sweep.at(value)
    return f"{condition}: perplexity {perplexity:.3f}, mean probability of a tie {ties:.0%}"


def _shown(value: float) -> str:
    return format_value(float(value))
