"""Kappas of judges with others, oneself and each other, against a readable twin."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest

from analysis.campaign import Judgments
from analysis.judges.agreement import agreement
from analysis.judges.judge_kappas import Overlap, judge_agreement
from analysis.judges.judge_table import judges
from analysis.judges.kappa import ENOUGH
from tests.building import CampaignBuilder
from tests.judges.test_judge_table import Panel


def unordered_rows(judgments: Judgments) -> list[tuple[tuple[int, int, int], str, int]]:
    rows = []
    for left, right, outcome, task in zip(
        judgments.left.tolist(),
        judgments.right.tolist(),
        judgments.outcome.tolist(),
        judgments.task,
        strict=True,
    ):
        item = (int(judgments.task_segment[task]), min(left, right), max(left, right))
        judge = judgments.judges[judgments.task_judge[task]]
        rows.append((item, judge, outcome if left < right else -outcome))
    return rows


def twin_between(judgments: Judgments) -> dict[tuple[str, str], tuple[int, int]]:
    """Agree and comparable for every unordered couple of judges, oneself too."""
    items = defaultdict(list)
    for item, judge, outcome in unordered_rows(judgments):
        items[item].append((judge, outcome))
    counts: dict[tuple[str, str], tuple[int, int]] = defaultdict(lambda: (0, 0))
    for labels in items.values():
        for (judge, outcome), (other, other_outcome) in itertools.combinations(labels, 2):
            couple = (min(judge, other), max(judge, other))
            agree, comparable = counts[couple]
            counts[couple] = (agree + (outcome == other_outcome), comparable + 1)
    return counts


def uneven_panel(seed: int) -> Judgments:
    panel = Panel(seed)
    for k, n in enumerate((70, 15, 33, 90)):
        panel.judge(f"judge{k}", n, noise=0.5 + k, distort="tie" if k == 2 else "")
    return panel.judgments()


def kappa(agree: int, comparable: int, p: float, q: float) -> float:
    chance = p * q + (1 - p) * (1 - q) / 2
    return (agree / comparable - chance) / (1 - chance)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_counts_and_kappas_equal_their_readable_twin(seed: int) -> None:
    judgments = uneven_panel(seed)
    twin = twin_between(judgments)
    ties, total = defaultdict(int), defaultdict(int)
    times: dict[tuple[object, str], list[int]] = defaultdict(list)
    for item, judge, outcome in unordered_rows(judgments):
        ties[judge] += outcome == 0
        total[judge] += 1
        times[item, judge].append(outcome)
    table, matrix = judges(judgments), judge_agreement(judgments, at_least=1)
    assert table.judges == matrix.judges == ("judge3", "judge0", "judge2", "judge1")
    for i, judge in enumerate(table.judges):
        share_of_ties = ties[judge] / total[judge]
        assert table.tie_rate[i] == pytest.approx(share_of_ties)
        others = [v for couple, v in twin.items() if judge in couple and couple[0] != couple[1]]
        agree, comparable = (sum(column) for column in zip(*others, strict=True))
        q = (sum(ties.values()) - ties[judge]) / (sum(total.values()) - total[judge])
        assert table.inter_comparable[i] == comparable
        assert table.inter[i] == pytest.approx(kappa(agree, comparable, share_of_ties, q))
        for j, other in enumerate(table.judges[:i]):
            agree, comparable = twin[min(judge, other), max(judge, other)]
            q = ties[other] / total[other]
            assert matrix.comparable[i, j] == matrix.comparable[j, i] == comparable
            expected = kappa(agree, comparable, share_of_ties, q)
            assert matrix.kappa[i, j] == matrix.kappa[j, i] == pytest.approx(expected)
        agree, comparable = twin.get((judge, judge), (0, 0))
        assert table.intra_comparable[i] == matrix.comparable[i, i] == comparable
        again = [
            o
            for (_, who), labels in times.items()
            if who == judge and len(labels) > 1
            for o in labels
        ]
        if comparable:
            p = again.count(0) / len(again)
            assert table.intra[i] == pytest.approx(kappa(agree, comparable, p, p))
            assert matrix.kappa[i, i] == table.intra[i]
        else:
            assert np.isnan(table.intra[i])


@pytest.mark.parametrize("seed", [1, 2])
def test_the_standard_error_takes_whole_segments_for_facts(seed: int) -> None:
    """Against a readable twin: every judge, every segment, every pair of labels."""
    judgments = uneven_panel(seed)
    row_judge = judgments.task_judge[judgments.task]
    found = Overlap.of(judgments, row_judge, 4, ties=False)
    by_item = defaultdict(list)
    for item, judge, outcome in unordered_rows(judgments):
        if outcome:
            by_item[item].append((judgments.judges.index(judge), outcome))
    for kind, tally in (("others", found.with_others()), ("oneself", found.with_oneself())):
        for judge in range(4):
            agree, comparable = defaultdict(int), defaultdict(int)
            for item, labels in by_item.items():
                for (who, said), (other, other_said) in itertools.permutations(labels, 2):
                    if who == judge and (other == judge) == (kind == "oneself"):
                        agree[item[0]] += said == other_said
                        comparable[item[0]] += 1
            a, c, m = sum(agree.values()), sum(comparable.values()), len(comparable)
            if m < 2:
                continue
            scatter = sum((agree[s] - a / c * comparable[s]) ** 2 for s in comparable)
            expected = (scatter * m / (m - 1)) ** 0.5 / c / (1 - 0.5)
            assert tally.error[judge] == pytest.approx(expected)
            assert tally.segments[judge] == m


def test_the_judges_counts_add_up_to_the_strict_agreement() -> None:
    judgments = uneven_panel(4)
    table, strict = judges(judgments), agreement(judgments, runs=0).strict
    assert table.inter_comparable.sum() == 2 * strict.inter.comparable
    assert table.intra_comparable.sum() == strict.intra.comparable
    assert table.judgments.sum() == len(judgments) == strict.inter.total


def test_the_busiest_judges_alone_are_compared_where_there_are_many() -> None:
    judgments = uneven_panel(6)
    everyone, busiest = judge_agreement(judgments), judge_agreement(judgments, most=2)
    assert busiest.judges == everyone.judges[:2]
    assert np.array_equal(busiest.comparable, everyone.comparable[:2, :2])
    assert np.array_equal(busiest.kappa, everyone.kappa[:2, :2], equal_nan=True)


def test_too_few_comparable_labels_give_no_kappa() -> None:
    judgments = uneven_panel(7)
    lenient = judge_agreement(judgments, at_least=1)
    bound = int(np.median(lenient.comparable)) + 1
    strict = judge_agreement(judgments, at_least=bound)
    assert np.array_equal(np.isnan(strict.kappa), lenient.comparable < bound)


def test_pairs_of_different_judges_with_a_kappa_are_counted() -> None:
    builder = CampaignBuilder()
    for segment in range(ENOUGH):
        for judge in ("ann", "bob", "cid"):
            ranks = (1, 2) if (segment + len(judge)) % 2 else (2, 1)
            builder.add_task("fr-en", str(segment), judge, [("a",), ("b",)], ranks)
        builder.add_task("fr-en", f"{segment} of dan", "dan", [("a",), ("b",)], (1, 2))
    assert judge_agreement(builder.build().judgments()).n_known == 3
