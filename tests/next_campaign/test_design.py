"""A campaign that has not begun: its precision, its power, and the tasks to start with."""

from __future__ import annotations

import dataclasses
import itertools
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from analysis.cli import main
from analysis.errors import PodiumError
from analysis.findings.design import design_sentences, prospect_finding
from analysis.formats import read
from analysis.next_campaign.back_test import BackTest
from analysis.next_campaign.batch import read_tasks
from analysis.next_campaign.choosing_matches import usual_outputs
from analysis.next_campaign.design import (
    TABLED,
    TYPICAL,
    Components,
    Design,
    components_of,
    design,
    first_tasks,
    foresee,
)
from analysis.next_campaign.shown import show
from analysis.rankers import RANKERS
from analysis.rankers.bradley_terry import BradleyTerry
from analysis.ranking.verdict import Verdict, reach_verdict
from analysis.samples import sample_campaign
from tests.building import CampaignBuilder
from tests.tools.audit.generator import Nature

SPREAD = Nature(tuple(np.linspace(0, 0.9, 8).round(9).tolist()))
PLANNED = Design(judges=20, segments=400, tasks=1200, effect=0.05, systems=6)


def verdict_of(nature: Nature, seed: int) -> tuple[Verdict, Components]:
    judgments = nature.draw(np.random.default_rng(seed)).campaign.judgments()
    verdict = reach_verdict(RANKERS["bradley-terry"]().fit(judgments))
    return verdict, components_of(judgments, verdict)


@pytest.mark.parametrize(
    "shape",
    [
        dict(tasks=300, segments=100, judges=10),
        dict(tasks=1200, segments=100, judges=40),
        dict(tasks=1500, segments=200, judges=20, n_way=2),
        dict(tasks=600, segments=300, judges=20, n_way=4),
    ],
    ids=["smaller", "larger", "of two outputs", "of four"],
)
def test_components_of_one_campaign_foretell_how_sure_another_shape_is(
    shape: dict[str, int],
) -> None:
    """σ of eight campaigns of another shape, within a sixth of what one of them leads to expect."""
    usual = dataclasses.replace(SPREAD, load="equal")
    learned = [verdict_of(usual, seed)[1] for seed in range(4)]
    mean = {
        f: float(np.mean([getattr(c, f) for c in learned])) for f in ("task", "segment", "judge")
    }
    found = [
        verdict_of(dataclasses.replace(usual, **shape), seed)[0]  # type: ignore[arg-type]
        for seed in range(10, 18)
    ]
    real = np.sqrt(np.mean([np.nanmean(v.se_of_difference**2) for v in found]))
    planned = design(
        judges=shape["judges"], segments=shape["segments"], tasks=shape["tasks"], effect=0.05,
        outputs=shape.get("n_way", 5),
    )  # fmt: skip
    foretold = foresee(planned, Components(**mean, document=0.0), draws=50)
    assert foretold.se == pytest.approx(real, rel=1 / 6)


def test_power_rises_with_all_that_adds_evidence() -> None:
    usual = foresee(PLANNED).power
    for more in (dict(tasks=4800), dict(segments=1600), dict(effect=0.08), dict(systems=3)):
        assert foresee(dataclasses.replace(PLANNED, **more)).power > usual + 0.02
    for less in (dict(judges=2), dict(documents=6), dict(tasks=200)):
        assert foresee(dataclasses.replace(PLANNED, **less)).power < usual - 0.02


def test_without_a_difference_worth_the_name_errors_are_as_rare_as_promised() -> None:
    for judges in (2, 4, 8, 20):
        null = dataclasses.replace(PLANNED, judges=judges, effect=1e-9)
        found = foresee(null, draws=4000)
        assert (found.share > 0).mean() <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)
        assert found.tiers_interval(0.9)[0] == 1


def test_the_tasks_needed_give_the_power_that_is_wanted() -> None:
    planned = dataclasses.replace(PLANNED, effect=0.12)
    found = foresee(planned, draws=2000)
    assert np.isfinite(found.needed)
    again = foresee(dataclasses.replace(planned, tasks=int(found.needed)), draws=2000)
    assert again.power == pytest.approx(0.8, abs=0.06)
    hopeless = foresee(dataclasses.replace(PLANNED, effect=0.01, judges=4), draws=200)
    assert np.isinf(hopeless.needed)
    said = design_sentences(hopeless, None, None)
    assert "Power 80% is out of reach: the systems are too similar." in said


