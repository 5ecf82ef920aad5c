"""How a machine judge votes where people voted too.

Every vote of a person on an item counts once, beside the machine's votes on that item, both from
the side of the output that the person saw on the left (win, tie, loss):

    agreement           A = share of equal votes
    κ                   (A - E) / (1 - E),  E = Σ_c p_c m_c  of the shares of each vote by both
    decided agreement   share of equal votes where neither is a tie
    first shown         share of the machine's decided votes that go to the output on its left
    longer              share of decided votes that go to the longer output
    consistency         share of items, shown to the machine in both orders, with the same outcome

An estimate's interval is ± z σ with σ² for other segments and other judges (`clustered`), from the
derivative of the estimate by each row.

Reference: Cohen 1960, *A Coefficient of Agreement for Nominal Scales*.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis.campaign import FloatArray, IntArray, Judgments
from analysis.extras.llm_judges.beside import Beside, BoolArray, names_judges
from analysis.extras.llm_judges.clustered import uncertainty_of_sum
from analysis.rankers.influence import smoothed_variance
from analysis.ranking.covariance import Unit

LENGTHS = ("tokens", "words", "characters", "length")
"""Names of attributes that tell how long an output is."""


@dataclass(frozen=True)
class Estimate:
    """A share or coefficient of ``n`` votes or items with its interval; nan where nothing tells."""

    value: float
    low: float
    high: float
    n: int

    @property
    def is_known(self) -> bool:
        return not np.isnan(self.value)


NOT_KNOWN = Estimate(float("nan"), float("nan"), float("nan"), 0)


@dataclass(frozen=True)
class MachineAgreement:
    """A machine judge beside people: ``n`` votes of people that it has an answer to.

    ``first_shown`` and ``longer`` are the machine's, ``human_first_shown`` and ``human_longer``
    those of people on the same items. `NOT_KNOWN` stands for what the files do not tell.
    """

    judge: str
    n: int
    n_items: int
    level: float
    kappa: Estimate
    agreement: Estimate
    decided_agreement: Estimate
    first_shown: Estimate
    human_first_shown: Estimate
    longer: Estimate
    human_longer: Estimate
    consistency: Estimate
    is_everywhere: bool
    """Whether people judged every item that the machine judged."""
    table: FloatArray
    """Shares [3, 3] of people's vote (rows) and the machine's (columns): win, tie, loss."""

    def to_dict(self) -> dict[str, float | int | str]:
        """Return all numbers by name, ends of intervals as ``NAME_low`` and ``NAME_high``."""
        row: dict[str, float | int | str] = {"judge": self.judge, "n": self.n}
        row["n_items"] = self.n_items
        for name in MEASURES:
            estimate: Estimate = getattr(self, name)
            row |= {name: estimate.value, f"{name}_low": estimate.low}
            row |= {f"{name}_high": estimate.high, f"{name}_n": estimate.n}
        return row


MEASURES = (
    "kappa", "agreement", "decided_agreement", "first_shown", "human_first_shown", "longer",
    "human_longer", "consistency",
)  # fmt: skip
"""The estimates in the order of tables."""


def agreement_beside(found: Beside, level: float = 0.95) -> MachineAgreement:
    """Measure a machine's votes where people judged the same items."""
    votes = _matched(found)
    people, machine, weight = votes.people, votes.machine, votes.weight
    measure = _Measure(level, _groups(found, votes.row))
    equal = people == machine
    decided = (people != 0) & (machine != 0)
    n = round(weight.sum())
    table = np.zeros((3, 3))
    np.add.at(table, (1 - people, 1 - machine), weight)
    table /= weight.sum()
    kappa, added = cohens_kappa(table, 1 - people, 1 - machine, weight)
    seen = np.flatnonzero(found.seen_by_people)
    own = _Measure(level, _groups_of_machine(found, seen))
    rows = np.flatnonzero(found.seen_by_machine)
    theirs = _Measure(level, _groups(found, rows))
    longer, human_longer = _longer(found, seen, rows, own, theirs)
    return MachineAgreement(
        judge=found.judge,
        n=n,
        n_items=found.n_shared,
        level=level,
        kappa=measure.interval(kappa, added, n),
        agreement=measure.share(equal, weight),
        decided_agreement=measure.share(equal[decided], weight[decided], decided),
        first_shown=_first_shown(found.machine, seen, own),
        human_first_shown=_first_shown(found.people, rows, theirs),
        longer=longer,
        human_longer=human_longer,
        consistency=_consistency(found, seen, level),
        is_everywhere=found.n_shared == found.n_items,
        table=table,
    )


