"""Error spans as tools write them: a compiled reading for many lists, a plain one for few."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from analysis.formats import spans
from analysis.formats.alike import Alike

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
def test_spans_read_once_for_all_that_differ_in_numbers_are_those_read_one_by_one(
    texts: list[str],
) -> None:
    fields = pa.chunked_array([texts[:2], texts[2:]], type=pa.string())
    one_by_one = spans._read_alike(Alike.equal(fields))
    assert one_by_one is not None
    expected, bad = one_by_one
    found = spans._read_alike(Alike.but_for_numbers(fields))
    if found is None:  # a number that tells the kind: the reader then reads one by one
        assert any('"severity": 3' in text for text in texts)
        return
    got = found[0]
    np.testing.assert_array_equal(found[1], bad)
    for name in ("scored", "start", "end"):
        np.testing.assert_array_equal(getattr(got, name), getattr(expected, name))
    for codes, words in (("category", "categories"), ("severity", "severities")):
        assert [getattr(got, words)[k] for k in getattr(got, codes)] == [
            getattr(expected, words)[k] for k in getattr(expected, codes)
        ]
