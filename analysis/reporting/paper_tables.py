"""Tables for papers: of an overview paper, and any other table of data in their form.

References: Bojar et al. 2014, Tables 4, 5, 9 and 28–37, Figure of results in section 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray
from analysis.comparing.comparison import Comparison
from analysis.comparing.head_to_head import head_to_head_by
from analysis.findings.certainty import BOUNDARIES, TIER, covered_words
from analysis.findings.overview import caution_of, gravest
from analysis.findings.result import result_headline
from analysis.findings.standings import evidence
from analysis.judges.agreement import Agreement
from analysis.judges.history import explain_copies
from analysis.languages import NO_PAIR, about
from analysis.names import short_names
from analysis.rankers import Ranker
from analysis.ranking.ranking import Ranking
from analysis.ranking.result_checks import limits_of
from analysis.wording import (
    EN_DASH,
    as_score,
    fixed,
    interval,
    is_p_value,
    p_number,
    span,
    thousands,
)


@dataclass(frozen=True)
class Cell:
    """What stands in a cell: text, perhaps bold, perhaps with a raised mark behind it."""

    text: str
    bold: bool = False
    mark: str = ""

    def __len__(self) -> int:
        return len(self.text) + len(self.mark)


@dataclass(frozen=True)
class PaperTable:
    """A table for a paper; ``kind`` says what it is, ``pair`` of which language pair.

    ``caption`` is the sentence above it, ``note`` what stands small below it.

    ``align`` has ``l``, ``c`` or ``r`` for every column. A rule stands before each row whose index
    is in ``rules``.
    """

    kind: str
    pair: str
    caption: str
    heads: tuple[str, ...]
    align: str
    rows: tuple[tuple[Cell, ...], ...]
    rules: frozenset[int] = frozenset()
    note: str = ""

    def __post_init__(self) -> None:
        widths = {len(self.heads), len(self.align), *map(len, self.rows)}
        if len(widths) != 1:
            raise ValueError(f"{self.kind}: rows of {sorted(widths)} cells")

    @property
    def name(self) -> str:
        """What a paper calls it in references."""
        return self.kind if self.pair in ("", NO_PAIR) else f"{self.kind}-{self.pair}"

    @property
    def turned(self) -> bool:
        """Whether the heads of many columns of numbers stand upright on their side."""
        many, long = len(self.heads) > SLANTED, max(map(len, self.heads), default=0) > SLANTED
        return many and long and self.align[1:] == "r" * (len(self.heads) - 1)

    @property
    def width(self) -> int:
        """How many characters the widest line needs; heads on their side need none."""
        heads = [""] * len(self.heads) if self.turned else self.heads
        return sum(max(map(len, column)) + 2 for column in zip(heads, *self.rows, strict=True))


SLANTED = 6
"""Columns, and characters of a head, from which heads of numbers stand on their side."""
NAMED = frozenset(("system", "row", "column", "upper", "lower", "better", "worse", "a", "b"))
"""Columns of systems' names."""


def frame_table(
    frame: pd.DataFrame, decimals: int = 3, caption: str = "", label: str = ""
) -> PaperTable:
    """Return a table of data as papers have it; standings as score, rank range and system.

    Systems have their short names, and the heads of a square table are its rows' numbers.
    """
    names = [str(name) for name in frame.iloc[:, 0]] if frame.shape[1] else []
    short = short_names(sorted({*names}))
    if {"score", "rank_best", "rank_worst", "system", "cluster"} <= {*frame}:
        return _standings(frame, short_names(list(frame["system"])), "CI", caption, label, "")
    if len(names) > 1 and [str(name) for name in frame.columns[1:]] == names:
        shown = frame.assign(**{str(frame.columns[0]): [
            f"{k} {short[name]}" for k, name in enumerate(names, 1)
        ]})  # fmt: skip
        shown.columns = [str(frame.columns[0]), *map(str, range(1, len(names) + 1))]
    else:
        shown = _with_short_names(frame)
    columns = [_texts(shown.iloc[:, k], decimals) for k in range(shown.shape[1])]
    is_number = [pd.api.types.is_numeric_dtype(frame.iloc[:, k]) for k in range(frame.shape[1])]
    return PaperTable(
        label, "", caption, tuple(str(name).replace("_", " ") for name in shown),
        "".join("r" if number else "l" for number in is_number),
        tuple(_cells(row) for row in zip(*columns, strict=True)),
    )  # fmt: skip