class _Matched(NamedTuple):
    """Votes of people beside the machine's, from the side of what the person saw on the left."""

    row: IntArray
    people: IntArray
    machine: IntArray
    weight: FloatArray


def _matched(found: Beside) -> _Matched:
    """Return every vote of people with the machine's outcomes on its item, from the left's side.

    ``row`` is the row of people. A vote that meets several of the machine's is shared out among
    their outcomes by ``weight``: three rows at the most, however many votes the item has.
    """
    rows = np.flatnonzero(found.seen_by_machine).astype(np.int32)
    votes, item = found.machine, found.people_item[rows]
    from_lower = np.where(votes.left < votes.right, votes.outcome, -votes.outcome)
    n_items = 1 + int(max(found.machine_item.max(), item.max()))
    # share[item, outcome]: the machine's outcomes on an item, seen from the lower system code
    count = np.bincount(3 * found.machine_item + 1 + from_lower, minlength=3 * n_items)
    share = count.reshape(-1, 3) / np.maximum(count.reshape(-1, 3).sum(axis=1), 1)[:, None]
    parts = []
    for outcome in (-1, 0, 1):
        weight = share[item, outcome + 1]
        row = rows[weight > 0]
        is_lower = found.people.left[row] < found.people.right[row]
        machine = np.where(is_lower, outcome, -outcome).astype(np.int8)
        parts.append(_Matched(row, found.people.outcome[row], machine, weight[weight > 0]))
    return _Matched(*map(np.concatenate, zip(*parts, strict=True)))


def _groups(found: Beside, row: IntArray) -> dict[Unit, IntArray]:
    groups: dict[Unit, IntArray] = {
        "task": found.people_item[row],
        "segment": found.people_segment[row],
    }
    if names_judges(found.people):
        groups["judge"] = found.people.task_judge[found.people.task[row]]
    return groups


def _groups_of_machine(found: Beside, row: IntArray) -> dict[Unit, IntArray]:
    return {"task": found.machine_item[row], "segment": found.machine_segment[row]}


@dataclass(frozen=True)
class _Measure:
    """Makes estimates of rows that belong to groups."""

    level: float
    groups: Mapping[Unit, IntArray]

    def interval(self, value: float, added: FloatArray, n: int, least: float = 0.0) -> Estimate:
        """Return an estimate whose derivative by each row is ``added``, of ``least`` variance."""
        if not n or np.isnan(value):
            return NOT_KNOWN
        uncertainty = uncertainty_of_sum(added, self.groups, least)
        found = uncertainty.interval(np.array([value]), np.ones(1), self.level)
        return Estimate(value, max(found.low, -1.0), min(found.high, 1.0), n)

    def share(
        self, hit: BoolArray, weight: FloatArray | None = None, kept: BoolArray | None = None
    ) -> Estimate:
        """Return the share of rows that are hits; ``kept`` says which rows of all these are."""
        weight = np.ones(len(hit)) if weight is None else weight
        total = float(weight.sum())
        if not total:
            return NOT_KNOWN
        value = float(weight @ hit) / total
        added = weight * (hit - value) / total
        least = float(smoothed_variance(np.array(value * total), np.array(total)))
        groups = self.groups
        if kept is not None:
            groups = {unit: codes[kept] for unit, codes in groups.items()}
        found = _Measure(self.level, groups).interval(value, added, round(total), least)
        return Estimate(found.value, max(found.low, 0.0), found.high, found.n)