def test_the_table_ends_near_the_plan_or_at_the_wanted_power() -> None:
    hopeless = foresee(dataclasses.replace(PLANNED, effect=0.01, judges=4), draws=50)
    sizes = hopeless.table["tasks"]
    assert TABLED * PLANNED.tasks <= sizes.max() < 2 * TABLED * PLANNED.tasks
    assert sizes.max() < hopeless.curve["tasks"].max()
    far = dataclasses.replace(hopeless, needed=2 * TABLED * PLANNED.tasks)
    assert far.table["tasks"].max() >= far.needed


def test_more_of_what_is_lacking_is_advised_and_never_of_what_is_unknown() -> None:
    few = dataclasses.replace(PLANNED, effect=0.1, judges=4, documents=40)
    unlike = dataclasses.replace(TYPICAL, judge=0.5)
    found = foresee(few, unlike, draws=200)
    assert np.isinf(found.needed)
    assert found.lacking == "judges"
    assert any("that needs more judges." in words for words in design_sentences(found, None, None))
    unnamed = foresee(few, dataclasses.replace(unlike, unknown=("judge",)), draws=200)
    said = " ".join(design_sentences(unnamed, None, None))
    assert "more judges" not in said
    assert "The variation between judges is unknown, taken as 0" in said
    assert "Segments and documents are assumed to vary" in said


def longest_chain(scores: np.ndarray, table: np.ndarray) -> int:
    """The twin: try every subset of systems."""
    k = len(scores)
    return max(
        n
        for n in range(1, k + 1)
        for some in itertools.combinations(np.argsort(-scores, kind="stable"), n)
        if all(table[a, b] for a, b in itertools.pairwise(some))
    )


def test_tiers_are_the_longest_chains_and_winners_beat_all() -> None:
    rng = np.random.default_rng(5)
    first, second = np.triu_indices(5, 1)
    scores = rng.normal(0, 1, (60, 5))
    scores[:20, 1] = scores[:20, 0]  # equal scores keep the order of the systems
    z = np.abs(scores[:, first] - scores[:, second]) * rng.uniform(1, 3, (60, len(first)))
    comparable = (first != 1) | (second != 3)  # systems 1 and 3 cannot be compared
    shown = show(scores, z[:, comparable], first[comparable], second[comparable], 0.95)
    square, table = np.zeros((60, 5, 5)), np.zeros((60, 5, 5), dtype=bool)
    for a, b, of_pair, significant in zip(
        first[comparable], second[comparable], z[:, comparable].T, shown.significant.T, strict=True
    ):
        square[:, a, b] = square[:, b, a] = of_pair
        table[:, a, b] = table[:, b, a] = significant
    chains = [longest_chain(s, t) for s, t in zip(scores, table, strict=True)]
    assert shown.tiers.tolist() == chains
    assert len(set(chains)) > 1
    for s, t, winner in zip(scores, square, shown.winner, strict=True):
        leader = int(s.argmax())
        assert winner == all(t[leader, j] > 1.96 for j in range(5) if j != leader)
    assert 0 < shown.winner.mean() < 1


def test_the_first_tasks_show_all_systems_as_often_and_share_the_work() -> None:
    planned = Design(judges=7, segments=21, tasks=84, effect=0.1, systems=6, outputs=3, documents=4)
    batch = first_tasks(planned, seed=3)
    assert len(batch.tasks) == 84
    shown = Counter((task.segment, s) for task in batch.tasks for s in task.systems)
    assert set(shown.values()) == {2}  # four tasks of three outputs on each segment
    loads = Counter(task.judge for task in batch.tasks)
    assert max(loads.values()) - min(loads.values()) <= 4
    seen = Counter((task.segment, task.judge) for task in batch.tasks)
    assert max(seen.values()) == 1
    assert len({task.document for task in batch.tasks}) == 4
    of = {task.segment: task.document for task in batch.tasks}
    order = [of[str(k)] for k in range(1, 22)]
    assert order == sorted(order)
    assert (
        batch.to_csv() == first_tasks(planned, seed=3).to_csv() != first_tasks(planned, 4).to_csv()
    )


def test_the_file_of_first_tasks_is_read_once_ranks_are_filled_in() -> None:
    batch = first_tasks(Design(judges=3, segments=9, tasks=18, effect=0.1, systems=4, documents=3))
    assert len(read_tasks(batch.to_csv(), "tasks.csv", batch.pair)) == 18
    frame = batch.to_frame()
    for k in range(1, 5):
        frame[f"system{k}rank"] = k
    judgments = read(frame.to_csv(index=False).encode())[0].judgments()
    assert (judgments.n_tasks, judgments.n_systems, judgments.source_unit) == (18, 4, "document")


