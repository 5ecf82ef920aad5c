"""Tools that are known by a profile: those that come with the program, and a user's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.errors import PodiumError
from analysis.formats import read, read_path

EXAMPLES = Path(__file__).parents[2] / "data" / "examples"


def means(campaign) -> dict[str, float]:
    scores = campaign.judgments().scores
    return {
        name: round(float(scores.value[scores.system == k].mean()), 4)
        for k, name in enumerate(campaign.judgments().systems)
    }


def test_samples_of_an_inspect_log_are_segments_and_models_are_systems():
    campaign, report = read_path(EXAMPLES / "inspect.json")
    assert (report.format, len(campaign.segments)) == ("inspect", 12)
    assert set(campaign.systems) == {"fox-7b", "owl-2b", "elk-1b"}
    assert set(campaign.scores.value.tolist()) == {0.0, 1.0}
    assert campaign.segments[0] == "arc:q0"


def test_files_of_samples_are_systems_called_as_the_files():
    files = [EXAMPLES / f"lm-eval-{name}.jsonl" for name in ("fox", "owl")]
    campaign, report = read_path(*files)
    assert campaign.systems == ("lm-eval-fox", "lm-eval-owl")
    assert (len(campaign.segments), report.n_scores) == (12, 24)
    assert "each file is a system" in " ".join(report.sentences())
    assert campaign.judgments().counts.wins.sum() > 0


def test_every_score_of_helm_is_a_criterion():
    campaign, report = read_path(*(EXAMPLES / f"helm-{name}.json" for name in ("fox", "owl")))
    assert report.criteria == ("exact_match", "quasi_exact_match")
    assert campaign.systems == ("helm-fox", "helm-owl")
    other = campaign.of_criterion("Quasi_exact_match")
    assert means(other) != means(campaign)


def test_tasks_of_mteb_are_segments():
    campaign, report = read_path(EXAMPLES / "mteb.csv")
    assert (report.format, len(campaign.segments)) == ("mteb", 8)
    assert max(means(campaign), key=means(campaign).__getitem__) == "fox-embed"
    assert campaign.attribute("domain").names == ("STS", "Retrieval")


@pytest.mark.parametrize(
    ("name", "fingerprint"),
    [
        ("alpaca-eval.json", "78a4b2a1fede"),
        ("fastchat-pairs.jsonl", "4dabdf806b09"),
        ("fastchat-scores.jsonl", "08dad6701cb9"),
        ("comparia.csv", "09a118d3b0fa"),
        ("arena-hard.jsonl", "0919b3b33ecb"),
    ],
)
def test_a_tool_s_profile_reads_what_its_own_module_read(name, fingerprint):
    """The fingerprints are those of the modules that read these tools up to revision 76507c6."""
    campaign, _ = read_path(EXAMPLES / name)
    assert campaign.fingerprint == fingerprint


TOOL = """
name: our-tool
title: our annotation tool
needs: [left engine, right engine, verdict]
podium: 1
columns:
  system_a: left engine
  system_b: right engine
  winner: verdict
  judge: who
  attributes: [genre]
winners: {L: a, R: b, Equal*: tie}
values:
  left engine: {engine 1: cmu}
  right engine: {engine 1: cmu}
excluded:
  kind: [training]
"""
ROWS = b"""left engine,right engine,verdict,who,kind
engine 1,kit,L,ann,real
engine 1,kit,Equally good,bob,real
kit,engine 1,R,bob,real
kit,cmu,R,bob,training
"""


def test_a_user_s_profile_in_a_folder_reads_the_user_s_tool(tmp_path, monkeypatch):
    (tmp_path / "ours.yaml").write_text(TOOL, encoding="utf-8")
    with pytest.raises(PodiumError):
        read(ROWS, name="x.csv")
    monkeypatch.setenv("PODIUM_PROFILES", str(tmp_path))
    campaign, report = read(ROWS, name="x.csv")
    assert (report.format, report.format_name) == ("our-tool", "our annotation tool")
    assert set(campaign.systems) == {"cmu", "kit"}
    judgments = campaign.judgments()
    assert (judgments.counts.wins.sum(), judgments.n_ties) == (2, 1)
    assert report.left_out[0].count == 1
    assert "kind is 'training'" in report.left_out[0].example


@pytest.mark.parametrize(
    "text", ["name: [", "name: x", "columns: {speed: a}", "- 1", "columns: {system: a}\nneeds: 3"]
)
def test_a_broken_profile_of_the_folder_is_named(tmp_path, monkeypatch, text):
    (tmp_path / "broken.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PODIUM_PROFILES", str(tmp_path))
    with pytest.raises(PodiumError, match=r"broken\.yaml"):
        read(ROWS, name="x.csv")


def test_a_folder_that_is_not_there_is_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_PROFILES", str(tmp_path / "none"))
    with pytest.raises(PodiumError, match="PODIUM_PROFILES"):
        read(ROWS, name="x.csv")
