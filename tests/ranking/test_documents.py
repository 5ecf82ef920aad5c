"""Documents as the unit of σ: they stand in for segments wherever they are known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.campaign import Campaign, Judgments, Selection
from analysis.rankers import RANKERS
from analysis.ranking.verdict import Verdict, reach_verdict
from tests.tools.audit.generator import Nature

STEPS = tuple(np.linspace(0, 0.9, 6).round(9).tolist())


def of_documents() -> Campaign:
    nature = Nature(STEPS, tasks=300, segments=120, document=10, document_taste=0.4)
    return nature.draw(np.random.default_rng(8)).campaign


def verdict_of(judgments: Judgments, method: str, scope: str = "new") -> Verdict:
    return reach_verdict(RANKERS[method]().fit(judgments), scope=scope, runs=60)


@pytest.mark.parametrize("method", ["expected-wins", "bradley-terry", "most-probable"])
def test_documents_give_the_variance_of_segments_called_by_their_documents(method: str) -> None:
    """The twin: the same tasks on one segment a document, in closed form and by resampling."""
    campaign = of_documents()
    documents = campaign.task_document
    assert documents is not None
    names = tuple(f"d{k}" for k in range(documents.max() + 1))
    twin = replace(campaign, task_segment=documents, segments=names, attributes=())
    found = verdict_of(campaign.judgments(), method)
    expected = verdict_of(twin.judgments(), method)
    assert (found.source, expected.source) == ("document", "segment")
    assert found.units == expected.units
    np.testing.assert_allclose(found.se_of_difference, expected.se_of_difference, rtol=1e-9)
    assert found.freedom == pytest.approx(expected.freedom)


def test_sentences_of_one_document_widen_the_intervals_and_lower_the_freedom() -> None:
    campaign = of_documents()
    by_document = verdict_of(campaign.judgments(), "expected-wins")
    alone = verdict_of(campaign.judgments(selection=Selection(blocks=1)), "expected-wins")
    assert np.nanmean(by_document.se) > 1.1 * np.nanmean(alone.se)
    assert by_document.freedom < alone.freedom
    assert by_document.units["segment"] == 12 < alone.units["segment"]


def test_blocks_of_the_documents_size_are_the_documents() -> None:
    campaign = of_documents()
    named = verdict_of(campaign.judgments(), "expected-wins")
    segments = np.array([int(name) for name in campaign.segments])
    shifted = replace(campaign, segments=tuple(str(n + 1) for n in segments), attributes=())
    blocks = verdict_of(shifted.judgments(selection=Selection(blocks=10)), "expected-wins")
    np.testing.assert_allclose(named.se_of_difference, blocks.se_of_difference)


def test_the_unit_is_in_the_signature_and_these_segments_do_not_need_it() -> None:
    judgments = of_documents().judgments()
    assert "unit:document" in verdict_of(judgments, "expected-wins").signature
    alone = replace(judgments, selection=Selection(blocks=1))
    these = [verdict_of(j, "expected-wins", "these").se for j in (judgments, alone)]
    np.testing.assert_allclose(*these)


def test_one_document_alone_leaves_the_segments_as_the_unit() -> None:
    campaign = of_documents()
    one = campaign.judgments(selection=Selection(segments=(1, 9)))
    assert one.source_unit == "segment"
    assert verdict_of(one, "expected-wins").units["segment"] > 1
