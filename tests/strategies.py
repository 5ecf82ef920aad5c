"""Hypothesis strategies that several tests share."""

from __future__ import annotations

from hypothesis import strategies as st

from analysis.campaign import UNRANKED, Campaign
from tests.building import CampaignBuilder

PLAIN = "abcdefghij"
AWKWARD = "aB7 .-_=@,;\"'|é漢\t+"
"""Letters that files quote, that spreadsheets take for formulas, or that are not ASCII."""


@st.composite
def campaigns(
    draw: st.DrawFn,
    *,
    max_tasks: int = 12,
    max_outputs: int = 5,
    groups: bool = True,
    unranked: bool = True,
    letters: str = PLAIN,
) -> Campaign:
    """Campaigns of well-formed tasks: every system once in a task, two systems or more, ranks up
    to five (or the number of outputs), one rank at least."""
    name = st.text(letters, min_size=1, max_size=4)
    systems = draw(st.lists(name, min_size=2, max_size=7, unique=True))
    judges = draw(st.lists(name, min_size=1, max_size=3, unique=True))
    pairs = draw(st.sampled_from([["all"], ["fr-en"], ["French-English", "eng-deu"]]))
    builder = CampaignBuilder()
    for _ in range(draw(st.integers(1, max_tasks))):
        order = draw(st.permutations(systems))
        shown = order[: draw(st.integers(2, len(order)))]
        outputs: list[tuple[str, ...]] = []
        for system in shown:
            joins = groups and outputs and draw(st.integers(0, 3)) == 0
            if joins or len(outputs) == max_outputs:
                if groups:
                    outputs[-1] = (*outputs[-1], system)
            else:
                outputs.append((system,))
        highest = max(5, len(outputs))
        rank = st.integers(1, highest)
        if unranked:
            rank = st.one_of(rank, rank, rank, st.just(UNRANKED))
        ranks = draw(st.lists(rank, min_size=len(outputs), max_size=len(outputs)))
        if not any(ranks):
            ranks[0] = 1
        builder.add_task(
            draw(st.sampled_from(pairs)),
            str(draw(st.integers(1, 4))),
            draw(st.sampled_from(judges)),
            outputs,
            ranks,
        )
    return builder.build()
