"""Prediction-powered inference: few votes of people, many of a machine, one honest interval.

With scores s of a method on people's votes (h), on the machine's votes on the same items (l) and
on all of the machine's votes (a),

    s_λ = s_h + λ (s_a - s_l).

The machine's mistakes stand in s_a and in s_l alike and cancel, whatever they are, as long as the
items with votes of people are a random share of all. What remains is how much less s_h - λ s_l
varies than s_h does. Each vote adds ψ to its score (`Influence`); with the three parts side by side
for every item, segment and judge (`clustered`), the variance of s_λ is a quadratic in λ,

    V(λ) = V_h + λ (C + Cᵀ) + λ² D,

of which λ minimizes the trace over all systems, within 0 and 1: 0 is people alone, and a machine
that knows nothing gets a weight near it. Intervals, rank ranges and clusters then follow as for any
other scores (`ranking.verdict`).

The machine's votes alone have narrow intervals around its own answer, which is not people's.

References: Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, *Prediction-Powered Inference*;
Angelopoulos, Duchi & Zrnic 2023, *PPI++: Efficient Prediction-Powered Inference*; Chatzi,
Straitouri, Thejaswi & Gomez Rodriguez 2024, *Prediction-Powered Ranking of Large Language Models*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.errors import PodiumError
from analysis.extras.llm_judges.beside import Beside, BoolArray, names_judges
from analysis.extras.llm_judges.clustered import Part, gram
from analysis.provenance import Provenance
from analysis.rankers.influence import Influence
from analysis.rankers.ranker import CountRanker
from analysis.ranking.covariance import Unit, UnitCovariance
from analysis.ranking.uncertainty import Uncertainty
from analysis.ranking.variance import Scope
from analysis.ranking.verdict import Verdict, verdict_on

UNITS: tuple[Unit, ...] = ("task", "segment", "judge")


@dataclass(frozen=True, eq=False)
class Scored:
    """Scores on some votes, what each vote adds to them, and where these are mixed from."""

    scores: FloatArray
    influence: Influence
    added: sparse.csr_array

    @property
    def mixing(self) -> FloatArray:
        if self.influence.mixing is None:
            return np.eye(len(self.scores))
        return self.influence.mixing


@dataclass(frozen=True, eq=False)
class PredictionPowered:
    """Standings by three evidences on the same systems, and the weight of the machine's votes.

    ``people`` has the scores of ``n_votes`` votes of people on ``n_items`` of ``n_all`` items
    alone, ``powered`` those with the machine's votes on all items, ``machine`` those of the machine
    alone, as narrow as they seem. ``se_ratio`` is the mean over systems of the standard error with
    the machine over that without.
    """

    judge: str
    method: str
    weight: float
    n_votes: int
    n_items: int
    n_all: int
    powered: Verdict
    people: Verdict
    machine: Verdict
    se_ratio: float

    @property
    def gain(self) -> float:
        """As how many times the votes of people the machine's are worth."""
        return 1 / self.se_ratio**2

    def machine_covers(self, truth: FloatArray) -> BoolArray:
        """Return for which known scores the interval by the machine's votes alone holds them."""
        return covers(self.machine, truth)


def covers(verdict: Verdict, truth: FloatArray) -> BoolArray:
    """Return, where both are known, whether the interval of a score holds the truth."""
    known = ~np.isnan(truth) & ~np.isnan(verdict.ci_low)
    inside = (verdict.ci_low <= truth) & (truth <= verdict.ci_high)
    return np.asarray(inside[known])


def score_votes(method: CountRanker, judgments: Judgments) -> Scored:
    """Fit a method and keep what every vote adds."""
    fit = method.fit(judgments)
    influence = fit.influence()
    if influence is None or influence.rows_of is not None:
        raise PodiumError(
            "Method", f"{method.title} has no prediction-powered form", "Choose another method."
        )
    return Scored(fit.standings.scores, influence, added_by_rows(influence, judgments))


