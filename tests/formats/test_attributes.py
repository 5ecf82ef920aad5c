"""Columns beside the judgments become attributes of what they are constant within."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import Attribute, Selection
from analysis.errors import PodiumError
from analysis.formats import read, read_many
from analysis.formats.described import attributes_of_tasks, merge_columns, words_or_numbers
from analysis.formats.rankings import Column

HEADER = "srclang,trglang,srcIndex,documentId,segmentId,judgeId,system1Number,system1Id,"
HEADER += "system2Number,system2Id,system1rank,system2rank\n"


def five_way(*rows: tuple[str, str, str]) -> bytes:
    """Rows of document, segment and judge."""
    lines = [f"cs,en,{s},{d},{s},{j},-1,a,-1,b,1,2" for d, s, j in rows]
    return (HEADER + "\n".join(lines) + "\n").encode()


def column(*words: str) -> Column:
    names = list(dict.fromkeys(words))
    return Column(np.array([names.index(word) for word in words]), names)


SEGMENT = np.array([0, 0, 1, 1, 2])
JUDGE = np.array([0, 1, 0, 1, 0])


@pytest.mark.parametrize(
    ("words", "about", "codes"),
    [
        (("news", "news", "blog", "blog", "news"), "segment", [0, 1, 0]),
        (("news", "", "blog", "", "news"), "segment", [0, 1, 0]),
        (("new", "old", "new", "old", "new"), "judge", [0, 1]),
        (("am", "pm", "pm", "pm", "am"), "task", [0, 1, 1, 1, 0]),
        (("am", "pm", "pm", "pm", ""), "task", [0, 1, 1, 1, -1]),
    ],
)
def test_a_column_is_about_what_it_is_constant_within(words, about, codes):
    (attribute,) = attributes_of_tasks({"x": column(*words)}, SEGMENT, JUDGE)
    assert (attribute.about, attribute.codes.tolist()) == (about, codes)


def test_numbers_are_constant_within_segments_too():
    lengths = np.array([3.0, np.nan, 5.0, 5.0, np.inf])
    (attribute,) = attributes_of_tasks({"length": lengths}, SEGMENT, JUDGE)
    assert attribute.about == "segment"
    np.testing.assert_array_equal(attribute.values, [3.0, 5.0, np.nan])


def test_where_every_task_has_its_own_segment_a_column_about_judges_is_told_of_judges():
    (attribute,) = attributes_of_tasks(
        {"country": column("de", "fr", "de", "fr", "de")}, np.arange(5), JUDGE
    )
    assert attribute.about == "judge"


def test_a_column_that_says_one_thing_or_something_else_every_time_is_no_attribute():
    ids = column(*(f"id{k}" for k in range(60)))
    segment, judge = np.zeros(60, dtype=int), np.zeros(60, dtype=int)
    columns = {"same": column(*["news"] * 60), "id": ids, "none": np.full(60, np.nan)}
    assert attributes_of_tasks(columns, segment, judge) == ()


def test_words_of_one_file_and_numbers_of_another_become_words():
    merged = merge_columns([(2, {"n": np.array([1.0, np.nan])}), (1, {"n": column("x")}), (1, {})])
    assert [merged["n"].names[code] for code in merged["n"].codes] == ["1", "", "x", ""]


def test_few_numbers_are_words_and_many_are_numbers():
    few, many = column("1", "2", ""), column(*map(str, range(20)), "")
    assert words_or_numbers(few) is few
    np.testing.assert_array_equal(words_or_numbers(many), [*range(20), np.nan])


def test_documents_of_a_wmt_file_are_about_its_segments():
    campaign, _ = read(five_way(("d1", "1", "x"), ("d1", "2", "y"), ("d2", "3", "x")))
    document = campaign.attribute("Document")
    assert (document.about, document.names) == ("segment", ("d1", "d2"))
    assert campaign.of_tasks(document).codes.tolist() == [0, 0, 1]


def test_what_several_files_say_is_put_together():
    first = five_way(("d1", "1", "x"), ("d1", "2", "y"))
    second = five_way(("d2", "3", "x"), ("-1", "4", "z"))
    campaign, _ = read_many([("a", first), ("b", second)])
    assert campaign.attribute("document").codes.tolist() == [0, 0, 1, -1]


def test_the_fingerprint_knows_attributes_and_no_order_of_their_words():
    plain, _ = read(five_way(("-1", "1", "x"), ("-1", "2", "y")))
    documents, _ = read(five_way(("d1", "1", "x"), ("d2", "2", "y")))
    assert plain.attributes == ()
    assert plain.fingerprint != documents.fingerprint
    assert dataclasses.replace(documents, attributes=()).fingerprint == plain.fingerprint
    turned = Attribute("document", "segment", codes=np.array([1, 0]), names=("d2", "d1"))
    assert dataclasses.replace(documents, attributes=(turned,)).fingerprint == documents.fingerprint


def test_an_attribute_that_is_not_there_is_told_with_those_that_are():
    campaign, _ = read(five_way(("d1", "1", "x"), ("d2", "2", "y")))
    with pytest.raises(PodiumError, match="Choose one of document"):
        campaign.attribute("domain")


VOTES = ("votes.csv", b"model_a,model_b,winner\nfox,owl,model_a\nowl,elk,tie\nfox,elk,model_b\n")


def test_a_table_beside_the_judgments_describes_the_systems() -> None:
    table = b"system,license,size\nfox,open,7\nowl,closed,70\nyak,open,8\nemu,open,9\n"
    campaign, report = read_many([("systems.csv", table), VOTES])
    license, size = campaign.attribute("license"), campaign.attribute("size")
    assert (license.about, size.about) == ("system", "system")
    assert size.values is not None
    of = dict(zip(campaign.systems, size.values.tolist(), strict=True))
    assert (of["fox"], of["owl"], np.isnan(of["elk"])) == (7, 70, True)
    told = " ".join(report.sentences())
    assert "For systems there is license and size, not for elk." in told
    assert "2 rows of that table are about other systems." in told
    assert campaign.judgments(selection=Selection(slices=("size=1-80",))).systems == ("fox", "owl")
    assert campaign.title == "votes"


@pytest.mark.parametrize(
    ("table", "got"),
    [
        (b"system,license\nyak,open\n", "no judgments about any of these"),
        (b"system,license\nfox,open\nfox,open\n", "fox is in two rows"),
    ],
)
def test_a_table_about_other_systems_is_refused(table: bytes, got: str) -> None:
    with pytest.raises(PodiumError, match=got):
        read_many([VOTES, ("systems.csv", table)])
