"""What is asked about an unknown table, and what its rows say once its columns have meanings."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, UNRANKED
from analysis.formats.mapping.guess.draft import Guess
from analysis.formats.rankings import NO_PAIR, Column, Rankings
from analysis.formats.scored import Scored
from analysis.wording import listed

LONGEST = 60
"""Letters of a name that are shown."""

QUESTION = "What do the columns of this table mean?"
"""The heading over the form that asks for it."""

CHECK = "If these statements are right, the columns are. If not, change the columns above them."

LAYOUTS = {
    "pairs": "A row compares two systems",
    "wide": "A row ranks or scores several systems, one column each",
    "long": "A row is one output of one system",
}
"""What a row of a table may be."""

TEXTS = ("First output's text", "Second output's text")
TEXTS_HELP = "Breakdown shows the result for outputs of equal length."

OUTCOMES = {
    "a": "The first is better",
    "b": "The second is better",
    "tie": "A tie",
    "skip": "No judgment",
}
"""What a word of the column of winners may mean."""


def judgments_in_words(parts: Mapping[str, Rankings | Scored], n: int = 10) -> list[str]:
    """Return some judgments by each criterion as sentences, such as a person would say them."""
    each = max(1, n // max(len(parts), 1))
    told = []
    for name, part in [*parts.items()][:n]:
        by = f" for {_cut(name)}" if len(parts) > 1 else ""
        if isinstance(part, Scored):
            told += [_score(part, at, by) for at in _of_several_systems(part, each)]
        else:
            told += [_ranking(part, task, by) for task in range(min(each, len(part.pair)))]
    return told


def _of_several_systems(part: Scored, n: int) -> list[int]:
    """Return the places of ``n`` scores, of as many systems as possible."""
    _, firsts = np.unique(part.system.codes, return_index=True)
    places = dict.fromkeys([*np.sort(firsts)[:n].tolist(), *range(min(n, len(part.value)))])
    return sorted([*places][:n])


def _score(part: Scored, at: int, by: str) -> str:
    system = part.system.names[part.system.codes[at]]
    about = by + _about(part.segment, part.pair, at)
    return f"{_who(part.judge, at)} gave {_cut(system)} {part.value[at]:g}{about}."


def _ranking(part: Rankings, task: int, by: str) -> str:
    entries = range(int(part.start[task]), int(part.start[task + 1]))
    names = [_cut("+".join(part.outputs[part.output[entry]])) for entry in entries]
    ranks = [int(part.rank[entry]) for entry in entries]
    who, about = _who(part.judge, task), by + _about(part.segment, part.pair, task)
    if not names or all(rank == UNRANKED for rank in ranks):
        return f"{who} skipped {listed(names) or 'the row'}{about}."
    if len(names) == 2 and UNRANKED not in ranks:
        if ranks[0] == ranks[1]:
            return f"{who} called {names[0]} and {names[1]} a tie{about}."
        better, worse = names if ranks[0] < ranks[1] else names[::-1]
        return f"{who} preferred {better} to {worse}{about}."
    placed = sorted(
        (rank if rank != UNRANKED else 10_000, name)
        for rank, name in zip(ranks, names, strict=True)
    )
    said = [f"{name} {rank}" if rank < 10_000 else f"{name} not at all" for rank, name in placed]
    return f"{who} ranked {listed(said)}{about}."


def _who(judge: Column, at: int) -> str:
    name = judge.names[judge.codes[at]]
    return "Somebody" if name == UNNAMED_JUDGE else f"Judge {_cut(name)}"


def _about(segment: Column, pair: Column, at: int) -> str:
    language = pair.names[pair.codes[at]]
    where = "" if language == NO_PAIR else f" ({_cut(language)})"
    return f" on item {_cut(segment.names[segment.codes[at]])}{where}"


def _cut(name: str) -> str:
    """Return a name on one line, without its end where it is long."""
    line = " ".join(name.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"


def sureness_in_words(guess: Guess) -> str:
    """Return whether a guess is certain, and why not, in a sentence or two."""
    if not guess.is_complete:
        return f"The columns could not be guessed: {guess.doubts[0]}. Choose them."
    doubts = f": {'; '.join(guess.doubts[:2])}" if guess.doubts else ""
    if guess.is_sure:
        return f"Podium found what the columns mean{doubts}. Check them below."
    return f"Podium is not certain what the columns mean{doubts}. First choose what a row is."
