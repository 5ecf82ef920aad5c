"""The default method is the one that was measured to predict best, and the same at every door."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from analysis import rank
from analysis.findings.measured import DEFAULT_METHOD_TABLE, default_method_frame
from analysis.rankers import DEFAULT_METHOD, RANKERS, default_method
from analysis.samples import sample_campaign
from dashboard.compute.uploads import default_context
from tests.command_line import answer

STATISTICS = Path(__file__).resolve().parents[2] / "docs" / "statistics.md"


def test_the_page_and_the_docs_have_one_table() -> None:
    table = STATISTICS.read_text().split("## The default method")[1].split("\n\n")[2]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    frame = default_method_frame()
    assert lines[0] == list(frame.columns)
    assert [[row[0], row[1].replace(",", ""), *row[2:]] for row in lines[2:]] == [
        [str(cell) for cell in row] for row in frame.to_numpy()
    ]


def test_the_default_predicts_best_in_most_campaigns_and_never_worse_than_guessing() -> None:
    found = pd.read_csv(DEFAULT_METHOD_TABLE).pivot_table(
        index="campaign", columns="method", values="perplexity"
    )
    own = RANKERS[DEFAULT_METHOD].title
    assert (found[own] < 3).all()
    assert (found.idxmin(axis=1) == own).sum() == 4


@pytest.mark.parametrize("name", ["wmt14-cs-en", "mqm-ted"])
def test_page_command_and_python_have_one_default(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = default_method(sample_campaign(name))
    assert rank(f"sample:{name}").standings.method == chosen
    assert answer(capsys, "rank", f"sample:{name}")["method"] == chosen
    batch = answer(capsys, "batch", f"sample:{name}", "--tasks", "2")
    assert f"method:{chosen}|" in batch["signature"]
    if name == "wmt14-cs-en":
        assert default_context().ranker.name == chosen
