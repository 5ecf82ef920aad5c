"""How near Podium comes to published figures and to the truth of simulated campaigns."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.campaign import Judgments, Selection
from analysis.comparing.head_to_head import head_to_head
from analysis.extras.validation.simulation import koehn2012
from analysis.formats import read_path
from analysis.judges.agreement import agreement
from analysis.next_campaign.back_test import back_test
from analysis.next_campaign.replay import clusters_by_size, saving
from analysis.published import (
    koehn_table1,
    koehn_table4,
    sakaguchi_table1,
    wmt14_head_to_head,
    wmt14_pairs,
    wmt14_scores,
    wmt15_kappas,
    wmt15_rankings,
)
from analysis.rankers import RANKERS
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.ranking import rank
from analysis.ranking.verdict import reach_verdict
from analysis.samples import sample_campaign
from tests.collection import Collection, collect

EARLIER_EXTRACTION = ("ces-eng", "eng-deu", "rus-eng")
"""Pairs whose published WMT15 tables were made from an earlier state of the data."""


def wmt15_official(folder: Path) -> Iterator[dict[str, object]]:
    """1,000 active-only runs a pair against the official tables."""
    campaign, _ = read_path(folder / "wmt15" / "wmt15.xml.gz")
    ranker = TrueSkill()
    exact = ends = 0
    for pair in campaign.pairs:
        judgments = campaign.judgments(pair)
        ranking = rank(judgments, ranker, runs=1000, unit="none")
        official = wmt15_rankings(pair).set_index("system")
        mine = ranking.to_frame().set_index("system").loc[official.index]
        off = np.abs(mine[["rank_low", "rank_high"]] - official[["rank_low", "rank_high"]])
        exact += int((off == 0).sum(axis=None))
        ends += off.size
        preview = ranker.fluid_preview(judgments).scores
        assert ranking.ranges is not None
        yield {
            "pair": pair,
            "systems": len(official),
            "worst score": float(np.abs(mine["score"] - official["mu"]).max()),
            "allowed": 0.045 if pair in EARLIER_EXTRACTION else 0.015,
            "worst range end": int(off.max(axis=None)),
            "exact ends": f"{int((off == 0).sum(axis=None))}/{off.size}",
            "clusters": ranking.n_clusters,
            "official": int(official["cluster"].max()),
            "preview": float(np.nanmax(np.abs(preview - ranking.ranges.mean))),
        }
    yield {"pair": "all", "exact ends": f"{exact / ends:.1%}"}


def wmt15_agreement(folder: Path) -> Iterator[dict[str, object]]:
    """All 40 published kappas of WMT15, strict ones beside them."""
    campaign, _ = read_path(folder / "wmt15" / "wmt15.xml.gz")
    counts = kappas = strict = 0
    table = wmt15_kappas()
    for row in table.itertuples():
        judgments = campaign.judgments(
            row.language_pair, Selection(identical=row.variant), incomplete="drop-pair"
        )
        result = agreement(judgments, runs=10)
        published, mine = getattr(result.published, row.kind), getattr(result.strict, row.kind)
        counts += all(
            getattr(published, name) == getattr(row, name)
            for name in ("agree", "comparable", "ties", "total")
        )
        kappas += abs(published.kappa - row.kappa) < 6e-4
        strict += (mine.agree, mine.comparable) == (row.strict_agree, row.strict_comparable)
    yield {"rows": len(table), "counts equal": counts, "kappa equal": kappas, "strict": strict}


def spv14_expected_wins(folder: Path) -> Iterator[dict[str, object]]:
    """Expected Wins on WMT13 French–English against Table 1 of SPV14."""
    campaign, _ = read_path(folder / "wmt13" / "fr-en.train.csv.gz")
    scores = np.sort(RANKERS["expected-wins"]().fit(campaign.judgments()).standings.scores)[::-1]
    off = np.abs(scores - sakaguchi_table1()["score"].to_numpy())
    yield {"systems": len(off), "worst difference": float(off.max()), "allowed": 0.002}


def samples() -> Iterator[dict[str, object]]:
    """Simulated WMT14 campaigns against the tables they were drawn from."""
    for pair in wmt14_pairs():
        judgments = sample_campaign(f"wmt14-{pair}").judgments()
        table = head_to_head(judgments.counts, judgments.systems)
        z = _head_to_head_z(judgments, pair)
        scores = dict(
            zip(
                judgments.systems,
                RANKERS["expected-wins"]().fit(judgments).standings.scores,
                strict=True,
            )
        )
        published = wmt14_scores(pair)
        order = list(zip(published["system"], published["score"], strict=True))
        wrong = sum(
            a - b >= 0.02 - 1e-9 and scores[first] < scores[second]
            for k, (first, a) in enumerate(order)
            for second, b in order[k + 1 :]
        )
        yield {
            "pair": pair,
            "judgments": len(judgments),
            "cells": table.n_pairs,
            "rms z": float(np.sqrt(np.mean(z**2))),
            "worst |z|": float(np.abs(z).max()),
            "misordered": wrong,
        }


def _head_to_head_z(judgments: Judgments, pair: str) -> np.ndarray:
    """How far each simulated percentage is from the published one, in standard errors."""
    published = wmt14_head_to_head(pair)
    code = {name: k for k, name in enumerate(judgments.systems)}
    counts = judgments.counts
    place = [code[name] for name in published.systems]
    wins = counts.wins[np.ix_(place, place)]
    decided = wins + wins.T
    row, column = np.triu_indices(len(place), 1)
    share = published.beats[row, column]
    error = np.sqrt(share * (1 - share) / decided[row, column] + 0.005**2 / 3)
    return np.asarray((wins[row, column] / decided[row, column] - share) / error)


def koehn_tables() -> Iterator[dict[str, object]]:
    """Koehn 2012 simulated in full: seconds, and how far off the printed figures, at most.

    Table 1 with 200 experiments of 1,000 resamples by all three methods; Table 4 with 60 cells of
    60 experiments.
    """
    started = time.perf_counter()
    found = koehn2012.study_rank_ranges().set_index("method")
    took, printed, pairwise = time.perf_counter() - started, koehn_table1(), found.loc["pairwise"]
    yield {
        "table": "1, pairwise",
        "seconds": took,
        "size": float(np.abs(pairwise["size"].to_numpy() - printed["pw_range"]).max()),
        "clusters": float(np.abs(pairwise["clusters"].to_numpy() - printed["pw_clusters"]).max()),
        "violations": float(
            np.abs(pairwise["violations"].to_numpy() - printed["pw_viol"] / 100).max()
        ),
    }
    for method in ("rows", "task"):
        yield {
            "table": f"1, {method}: most violations at 5%",
            "violations": float(found.loc[method, "violations"].max()),
        }
    started = time.perf_counter()
    cells = koehn2012.study_judgments_needed(koehn_table4())
    off = (cells["share_reached"] - cells["share"]).abs()
    yield {
        "table": "4, share told apart",
        "seconds": time.perf_counter() - started,
        "worst": float(off.max()),
        "mean": float(off.mean()),
        "cells within .045": int((off <= 0.045).sum()),
        "cells": len(cells),
    }


def active_against_uniform() -> Iterator[dict[str, object]]:
    """By which factor a choice of judgments needs fewer of them than uniform choice does.

    To reach as many clusters, or to tell as many pairs apart. Replay: judgments drawn from the
    campaign itself. Tasks: batches of simulated ranking tasks of five outputs, and of two; how
    often clusters were false is told beside. Means are geometric, those of rates arithmetic.
    """
    factors: list[dict[str, float]] = []
    for pair in wmt14_pairs():
        judgments = sample_campaign(f"wmt14-{pair}").judgments()
        sizes = np.unique(np.geomspace(400, len(judgments), 12).astype(int)).tolist()
        table = clusters_by_size(judgments, sizes, runs=40)
        factors.append(_factors("replay", table, "judgments"))
        for n_way, batch in ((5, 200), (2, 1000)):
            if judgments.n_systems > n_way:  # with five, a task of five shows all of them
                collection = Collection(batches=10, batch=batch, n_way=n_way)
                table = collect(judgments, collection=collection, experiments=24)
                factors[-1] |= _factors(f"{n_way}-way", table, "tasks")
                for method, rows in table.groupby("method"):
                    factors[-1][f"{n_way}-way, {method}, false"] = float(rows["false"].mean())
        yield {"pair": pair, **factors[-1]}
    frame = pd.DataFrame(factors)
    rates = [name for name in frame if str(name).endswith("false")]
    means = np.exp(np.log(frame.drop(columns=rates)).mean())
    yield {"pair": "mean", **means, **frame[rates].mean()}


def _factors(name: str, table: pd.DataFrame, size: str) -> dict[str, float]:
    curves = {str(method): rows for method, rows in table.groupby("method")}
    uniform = curves["uniform"]
    return {
        f"{name}, {method}, {what}": saving(
            curves[method][size].tolist(), curves[method][column].to_numpy(),
            uniform[size].tolist(), uniform[column].to_numpy(),
        )
        for method in ("uncertainty", "active")
        for column, what in (("clusters", "clusters"), ("share", "pairs"))
    }  # fmt: skip


def back_tests() -> Iterator[dict[str, object]]:
    """What a fifth of a campaign foretells of the whole: hits of 90% intervals in 20 draws."""
    for pair in wmt14_pairs():
        judgments = sample_campaign(f"wmt14-{pair}").judgments()
        ranker = TrueSkill()
        verdict = reach_verdict(ranker.fit(judgments))
        tested = back_test(judgments, verdict, ranker)
        assert tested is not None
        yield {
            "pair": pair,
            "share": float(verdict.significant[np.triu_indices(len(verdict.systems), 1)].mean()),
            "hits of share": tested.share_held,
            "clusters": verdict.n_clusters,
            "hits of tiers": tested.tiers_held,
            "draws": tested.trials,
        }


REAL = (wmt15_official, wmt15_agreement, spv14_expected_wins)
"""Tables that need real campaigns."""

MADE = (samples, back_tests, active_against_uniform, koehn_tables)
