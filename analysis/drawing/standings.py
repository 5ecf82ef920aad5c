"""The standings as a scene: scores with intervals, the ranks that are possible, tiers, clusters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analysis.campaign import IntArray, Judgments
from analysis.drawing.rows import Cell, Column, Ranks, Row, Rows, bands_of, cuts_of, far_off
from analysis.findings.certainty import runs_word
from analysis.findings.standings import evidence_noun
from analysis.ranking.rank_ranges import RankRanges
from analysis.ranking.ranking import Ranking
from analysis.wording import significant, span, thousands

WINNER = "winner, "
"""Stands before the rank range of the winner, whose own rank is filled."""


def standings_scene(
    ranking: Ranking,
    names: Mapping[str, str],
    score_label: str,
    *,
    with_ranks: bool = True,
    rows: slice = slice(None),
    cut: bool = True,
    columns: Sequence[str] = ("ranks", "judgments"),
    most: int | None = None,
) -> Rows:
    """Return one row per system, best on top: what pages, reports, slides and files show.

    ``names`` are short names, ``rows`` the places to show. A system far from the others is an arrow
    at the edge of a ``cut`` axis. Bands are tiers, or clusters where a published procedure knows
    no tiers; dashed lines are the boundaries of clusters. Above ``most`` systems the last row says
    how many are left out. A preview has no intervals and no
    winner; else it is as large as the result.
    """
    order = [int(k) for k in ranking.order[rows]]
    n = len(order)
    if most is not None and n > most:
        order = order[: most - 1]
    sides = far_off(ranking.scores[order]).tolist() if cut else [0] * len(order)
    counts = judgments_of(ranking.judgments)
    n_all = len(ranking.order)
    noun = f"{evidence_noun(ranking.judgments)}s"
    lead = WINNER if ranking.winner else ""
    widest = {
        "ranks": Column("ranks", f"{lead}{span(n_all - 1, n_all)} of {n_all}"),
        "judgments": Column(noun, thousands(int(counts.max(initial=0))), noun),
    }

    def cells(k: int) -> tuple[Cell, ...]:
        texts = {"ranks": _ranks_of(ranking, k), "judgments": thousands(int(counts[k]))}
        return tuple(Cell(texts[name]) for name in columns)

    groups = None if ranking.clusters is None else [int(ranking.clusters[k]) for k in order]
    tiers = tiers_shown(ranking)
    levels = groups if tiers is None else [int(tiers[k]) for k in order]
    return Rows(
        rows=tuple(
            _row(ranking, k, side, names, with_ranks, cells(k))
            for k, side in zip(order, sides, strict=True)
        ),
        score_label=score_label + " (z)" * (ranking.standings.is_z and bool(score_label)),
        alt=standings_alt(ranking, names),
        columns=tuple(widest[name] for name in columns),
        bands=() if levels is None else bands_of(levels),
        cuts=() if groups is None else cuts_of(groups),
        rank_axis=_rank_axis(ranking, order) if with_ranks else None,
        left_out=n - len(order),
    )


def tiers_shown(ranking: Ranking) -> IntArray | None:
    """Return the tiers (1 the best); None in a preview and under a published procedure."""
    if ranking.verdict is None or ranking.certainty.is_official:
        return None
    return ranking.verdict.tiers


def standings_alt(ranking: Ranking, names: Mapping[str, str]) -> str:
    """Describe the standings for people who do not see them: each system, its score, its ranks."""
    parts, tiers = [], tiers_shown(ranking)
    for k in ranking.order:
        system = ranking.systems[k]
        words = f"{names.get(system, system)} {significant(ranking.scores[k])}"
        if ranking.ranges is not None:
            words += f", ranks {span(*_ends(ranking.ranges, k))}"
        if system == ranking.winner:
            words += ", winner"
        if tiers is not None:
            words += f", tier {tiers[k]}"
        if ranking.clusters is not None:
            words += f", cluster {ranking.clusters[k]}"
        parts.append(words)
    return "Standings, best first. " + "; ".join(parts) + "."


def judgments_of(judgments: Judgments) -> IntArray:
    """Return how many pairwise judgments, or ratings, each system got."""
    if judgments.entry_score is None:
        return judgments.counts.compared.sum(axis=-1).astype(np.int64)
    rated = judgments.entry_output[judgments.entry_score >= 0]
    return np.bincount(rated, minlength=judgments.n_systems)[: judgments.n_systems]


def _row(
    ranking: Ranking,
    k: int,
    side: int,
    names: Mapping[str, str],
    with_ranks: bool,
    cells: tuple[Cell, ...],
) -> Row:
    system, ranges = ranking.systems[k], ranking.ranges
    score = float(ranking.scores[k])
    words = [f"score {significant(score)}"]
    thin = thick = None
    if ranges is not None and not np.isnan(ranges.ci_low[k]):
        thin = float(ranges.ci_low[k]), float(ranges.ci_high[k])
        thick = float(ranges.half_low[k]), float(ranges.half_high[k])
        words += [f"{significant(thin[0])} to {significant(thin[1])}", interval_words(ranking)]
    if system in ranking.standings.undefined:
        words.append(ranking.standings.undefined[system])
    return Row(
        system=system,
        name=names.get(system, system),
        score=score,
        side=side,
        thin=thin,
        thick=thick,
        ranks=_ranks(ranking, k) if with_ranks else None,
        cells=cells,
        words=tuple(words),
    )


def interval_words(ranking: Ranking) -> str:
    """Say what the two lines of a score are."""
    of = f" of the {runs_word(ranking.certainty)}" if ranking.certainty.is_official else ""
    return f"(thick 50%, thin {ranking.level:.0%}{of})"


def _ranks(ranking: Ranking, k: int) -> Ranks | None:
    """Return a system's ranks; a box only where range and box come from the same resamples.

    Whiskers are the ends of the range under every procedure, as the text says it.
    """
    ranges = ranking.ranges
    if ranges is None or not ranges.rank_best[k]:
        return None
    published = ranking.certainty.is_official
    best, worst = _ends(ranges, k)
    runs = runs_word(ranking.certainty)
    whose = f"of the {runs}" if published else "for all systems at once"
    words = f"rank range {span(best, worst)} ({ranking.level:.0%} {whose})"
    drawn = np.full(1, np.nan) if ranges.ranks is None else ranges.ranks[:, k]
    known = not np.isnan(drawn).all()
    place = float(np.flatnonzero(ranking.order == k)[0] + 1)
    if not (published and known):
        return Ranks(best, worst, place, words, filled=ranking.systems[k] == ranking.winner)
    q1, median, q3 = (float(q) for q in np.nanquantile(drawn, [0.25, 0.5, 0.75]))
    mean = float(np.nanmean(drawn))
    words += f"<br>half of the {runs} {q1:g}–{q3:g}<br>mean {mean:.1f}"
    if ranking.certainty.unit == "none":
        words += f"<br>all of the {runs} {np.nanmin(drawn):g}–{np.nanmax(drawn):g}"
    is_winner = ranking.systems[k] == ranking.winner
    return Ranks(best, worst, mean, words, box=(q1, median, q3), filled=is_winner)


def _ranks_of(ranking: Ranking, k: int) -> str:
    if ranking.ranges is None:
        return ""
    lead = WINNER if ranking.systems[k] == ranking.winner else ""
    return lead + _rank_text(ranking, *_ends(ranking.ranges, k))


def _ends(ranges: RankRanges, k: int) -> tuple[int, int]:
    return int(ranges.rank_best[k]), int(ranges.rank_worst[k])


def _rank_text(ranking: Ranking, best: int, worst: int) -> str:
    """Write a rank range with the number of systems: "1–3 of 13"."""
    ranked = int((~np.isnan(ranking.scores)).sum())
    return f"{span(best, worst)} of {ranked}" if best else span(0, 0)


def _rank_axis(ranking: Ranking, order: Sequence[int]) -> tuple[int, int]:
    """Return the first and the last rank to show: all, or those that the systems shown may have."""
    n = len(ranking.order)
    if len(order) == n or ranking.ranges is None:
        return 1, max(n if len(order) == n else len(order), 1)
    known = [k for k in order if ranking.ranges.rank_best[k]]
    if not known:
        return 1, n
    return int(ranking.ranges.rank_best[known].min()), int(ranking.ranges.rank_worst[known].max())
