"""What Podium promises, measured: ``make bench``. Timings are ratios within one run.

Accuracy is compared with published figures; speed with the slow way to the same result, timed in
the same run on the same machine, so that the ratio means something on another one. Figures of
real campaigns need PODIUM_CAMPAIGNS.
"""

from __future__ import annotations

import gc
import io
import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import trueskill as peer

from analysis.campaign import Campaign, Judgments, Selection
from analysis.cli.output import text_table
from analysis.comparing.head_to_head import head_to_head
from analysis.formats import read, read_path
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
from analysis.rankers import RANKERS, Ranker, rankers_for
from analysis.rankers.trueskill import TrueSkill
from analysis.ranking.apart import apart
from analysis.ranking.ranking import rank
from analysis.ranking.replicates import replicate
from analysis.simulation import koehn2012
from analysis.simulation.campaigns import tabulate_tasks
from analysis.simulation.samples import sample_campaign
from tests.collection import Collection, collect

EARLIER_EXTRACTION = ("ces-eng", "eng-deu", "rus-eng")
"""Pairs whose published WMT15 tables were made from an earlier state of the data."""


def seconds(action: Callable[[], object], repeats: int = 3) -> float:
    """Return the best of some timings, after one run that compiles and warms."""
    action()
    best = float("inf")
    for _ in range(repeats):
        gc.collect()
        started = time.perf_counter()
        action()
        best = min(best, time.perf_counter() - started)
    return best


def campaigns() -> Path | None:
    """Return the folder of real campaigns, if there is one."""
    folder = os.environ.get("PODIUM_CAMPAIGNS", "")
    return Path(folder) if Path(folder).is_dir() and folder else None


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


def trueskill_speed() -> Iterator[dict[str, object]]:
    """Two-player updates a second: the kernel against the trueskill package."""
    judgments = sample_campaign("wmt14-en-cs").judgments()
    environment = peer.TrueSkill(backend="scipy")
    first, second = environment.create_rating(), environment.create_rating()
    package = seconds(lambda: [environment.rate_1vs1(first, second) for _ in range(200)]) / 200
    ranker = TrueSkill()
    updates = 100 * len(judgments)
    times = {}
    for workers in (1, 2):
        with ThreadPoolExecutor(workers) as executor:
            times[workers] = seconds(
                lambda executor=executor: replicate(  # type: ignore[misc]
                    ranker.fit(judgments), runs=100, unit="none", executor=executor
                )
            )
    yield {
        "what": "official procedure",
        "ns an update": times[1] / updates * 1e9,
        "package, ns": package * 1e9,
        "times faster": package / (times[1] / updates),
        "two threads": times[1] / times[2],
    }


def reading_speed(folder: Path) -> Iterator[dict[str, object]]:
    """Seconds to read a file, and what a campaign weighs, alone and with its judgments derived."""
    for name in ("wmt15/wmt15.xml.gz", "wmt15/wmt15.fin-eng.csv.gz", "wmt13/fr-en.train.csv.gz"):
        path = folder / name
        took = seconds(lambda path=path: read_path(path), repeats=2)  # type: ignore[misc]
        campaign, _ = read_path(path)
        n_pairs = sum(len(campaign.judgments(pair)) for pair in campaign.pairs)
        yield {
            "file": path.name,
            "seconds": took,
            "pairs": n_pairs,
            "bytes a pair kept": _weight(campaign) / n_pairs,
            "bytes a pair with judgments": _weight_of_judgments(campaign) / n_pairs,
        }


def reading_a_million_lines() -> Iterator[dict[str, object]]:
    """A million lines of each kind of table: times of pandas' plain read, in one run."""
    for name, table in _million_lines():
        data = table.to_csv(index=False).encode()
        plain = seconds(lambda data=data: pd.read_csv(io.BytesIO(data)), repeats=3)  # type: ignore[misc]
        ours = seconds(lambda data=data: read(data), repeats=3)  # type: ignore[misc]
        yield {
            "table": name,
            "MB": len(data) / 1e6,
            "pandas s": plain,
            "Podium s": ours,
            "times pandas": ours / plain,
        }


