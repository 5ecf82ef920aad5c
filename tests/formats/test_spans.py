"""Error spans as tools write them: Arrow reads many lists at once, Python reads few."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from analysis.formats import spans

UNUSUAL = ("007", "no list", "'start_i'", "1.5", '["x', '"severity": 3')
"""What Arrow does not read."""

WRITTEN_SPANS = st.lists(
    st.fixed_dictionaries(
        {
            "start_i": st.integers(0, 120) | st.sampled_from(["missing", -1, 1.5, None, 2**40]),
            "end_i": st.integers(0, 12_000),
            "error_type": st.sampled_from(['a "7"', "Accuracy/7", None, ["x 1", "y"], "it's 5"]),
            "severity": st.sampled_from(["minor", "major 2", None, 3]),
        }
    ),
    max_size=3,
).map(json.dumps)


@given(st.lists(WRITTEN_SPANS | st.sampled_from(["[]", "[007]", "no list", "{'start_i': 4}"])))
def test_spans_read_at_once_are_those_read_one_by_one(texts: list[str]) -> None:
    fields = pa.chunked_array([texts[:2], texts[2:]], type=pa.string())
    expected, bad = spans._read_one_by_one(fields)
    got = spans._read_at_once(fields)
    is_plain = not any(word in text for text in texts for word in UNUSUAL)
    assert (got is not None) == is_plain
    if got is None:
        return
    assert not len(bad)
    for name in ("scored", "start", "end"):
        np.testing.assert_array_equal(getattr(got, name), getattr(expected, name))
    for codes, words in (("category", "categories"), ("severity", "severities")):
        assert [getattr(got, words)[k] for k in getattr(got, codes)] == [
            getattr(expected, words)[k] for k in getattr(expected, codes)
        ]


def test_a_category_under_two_names_is_read_one_by_one() -> None:
    text = json.dumps([{"error_type": "a", "category": "b", "severity": "minor"}])
    assert spans._read_at_once(pa.chunked_array([[text]])) is None
    assert spans._read_one_by_one(pa.chunked_array([[text]]))[0].categories == ("a",)
