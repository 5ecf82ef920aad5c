"""Whether a number stands twice is found as by sorting all of them."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.formats.usable import any_twice


@pytest.mark.parametrize("highest", [3, 40, 10**6, 2**62])
@pytest.mark.parametrize("n", [0, 1, 2, 5, 40])
def test_numbers_that_stand_twice_are_found_as_by_sorting(n, highest):
    rng = np.random.default_rng([n, highest % 997])
    for _ in range(50):
        values = rng.integers(0, highest, n).astype(rng.choice([np.int64, np.uint64]))
        assert any_twice(values) == (len(np.unique(values)) < n)


def test_numbers_with_the_same_last_bits_are_told_apart():
    values = np.arange(100, dtype=np.uint64) << np.uint64(40)
    assert not any_twice(values)
    assert any_twice(np.append(values, values[7]))
