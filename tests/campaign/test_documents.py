"""Documents: where files name them, blocks of consecutive segments where they do not."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.campaign import Judgments, Selection
from analysis.errors import PodiumError
from analysis.extras.validation.prediction.splits import k_fold
from analysis.formats import read
from analysis.rankers import RANKERS
from analysis.rankers.resampling import n_units, unit_of_tasks

TASKS = [(s, j) for s in range(1, 13) for j in ("ann", "bob")]
"""Twelve segments in four documents of three, each judged twice."""


def ranks_of(segment: int, judge: str) -> tuple[int, int, int]:
    return (1, 2, 3) if (segment + len(judge)) % 5 else (3, 1, 2)


def five_way(column: str, document: str = "doc{}") -> tuple[str, str]:
    head = f"srclang,trglang,srcIndex,{column},segmentId,judgeId," + ",".join(
        f"system{k}Id,system{k}rank" for k in (1, 2, 3)
    )
    rows = []
    for s, j in TASKS:
        a, b, c = ranks_of(s, j)
        rows.append(f"de,en,{s},{document.format(s // 4)},{s},{j},A,{a},B,{b},C,{c}")
    return "campaign.csv", "\n".join([head, *rows]) + "\n"


def two_way(column: str, document: str = "doc{}") -> tuple[str, str]:
    head = f"srclang,trglang,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,{column}"
    rows = [
        f"de,en,{s},{j},A,{1 + s % 2},B,{2 - s % 2},{document.format(s // 4)}" for s, j in TASKS
    ]
    return "campaign.csv", "\n".join([head, *rows]) + "\n"


def votes(column: str) -> tuple[str, str]:
    rows = [f"A,B,model_{'ab'[s % 2]},{j},{s},doc{s // 4}" for s, j in TASKS]
    return "votes.csv", f"model_a,model_b,winner,judge,question_id,{column}\n" + "\n".join(rows)


def wide(column: str) -> tuple[str, str]:
    rows = [f"A,B,{1 + s % 2},{2 - s % 2},{s},doc{s // 4}" for s in range(1, 13)]
    return "wide.csv", f"model_a,model_b,annotator1,annotator2,id,{column}\n" + "\n".join(rows)


def scores(column: str) -> tuple[str, str]:
    rows = [f"{x},{s},{j},{40 + s + 3 * (x == 'A')},doc{s // 4}" for s, j in TASKS for x in "AB"]
    return "scores.csv", f"system,segment,judge,score,{column}\n" + "\n".join(rows)


def direct(column: str) -> tuple[str, str]:
    rows = [f"{x} {s} {40 + s + 3 * (x == 'A')} doc{s // 4} 2" for s in range(1, 13) for x in "AB"]
    return "ad-seg-scores-de-en.csv", f"SYS SID RAW.SCR {column} N\n" + "\n".join(rows)


def mqm(column: str) -> tuple[str, str]:
    rows = [
        f"{x}\tdoc{s // 4}\t{s}\t{j}\tsource\ttarget\tAccuracy\t{'Minor' if s % 3 else 'Major'}"
        for s, j in TASKS
        for x in "AB"
    ]
    head = f"system\t{column}\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    return "mqm.tsv", head + "\n".join(rows)


def xml(column: str) -> tuple[str, str]:
    items = [
        f'<ranking-item {column}="doc{s // 4}" src-id="{s}" id="{s}" user="{j}" duration="0:0:9">'
        f'<translation system="A" rank="1"/><translation system="B" rank="{1 + s % 2}"/>'
        "</ranking-item>"
        for s, j in TASKS
    ]
    return "campaign.xml", f"<appraise-results>{''.join(items)}</appraise-results>"


@pytest.mark.parametrize(
    "file",
    [
        *(five_way(c) for c in ("documentId", "docID", "doc", "doc_id")),
        *(two_way(c) for c in ("documentId", "document")),
        *(votes(c) for c in ("document", "doc_id", "docID")),
        wide("doc"),
        *(scores(c) for c in ("document", "doc", "document_id", "docId")),
        *(direct(c) for c in ("DOC", "documentId")),
        *(mqm(c) for c in ("doc", "doc_id")),
        xml("doc-id"),
    ],
)
def test_a_file_that_names_documents_gives_them(file: tuple[str, str]) -> None:
    name, text = file
    campaign, _ = read(text.encode(), name=name)
    judgments = campaign.judgments(campaign.pairs[0])
    assert judgments.source_unit == "document"
    assert len(np.unique(judgments.task_source)) == 4
    for document in np.unique(judgments.task_source):
        inside = judgments.task_segment[judgments.task_source == document]
        numbers = {int(judgments.segments[s]) // 4 for s in inside}
        assert len(numbers) == 1


@pytest.mark.parametrize("nothing", ["-1", "", "none", "same"])
def test_where_all_or_none_are_one_document_segments_count(nothing: str) -> None:
    campaign, _ = read(five_way("documentId", nothing)[1].encode())
    judgments = campaign.judgments()
    assert judgments.source_unit == "segment"
    assert np.array_equal(judgments.task_source, judgments.task_segment)
    with pytest.raises(PodiumError, match="does not name documents"):
        unit_of_tasks(judgments, "document")
    assert n_units(judgments, "document") == 0


def test_segments_numbered_anew_in_each_document_are_different_segments() -> None:
    head, *rows = five_way("documentId")[1].splitlines()
    fields = [row.split(",") for row in rows]
    for row in fields:
        row[2] = row[4] = str(int(row[4]) % 4 + 1)
    text = "\n".join([head, *(",".join(row) for row in fields)])
    judgments = read(text.encode())[0].judgments()
    assert len(np.unique(judgments.task_segment)) == 12
    assert len(np.unique(judgments.task_source)) == 4


def test_the_documents_are_part_of_the_data_hash() -> None:
    named, other, none = (
        read(five_way("documentId", form)[1].encode())[0] for form in ("doc{}", "text{}", "-1")
    )
    moved = read(five_way("documentId")[1].replace(",doc2,11,", ",doc1,11,").encode())[0]
    assert len({c.fingerprint for c in (named, other, none, moved)}) == 4


def four_documents(blocks: float = 0) -> Judgments:
    campaign, _ = read(five_way("documentId")[1].encode())
    return campaign.judgments(selection=Selection(blocks=blocks))


def test_blocks_replace_the_documents_of_the_file_and_are_in_the_signature() -> None:
    judgments = four_documents(blocks=6)
    assert judgments.source_unit == "document"
    assert n_units(judgments, "document") == 2
    assert "blocks:6" in str(judgments.provenance)
    alone = four_documents(blocks=1)
    assert alone.source_unit == "segment"
    assert alone.provenance != four_documents().provenance


def test_segments_without_numbers_make_no_blocks() -> None:
    text = five_way("documentId")[1].replace(",1,ann", ",one,ann")
    campaign, _ = read(text.encode())
    judgments = campaign.judgments(selection=Selection(blocks=3))
    with pytest.raises(PodiumError, match="not numbered"):
        _ = judgments.task_source
    with pytest.raises(PodiumError, match="not a whole number"):
        _ = four_documents(blocks=2.5).task_source


def test_a_resample_keeps_documents_whole() -> None:
    judgments = four_documents()
    runs = (
        RANKERS["expected-wins"]()
        .fit(judgments)
        .replicates("document", 50, np.random.default_rng(3))
    )
    assert runs.shape == (50, 3)
    assert n_units(judgments, "document") == 4


def test_a_split_by_document_predicts_documents_that_nobody_judged_in_training() -> None:
    judgments = four_documents()
    split = k_fold(judgments, 4, np.random.default_rng(0), "document")
    for fold in range(4):
        trained = judgments.task_source[np.unique(judgments.task[split.left_out != fold])]
        held = judgments.task_source[np.unique(judgments.task[split.left_out == fold])]
        assert not set(trained) & set(held)
