"""The page Replication: the record at once, a table by its link, computed again on request."""

from __future__ import annotations

import pytest

from analysis.extras.validation.replication.number import rounded
from analysis.extras.validation.replication.registry import REPLICATIONS
from analysis.extras.validation.replication.running import Outcome
from dashboard.compute import store
from dashboard.extras.validation.replication import compute as replicating
from dashboard.extras.validation.replication.figures import printed_against_ours, replication_figure
from dashboard.figures.theme import alt_text
from tests.drawing_text import drawn_text
from tests.opening import open_address

CLUSTERS = "Koehn 2012, Table 2: number of clusters"


@pytest.fixture(autouse=True)
def _nothing_computed() -> None:
    store.shared_memory().forget()


def test_a_table_is_computed_again_where_the_page_is_asked_to() -> None:
    app = open_address("validation", study="Replication", replication__table=CLUSTERS)
    assert replicating.just_computed(REPLICATIONS["koehn-clusters"]) is None
    app.button(key="replication.again").click().run()
    assert not app.exception
    computed = replicating.just_computed(REPLICATIONS["koehn-clusters"])
    assert computed is not None
    assert [number.ours for number in computed.numbers] == [5]


def test_a_table_shows_its_command_and_when_two_numbers_are_the_same() -> None:
    app = open_address("validation", study="Replication", replication__table=CLUSTERS)
    assert "replicate --only koehn-clusters" in app.code[0].value


def test_what_is_computed_now_stands_in_the_records_place() -> None:
    replication = REPLICATIONS["koehn-clusters"]
    fresh = Outcome(replication, (rounded("x", 1, 2, 0),))
    store.shared_memory().results.put(("replication", replication.name), fresh)
    assert fresh in replicating.replications()
    names = [outcome.replication.name for outcome in replicating.replications()]
    assert names.count(replication.name) == 1


def test_the_figure_counts_every_number_in_its_column() -> None:
    numbers = (
        rounded("a", 1.0, 1.0, 2),
        rounded("b", 1.0, 1.04, 2, slack=0.2),
        rounded("c", 1.0, 1.19, 2, slack=0.2),
        rounded("d", 1.0, 2.0, 2),
        rounded("e", 1.0, 3.0, 2),
    )
    assert [n.closeness for n in numbers] == ["same", "near", "allowed", "differs", "differs"]
    outcome = Outcome(REPLICATIONS["koehn-table-4"], numbers)
    figure = replication_figure([outcome], title="Two differ", mode="light")
    texts = [text for trace in figure.data if trace.type == "scatter" for text in trace.text]
    assert sorted(texts) == ["1", "1", "1", "2"]
    assert "2 differs" in alt_text(figure)
    assert "Two differ" in drawn_text(figure)


def test_numbers_that_differ_are_drawn_apart_and_words_not_at_all() -> None:
    numbers = (rounded("a", 1.0, 1.0, 2), rounded("b<b>", 1.0, 2.0, 2))
    figure = printed_against_ours(Outcome(REPLICATIONS["koehn-table-4"], numbers), mode="dark")
    assert figure is not None
    assert [len(trace.x) for trace in figure.data[1:]] == [1, 1]
    assert "<b>" not in figure.data[2].text[0]
    marks = Outcome(REPLICATIONS["wmt14-marks-one-sided"], ())
    assert printed_against_ours(marks, mode="light") is None
