"""What all tests share: where real campaigns lie, and one way to make judgments by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.campaign import Campaign
from analysis.errors import speak_to
from tests.building import CampaignBuilder

os.environ.pop("COLUMNS", None)  # pytest-xdist sets it, and tables would be cut to its terminal
# a warning is an error in each process that a test starts, as `filterwarnings` makes it in this one
# (pyparsing would take the bare word as a wish to hear what it thinks of its users' grammars)
os.environ["PYTHONWARNINGS"] = "error,ignore:::pyparsing"

# how long an example takes says how busy the machine is
settings.register_profile("podium", deadline=None)
settings.load_profile("podium")

Task = tuple[str, str, dict[str, int]]
"""Segment, judge, and the ranks of systems in displayed order."""


@pytest.fixture(autouse=True, scope="session")
def hypothesis_is_ready() -> None:
    """Hypothesis makes its generator before a test freezes the garbage collector.

    The dashboard freezes it once it is warm. A generator made after that looks to Hypothesis as if
    nothing referred to it, and it warns.
    """
    given(st.none())(lambda _: None)()


@pytest.fixture(autouse=True)
def in_python() -> None:
    """Messages name Python's arguments until a test opens another front end."""
    speak_to("python")


@pytest.fixture(scope="session")
def campaigns_dir() -> Path:
    """The folder of real campaigns, which are not part of the project."""
    folder = os.environ.get("PODIUM_CAMPAIGNS")
    if not folder or not Path(folder).is_dir():
        pytest.skip(
            "PODIUM_CAMPAIGNS is not set: put wmt13/ (from keisks/wmt-trueskill) and wmt15/ "
            "(from mjpost/wmt15) into one folder and name it there"
        )
    return Path(folder)


@pytest.fixture(scope="session")
def make_campaign() -> Callable[[Sequence[Task]], Campaign]:
    """Make a one-pair campaign of (segment, judge, {system: rank}) tasks."""

    def make(tasks: Sequence[Task]) -> Campaign:
        builder = CampaignBuilder()
        for segment, judge, ranks in tasks:
            outputs = [tuple(name.split("+")) for name in ranks]
            builder.add_task("fr-en", segment, judge, outputs, list(ranks.values()))
        return builder.build()

    return make
