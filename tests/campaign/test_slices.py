"""Parts of a campaign by its attributes."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from analysis.campaign import Attribute, Selection
from analysis.errors import PodiumError
from dashboard.session import link
from tests.building import CampaignBuilder


def campaign():
    builder = CampaignBuilder()
    for k in range(12):
        outputs = [("a",), ("b",)] if k % 3 else [("b",), ("c",)]
        builder.add_task("x", str(k % 6), f"j{k % 2}", outputs, [1, 2])
    built = builder.build()
    return dataclasses.replace(
        built,
        attributes=(
            Attribute("domain", "segment", codes=np.array([0, 0, 1, 1, 2, -1]),
                      names=("news", "chat", "a=b")),
            Attribute("length", "task", values=np.array([*range(11), np.nan], dtype=float)),
            Attribute("team", "judge", codes=np.array([0, 1]), names=("red", "blue")),
            Attribute("kind", "system", codes=np.array([1, 0, 0]), names=("open", "closed")),
            Attribute("size", "output", values=np.arange(24.0)),
        ),
    )  # fmt: skip


def tasks(*slices: str) -> list[int]:
    return campaign().judgments(selection=Selection(slices=slices)).tasks.tolist()


@pytest.mark.parametrize(
    ("slices", "expected"),
    [
        (("domain=news",), [0, 1, 6, 7]),
        (("Domain=NEWS",), [0, 1, 6, 7]),
        (("domain=news", "domain=chat"), [0, 1, 2, 3, 6, 7, 8, 9]),
        (("domain=a=b",), [4, 10]),
        (("length=2-4",), [2, 3, 4]),
        (("length=9-",), [9, 10]),
        (("length=-1",), [0, 1]),
        (("length=5",), [5]),
        (("domain=news", "team=red"), [0, 6]),
        (("kind=open",), []),
    ],
)
def test_a_slice_keeps_the_tasks_for_which_it_holds(slices, expected):
    assert tasks(*slices) == expected


def test_a_slice_about_outputs_keeps_the_tasks_with_two_of_them():
    judgments = campaign().judgments(selection=Selection(slices=("size=0-2",)))
    whole = campaign().judgments()
    assert len(judgments.entry_output) in (2, 3) < (len(whole.entry_output),)


def test_a_slice_about_systems_leaves_the_others_out():
    judgments = campaign().judgments(selection=Selection(slices=("kind=closed",)))
    assert (judgments.systems, judgments.left_out) == (("b",), ("a", "c"))
    assert judgments.references_left_out == ()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("domain", "is not an attribute and its value"),
        ("topic=news", "Choose one of domain, length, team, kind, size"),
        ("domain=law", "it is news, chat, a=b"),
        ("length=long", "is a number, and 'long' is not a range"),
        ("length=-", "is not a range"),
        ("length=100-200", "no judgments of x have"),
    ],
)
def test_a_slice_that_is_not_there_is_told_with_what_is(words, told):
    with pytest.raises(PodiumError) as caught:
        tasks(words)
    assert told in str(caught.value)
    assert caught.value.remedy


@pytest.mark.parametrize(
    "slices", [("domain=a=b", "team=blue"), ("length=2.5-4",), ("length=7-",), ()]
)
def test_a_slice_comes_back_from_a_link_that_names_no_word(slices):
    chosen = Selection(slices=slices)
    text = link.encode(chosen, campaign())
    assert link.decode(text, campaign()) == chosen
    assert not any(word in text for word in ("team", "blue", "domain", "length"))


@pytest.mark.parametrize(
    "text", ["a", "a9.1", "a0.77", "a0~1~2", "a1~x~2", "a1~5~2", "a!!", "a0.é"]
)
def test_a_slice_of_a_link_that_makes_no_sense_is_left_out(text):
    assert link.decode(text, campaign()) == Selection()
