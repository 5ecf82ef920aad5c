"""What the front door returns for a ranking: tables, tests and pictures in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

import pandas as pd

from analysis.api.arguments import checked
from analysis.comparing.head_to_head import head_to_head_by
from analysis.errors import PodiumError
from analysis.escaping import as_html, printable
from analysis.findings.result import result_headline
from analysis.ranking import ranking as room
from analysis.ranking.equivalence import cheapest_not_worse, costs_of, equal_within
from analysis.ranking.verdict import Verdict

SHOWN = 8
"""Systems that a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Ranking(room.Ranking):
    """The systems of one language pair, best first, and what the evidence shows of them.

    Examples
    --------
    >>> from analysis import rank
    >>> ranking = rank("sample:wmt14-cs-en", "expected-wins")
    >>> ranking.pairs()[["a", "b", "verdict"]].head(2)
              a             b verdict
    0  ONLINE-B  UEDIN-PHRASE    open
    1  ONLINE-B  UEDIN-SYNTAX  better
    """

    @classmethod
    def of(cls, ranking: room.Ranking) -> Ranking:
        """Return a ranking with the tables and pictures of the front door."""
        return cls(**{one.name: getattr(ranking, one.name) for one in fields(room.Ranking)})

    @checked
    def pairs(self, margin: float | None = None) -> pd.DataFrame:
        """Return one row per pair of systems: difference, se, p, adjusted p and the verdict.

        With a ``margin`` in units of the score, pairs may be practically equal within it.
        """
        verdict = self._verdict()
        return verdict.pairs_frame() if margin is None else equal_within(verdict, margin)

    def cheapest(self, margin: float, costs: Mapping[str, float] | str) -> str | None:
        """Return the cheapest system that is not worse than the best by ``margin``; else None.

        ``costs`` are by system, or the name of a column about the systems.
        """
        if isinstance(costs, str):
            costs = costs_of(self.judgments, costs)
        return cheapest_not_worse(self._verdict(), margin, costs)

    def win_rates(self) -> pd.DataFrame:
        """Return the share of decided comparisons that the row's system won with the column's."""
        table = head_to_head_by(self.standings, self.judgments, self.order)
        return pd.DataFrame(table.share, index=table.systems, columns=table.systems)

    def plot(self) -> Any:
        """Return the standings as a Plotly figure: scores with intervals, rank ranges, clusters."""
        return _figure(_plots().standings_plot(self))

    def plot_matrix(self) -> Any:
        """Return who beats whom as a Plotly figure: a cell per pair of systems."""
        return _figure(_plots().matrix_plot(self))

    def plot_methods(self, *others: room.Ranking) -> Any:
        """Return this order next to those of other rankings as a Plotly figure."""
        if not others or not all(isinstance(other, room.Ranking) for other in others):
            remedy = "Give other rankings, such as rank(votes, 'bojar')."
            raise PodiumError("plot_methods", "other rankings are needed", remedy)
        return _figure(_plots().methods_plot([self, *others]))

    def _verdict(self) -> Verdict:
        assert self.verdict is not None  # only a preview has none
        return self.verdict

    def __repr__(self) -> str:
        rows = str(self.to_frame().head(SHOWN).round(3).to_string(index=False))
        return printable(f"{self._title()}\n{rows}{self._rest()}")

    def _repr_html_(self) -> str:
        """Show the first systems in a notebook."""
        table = self.to_frame().head(SHOWN).round(3).to_html(index=False, border=0, na_rep="–")
        rest = as_html(self._rest().strip())
        return f"<p><b>{as_html(self._title())}</b></p>{table}<p>{rest}</p>"

    def _title(self) -> str:
        return f"{self.judgments.pair}, {self.standings.method}: {result_headline(self)}"

    def _rest(self) -> str:
        left = len(self.systems) - SHOWN
        return f"\n… and {left} more: .to_frame()" if left > 0 else ""


def _plots() -> Any:
    """Return the pictures' module, which is imported when a picture is asked for."""
    return import_module("analysis.drawing.plots")


def _figure(picture: dict[str, Any]) -> Any:
    """Return Plotly's figure of a picture; its JSON alone if Plotly is not installed."""
    try:
        objects = import_module("plotly.graph_objects")
    except ImportError:
        return picture
    return objects.Figure(picture)
