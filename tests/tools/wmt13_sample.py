"""The opening sample: a model fitted to WMT13's French–English judgments, and rankings drawn of it.

    PODIUM_CAMPAIGNS=FOLDER python -m tests.tools.wmt13_sample fit    # judgments → model.json
    python -m tests.tools.wmt13_sample draw                           # model.json → rankings.csv.gz

The model, of an output of system i for segment g in document d before judge j:

    quality perceived = μ_i + √(a p) D_di + √(a (1-p)) I_gi + √b V_gji + n_j ε
    n_j² = t_j² - a - b

D, I, V and ε are normal with the covariance Σ of the systems, whose outputs resemble each other
more or less. A judge's total scale is t_j, and what lies within the judge's radius r_j of the best
of a rank shares that rank. Fitted to the real rankings are

- μ and Σ: to each pair's shares of wins and ties (Thurstone 1927: with one radius for all, the two
  shares give δ/s and r/s of a pair; Σ has the s nearest to these);
- log t_j and log r_j: normal among researchers and among crowd workers, by maximum likelihood on a
  grid, where a task's ten pairs count as four facts;
- a and b: to κ between judges and of judges with themselves; p: to the products of one system's
  residuals within blocks of 20 segments and within segments;
- how often each system is shown, how much judges did, how unequally segments were judged.

No ranking, judge or text of the campaign is in the model or in what is drawn from it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import logsumexp, ndtr, ndtri

from analysis.campaign import Campaign
from analysis.campaign.campaign import tabulate_tasks
from analysis.comparing.what_if import sweep_radius
from analysis.extras.validation.simulation.campaigns import rank_by_radius
from analysis.formats import read_path
from analysis.judges.agreement import agreement
from analysis.rankers.hopkins_may.gaussian import HopkinsMay
from analysis.rankers.ratios import ExpectedWins
from analysis.rankers.trueskill.trueskill import TrueSkill

FOLDER = Path(__file__).resolve().parents[2] / "data" / "samples" / "wmt13-fr-en"
SOURCE = Path("wmt13", "fr-en.train.csv.gz")
NAMES = {
    "uedin-heafield-unconstrained": "UEDIN-HEAFIELD",
    "uedin-wmt13": "UEDIN",
    "online-B": "ONLINE-B",
    "LIMSI-Ncode-SOUL-primary": "LIMSI-SOUL",
    "KIT_primary": "KIT",
    "online-A": "ONLINE-A",
    "MES-SimplifiedFrench-primary": "MES-SIMPLIFIED",
    "DCU__primary": "DCU",
    "RWTH_primary": "RWTH",
    "CMU_Tree-to-Tree": "CMU-T2T",
    "cu-zeman": "CU-ZEMAN",
    "JHU": "JHU",
    "Shef-wproa": "SHEF-WPROA",
}
"""The systems' names in the file, and as Sakaguchi et al. 2014, Table 1, print them."""
FIRST, SECOND = np.triu_indices(5, 1)
BLOCK = 20
"""Segments of a document: the file names none, so that blocks of so many stand for them."""
EFFECTIVE = 0.4
"""What part of a fact each of a task's ten pairs is."""
STEPS, DRAWS = 8, 12
"""Rounds of mending a, b, the radii and Σ, and campaigns drawn in each."""
N_TASKS, SEED = 2000, 17_242
"""The first seed whose campaign shows what the sample is to show: see `is_shown`."""


class Facts:
    """The real campaign as arrays: tasks, and their pairs."""

    def __init__(self, campaign: Campaign) -> None:
        self.n = len(campaign.systems)
        self.systems = campaign.entry_output.reshape(-1, 5)
        self.ranks = campaign.entry_rank.reshape(-1, 5)
        self.judge = campaign.task_judge
        self.group = np.array([name.startswith("turker") for name in campaign.judges], dtype=int)
        self.segment = np.array([int(name) for name in campaign.segments])[campaign.task_segment]
        self.first = self.systems[:, FIRST].ravel()
        self.second = self.systems[:, SECOND].ravel()
        self.outcome = np.sign(self.ranks[:, SECOND] - self.ranks[:, FIRST]).ravel()

    def shares(self) -> tuple[np.ndarray, np.ndarray]:
        """Return shares of wins [i, j], and how often each pair was judged."""
        wins, ties = np.zeros((2, self.n, self.n))
        won, lost = self.outcome > 0, self.outcome < 0
        np.add.at(wins, (self.first[won], self.second[won]), 1)
        np.add.at(wins, (self.second[lost], self.first[lost]), 1)
        np.add.at(ties, (self.first[~won & ~lost], self.second[~won & ~lost]), 1)
        judged = wins + wins.T + ties + ties.T
        return (wins + 0.5) / (judged + 1.5), judged


