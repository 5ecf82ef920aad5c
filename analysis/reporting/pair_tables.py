"""The tables of one language pair, as files and workbooks hold them: everything, unrounded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from analysis.campaign import TIE, Judgments
from analysis.campaign.campaign import derive_judgments
from analysis.comparing.head_to_head import head_to_head_by
from analysis.findings.standings import neighbors, own_words
from analysis.judges.agreement import Agreement
from analysis.ranking.ranking import Ranking


@dataclass(frozen=True, eq=False)
class PairTable:
    """A table with its name for files, its title, and what is in it."""

    name: str
    title: str
    line: str
    frame: pd.DataFrame


def pair_tables(ranking: Ranking, agreement: Agreement | None = None) -> tuple[PairTable, ...]:
    """Return all tables of a ranking, and of the judges' agreement where it is defined."""
    judgments, order = ranking.judgments, ranking.order
    in_order = [ranking.systems[k] for k in order]
    met = head_to_head_by(ranking.standings, judgments, order)
    found = [
        PairTable(
            "standings",
            "Standings",
            "tiers, clusters, scores, intervals, rank ranges",
            standings_frame(ranking),
        ),
        PairTable(
            "head-to-head",
            "Head to head",
            "wins, ties and share of each pair of systems, and whether the two differ",
            met.to_frame(ranking.verdict),
        ),
        PairTable(
            "win-shares",
            "Win shares",
            "a square table: the row's share of wins against the column",
            met.to_wide().reset_index(names="system"),
        ),
        PairTable(
            "judgments-per-pair",
            own_words(judgments, "Judgments by system pair"),
            "number of segments rated for both" if met.of_ratings else "number of comparisons",
            pd.DataFrame(met.compared, columns=in_order, dtype=int).assign(system=in_order)[
                ["system", *in_order]
            ],
        ),
    ]
    if judgments.n_judges is not None:
        what = "tasks, judgments, share of ties and time"
        found.append(PairTable("judges", "Judges", what, judges_frame(judgments)))
    if ranking.ranges is not None:
        found.insert(1, _neighbors(ranking))
    if agreement is not None:
        found.append(_agreement(agreement))
    return tuple(found)


def standings_frame(ranking: Ranking, top: int = 3) -> pd.DataFrame:
    """Return tier and cluster, system, score, its interval and rank range, best first.

    Of published ranges also the share of the runs in which a system was first, ``share_first``.
    """
    frame = ranking.to_frame()
    order, ranges = ranking.order, ranking.ranges
    nothing = np.full(len(order), np.nan)
    for k, column in chance_columns(ranking, top).items():
        frame[column] = nothing if ranges is None else ranges.share_in_top(k)[order]
    first = ["cluster"] if ranking.certainty.is_official else ["tier", "cluster"]
    first.append("system")
    return frame[[*first, *(name for name in frame.columns if name not in (*first, "tier"))]]


def chance_columns(ranking: Ranking, top: int) -> dict[int, str]:
    """Return the columns of the share of runs among the best k, by k."""
    if not ranking.certainty.is_official:
        return {}
    return {1: "share_first"} | ({top: f"share_top_{top}"} if top > 1 else {})


def judges_frame(judgments: Judgments) -> pd.DataFrame:
    """Return what each judge did: tasks, judgments, share of ties, median time of a task.

    As in `JudgeTable`, identical outputs count once: a tie among their systems is one that nobody
    gave.
    """
    once = replace(judgments.selection, identical="collapsed")
    judged = derive_judgments(judgments.campaign, judgments.pair, once, "drop-pair")
    judge_of_row = judged.task_judge[judged.task]
    n = len(judged.judges)
    tasks = np.bincount(judged.task_judge, minlength=n)
    rows = np.bincount(judge_of_row, minlength=n)
    ties = np.bincount(judge_of_row, weights=judged.outcome == TIE, minlength=n)
    kept = np.flatnonzero(tasks)
    frame = pd.DataFrame(
        {
            "judge": [judged.judges[k] for k in kept],
            "tasks": tasks[kept],
            "judgments": rows[kept],
            "ties": np.round(ties[kept] / np.maximum(rows[kept], 1), 2),
        }
    )
    if judged.task_seconds is not None:
        seconds = pd.Series(judged.task_seconds).groupby(judged.task_judge).median()
        frame["seconds"] = seconds.reindex(kept).to_numpy()
    return frame.sort_values(["tasks", "judge"], ascending=[False, True], ignore_index=True)


def both_bad_frame(judgments: Judgments) -> pd.DataFrame | None:
    """Return each system's votes, and how many found both outputs bad; None if none did.

    The systems stand by that share, those that were found bad most often first.
    """
    bad = judgments.both_bad
    if not bad.any():
        return None
    rows = bad[judgments.task]
    n = judgments.n_systems
    both = np.concatenate([judgments.left, judgments.right])
    votes = np.bincount(both, minlength=n)[:n]
    found = np.bincount(both, np.concatenate([rows, rows]), minlength=n)[:n].astype(np.int64)
    frame = pd.DataFrame(
        {
            "system": judgments.systems,
            "votes": votes,
            "both_bad": found,
            "share": found / np.maximum(votes, 1),
        }
    )
    return frame.sort_values(["share", "system"], ascending=[False, True], ignore_index=True)


def _neighbors(ranking: Ranking) -> PairTable:
    line = "distance of each system from the next one, and whether the two differ"
    frame = pd.DataFrame(
        list(map(vars, neighbors(ranking))), columns=["upper", "lower", "difference", "p", "apart"]
    )
    verdict = ranking.verdict
    assert verdict is not None, "ranges come with a verdict"
    judged = verdict.columns_of_pairs(frame.pop("apart").to_numpy(), frame.pop("p").to_numpy())
    return PairTable("neighbors", "Neighbors", line, frame.assign(**judged))


def _agreement(agreement: Agreement) -> PairTable:
    once = ", identical outputs once" if agreement.identical == "collapsed" else ""
    line = f"of judges with each other and with themselves, strict and the WMT way{once}"
    frame = pd.DataFrame(agreement.rows()).rename(columns={"definition": "counted"})
    return PairTable("agreement", "Agreement", line, frame)
