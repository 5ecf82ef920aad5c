"""What Plan foretells from a third of real campaigns, next to what all of their judgments show.

``PODIUM_CAMPAIGNS=FOLDER python -m tests.tools.foretold`` prints the table of docs/statistics.md.
A third has a random third of the tasks; segments and judges grow to those of the whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.campaign import Judgments, distinct
from analysis.formats import read_path
from analysis.formats.rankings import NO_PAIR
from analysis.languages import language_pair
from analysis.next_campaign.outlook import Limits, look_ahead
from analysis.rankers import BradleyTerry
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.samples import sample_campaign
from analysis.wording import percent, span

PART, THIRDS = 3, 10
FILES = (
    ("WMT13", "wmt13/fr-en.train.csv.gz"),
    ("WMT15", "wmt15/wmt15.xml.gz"),
    ("GEC 2015", "gec15/judgments.xml.gz"),
    ("SEEDA", "seeda/judgments_edit.xml.gz"),
)


def campaigns(folder: Path) -> Iterator[tuple[str, Judgments]]:
    """Yield each language pair of the files, and the arena's votes."""
    for title, file in FILES:
        campaign = read_path(folder / file)[0]
        for pair in campaign.pairs:
            name = title if pair == NO_PAIR else f"{title} {language_pair(pair)}"
            yield name, campaign.judgments(pair)
    yield "arena-people", sample_campaign("arena-people").judgments()


def share_of(verdict: Verdict) -> float:
    ranked = np.flatnonzero(verdict.rank_best > 0)
    square = verdict.significant[np.ix_(ranked, ranked)]
    return float(square[np.triu_indices(len(ranked), 1)].mean())


def row(name: str, judgments: Judgments) -> dict[str, object]:
    """Foretell the whole from thirds of it; the first third is shown, all are counted."""
    judgments = judgments.take_tasks(distinct(judgments.task))
    ranker, rng = BradleyTerry(), np.random.default_rng(0)
    whole = reach_verdict(ranker.fit(judgments))
    came = Limits(whole.units.get("segment", np.inf), whole.units.get("judge", np.inf))
    shown: dict[str, object] = {}
    tiers_right = share_right = 0
    for _ in range(THIRDS):
        tasks = np.sort(rng.permutation(judgments.n_tasks)[: judgments.n_tasks // PART])
        third = judgments.take_tasks(tasks)
        now = reach_verdict(ranker.fit(third))
        size = np.array([judgments.n_tasks], dtype=np.float64)
        outlook = look_ahead(third, now, size, came, seed=int(rng.integers(2**31)))
        (low,), (high,) = outlook.tiers_interval(0.9)
        (least,), (most,) = outlook.share_interval(0.9)
        tiers_right += bool(low <= whole.n_tiers <= high)
        share_right += bool(least - 1e-9 <= share_of(whole) <= most + 1e-9)
        shown = shown or {
            "campaign": name,
            "judgments": f"{len(judgments):,}",
            "tiers of a third": now.n_tiers,
            "tiers foretold": span(int(low), int(high)),
            "tiers of all": whole.n_tiers,
            "pairs foretold": f"{percent(least)} to {percent(most)}",
            "pairs of all": percent(share_of(whole)),
        }
    return shown | {"tiers right": tiers_right, "pairs right": share_right}


if __name__ == "__main__":
    found = [row(*one) for one in campaigns(Path(os.environ["PODIUM_CAMPAIGNS"]))]
    for cells in (found[0], *(one.values() for one in found)):
        print("|", " | ".join(map(str, cells)), "|")
    for what in ("tiers right", "pairs right"):
        print(what, pd.DataFrame(found)[what].sum(), "of", THIRDS * len(found))
