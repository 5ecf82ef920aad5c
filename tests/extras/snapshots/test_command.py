"""``compare-states`` says what changed between two files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.formats.writing import write
from tests.building import CampaignBuilder
from tests.command_line import answer, run


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Ten ranking tasks of a campaign, and all 200 of them."""
    folder = tmp_path_factory.mktemp("states")
    rng = np.random.default_rng(1)
    tasks = [np.argsort(np.argsort(rng.normal(size=3) - [0.4, 0, -0.4])) + 1 for _ in range(200)]
    paths = []
    for n in (10, 200):
        builder = CampaignBuilder()
        for t, ranks in enumerate(tasks[:n]):
            outputs = [("a",), ("b",), ("c",)]
            builder.add_task("fr-en", str(t % 50), f"judge{t % 7}", outputs, ranks.tolist())
        paths.append(folder / f"{n}.csv")
        paths[-1].write_bytes(write(builder.build(), "wmt-2way"))
    return str(paths[0]), str(paths[1])


def test_the_answer_counts_tasks_and_names_changes(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found = answer(capsys, "diff", *files, "--method", "expected-wins")
    assert found["tasks"] == {"kept": 10, "added": 190, "removed": 0}
    assert found["turned"] == found["opened"] == []
    assert found["changed"] is None, "ten tasks are too few to test a change"
    assert ("a", "b") in {(c["upper"], c["lower"]) for c in found["settled"]}
    assert found["clusters"]["after"] > found["clusters"]["before"]


def test_a_person_reads_it_in_sentences(
    files: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = run(capsys, "diff", *files, "--method", "expected-wins")
    assert code == 0
    assert "190 tasks only now" in out
    assert "significant" in out


def test_a_file_that_is_not_there_is_named(
    files: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(capsys, "diff", files[0], str(tmp_path / "no.csv"))
    assert code == 2
    assert "no.csv" in err