def test_a_design_needs_sense() -> None:
    for wrong in (dict(judges=1), dict(segments=0), dict(effect=0.0), dict(documents=900)):
        with pytest.raises(PodiumError):
            dataclasses.replace(PLANNED, **wrong)
    with pytest.raises(PodiumError, match="none is given"):
        foresee(dataclasses.replace(PLANNED, effect=None))
    with pytest.raises(PodiumError, match="is not below"):
        foresee(dataclasses.replace(PLANNED, effect=0.7))
    like = dataclasses.replace(TYPICAL, spread=0.4)
    assert foresee(dataclasses.replace(PLANNED, effect=None), like).power > 0.1


def test_the_command_foretells_without_a_file_and_writes_the_tasks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    words = ["plan", "--effect", "0.1", "--judges", "10", "--segments", "200", "--systems", "5"]
    more = ["--documents", "20", "--hours", "40", "--cost-per-hour", "30", "--json"]
    assert main([*words, *more]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["hours"] == pytest.approx(40, abs=0.1)
    assert found["cost"] == pytest.approx(1200, abs=3)
    assert found["tiers"]["low"] <= found["tiers"]["likely"] <= found["tiers"]["high"]
    assert (found["tasks"], found["assignment"]) == (2400, None)
    target = tmp_path / "tasks.csv"
    assert main([*words, "-o", str(target)]) == 0
    out = capsys.readouterr().out
    assert "A winner can be named in" in out
    assert len(target.read_text().splitlines()) == 1 + 200
    assert main(["plan", "--effect", "0.1", "--judges", "10"]) == 2
    assert "--segments" in capsys.readouterr().err


def test_a_design_is_said_in_a_sentence() -> None:
    words = prospect_finding(foresee(PLANNED, draws=100))
    assert words.startswith("Expect ")
    assert "of the adjacent pairs will differ significantly" in words
    assert len(words.split()) <= 14


def test_a_design_says_ranges_and_nothing_that_its_back_test_refutes() -> None:
    judgments = sample_campaign("wmt14-en-de").judgments()
    like = components_of(judgments, reach_verdict(BradleyTerry().fit(judgments)))
    prospect = foresee(dataclasses.replace(PLANNED, effect=None), like, draws=200)
    tiers = r"Expect \d+–\d+ tiers"
    share = r"\d+–\d+% of the system pairs will differ significantly"
    assert re.fullmatch(f"{tiers}; {share}", prospect_finding(prospect))
    assert re.fullmatch(f"{tiers}; {share}", prospect_finding(prospect, BackTest(20, 0.9, 18, 18)))
    assert re.fullmatch(tiers, prospect_finding(prospect, BackTest(20, 0.9, 5, 18)))
    assert re.fullmatch(share, prospect_finding(prospect, BackTest(20, 0.9, 18, 5)))
    refuted = prospect_finding(prospect, BackTest(20, 0.9, 5, 5))
    assert refuted == "No reliable forecast: this campaign's back-test refutes it"


def test_what_grows_with_the_tasks_lets_power_grow_past_where_few_segments_stop_it() -> None:
    unlike = dataclasses.replace(TYPICAL, segment=20.0)
    few = dataclasses.replace(PLANNED, segments=60, tasks=600, effect=0.1)
    growing = dataclasses.replace(few, growing=("segments", "judges"))
    at_most, beyond = (
        foresee(d, unlike, draws=100).curve["power"].iloc[-1] for d in (few, growing)
    )
    assert at_most < 0.7 < 0.95 < beyond
    twice = growing.sized(1200)
    assert (twice.tasks, twice.segments, twice.judges) == (1200, 120, 40)
    assert few.sized(1200).segments == 60
    said = " ".join(design_sentences(foresee(growing, unlike, draws=50), None, None))
    assert "; the number of judges and segments grows with the tasks" in said


def test_a_design_as_the_campaign_counts_what_the_campaign_has() -> None:
    """Three of five outputs are made by two systems alike: a screen of 5 informs on 8 systems."""
    rng, builder = np.random.default_rng(4), CampaignBuilder()
    for number in range(400):
        outputs = [("a", "b"), ("c", "d"), ("e", "f"), ("g",), ("h",)]
        ranks = (1 + np.argsort(np.argsort(rng.normal(0, 1, 5) - np.arange(5)))).tolist()
        builder.add_task("x-y", str(number % 200), f"j{number % 10}", outputs, ranks)
    judgments = builder.build().judgments()
    verdict = reach_verdict(RANKERS["bradley-terry"]().fit(judgments))
    assert usual_outputs(judgments) == 5
    planned = design(
        judges=10, segments=200, systems=8, tasks=400, components=components_of(judgments, verdict)
    )
    found = foresee(planned, components_of(judgments, verdict), draws=50)
    assert found.judgments == len(judgments) == 400 * 28
    assert found.se == pytest.approx(np.sqrt(np.nanmean(verdict.se_of_difference**2)), rel=0.05)
