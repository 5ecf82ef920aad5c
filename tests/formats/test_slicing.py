"""A slice of a table's campaign ranks as the filtered table does, whatever a column is about."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Selection
from analysis.errors import PodiumError
from analysis.formats import read

LEVELS = ("segment", "judge", "system", "task", "output")


def table(seed: int) -> pd.DataFrame:
    """Return random scores with a column of two words at every level."""
    rng = np.random.default_rng(seed)
    words = {level: rng.integers(0, 2, (4, 3, 3)) for level in LEVELS}
    rows = [
        {
            "segment": f"s{s}", "judge": f"j{j}", "system": "ABC"[k],
            "score": round(rng.normal(50, 20), 2),
            "of_segment": "xy"[words["segment"][s, 0, 0]],
            "of_judge": "xy"[words["judge"][0, j, 0]],
            "of_system": "xy"[words["system"][0, 0, k]],
            "of_task": "xy"[words["task"][s, j, 0]],
            "of_output": "xy"[words["output"][s, j, k]],
        }
        for s in range(4) for j in range(3) for k in range(3) if rng.random() < 0.9
    ]  # fmt: skip
    return pd.DataFrame(rows)


def means(data: pd.DataFrame, slices: tuple[str, ...] = ()) -> dict[str, tuple[float, int]]:
    campaign, _ = read(data.to_csv(index=False).encode(), name="table.csv")
    judgments = campaign.judgments(selection=Selection(slices=slices))
    scores = judgments.scores
    assert scores is not None
    wins = judgments.counts.wins
    return {
        name: (round(float(scores.value[scores.system == k].mean()), 9), int(wins[k].sum()))
        for k, name in enumerate(judgments.systems)
        if (scores.system == k).any()
    }


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10**6), level=st.sampled_from(LEVELS), word=st.sampled_from("xy"))
def test_a_slice_ranks_as_the_filtered_table_does(seed, level, word):
    data = table(seed)
    column = f"of_{level}"
    filtered = data[data[column] == word]
    if data[column].nunique() < 2 or filtered["system"].nunique() < 2:
        return
    try:
        expected = means(filtered)
    except PodiumError:
        return
    assert means(data, (f"{column}={word}",)) == expected


def test_a_judge_who_scored_an_output_in_two_rounds_gave_two_judgments():
    rows = [(s, "A", j, r, v) for j in "pq" for s in ("1", "2")
            for r, v in (("semifinal", 3), ("final", 9))]  # fmt: skip
    rows += [(s, "B", j, r, 5) for s, _, j, r, _ in rows]
    data = pd.DataFrame(rows, columns=["segment", "system", "judge", "round", "score"])
    _, report = read(data.to_csv(index=False).encode(), name="rounds.csv")
    assert report.n_left_out == 0
    assert means(data, ("round=final",)) == {"A": (9.0, 4), "B": (5.0, 0)}
    assert means(data) == {"A": (6.0, 4), "B": (5.0, 4)}


@pytest.mark.parametrize(
    ("column", "words"),
    [("Type", ("TGT", "CHK")), ("itemType", ("TGT", "BAD.REF")), ("is_attention_check", "01")],
)
def test_rows_that_test_the_judge_do_not_count(column, words):
    rows = [(s, k, j, words[0], 50) for s in "123" for k in "AB" for j in "pq"]
    rows += [(s, "A", "p", words[1], 99) for s in "456"]
    data = pd.DataFrame(rows, columns=["SegmentID", "SystemID", "UserID", column, "Score"])
    campaign, report = read(data.to_csv(index=False).encode(), name="controls.csv")
    assert (len(campaign.judges), len(campaign.segments)) == (2, 3)
    assert [(gone.reason, gone.count) for gone in report.left_out] == [
        ("being a control of the judge, not a judgment", 3)
    ]


def test_a_comment_above_the_names_and_one_behind_them_are_no_columns():
    rows = "".join(
        f"{k},{s},{j},{v}\n" for k, v in (("A", 3), ("B", 5)) for s in "12" for j in "pq"
    )
    for header in ("# scores of 2024\nsystem,segment,judge,score\n",
                   "#system,segment,judge,score\n",
                   "system,segment,judge,score,# Documentation: see there\n"):  # fmt: skip
        campaign, report = read((header + rows).encode(), name="x.csv")
        assert (campaign.systems, report.n_rows, report.n_left_out) == (("A", "B"), 8, 0)
