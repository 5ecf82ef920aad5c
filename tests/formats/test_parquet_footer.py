"""A Parquet file's footer, against what Arrow reads in whole files; damage is an error of ours."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analysis.formats.parquet_footer import DELTA_BYTE_ARRAY, chunks


def a_file() -> bytes:
    """Three groups of rows of texts, numbers, a list and a column of another encoding."""
    n = 25
    table = pa.table(
        {
            "left": pa.array(["é" * 20] * n),
            "a.b": pa.array(np.arange(n) / 3),
            "of many": pa.array([[k, k + 1] for k in range(n)]),
            "packed": pa.array([f"prefix{k}" for k in range(n)]),
            "flag": pa.array([True, None] * 12 + [False]),
        },
        metadata={"a": "b"},
    )
    file = io.BytesIO()
    pq.write_table(
        table, file, row_group_size=10, use_dictionary=["left"],
        column_encoding={"packed": "DELTA_BYTE_ARRAY"},
    )  # fmt: skip
    return file.getvalue()


def test_it_says_what_arrow_says() -> None:
    data = a_file()
    metadata = pq.ParquetFile(io.BytesIO(data)).metadata
    groups = [metadata.row_group(g) for g in range(metadata.num_row_groups)]
    columns = [group.column(c) for group in groups for c in range(group.num_columns)]
    found = chunks(data)
    assert [c.unpacked for c in found] == [c.total_uncompressed_size for c in columns]
    assert [c.values for c in found] == [c.num_values for c in columns]
    assert [DELTA_BYTE_ARRAY in c.encodings for c in found] == [
        "DELTA_BYTE_ARRAY" in c.encodings for c in columns
    ]
    assert [c.column for c in found] == ["left", "a.b", "of many", "packed", "flag"] * 3


def test_damage_anywhere_is_told_and_ends_nothing() -> None:
    data = a_file()
    size = int.from_bytes(data[-8:-4], "little")
    rng = np.random.default_rng(3)
    refused = 0
    for _ in range(2_000):
        broken = bytearray(data)
        for place in rng.integers(len(data) - 8 - size, len(data), 3).tolist():
            broken[place] = int(rng.integers(256))
        try:
            chunks(bytes(broken))
        except (ValueError, RecursionError):
            refused += 1
    assert refused > 100


@pytest.mark.parametrize(
    "data", [b"", b"PAR1", b"PAR1" + b"\xff" * 8 + b"PAR1", b"PAR1\0\0\0\0PAR1"]
)
def test_what_has_no_footer_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match="footer"):
        chunks(data)
