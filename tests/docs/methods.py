"""The page of methods, written from what each says of itself: python -m tests.docs.methods."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from analysis.extras.validation.prediction.predict import MODELS
from analysis.parameters import hyperparameters
from analysis.rankers import RANKERS
from analysis.reporting.methods_paragraph import REFERENCES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "methods.md"
WHEN = {
    "bradley-terry": "the default for preferences: ties are in the model, intervals in closed form",
    "expected-wins": "WMT13–16; easy to explain, every opponent counts the same",
    "trueskill": "WMT14–16; online updates, needs resampling",
    "hopkins-may": "WMT13; a decision radius for ties",
    "mean": "the default for ratings: direct assessment, MQM, ESA",
    "elo": "arenas that grew up with it; depends on the order of votes",
    "bradley-terry-controlled": "to adjust for position or length",
    "graded-response": "if one baseline system meets all others",
    "lopez": "an order without scores; exact up to about 20 systems",
    "most-probable": "an order without scores, by probabilities of pairs",
    "playoffs": "a tournament view",
    "bojar": "to reproduce WMT11–12",
    "orig-wmt": "to reproduce WMT07–10; ties count as wins",
    "hopkins-may-categorical": "quality in levels",
}
"""When to use a method, in a line."""


def as_markdown() -> str:
    """Return the page."""
    parts = [
        "# Methods",
        "Written by `python -m tests.docs.methods` from the code; a test compares. Each method is "
        "one module of `analysis/rankers`; its name goes after `--method`.",
        "| Name | What a score is | When to use it |\n|---|---|---|\n"
        + "\n".join(
            f"| [`{name}`](#{name}) | {one.sentence} | {WHEN.get(name, 'prediction only')} |"
            for name, one in {**RANKERS, **MODELS}.items()
        ),
    ]
    for name, method in {**RANKERS, **MODELS}.items():
        module = inspect.getdoc(inspect.getmodule(method)) or ""
        cited = [REFERENCES[key].cited for key in getattr(method, "references", ())]
        rows = [
            f"| `{one.flag}` | {one.default} | {one.help.replace('|', '/')} |"
            for one in hyperparameters(method)
        ]
        parts += [
            f"## {name} {{ #{name} }}",
            f"**{method.title}.** {method.sentence}"
            + (f" From {'; '.join(cited)}." if cited else ""),
            _as_text(module),
            _as_text(inspect.getdoc(method) or ""),
        ]
        if rows:
            parts.append("| Option | Default | Meaning |\n|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def _as_text(docstring: str) -> str:
    """Return a docstring as Markdown that shows it as it stands."""
    text = re.sub(r"``(.+?)``", r"`\1`", docstring)
    return re.sub(r"([_<])", r"\\\1", text)


if __name__ == "__main__":
    PAGE.write_text(as_markdown(), encoding="utf-8")
