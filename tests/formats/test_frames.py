"""Frames, lists of dictionaries, open files, archives and sheets are read as files are."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import xlsxwriter

import analysis
from analysis.errors import PodiumError
from analysis.formats.content import Content
from analysis.formats.mapping.preview import GUESSED_ROWS, MOST_CELLS, preview
from analysis.formats.rankings import Findings
from tests.formats.tables import TABLES


def frame(name: str = "tabs_called_csv") -> pd.DataFrame:
    made = TABLES[name](np.random.default_rng(2))
    return pd.read_csv(io.BytesIO(made.data), sep="\t" if name == "tabs_called_csv" else ",")


def as_csv(data: pd.DataFrame) -> bytes:
    return data.to_csv(index=False).encode()


def forms(data: pd.DataFrame) -> dict[str, object]:
    return {
        "pandas": data,
        "arrow": pa.Table.from_pandas(data),
        "arrow stream": pa.RecordBatchReader.from_batches(
            (table := pa.Table.from_pandas(data)).schema, table.to_batches()
        ),
        "dictionaries": data.to_dict(orient="records"),
        "open file": io.BytesIO(as_csv(data)),
        "open text": io.StringIO(as_csv(data).decode()),
    }


@pytest.mark.parametrize("form", list(forms(frame())))
@pytest.mark.parametrize("table", ["tabs_called_csv", "prolific_pairwise_named_winner"])
def test_every_kind_of_frame_gives_the_campaign_of_its_file(form, table):
    data = frame(table)
    expected, _ = analysis.read(("table.csv", as_csv(data)), mapping="auto")
    campaign, report = analysis.read(forms(data)[form], mapping="auto")
    assert campaign.fingerprint == expected.fingerprint
    assert (report.n_rows, report.n_left_out) == (len(data), 0)


def test_a_frame_of_a_known_format_needs_no_mapping():
    rows = [{"model_a": "cmu", "model_b": "kit", "winner": "model_a", "judge": f"j{k % 3}"}
            for k in range(9)]  # fmt: skip
    campaign, report = analysis.read(rows)
    assert (report.format, campaign.n_tasks, campaign.judges) == ("arena", 9, ("j0", "j1", "j2"))
    nested = [
        {"battle": {"model_a": "cmu", "model_b": "kit"}, "winner": won, "who": f"r{k}"}
        for k, won in enumerate(("kit", "kit", "cmu", "kit"))
    ]
    campaign, _ = analysis.read(nested, mapping="auto")
    assert campaign.judgments().counts.wins.tolist() == [[0, 1], [3, 0]]


@pytest.mark.parametrize("thing", [3, [1, 2], {"a": 1}])
def test_what_is_no_table_is_refused_in_words(thing):
    with pytest.raises(PodiumError, match="source: ") as caught:
        analysis.read(thing)
    assert caught.value.remedy


def test_an_archive_of_one_table_is_read():
    data = as_csv(frame())
    expected, _ = analysis.read(("t.csv", data), mapping="auto")
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("results/t.csv", data)
        archive.writestr("README.md", "what it is")
    tarred = io.BytesIO()
    with tarfile.open(fileobj=tarred, mode="w:gz") as archive:
        entry = tarfile.TarInfo("t.csv")
        entry.size = len(data)
        archive.addfile(entry, io.BytesIO(data))
    for name, held in (("t.zip", packed), ("t.tar.gz", tarred)):
        campaign, _ = analysis.read((name, held.getvalue()), mapping="auto")
        assert campaign.fingerprint == expected.fingerprint


def test_a_sheet_is_chosen_by_its_name():
    held = io.BytesIO()
    with xlsxwriter.Workbook(held, {"in_memory": True}) as book:
        for name, rows in (
            ("Notes", [["city", "people"], ["a", 1]]),
            ("Votes", [["model_a", "model_b", "winner", "conversation"],
                       ["x", "y", "model_a", "a text\nof two lines"]]),
        ):  # fmt: skip
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    campaign, _ = analysis.read(("book.xlsx", held.getvalue()), sheet="Votes")
    assert campaign.systems == ("x", "y")
    with pytest.raises(PodiumError, match="no sheet 'votes2'") as caught:
        analysis.read(("book.xlsx", held.getvalue()), sheet="votes2")
    assert "Notes, Votes" in caught.value.remedy


def test_more_than_a_thousand_columns_are_read():
    data = frame().assign(**{f"meta_{k}": "x" for k in range(1200)})
    expected, _ = analysis.read(frame(), mapping="auto")
    campaign, _ = analysis.read(("wide.csv", as_csv(data)), mapping="auto")
    assert campaign.fingerprint == expected.fingerprint


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_a_guess_looks_at_no_more_cells_than_it_can_in_seconds(kind: str):
    row = {f"column {k}": k for k in range(3000)}
    if kind == "csv":
        data = "\n".join([",".join(row), *[",".join(map(str, row.values()))] * 400]).encode()
    else:
        data = json.dumps([row] * 400).encode()
    content = Content(data, "wide", Findings(), len(data))
    seen = preview(content, GUESSED_ROWS)
    assert 50 <= len(seen) < 400
    assert len(seen) * len(row) <= MOST_CELLS + len(row)