def _standings(
    frame: pd.DataFrame, names: Mapping[str, str], ends: str, caption: str, *called: str
) -> PaperTable:
    """Return standings as WMT's papers print them, with a rule between clusters.

    ``names`` go from a system's name to the one that is printed, ``ends`` is the intervals' head,
    ``called`` are the table's kind and language pair.
    """
    write = as_score(frame["score"])
    lows, highs = (frame[name].fillna(0).astype(int) for name in ("rank_best", "rank_worst"))
    columns = {
        "Score": list(map(write, frame["score"])),
        "Range": list(map(span, lows, highs)),
        "System": [names[name] for name in frame["system"]],
    }
    if {"tier", "ci_low", "ci_high"} <= {*frame} and frame["tier"].notna().any():
        both = zip(frame["ci_low"], frame["ci_high"], strict=True)
        between = {ends: [interval(*pair, write) for pair in both]}
        tiers = ["" if pd.isna(tier) else str(tier) for tier in frame["tier"]]
        columns = {"Tier": tiers, "Score": columns.pop("Score"), **between, **columns}
    clusters = list(frame["cluster"].fillna(0))
    starts = (k for k in range(1, len(clusters)) if clusters[k] != clusters[k - 1])
    sides = {"Tier": "r", "Score": "r", "System": "l"}
    kind, pair = called
    return PaperTable(
        kind, pair, caption, tuple(columns), "".join(sides.get(head, "c") for head in columns),
        tuple(_cells(row) for row in zip(*columns.values(), strict=True)), frozenset(starts),
    )  # fmt: skip