def _million_lines(n: int = 1_000_000) -> Iterator[tuple[str, pd.DataFrame]]:
    rng = np.random.default_rng(1)
    systems = np.array([f"newstest2015.system-{k}.{4000 + k}.fi-en.txt" for k in range(14)])
    judges = np.array([f"judge{k}" for k in range(100)])

    def tasks(times: int) -> dict[str, object]:
        segment = np.repeat(rng.integers(1, 3000, n // times), times)
        judge = np.repeat(judges[rng.integers(100, size=n // times)], times)
        return {"srclang": "fi", "trglang": "en", "segmentId": segment, "judgeId": judge}

    def shown(rows: int) -> np.ndarray:
        return np.argsort(rng.random((rows, 14), dtype=np.float32), axis=1)[:, :5]

    five, ranks = systems[shown(n)], rng.integers(1, 6, (n, 5))
    columns = {f"system{k + 1}Id": five[:, k] for k in range(5)}
    columns |= {f"system{k + 1}rank": ranks[:, k] for k in range(5)}
    yield "WMT 5-way CSV", pd.DataFrame({**tasks(1), **columns})

    five, ranks = systems[shown(n // 10)], rng.integers(1, 6, (n // 10, 5))
    left, right = np.triu_indices(5, 1)
    two = pd.DataFrame(
        {
            **tasks(10),
            "system1Id": five[:, left].ravel(),
            "system1rank": ranks[:, left].ravel(),
            "system2Id": five[:, right].ravel(),
            "system2rank": ranks[:, right].ravel(),
        }
    )
    yield "WMT 2-way CSV", two.assign(rankingID=np.repeat(np.arange(n // 10), 10))
    yield "WMT 2-way CSV without ids", two

    a = rng.integers(14, size=n)
    winner = np.array(["model_a", "model_b", "tie"])[rng.integers(3, size=n)]
    pair = {"model_a": systems[a], "model_b": systems[(a + 1 + rng.integers(13, size=n)) % 14]}
    yield "arena votes", pd.DataFrame({**pair, "winner": winner, **tasks(1)})


def _weight(campaign: Campaign) -> int:
    return sum(c.nbytes for c in vars(campaign).values() if isinstance(c, np.ndarray))


def _weight_of_judgments(campaign: Campaign) -> int:
    tracemalloc.start()
    kept = [campaign.judgments(pair) for pair in campaign.pairs]
    weight, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return weight + _weight(campaign)


def ranker_speed() -> Iterator[dict[str, object]]:
    """One fit and 1,000 task resamples of every ranker on the two largest sample campaigns.

    The unit is the time of 1,000 resamples of Expected Wins in the same run.
    """
    for sample in ("wmt14-en-cs", "wmt14-en-de"):
        judgments = sample_campaign(sample).judgments()
        unit = 0.0
        for name in ("expected-wins", *(n for n in rankers_for(judgments) if n != "expected-wins")):
            fit, resamples = _ranker_seconds(RANKERS[name](), judgments)
            unit = unit or resamples
            yield {
                "sample": sample,
                "method": name,
                "fit ms": fit * 1e3,
                "1,000 resamples s": resamples,
                "as Expected Wins": resamples / unit,
            }


def apart_speed() -> Iterator[dict[str, object]]:
    """Told apart on ten million judgments, after reading."""
    rng = np.random.default_rng(1)
    n_tasks, k = 1_000_000, 20
    shown = np.argsort(rng.random((n_tasks, k), dtype=np.float32), axis=1)[:, :5].astype(np.int32)
    judgments = tabulate_tasks(
        "all",
        tuple(f"s{number}" for number in range(k)),
        shown,
        rng.integers(3000, size=n_tasks),
        rng.integers(300, size=n_tasks),
        rng.integers(1, 6, shown.shape).astype(np.int8),
        title="made at random",
        simulated_from="",
    ).judgments()
    for name in ("expected-wins", "bradley-terry", "trueskill"):
        ranker = RANKERS[name]()
        took = seconds(lambda ranker=ranker: apart(ranker.fit(judgments)), repeats=1)  # type: ignore[misc]
        yield {"method": name, "judgments": len(judgments), "seconds": took, "allowed": 3.0}


def _ranker_seconds(ranker: Ranker, judgments: Judgments) -> tuple[float, float]:
    """Time one fit and 1,000 task resamples, of which slow methods run 50 or 4 alone."""
    fit = seconds(lambda: ranker.fit(judgments).standings, repeats=1)
    runs = 4 if fit > 0.1 else 50 if fit > 0.02 else 1000
    return fit, seconds(
        lambda: replicate(ranker.fit(judgments), runs=runs), repeats=1
    ) * 1000 / runs


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
        told = apart(ranker.fit(judgments))
        tested = back_test(judgments, told, ranker)
        assert tested is not None
        yield {
            "pair": pair,
            "share": float(told.apart[np.triu_indices(len(told.systems), 1)].mean()),
            "hits of share": tested.share_held,
            "clusters": told.n_clusters,
            "hits of clusters": tested.clusters_held,
            "draws": tested.trials,
        }


REAL = (wmt15_official, wmt15_agreement, spv14_expected_wins, reading_speed)
MADE = (
    samples,
    reading_a_million_lines,
    trueskill_speed,
    ranker_speed,
    apart_speed,
    back_tests,
    active_against_uniform,
    koehn_tables,
)


def main(names: list[str]) -> None:
    """Print every table, or those named."""
    folder = campaigns()
    for measure in (*REAL, *MADE):
        if names and measure.__name__ not in names:
            continue
        if measure in REAL and folder is None:
            print(f"{measure.__name__}: needs PODIUM_CAMPAIGNS\n")
            continue
        assert measure.__doc__ is not None
        print(f"{measure.__name__}: {measure.__doc__.splitlines()[0]}")
        rows = measure(folder) if measure in REAL else measure()  # type: ignore[operator]
        print(text_table(pd.DataFrame(rows), decimals=3), end="\n\n", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
