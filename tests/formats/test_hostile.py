"""Files that once ended in an exception, a wrong count or too much memory, and the limits."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import UNRANKED, segment_numbers
from analysis.errors import PodiumError, ReadingError
from analysis.formats import FORMATS, budgets, formats_in_words, read, read_path
from analysis.formats.content import Content
from analysis.formats.format import Format
from analysis.formats.rankings import Column, Rankings
from tests.tools.fuzz.bombs import IN_THE_SUITE, SYSTEMS, explode, reader, votes

HOSTILE = Path(__file__).parent / "hostile"


@pytest.mark.parametrize(
    ("name", "got"),
    [
        ("column-twice.parquet", "two columns are called winner"),
        ("binary.parquet", "contains something other than text"),
        ("unequal-columns.parquet", "columns of unequal length"),
        ("sizes-that-do-not-fit.parquet", "damaged or cut off"),
        ("codes-outside.parquet", "damaged or cut off"),
        ("empty.parquet", "it has a header but no votes"),
        ("nocol.parquet", "does not recognize these columns: x"),
        ("winnernull.parquet", "every ranking in it was skipped"),
        ("only-skipped-nohit.xml", "every ranking in it was skipped"),
        ("rank128.csv", "contains 130 systems, more than 100"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words_of_ours(name: str, got: str) -> None:
    with pytest.raises(ReadingError, match=got) as error:
        read_path(HOSTILE / name)
    assert error.value.__cause__ is None
    assert error.value.where.startswith(name)
    assert error.value.remedy


@pytest.mark.parametrize(
    "name",
    [
        "null.parquet", "pandas-none.parquet", "dictnull.parquet", "list.parquet", "no-hit.xml",
        "no-task.xml", "surrogate.json", "bigsegment.csv", "19digits.csv",
        "seconds-beyond-float32.csv", "cut-and-returned-to.csv",
    ],
)  # fmt: skip
def test_what_can_be_read_serves_every_page(name: str) -> None:
    campaign, report = read_path(HOSTILE / name)
    assert len(campaign.fingerprint) == 12
    assert report.sentences()
    assert segment_numbers(campaign.segments).max() < 2**53
    assert len(campaign.judgments(campaign.pairs[0])) > 0


def test_no_error_of_a_library_leaves_a_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(content: Content) -> bool:
        raise RuntimeError("deep inside\na library")

    broken = Format("x", "X", "y", sniff=fail, read=lambda content: pytest.fail("not sniffed"))
    monkeypatch.setitem(FORMATS, "wmt-5way", broken)
    with pytest.raises(ReadingError, match=r"a\.csv: this file could not be read") as error:
        read(b"a,b\n", name="a.csv")
    assert "deep inside" in str(error.value)
    assert "\n" not in str(error.value)


# A format is one module, and what lists formats is made from the registry


def test_a_new_format_is_found_read_and_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_toy(content: Content) -> bool:
        return content.header is not None and "better" in content.header.keys

    def read_toy(content: Content) -> Rankings:
        table = content.table(["better", "worse"])
        names = [*table["better"].names, *table["worse"].names]
        n = len(table["better"])
        return Rankings(
            n_rows=n,
            pair=Column.constant("all", n),
            segment=Column.constant("1", n),
            judge=Column.constant("ann", n),
            start=np.arange(n + 1) * 2,
            output=np.stack(
                [table["better"].codes, table["worse"].codes + len(table["better"].names)], axis=1
            ).ravel(),
            outputs=[(name,) for name in names],
            rank=np.tile([1, 2], n),
            row=np.arange(n),
            findings=content.findings,
        )

    toy = Format("toy", "toy lists", "better and worse", sniff=is_toy, read=read_toy)
    monkeypatch.setitem(FORMATS, "toy", toy)
    campaign, report = read(b"better,worse\na,b\nb,c\n")
    assert campaign.systems == ("a", "b", "c")
    assert report.sentences()[0] == "Read 2 ranking tasks from 2 rows of toy lists."
    assert "toy lists" in formats_in_words()
    with pytest.raises(ReadingError, match=r"toy lists \(better and worse\)"):
        read(b"name,worse\n1,2\n")


def test_a_file_of_no_format_is_answered_with_the_nearest_one_in_few_words() -> None:
    with pytest.raises(ReadingError) as error:
        read(b"rater,severity\na,1\n")
    assert sum(known.title in str(error.value) for known in FORMATS.values()) == 1
    with pytest.raises(ReadingError, match="Podium needs a system, a segment and a score"):
        read(b"name,score\na,1\n")


# Names, numbers, and what stands twice


def kinds(data: bytes) -> list[str]:
    return [oddity.kind for oddity in read(data)[1].oddities]


def test_spellings_that_look_the_same_are_one_name_and_it_is_noted() -> None:
    rows = [
        "e\u0301t\u00e9,b,left",
        "\u00e9te\u0301 ,b\u200b,left",
        "\ufeff\u00e9t\u00e9,\u00a0b,left",
    ]
    campaign, report = read("\n".join(["left,right,winner", *rows, ""]).encode())
    assert campaign.systems == ("\u00e9t\u00e9", "b")
    (note,) = [oddity for oddity in report.oddities if oddity.kind == "respelled"]
    assert note.count == 5
    assert "respelled" not in kinds(b"left,right,winner\na,b,left\n")


def test_names_that_differ_in_case_stay_apart_and_are_told() -> None:
    data = b"left,right,winner,judge\nOnline-A,online-A,left,Ann\nb,Online-A,left,ann\n"
    campaign, report = read(data)
    assert len(campaign.systems) == 3
    told = [oddity.sentence for oddity in report.oddities if oddity.kind == "names-alike"]
    assert ["Online-A and online-A" in told[0], "Ann and ann" in told[1]] == [True, True]
    assert "names-alike" not in kinds(b"left,right,winner\na1,a2,left\n")


@pytest.mark.parametrize("rank", ["1_0", "\uff12", "1e400", "0x1", "NaN", "\u00b2"])
def test_what_is_no_number_in_plain_digits_is_no_rank(rank: str) -> None:
    rows = [f"1,a,{rank},b,2", "2,a,1,b,2"]
    header = "segmentId,system1Id,system1rank,system2Id,system2rank"
    campaign, report = read("\n".join([header, *rows, ""]).encode())
    assert (campaign.n_tasks, report.n_left_out) == (1, 1)


def test_what_json_allows_and_no_table_has_is_told() -> None:
    data = (
        b'[{"left": "a", "right": "b", "winner": "left", "judge": NaN},'
        b' {"left": "a", "right": "b", "right": "c", "winner": "left", "judge": Infinity}]'
    )
    campaign, report = read(data)
    assert campaign.judges == ("",)
    assert {"not-a-number", "keys-twice"} <= {oddity.kind for oddity in report.oddities}


@pytest.mark.parametrize(
    "data",
    [
        b"left,right,winner,Winner\na,b,left,right\n",
        b'[{"left": "a", "right": "b", "winner": "left", "Winner": "right"}]',
    ],
    ids=["table", "records"],
)  # fmt: skip
def test_of_two_columns_with_one_name_the_first_counts_and_it_is_told(data: bytes) -> None:
    campaign, report = read(data)
    assert campaign.judgments().outcome.tolist() == [1]
    assert "columns-twice" in [oddity.kind for oddity in report.oddities]


def test_rows_that_a_quotation_mark_swallows_are_told() -> None:
    rows = ["a,b,left,q0", 'a,b,left,"open', "a,b,left,q1", "a,b,left,q2", 'a,b,left,q3"', ""]
    _, report = read("\n".join(["left,right,winner,question", *rows]).encode())
    (told,) = [oddity for oddity in report.oddities if oddity.kind == "swallowed-rows"]
    assert (told.count, told.places) == (3, (3,))
    for text in ("two\nlines, of text", "f(\nx, 1, y, z)\nleft, 2, 3, 4"):
        data = f'left,right,winner,question\na,b,left,"{text}"\n'.encode()
        assert "swallowed-rows" not in kinds(data)


def test_a_row_longer_than_a_block_is_called_so() -> None:
    data = b"left,right,winner,question\na,b,left," + b"x" * (40 << 20) + b"\na,b,left,q\n"
    with pytest.raises(ReadingError, match="a row is longer than 16 MB"):
        read(data)


# Every row is read or left out, for one reason

FIELD = st.sampled_from(["a", "b", "c", "", "a+b", " a"])
RANK = st.sampled_from(["1", "2", "3", "9", "-1", "x", ""])
WINNER = st.sampled_from(["model_a", "tie", "left", "", "who", "a"])


def as_csv(header: str, rows: list[tuple[str, ...]]) -> bytes:
    return "\n".join([header, *(",".join(row) for row in rows), ""]).encode()


def as_records(rows: list[tuple[str, ...]]) -> list[dict[str, str]]:
    return [dict(zip(("model_a", "model_b", "winner"), row, strict=False)) for row in rows]


def as_parquet(rows: list[tuple[str, ...]]) -> bytes:
    file = io.BytesIO()
    pd.DataFrame([row[:3] for row in rows], columns=["model_a", "model_b", "winner"]).to_parquet(
        file
    )
    return file.getvalue()


def as_xml(rows: list[tuple[str, ...]]) -> bytes:
    results = "".join(
        "<ranking-result>"
        + "".join(f'<translation system="{row[k]}" rank="{row[k + 1]}"/>' for k in (0, 2))
        + "</ranking-result>"
        for row in rows
    )
    return f"<R>{results}</R>".encode()


VOTES = st.lists(st.tuples(FIELD, FIELD, WINNER) | st.tuples(FIELD, FIELD), min_size=1)
PAIRS = st.lists(st.tuples(FIELD, RANK, FIELD, RANK), min_size=1)
FILES = st.one_of(
    VOTES.map(lambda rows: (as_csv("model_a,model_b,winner", rows), len(rows))),
    VOTES.map(lambda rows: (json.dumps(as_records(rows)).encode(), len(rows))),
    VOTES.map(lambda rows: ("\n".join(map(json.dumps, as_records(rows))).encode(), len(rows))),
    VOTES.map(lambda rows: [(*row, "")[:3] for row in rows]).map(
        lambda rows: (as_parquet(rows), len(rows))
    ),
    PAIRS.map(lambda rows: (as_csv(SYSTEMS, [("1", *row) for row in rows]), len(rows))),
    PAIRS.map(
        lambda rows: (as_csv(SYSTEMS + ",rankingID", [("1", *row, "7") for row in rows]), len(rows))
    ),
    st.lists(st.tuples(FIELD, RANK, FIELD, RANK, FIELD, RANK), min_size=1).map(
        lambda rows: (
            as_csv(SYSTEMS + ",system3Id,system3rank", [("1", *row) for row in rows]),
            len(rows),
        )
    ),
    PAIRS.map(lambda rows: (as_xml(rows), len(rows))),
)


@settings(max_examples=300)
@given(FILES)
def test_rows_read_and_left_out_are_the_rows_of_the_file(file: tuple[bytes, int]) -> None:
    data, n_rows = file
    refusal = None
    try:
        campaign, report = read(data)
    except ReadingError as error:
        refusal = error
    if refusal is not None:
        assert refusal.__cause__ is None
        return
    sizes = np.diff(campaign.task_start)
    is_two_way = report.format == "wmt-2way"
    kept = int((sizes * (sizes - 1) // 2).sum()) if is_two_way else campaign.n_tasks
    skipped = sum(report.skipped.values())
    assert report.n_rows == n_rows
    if is_two_way and skipped:
        assert kept + report.n_left_out < n_rows
    else:
        assert kept + skipped + report.n_left_out == n_rows
    assert np.all((campaign.entry_rank == UNRANKED) | (campaign.entry_rank > 0))


@pytest.mark.parametrize("name", ["two-reasons-5way.csv", "two-reasons-2way.csv"])
def test_a_row_with_two_faults_is_left_out_once(name: str) -> None:
    campaign, report = read_path(HOSTILE / name)
    assert (report.n_rows, campaign.n_tasks, report.n_left_out) == (2, 1, 1)


# Budgets


@pytest.fixture(scope="module")
def reading_process() -> Iterator[subprocess.Popen[str]]:
    with reader() as process:
        yield process


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("name", IN_THE_SUITE)
def test_a_small_file_that_asks_for_much_is_refused_soon_or_read_in_little(
    name: str, tmp_path: Path, reading_process: subprocess.Popen[str]
) -> None:
    verdict = explode(name, tmp_path, reading_process)
    assert verdict.is_good, verdict


PREFLIB = (
    b"# DATA TYPE: soc\n# NUMBER ALTERNATIVES: 3\n# ALTERNATIVE NAME 1: a\n"
    b"# ALTERNATIVE NAME 2: b\n# ALTERNATIVE NAME 3: c\n"
)


@pytest.mark.parametrize(
    ("data", "got"),
    [
        (votes([f"s{k}" for k in range(5_001)], ["b"] * 5_001), "the column left contains 5"),
        (votes([f"s{k}" for k in range(1_001)], ["b"] * 1_001), "for x, and at most 1"),
        (
            b"system_a,system_b,wins_a,wins_b,ties\na,b,90000000,3,1\n",
            "90,000,004 rankings",
        ),
        (PREFLIB + b"800000000: 1,2,3\n", "800,000,000 rankings"),
        (f"{SYSTEMS}\n1,{'+'.join(f's{k}' for k in range(101))},1,b,2\n".encode(), "more than 100"),
    ],
    ids=["a file's systems", "a pair's systems", "votes", "rankings", "members of a joined name"],
)
def test_budgets_are_told(data: bytes, got: str) -> None:
    with pytest.raises(PodiumError, match=got):
        read(data)


def test_pairs_are_counted_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budgets, "max_rows", lambda: 10)
    names = "".join(f'<translation system="{k}" rank="1"/>' for k in "abcde")
    result = f"<ranking-result>{names}</ranking-result>"
    assert read(f"<R>{result}</R>".encode())[0].n_tasks == 1
    with pytest.raises(ReadingError, match="make 20 pairs"):
        read(f"<R>{result}{result}</R>".encode())


def test_more_pairs_fit_if_no_judges_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("MAX_OF_SMALL", 10), ("PAIRS_A_BYTE", 0), ("MAX_UNNAMED", 100)):
        monkeypatch.setattr(budgets, name, value)
    names = "".join(f"# ALTERNATIVE NAME {k}: s{k}\n" for k in range(1, 9))
    orders = f"# DATA TYPE: soc\n{names}{{}}: 8,7,6,5,4,3,2,1\n"
    campaign, _ = read(orders.format(3).encode())
    assert len(campaign.judgments(campaign.pairs[0])) == 84
    with pytest.raises(ReadingError, match="make 112 pairs of systems, more than the limit of 100"):
        read(orders.format(4).encode())
    shown = "".join(f'<translation system="s{k}" rank="{k}"/>' for k in range(1, 9))
    assert read(f"<R><ranking-result>{shown}</ranking-result></R>".encode())[0].n_tasks == 1
    with pytest.raises(ReadingError, match="make 28 pairs of systems, more than the limit"):
        read(f'<R><ranking-result user="ann">{shown}</ranking-result></R>'.encode())