class Pairs:
    """Thurstone's δ/s and r/s of every pair, from its shares of wins and ties."""

    def __init__(self, facts: Facts) -> None:
        wins, self.judged = facts.shares()
        loses, not_wins = ndtri(wins.T), ndtri(1 - wins)
        self.radius, self.delta = (not_wins - loses) / 2, -(loses + not_wins) / 2
        upper = np.triu_indices(facts.n, 1)
        self.mean_radius = float(np.average(self.radius[upper], weights=self.judged[upper]))


def abilities_of(pairs: Pairs, scale: np.ndarray) -> np.ndarray:
    """Return the abilities whose differences are nearest those of the pairs (least squares)."""
    delta, weight = pairs.delta * scale, pairs.judged / scale**2
    for table in (delta, weight):
        np.fill_diagonal(table, 0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    return np.asarray(np.linalg.pinv(laplacian) @ (weight * delta).sum(axis=1))


def covariance_of(scale: np.ndarray) -> np.ndarray:
    """Return the systems' covariance whose differences have the nearest standard deviations.

    Systems are points whose distances are the deviations; their logarithms are fitted.
    """
    n = len(scale)
    wanted = np.log(np.where(np.eye(n), 1.0, scale))
    squares = np.where(np.eye(n), 0.0, scale) ** 2
    center = np.eye(n) - 1 / n
    values, vectors = np.linalg.eigh(-center @ squares @ center / 2)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        points = flat.reshape(n, n)
        away = points[:, None] - points
        square = (away**2).sum(axis=2) + np.eye(n)
        off = np.log(square) / 2 - wanted
        return float((off**2).sum()), (4 * (off / square)[:, :, None] * away).sum(axis=1).ravel()

    start = vectors * np.sqrt(np.maximum(values, 1e-4))
    points = minimize(loss, start.ravel(), jac=True, method="L-BFGS-B").x.reshape(n, n)
    points -= points.mean(axis=0)
    return np.asarray(points @ points.T)


def fit_judges(facts: Facts, ability: np.ndarray, scale: np.ndarray) -> list[dict[str, Any]]:
    """Return, for researchers and for crowd workers, the distribution of log t and log r."""
    log_t, log_r = np.meshgrid(np.linspace(-1.5, 2, 36), np.linspace(-5.5, 1, 40), indexing="ij")
    grid = np.stack([log_t.ravel(), log_r.ravel()], axis=1)
    s = scale[facts.first, facts.second]
    delta = (ability[facts.first] - ability[facts.second]) / s
    who = np.repeat(facts.judge, len(FIRST))
    n_judges = len(facts.group)
    likelihood = np.empty((n_judges, len(grid)))
    for k, (t, r) in enumerate(np.exp(grid)):
        above, below = ndtr((delta - r / s) / t), ndtr((-delta - r / s) / t)
        p = np.where(
            facts.outcome > 0, above, np.where(facts.outcome < 0, below, 1 - above - below)
        )
        likelihood[:, k] = np.bincount(who, np.log(np.maximum(p, 1e-9)), n_judges) * EFFECTIVE
    found = []
    tasks = np.bincount(facts.judge, minlength=n_judges)
    for group, name in enumerate(("researcher", "turker")):
        here = facts.group == group
        mean, covariance = np.array([0.0, -1.0]), np.diag([0.25, 1.0])
        for _ in range(200):
            away = grid - mean
            prior = -0.5 * np.einsum("ki,ij,kj->k", away, np.linalg.inv(covariance), away)
            joint = likelihood[here] + prior
            weight = np.exp(joint - logsumexp(joint, axis=1, keepdims=True))
            mean = (weight @ grid).mean(axis=0)
            away = grid - mean
            covariance = np.einsum("jk,ka,kb->ab", weight, away, away) / here.sum()
        work = np.log(tasks[here])
        found.append(
            {
                "kind": name,
                "judges": int(here.sum()),
                "log_tasks": [float(work.mean()), float(work.std())],
                "mean": mean.tolist(),
                "covariance": covariance.tolist(),
            }
        )
    return found


def document_part(facts: Facts, ability: np.ndarray, scale: np.ndarray, radius: float) -> float:
    """Return which part of what one output shares before all judges is its document's.

    The mean product of residuals of one system by different judges, on different segments of a
    block, over that on one segment.
    """
    s = scale[facts.first, facts.second]
    delta = ability[facts.first] - ability[facts.second]
    residual = facts.outcome - ndtr((delta - radius) / s) + ndtr((-delta - radius) / s)
    system = np.concatenate([facts.first, facts.second])
    value = np.concatenate([residual, -residual])
    task = np.tile(np.repeat(np.arange(len(facts.judge)), len(FIRST)), 2)
    rows = pd.DataFrame({"task": task, "system": system, "value": value})
    rows = rows.groupby(["task", "system"], as_index=False)["value"].sum()
    rows["judge"], rows["segment"] = facts.judge[rows["task"]], facts.segment[rows["task"]]
    rows["block"] = (rows["segment"] - 1) // BLOCK

    def products(*keys: str) -> tuple[float, float]:
        """Return sum and number of products of two rows that are alike in ``keys``."""
        by = rows.groupby(["system", *keys])["value"]
        total, square, n = by.sum(), rows["value"].pow(2).sum(), by.size()
        return float((total**2).sum() - square) / 2, float((n * (n - 1)).sum()) / 2

    def between(*keys: str) -> np.ndarray:
        """The same of rows by different judges."""
        return np.subtract(products(*keys), products(*keys, "judge"))

    in_segment, in_block = between("segment"), between("block")
    elsewhere = in_block - in_segment
    return float((elsewhere[0] / elsewhere[1]) / (in_segment[0] / in_segment[1]))


@dataclass(frozen=True, eq=False)
class Drawn:
    """Rankings drawn from the model, in arrays of one row per task."""

    names: tuple[str, ...]
    systems: np.ndarray
    ranks: np.ndarray
    segment: np.ndarray
    document: np.ndarray
    judge: np.ndarray
    judges: tuple[str, ...]

    def campaign(self) -> Campaign:
        return tabulate_tasks(
            "fr-en", self.names, self.systems, self.segment, self.judge, self.ranks, "", "a model"
        )

    def frame(self) -> pd.DataFrame:
        """Return the rankings as a WMT 5-way CSV has them."""
        names = np.array(self.names)
        columns: dict[str, Any] = {
            "srclang": "fr",
            "trglang": "en",
            "srcIndex": self.segment + 1,
            "documentId": self.document + 1,
            "segmentId": self.segment + 1,
            "judgeId": np.array(self.judges)[self.judge],
        }
        columns |= {f"system{k + 1}Id": names[self.systems[:, k]] for k in range(5)}
        columns |= {f"system{k + 1}rank": self.ranks[:, k] for k in range(5)}
        return pd.DataFrame(columns)


def draw(model: dict[str, Any], n_tasks: int, seed: int, radius: float = 1.0) -> Drawn:
    """Draw a campaign of the model; ``radius`` multiplies the judges' radii."""
    rng = np.random.default_rng(seed)
    size = n_tasks / model["tasks"]
    n_documents = max(1, round(size * model["segments"] / BLOCK))
    segment, document = _segments(model, n_tasks, n_documents, rng)
    judge, noise, radii, names = _judges(model, n_tasks, size, rng)
    shown = np.log(model["shown"]) + rng.gumbel(size=(n_tasks, len(model["shown"])))
    systems = np.argsort(-shown, axis=1)[:, :5]
    root = np.linalg.cholesky(np.array(model["covariance"]) + 1e-9 * np.eye(len(model["shown"])))

    def alike(n: int) -> np.ndarray:
        return np.asarray(rng.standard_normal((n, len(root))) @ root.T)

    a, b, part = model["output_share"], model["view_share"], model["document_part"]
    _, sitting = np.unique(segment * (judge.max() + 1) + judge, return_inverse=True)
    quality = (
        np.array(model["ability"])
        + np.sqrt(a * part) * alike(n_documents)[document]
        + np.sqrt(a * (1 - part)) * alike(n_documents * BLOCK)[segment]
        + np.sqrt(b) * alike(sitting.max() + 1)[sitting]
        + np.sqrt(np.maximum(noise[judge] ** 2 - a - b, 0.02))[:, None] * alike(n_tasks)
    )
    perceived = np.take_along_axis(quality, systems, axis=1) / radii[judge][:, None]
    ranks = rank_by_radius(perceived, radius)
    return Drawn(tuple(model["systems"]), systems, ranks, segment, document, judge, names)


def _segments(
    model: dict[str, Any], n_tasks: int, n_documents: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw which segment each task shows; some were judged much more often than others."""
    n = n_documents * BLOCK
    popular = rng.lognormal(0, model["segment_popularity"], n)
    segment = rng.choice(n, n_tasks, p=popular / popular.sum())
    return segment, segment // BLOCK


def _judges(
    model: dict[str, Any], n_tasks: int, size: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, np.ndarray, tuple[str, ...]]:
    """Draw who judges each task, and every judge's total scale, radius and name."""
    work, traits, names = [], [], []
    for group in model["judges"]:
        n = max(2, round(size * group["judges"]))
        work.append(rng.lognormal(*group["log_tasks"], n))
        traits.append(np.exp(rng.multivariate_normal(group["mean"], group["covariance"], n)))
        names += [f"{group['kind']}{k + 1:02d}" for k in range(n)]
    workload, (scale, radius) = np.concatenate(work), np.concatenate(traits).T
    judge = rng.choice(len(workload), n_tasks, p=workload / workload.sum())
    return judge, scale, radius, tuple(names)


def kappas(campaign: Campaign) -> np.ndarray:
    found = agreement(campaign.judgments(), runs=0).strict
    return np.array([found.inter.kappa, found.intra.kappa])


def tie_share(campaign: Campaign) -> float:
    ranks = campaign.entry_rank.reshape(-1, 5)
    return float(np.mean(ranks[:, FIRST] == ranks[:, SECOND]))


def fit(campaign: Campaign) -> dict[str, Any]:
    """Fit the model; the last steps mend what campaigns of the real size drawn from it show."""
    facts = Facts(campaign)
    pairs = Pairs(facts)
    scale = pairs.mean_radius / pairs.radius
    ability = abilities_of(pairs, scale)
    order = np.argsort(-ability)
    per_segment = np.bincount(facts.segment)[1:]
    spare = (per_segment.var() - per_segment.mean()) / per_segment.mean() ** 2
    model: dict[str, Any] = {
        "tasks": len(facts.judge),
        "segments": len(per_segment),
        "segment_popularity": float(np.sqrt(np.log1p(spare))),
        "systems": [NAMES[campaign.systems[k].split(".")[2]] for k in order],
        "shown": (np.bincount(facts.systems.ravel())[order] / len(facts.judge)).tolist(),
        "judges": fit_judges(facts, ability, scale),
        "document_part": document_part(facts, ability, scale, pairs.mean_radius),
        "kappa": kappas(campaign).tolist(),
        "ties": tie_share(campaign),
        "output_share": 0.3,
        "view_share": 0.1,
    }
    wanted, ties, factor = np.array(model["kappa"]), model["ties"], 1.0
    for _ in range(STEPS):
        model["ability"] = ability[order].tolist()
        model["covariance"] = covariance_of(scale)[np.ix_(order, order)].tolist()
        drawn = [draw(model, len(facts.judge), seed, factor).campaign() for seed in range(DRAWS)]
        off = wanted - np.mean([kappas(one) for one in drawn], axis=0)
        model["output_share"] += float(off[0])
        model["view_share"] += float(off[1] - off[0])
        factor *= ties / np.mean([tie_share(one) for one in drawn])
        found = [Pairs(Facts(one)) for one in drawn]
        radius = np.mean([one.radius / one.mean_radius for one in found], axis=0)
        place = np.argsort(order)
        scale = scale * radius[np.ix_(place, place)] * pairs.mean_radius / pairs.radius
    for group in model["judges"]:
        group["mean"][1] += float(np.log(factor))
    return model


def is_shown(campaign: Campaign, wanted: np.ndarray, ties: float) -> bool:
    """Return whether a campaign shows what methods do, and is like the real one in the rest.

    Expected Wins, Hopkins & May and TrueSkill put systems in three orders, each one's tuned radius
    is above 0, the share of ties is within .025 of the real one, κ within .04 and .07.
    """
    if abs(tie_share(campaign) - ties) > 0.025:
        return False
    judgments = campaign.judgments()
    orders = set()
    for ranker in (ExpectedWins(), HopkinsMay(), TrueSkill()):
        scores = ranker.fit(judgments).standings.scores
        if sweep_radius(scores, judgments.counts).tuned == 0:
            return False
        orders.add(tuple(np.argsort(-scores)))
    return len(orders) == 3 and bool((np.abs(kappas(campaign) - wanted) < (0.04, 0.07)).all())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("fit", "search", "draw"))
    step = parser.parse_args().step
    FOLDER.mkdir(exist_ok=True)
    place = FOLDER / "model.json"
    if step == "fit":
        campaign, _ = read_path(Path(os.environ["PODIUM_CAMPAIGNS"]) / SOURCE)
        place.write_text(json.dumps(rounded(fit(campaign)), indent=1) + "\n", encoding="utf-8")
        return
    model = json.loads(place.read_text(encoding="utf-8"))
    if step == "search":
        facts = np.array(model["kappa"]), model["ties"]
        seeds = range(100_000)
        print(next(s for s in seeds if is_shown(draw(model, N_TASKS, s).campaign(), *facts)))
        return
    rows = draw(model, N_TASKS, SEED).frame().to_csv(index=False, lineterminator="\n")
    (FOLDER / "rankings.csv.gz").write_bytes(gzip.compress(rows.encode(), mtime=0))


def rounded(value: Any) -> Any:
    """Round every number of the model to what it is worth: five digits."""
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.5g}") if isinstance(value, float) else value


if __name__ == "__main__":
    main()