def _with_short_names(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table with short names of systems; of two orders of a pair the first one."""
    columns = [name for name in frame.columns if name in NAMED]
    if not all(pd.api.types.is_string_dtype(frame[name]) for name in columns):
        return frame
    if {"row", "column"} <= {*columns}:
        pairs = [frozenset(both) for both in zip(frame["row"], frame["column"], strict=True)]
        frame = frame[~pd.Series(pairs, index=frame.index, dtype=object).duplicated()]
    systems = {str(name) for column in columns for name in frame[column] if not pd.isna(name)}
    short = short_names(sorted(systems))
    return frame.assign(**{name: frame[name].map(lambda s: short.get(s, s)) for name in columns})


def _texts(column: pd.Series, decimals: int) -> list[str]:
    if is_p_value(column.name):
        return [p_number(float(value)) for value in column]
    if column.name == "score" and pd.api.types.is_float_dtype(column):
        return [as_score(column)(float(value)) for value in column]
    return [_text(value, decimals) for value in column]


def _text(value: object, decimals: int) -> str:
    if value is pd.NA or value is None or value != value:
        return EN_DASH
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (int, np.integer)):
        return thousands(int(value)).replace("-", "−")
    return f"{value:.{decimals}f}".replace("-", "−") if isinstance(value, float) else str(value)


def _cells(values: Sequence[str | Cell]) -> tuple[Cell, ...]:
    """Return a row; what is text already becomes a plain cell."""
    return tuple(value if isinstance(value, Cell) else Cell(value) for value in values)


def ranking_table(
    ranking: Ranking, names: Mapping[str, str], method: str, caution: str = ""
) -> PaperTable:
    """Return the ranking as WMT's papers print it: score, range of ranks, system, by clusters.

    Tiers and the scores' intervals come with it; an official procedure has none.

    ``names`` go from a system's name to the one that is printed; ``method`` is the method's title.
    ``caution`` says what limits the ranking most.
    """
    frame = ranking.to_frame().drop(columns=["tier"] * ranking.certainty.is_official)
    ends, caption = f"{ranking.level:.0%} CI", ranking_caption(ranking, method)
    table = _standings(frame, names, ends, caption, "ranking", ranking.judgments.pair)
    return replace(table, note=f"{caution} {_range_words(ranking)}".lstrip())


def cautious_table(ranking: Ranking, ranker: Ranker) -> PaperTable:
    """Return the same with short names, and with what limits the ranking most."""
    caution = caution_of(ranking, gravest(limits_of(ranking, ranker)))
    return ranking_table(ranking, ranking.judgments.short_names, ranker.title, caution)


def ranking_caption(ranking: Ranking, method: str, caution: str = "") -> str:
    """Say what is ranked, who won and how certain that is; ``caution`` is what limits it most."""
    judgments = ranking.judgments
    sample = "Simulated sample. " if judgments.campaign.simulated_from else ""
    ranked_by = f"{method} (z, standardized by judge)" if ranking.standings.is_z else method
    of = judgments.pair, judgments.campaign.criterion, ranked_by
    what = about(*of, evidence(judgments), between=", ")
    found = result_headline(ranking, judgments.short_names.__getitem__)
    return f"{sample}{what}. {found}. {caution}".rstrip()


def _range_words(ranking: Ranking) -> str:
    """Say what ranges, tiers and rules mean."""
    if ranking.ranges is None:
        return "The uncertainty of the ranks is unknown."
    if ranking.certainty.is_official:
        return (
            f"Ranges cover {covered_words(ranking)}, each system by itself. "
            "Rules separate systems whose ranges do not overlap."
        )
    return (
        f"Ranges cover all systems at once at {ranking.level:.0%}. {TIER} Rules are cluster "
        f"boundaries, with {BOUNDARIES}."
    )


def head_to_head_table(ranking: Ranking, names: Mapping[str, str]) -> PaperTable:
    """Return how often the system of the column was preferred to that of the row, ties ignored.

    As WMT14's appendix has it: winners bold, marks of significance, below them the scores and the
    ranges of ranks. A ranking as published has the sign test's marks, any other one ⋆ where the
    two systems differ significantly.
    """
    order = ranking.order
    table = head_to_head_by(ranking.standings, ranking.judgments, order)
    marks = _marks(ranking, table.mark)
    beats = table.share.T
    systems = [names[name] for name in table.systems]
    n = len(systems)
    rows = [
        _cells((systems[i], *(_share_cell(beats, marks, i, j) for j in range(n)))) for i in range(n)
    ]
    scores = [fixed(float(ranking.scores[k])) for k in order]
    ranges = ranking.ranges
    places = [
        EN_DASH if ranges is None else span(int(ranges.rank_best[k]), int(ranges.rank_worst[k]))
        for k in order
    ]
    rows += [_cells(("Score", *scores)), _cells(("Rank", *places))]
    pair = ranking.judgments.pair
    verdict = (
        "∗ p ≤ 0.10, † p ≤ 0.05, ‡ p ≤ 0.01 by the sign test, each pair alone"
        if ranking.certainty.is_official
        else f"⋆ significant at {ranking.level:.0%}, all pairs tested together"
    )
    of = "comparisons in which the system of the column was preferred to the system of the row"
    if table.of_ratings:
        of = "segments rated for both on which the system of the column was rated better"
    caption = f"{_of(pair)}Share of the {of}, excluding ties. Bold: the column wins. {verdict}."
    heads = ("", *systems)
    align = "l" + "r" * n
    return PaperTable("wins", pair, caption, heads, align, tuple(rows), frozenset({n}))


def _of(pair: str) -> str:
    return f"{found}. " if (found := about(pair)) else ""


def _marks(ranking: Ranking, sign_test: np.ndarray) -> np.ndarray:
    """Return the mark of each cell, in the table's orientation of the row against the column."""
    if ranking.certainty.is_official:
        return np.where(sign_test == "*", "∗", sign_test)
    if ranking.verdict is None:
        return np.full(sign_test.shape, "")
    order = ranking.order
    return np.where(ranking.verdict.significant[np.ix_(order, order)], "⋆", "")


def _share_cell(beats: FloatArray, marks: np.ndarray, i: int, j: int) -> Cell:
    if np.isnan(beats[i, j]):
        return Cell(EN_DASH if i == j else "")
    text = fixed(float(beats[i, j])).removeprefix("0")
    return Cell(text, bold=bool(beats[i, j] > 0.5), mark=str(marks[i, j]))


def kappa_table(rows: Sequence[tuple[str, Agreement]]) -> PaperTable:
    """Return κ between judges and of judges with themselves, a row a language pair, and the mean.

    Strict and as the workshops counted. The mean weighs all pairs alike, as WMT14's tables do.
    """
    kappas = [
        [
            found.shown.inter.kappa,
            found.shown.intra.kappa,
            found.published.inter.kappa,
            found.published.intra.kappa,
        ]
        for _, found in rows
    ]
    lines = [
        _cells((about(pair), *(fixed(k, 3) for k in line)))
        for (pair, _), line in zip(rows, kappas, strict=True)
    ]
    rules = frozenset[int]()
    if len(rows) > 1:
        means = [_mean([line[k] for line in kappas]) for k in range(4)]
        rules = frozenset({len(lines)})
        lines.append(_cells(("Mean", *(fixed(mean, 3) for mean in means))))
    caption = (
        "Inter-judge and intra-judge agreement, κ. Strict compares different judges, regardless "
        "of the order of the outputs; the other two columns are computed the way WMT did."
    )
    heads = ("Language pair", "Inter, strict", "Intra, strict", "Inter, WMT", "Intra, WMT")
    note = explain_copies(rows[0][1]) if len(rows) == 1 else ""
    return PaperTable("kappa", "", caption, heads, "lrrrr", tuple(lines), rules, note)


def _mean(kappas: Sequence[float]) -> float:
    """Return the mean of the kappas that are defined, nan where none is."""
    known = [kappa for kappa in kappas if not np.isnan(kappa)]
    return float(np.mean(known)) if known else float("nan")


def reordering_table(
    comparison: Comparison, names: Mapping[str, str], titles: Mapping[str, str], pair: str
) -> PaperTable:
    """Return the orders of several methods side by side; the first system of a cluster is bold.

    As Table 9 of WMT14. ``titles`` are the methods' names for people.
    """
    kept = set(comparison.systems)
    columns = []
    for column in comparison.columns:
        before, shown = None, []
        for k in column.order:
            if column.systems[k] not in kept:
                continue
            cluster = None if column.clusters is None else int(column.clusters[k])
            starts = cluster is not None and cluster != before
            before = cluster
            shown.append(Cell(names[column.systems[k]], bold=starts))
        columns.append(shown)
    rows = tuple(
        (Cell(str(place)), *line) for place, line in enumerate(zip(*columns, strict=True), 1)
    )
    caption = (
        f"{_of(pair)}The order of systems by each method. Bold: a cluster begins. "
        "Two methods disagree only if one of them separates the two systems significantly."
    )
    heads = ("", *(titles.get(name, name) for name in comparison.methods))
    align = "r" + "l" * len(columns)
    return PaperTable("methods", pair, caption, heads, align, rows)