def cohens_kappa(
    table: FloatArray, people: IntArray, machine: IntArray, weight: FloatArray
) -> tuple[float, FloatArray]:
    """Return κ and what each row adds to it."""
    agreed = float(np.trace(table))
    of_people, of_machine = table.sum(axis=1), table.sum(axis=0)
    chance = float(of_people @ of_machine)
    if chance >= 1:
        return float("nan"), np.zeros(len(weight))
    by_agreed = (people == machine) - agreed
    by_chance = of_machine[people] + of_people[machine] - 2 * chance
    added = by_agreed / (1 - chance) - by_chance * (1 - agreed) / (1 - chance) ** 2
    return (agreed - chance) / (1 - chance), weight * added / weight.sum()


def _first_shown(judgments: Judgments, rows: IntArray, measure: _Measure) -> Estimate:
    outcome = judgments.outcome[rows]
    return measure.share(outcome[outcome != 0] == 1, kept=outcome != 0)


def _longer(
    found: Beside, seen: IntArray, rows: IntArray, own: _Measure, theirs: _Measure
) -> tuple[Estimate, Estimate]:
    """Return the machine's and people's shares for the longer output, by the lengths of either."""
    lengths = _length_by_item(found)
    if lengths is None:
        return NOT_KNOWN, NOT_KNOWN

    def share(judgments: Judgments, row: IntArray, item: IntArray, measure: _Measure) -> Estimate:
        ahead = lengths.reindex(item).to_numpy(dtype=np.float64)
        turned = judgments.left[row] > judgments.right[row]
        ahead = np.where(turned, -ahead, ahead)
        outcome = judgments.outcome[row]
        kept = (outcome != 0) & np.isfinite(ahead) & (ahead != 0)
        return measure.share((outcome[kept] > 0) == (ahead[kept] > 0), kept=kept)

    return (
        share(found.machine, seen, found.machine_item[seen], own),
        share(found.people, rows, found.people_item[rows], theirs),
    )


def _length_by_item(found: Beside) -> pd.Series | None:
    """Return by item how much longer the output of the system with the lower code is."""
    for judgments, item in (
        (found.people, found.people_item),
        (found.machine, found.machine_item),
    ):
        lengths = lengths_of_rows(judgments)
        if lengths is not None:
            ahead = lengths[0] - lengths[1]
            ahead = np.where(judgments.left > judgments.right, -ahead, ahead)
            series = pd.Series(ahead, index=item)
            return series[~series.index.duplicated()]
    return None


def lengths_of_rows(judgments: Judgments) -> tuple[FloatArray, FloatArray] | None:
    """Return the lengths of the outputs of every row, left and right, where the file tells them."""
    campaign = judgments.campaign
    lengths = next(
        (
            attribute
            for attribute in campaign.attributes
            if attribute.about == "output" and attribute.name.casefold() in LENGTHS
        ),
        None,
    )
    if lengths is None or lengths.values is None:
        return None
    k = len(campaign.systems)
    systems, entry = campaign.shown.join(campaign.made_by)
    task = campaign.shown.owners[entry].astype(np.int64)
    known = pd.Series(lengths.values[entry], index=task * k + systems.values)
    known = known[~known.index.duplicated()]
    code = {name: c for c, name in enumerate(campaign.systems)}
    own = np.array([code[name] for name in judgments.systems], dtype=np.int64)
    row = judgments.tasks[judgments.task].astype(np.int64) * k
    left, right = (
        np.asarray(known.reindex(row + own[side]), dtype=np.float64)
        for side in (judgments.left, judgments.right)
    )
    return left, right


def _consistency(found: Beside, seen: IntArray, level: float) -> Estimate:
    """Return the share of items, shown in both orders, on which the outcome stays the same."""
    machine = found.machine
    first = machine.left[seen] < machine.right[seen]
    outcome = machine.outcome[seen].astype(np.int64)
    frame = pd.DataFrame(
        {
            "item": found.machine_item[seen],
            "segment": found.machine_segment[seen],
            "first": first,
            "outcome": np.where(first, outcome, -outcome),
        }
    ).drop_duplicates(["item", "first"])
    both = frame[frame["first"]].merge(frame[~frame["first"]], on="item")
    if both.empty:
        return NOT_KNOWN
    groups: dict[Unit, IntArray] = {
        "task": both["item"].to_numpy(),
        "segment": both["segment_x"].to_numpy(),
    }
    return _Measure(level, groups).share((both["outcome_x"] == both["outcome_y"]).to_numpy())