def added_by_rows(influence: Influence, judgments: Judgments) -> sparse.csr_array:
    """Return what each row adds to each coordinate, [N, D], two or three of which are not 0."""
    k, facts = influence.n_systems, judgments.observations
    cell = facts.cells(k)
    n = len(cell)
    columns = [cell // k % k, cell % k]
    values = [influence.own.ravel()[cell], influence.other.ravel()[cell]]
    if influence.common is not None:
        columns.append(np.full(n, k, dtype=columns[0].dtype))
        values.append(influence.common.ravel()[cell])
    rows = np.tile(np.arange(n), len(columns))
    return sparse.csr_array(
        (np.concatenate(values), (rows, np.concatenate(columns))),
        shape=(n, influence.n_coordinates),
    )


@dataclass(frozen=True, eq=False)
class MachineAlone:
    """The scores of all of a machine's votes, and what they would tell if they were people's."""

    votes: Scored
    verdict: Verdict


def machine_alone(
    found: Beside, method: CountRanker, *, level: float = 0.95, scope: Scope = "new"
) -> MachineAlone:
    """Rank by the machine's votes alone, with intervals as narrow as their number makes them."""
    votes = score_votes(method, found.machine)
    groups: dict[Unit, IntArray] = {"task": found.machine_item, "segment": found.machine_segment}
    n_of = {unit: len(np.unique(codes)) for unit, codes in groups.items()}
    part = Part(votes.added, groups)
    covariance = {
        unit: UnitCovariance(votes.mixing @ gram([part], unit) @ votes.mixing.T, n)
        for unit, n in n_of.items()
        if n > 1
    }
    nothing = np.zeros((len(votes.scores), len(votes.scores)))
    few = votes.influence.few
    uncertainty = Uncertainty(
        units=covariance,
        missing={"judge": "One LLM gave all votes."},
        none=nothing,
        few=nothing if few is None else few,
        least=votes.influence.least,
        how="closed form",
        bounds=votes.influence.bounds,
    )
    made = method.provenance | Provenance(level=level, extra=(("judge", found.judge),))
    made |= found.machine.provenance
    return MachineAlone(
        votes, verdict_on(found.machine, votes.scores, uncertainty, level, scope, made)
    )


def draw_votes(found: Beside, n: int, seed: int = 0) -> Beside:
    """Keep the votes of people on segments drawn at random, until there are ``n`` of them.

    Only votes on items that the machine judged too are drawn.
    """
    rows = np.flatnonzero(found.seen_by_machine)
    if not 2 <= n <= len(rows):
        raise PodiumError(
            "Human votes",
            f"{n} of {len(rows)} that the LLM judged too cannot be sampled",
            f"Use 2 to {len(rows)}.",
        )
    rng = np.random.default_rng([seed, 17])
    segments, code = np.unique(found.people_segment[rows], return_inverse=True)
    place = rng.permutation(len(segments))[code]
    order = np.argsort(place, kind="stable")
    last = place[order[n - 1]]
    return found.with_people(rows[place <= last])


def _mean_ratio(se: FloatArray, of: FloatArray) -> float:
    """Return the mean ratio of standard errors, 1 where none is defined."""
    ratio = se[of > 0] / of[of > 0]
    return float(ratio[np.isfinite(ratio)].mean()) if np.isfinite(ratio).any() else 1.0


def prediction_powered(
    found: Beside,
    method: CountRanker,
    *,
    level: float = 0.95,
    scope: Scope = "new",
    alone: MachineAlone | None = None,
) -> PredictionPowered:
    """Rank by people's votes on some items and a machine's on all; items must be a random share.

    ``alone`` is what `machine_alone` says of the same machine, where it was asked before.
    """
    alone = alone or machine_alone(found, method, level=level, scope=scope)
    rows = np.flatnonzero(found.seen_by_machine)
    own = found if len(rows) == len(found.people_item) else found.with_people(rows)
    there = np.flatnonzero(own.seen_by_people)
    people = score_votes(method, own.people)
    labeled = score_votes(method, own.machine.take_rows(there))
    everything = alone.votes
    groups, n_of = _groups(own, there)
    parts = [
        Part(scored.added, {unit: codes[part] for unit, codes in groups.items()})
        for part, scored in enumerate((people, labeled, everything))
    ]
    grams = {unit: gram(parts, unit) for unit in groups}
    known = ~np.isnan(people.scores) & ~np.isnan(labeled.scores)
    base, control = _mixings(people, labeled, everything, known)
    tuned_on: Unit = "segment" if n_of["segment"] > 1 else "task"
    weight = tuned_weight(grams[tuned_on], base, control)
    powered = _uncertainty(own, grams, n_of, base + weight * control, people, grams["task"], base)
    unaided = _uncertainty(own, grams, n_of, base, people, grams["task"], base)
    difference = np.where(known, everything.scores - labeled.scores, 0.0)
    made = method.provenance | Provenance(
        extra=(("votes", len(own.people_item)), ("judge", found.judge), ("scope", scope)),
        level=level,
    )

    def verdict(scores: FloatArray, uncertainty: Uncertainty, weight: float) -> Verdict:
        noted = made | Provenance(extra=(("weight", round(weight, 4)),)) | own.people.provenance
        return verdict_on(own.people, scores, uncertainty, level, scope, noted)

    result = verdict(people.scores + weight * difference, powered, weight)
    people_alone = verdict(people.scores, unaided, 0.0)
    return PredictionPowered(
        judge=found.judge,
        method=method.name,
        weight=weight,
        n_votes=len(own.people_item),
        n_items=own.n_shared,
        n_all=own.n_items,
        powered=result,
        people=people_alone,
        machine=alone.verdict,
        se_ratio=_mean_ratio(result.se[known], people_alone.se[known]),
    )


def tuned_weight(covariance: FloatArray, base: FloatArray, control: FloatArray) -> float:
    """Return the λ in [0, 1] that makes the trace of (B + λC) Σ (B + λC)ᵀ least."""
    both = float(np.einsum("ki,ij,kj->", base, covariance, control))
    squared = float(np.einsum("ki,ij,kj->", control, covariance, control))
    return float(np.clip(-both / squared, 0.0, 1.0)) if squared > 0 else 0.0


def _mixings(
    people: Scored, labeled: Scored, everything: Scored, known: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return what leads from all coordinates to s_h, and to s_a - s_l."""
    zeros = [np.zeros(part.mixing.shape) for part in (people, labeled, everything)]
    base = np.hstack([people.mixing, zeros[1], zeros[2]])
    control = np.hstack([zeros[0], -labeled.mixing, everything.mixing])
    control[~known] = 0.0
    base[np.isnan(people.scores)] = 0.0
    return base, control


def _groups(
    own: Beside, there: IntArray
) -> tuple[dict[Unit, tuple[IntArray, IntArray, IntArray]], dict[Unit, int]]:
    """Return the groups of all three parts by unit, and how many hold votes of people.

    A machine's votes on an item belong to the person who judged it first; where nobody did, each
    item stands for itself.
    """
    groups: dict[Unit, tuple[IntArray, IntArray, IntArray]] = {
        "task": (own.people_item, own.machine_item[there], own.machine_item),
        "segment": (own.people_segment, own.machine_segment[there], own.machine_segment),
    }
    if names_judges(own.people):
        judge = own.people.task_judge[own.people.task].astype(np.int64)
        items, first = np.unique(own.people_item, return_index=True)
        place = np.minimum(np.searchsorted(items, own.machine_item), len(items) - 1)
        of_machine = np.where(
            items[place] == own.machine_item, judge[first][place], -1 - own.machine_item
        )
        groups["judge"] = (judge, of_machine[there], of_machine)
    return groups, {unit: len(np.unique(codes[0])) for unit, codes in groups.items()}


def _uncertainty(
    own: Beside,
    grams: Mapping[Unit, FloatArray],
    n_of: Mapping[Unit, int],
    mixing: FloatArray,
    people: Scored,
    by_task: FloatArray,
    base: FloatArray,
) -> Uncertainty:
    """Return how scores that are mixed so would vary.

    What a model takes for the least variance of people's scores is less by as much as the trace is.
    """
    found = {
        unit: UnitCovariance(mixing @ matrix @ mixing.T, n_of[unit])
        for unit, matrix in grams.items()
        if n_of[unit] > 1
    }
    k = len(people.scores)
    left = np.trace(mixing @ by_task @ mixing.T) / max(np.trace(base @ by_task @ base.T), 1e-300)
    few = people.influence.few
    missing: dict[Unit, str] = {}
    if "segment" not in found:
        missing["segment"] = "All votes are on one segment."
    if "judge" not in found:
        missing["judge"] = (
            "All votes carry one judge name." if names_judges(own.people)
            else "The file names no judges."
        )  # fmt: skip
    return Uncertainty(
        units=found if "task" in found else {},
        missing=missing,
        none=np.zeros((k, k)),
        few=np.zeros((k, k)) if few is None else few,
        least=min(float(left), 1.0) * people.influence.least,
        how="closed form",
        bounds=people.influence.bounds,
    )
