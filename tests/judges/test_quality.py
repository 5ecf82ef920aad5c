"""Quality control: who scores degraded outputs below their originals, and how scores repeat."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from analysis.campaign import Campaign
from analysis.cli import main
from analysis.findings.judges import quality_finding, quality_sentences
from analysis.formats import read, read_path
from analysis.judges.judge_verdicts import ENOUGH_CHECKS, QualityControl, quality_control

EXAMPLE = Path(__file__).parents[2] / "data" / "examples" / "appraise-scores.csv"


def checked(*scores: tuple[str, int, int]) -> Campaign:
    """Judges who score an output of each segment, and the same output made worse."""
    rows = []
    for k, (judge, original, degraded) in enumerate(scores):
        rows.append(f"{judge},A,{k},TGT,eng,deu,{original}")
        rows.append(f"{judge},A,{k},BAD,eng,deu,{degraded}")
        rows.append(f"{judge},B,{k},TGT,eng,deu,50")
    return read("\n".join([*rows, ""]).encode(), judge_names=True)[0]


def found(campaign: Campaign) -> QualityControl:
    quality = quality_control(campaign, campaign.pairs[0])
    assert quality is not None
    return quality


def test_shares_intervals_and_tests_are_the_exact_binomial_ones() -> None:
    reads = [("ann", 80, 20)] * 7 + [("ann", 80, 90), ("ann", 80, 80)]
    guesses = [("bob", 50, 40), ("bob", 50, 60), ("bob", 50, 70)]
    quality = found(checked(*reads, *guesses))
    assert quality.judges == ("ann", "bob")
    assert quality.degraded.tolist() == [9, 3]
    assert (quality.below.tolist(), quality.tied.tolist()) == ([7, 1], [1, 0])
    for k, (below, above, n) in enumerate([(7, 1, 9), (1, 2, 3)]):
        interval = binomtest(below, n).proportion_ci(0.95, method="exact")
        np.testing.assert_allclose([quality.low[k], quality.high[k]], interval, atol=1e-9)
        p = binomtest(below, below + above, alternative="greater").pvalue
        assert quality.p[k] == pytest.approx(p, abs=1e-12)
    assert (quality.attentive, quality.unsure, quality.undecided) == (("ann",), (), ("bob",))
    assert "bob" in quality_sentences(quality)[0]
    assert quality_finding(quality).startswith("Judges scored 67% of 12 degraded outputs below")


def test_a_judge_with_just_enough_degraded_outputs_is_asked_about() -> None:
    of_each = [("bob", 50, score) for score in (40, 60)] * (ENOUGH_CHECKS // 2)
    assert found(checked(*of_each)).unsure == ("bob",)
    assert found(checked(*of_each[1:])).undecided == ("bob",)


def test_second_scores_are_compared_with_the_first() -> None:
    campaign, _ = read_path(EXAMPLE)
    quality = found(campaign)
    assert campaign.checks is not None
    again = campaign.checks.kind == 1
    change = (campaign.checks.value - campaign.checks.original)[again]
    mean = np.nansum(quality.difference * quality.repeated) / quality.repeated.sum()
    assert quality.repeated.sum() == 9
    assert mean == pytest.approx(np.abs(change).mean())
    assert np.nansum(quality.shift * quality.repeated) == pytest.approx(change.sum())


def test_a_campaign_without_checks_has_no_quality_control() -> None:
    campaign, _ = read(b"system,segment,judge,score\na,1,ann,3\nb,1,ann,4\n")
    assert quality_control(campaign, campaign.pairs[0]) is None


def test_the_command_tells_each_judges_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judges", str(EXAMPLE), "--json"]) == 0
    (answer,) = json.loads(capsys.readouterr().out)
    assert [judge["degraded"] for judge in answer["quality"]] == [6, 6, 6]


def test_wave_3_of_wmt24_has_a_degraded_output_beside_each_original(campaigns_dir: Path) -> None:
    campaign, _ = read_path(campaigns_dir / "appraise-csv" / "wmt24_wave3.csv.gz")
    totals = [quality_control(campaign, pair) for pair in campaign.pairs]
    assert sum(int(q.degraded.sum()) for q in totals if q is not None) == 1_344
    assert all(q is not None and len(q.judges) == 56 for q in totals)


def test_judges_without_degraded_outputs_have_no_share_and_one_repeat_has_a_difference() -> None:
    """Ann scored one output twice, by 70 and 75, and nobody a degraded one."""
    rows = ["ann,A,0,TGT,eng,deu,70", "ann,A,0,CHK,eng,deu,75", "ann,B,0,TGT,eng,deu,50"]
    quality = found(read("\n".join([*rows, ""]).encode(), judge_names=True)[0])
    assert np.isnan(quality.total_share).all()
    assert len(quality.total_share) == 3
    assert (quality.repeated.tolist(), quality.difference.tolist()) == ([1], [5])
    assert quality.shift.tolist() == [5]
