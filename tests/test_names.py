"""Short names: real campaigns' names, and no two systems ever merged."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.names import middle_cut, short_names

WMT13 = {
    "newstest2013.fr-en.CMU_Tree-to-Tree.2893": "CMU_Tree-to-Tree",
    "newstest2013.fr-en.MES-SimplifiedFrench-primary.2662": "MES-SimplifiedFrench",
    "newstest2013.fr-en.online-A": "online-A",
    "newstest2013.fr-en.uedin-wmt13.2838": "uedin-wmt13",
}
WMT15 = {
    "newstest2015.uedin-syntax.4027.de-en.txt": "uedin-syntax",
    "newstest2015.online-E.0.de-en.txt": "online-E",
    "newstest2015.commercial1.3987.de-en.txt": "commercial1",
    "newstest2015.tuning-task-AFRL.de-en.txt": "tuning-task-AFRL",
}
parts = st.sampled_from(["a", "b", "uedin", "0", "1", "2755", "gpt-3", "5", "", "fr-en", "txt"])
names = st.builds(
    lambda words, mark: mark.join(words),
    st.lists(parts, min_size=1, max_size=5),
    st.sampled_from("./"),
)


def test_published_names_become_the_names_that_people_say() -> None:
    for campaign in (WMT13, WMT15):
        assert short_names(list(campaign)) == campaign


def test_two_submissions_of_one_team_keep_their_numbers_and_others_lose_them() -> None:
    names = ["n.gacha.3962.ru.txt", "n.gacha.4108.ru.txt", "n.LIMSI.4021.ru.txt"]
    assert list(short_names(names).values()) == ["gacha.3962", "gacha.4108", "LIMSI"]


def test_a_version_is_no_submission_number() -> None:
    names = ["openai/gpt-3.5", "openai/gpt-3.5-turbo", "openai/gpt-4"]
    assert list(short_names(names).values()) == ["gpt-3.5", "gpt-3.5-turbo", "gpt-4"]


def test_names_without_common_parts_stay_as_they_are() -> None:
    names = ["close1", "close2", "terrific", "uedin-syntax"]
    assert short_names(names) == dict(zip(names, names, strict=True))


def test_a_single_system_keeps_its_name_but_for_the_number() -> None:
    assert short_names(["JHU.2684"]) == {"JHU.2684": "JHU"}


def test_a_name_that_nothing_would_be_left_of_stays_whole() -> None:
    assert list(short_names(["x.", "x.x.", "x.b"]).values()) == ["x.", "x.x.", "x.b"]


def test_names_of_nothing_but_numbers_stay_numbers() -> None:
    assert list(short_names(["run.1", "run.2", "run.10"]).values()) == ["1", "2", "10"]


@given(systems=st.lists(st.one_of(names, st.text(max_size=8)), unique=True, max_size=8))
def test_no_two_systems_become_equal_and_none_becomes_empty(systems: list[str]) -> None:
    short = short_names(systems)
    assert list(short) == systems
    assert len(set(short.values())) == len(systems)
    for system in systems:
        assert len(short[system]) <= len(system)
        assert bool(short[system]) == bool(system)


@given(name=st.text(max_size=40), width=st.integers(1, 50))
def test_a_cut_name_keeps_both_ends_within_the_width(name: str, width: int) -> None:
    cut = middle_cut(name, width)
    assert len(cut) == min(len(name), width)
    if cut != name:
        head, _, tail = cut.partition("…") if "…" not in name else (cut[0], "", "")
        assert name.startswith(head.rstrip("…"))
        assert name.endswith(tail)


@pytest.mark.parametrize(
    "systems",
    [
        ["x.b", "x/b"],
        ["org/model.v1", "org.model/v1", "z.model.v1"],
        ["news.1.a", "news/1/a", "news.2.a"],
    ],
)
def test_names_that_differ_only_in_their_separators_stay_apart(systems: list[str]) -> None:
    assert len(set(short_names(systems).values())) == len(systems)
