"""``python -m tests.tools.paper_claims``: how often the papers' claims are judged wrongly.

Campaigns of known truth are simulated, each claim is tested on each of them, and the truth is the
mean of the tested difference over all campaigns of a world. An interval that lies wholly above the
truth supports a claim that is just false, one that lies wholly below refutes a claim that is just
true. Finished campaigns are kept in build/claims by the state of the code, so that a run which was
stopped goes on. ``--campaigns 20 --only third`` is a first look.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis.extras.validation.paper_claims import (
    CLAIMS,
    DESIGN,
    Claim,
    Tested,
    check_claim,
    clusters_found,
    separated,
    suffers_least,
)
from tests.tools.audit.__main__ import state_of_code
from tests.tools.audit.generator import Nature, draw
from tests.tools.audit.summary import share_with_error
from tests.tools.audit.worlds import SPREAD

KEPT = Path(__file__).resolve().parents[2] / "build" / "claims"
CAMPAIGNS = 200

SMALL = Nature(SPREAD[1:7], tasks=120, judges=10, segments=50)
WORLDS = {
    "10 judges": SMALL,
    "5 judges who differ": replace(SMALL, judges=5, taste=0.3),
    "25 segments of strong tastes": replace(SMALL, segments=25, quality=1.2),
}
TASKS = {"convergence": 300, "accuracy": 300}
"""Campaigns are small, 1,200 judgments of six systems; these claims need some more."""

SCALED = {
    "third": {"measure": functools.partial(separated, runs=20)},
    "four-clusters": {"measure": functools.partial(clusters_found, enough=1000), "bound": 3},
    "noise": {"measure": functools.partial(suffers_least, design=replace(DESIGN, sizes=(300,)))},
}
"""What claims about 30,000 or 3,200 judgments are tested with on campaigns of 1,200."""


def scaled_claims() -> dict[str, Claim]:
    """Return the claims by name, scaled to small campaigns."""
    return {c.name: replace(c, **SCALED.get(c.name, {})) for c in CLAIMS}


def simulate(claim: Claim, world: str, index: int) -> Tested:
    """Test a claim on one simulated campaign; the same every time."""
    nature = replace(WORLDS[world], tasks=TASKS.get(claim.name, SMALL.tasks))
    rng = np.random.default_rng([index, *world.encode()])
    return check_claim(claim, draw(nature, rng).campaign.judgments(), seed=index)


@dataclass(frozen=True)
class Measured:
    """What became of a claim in one world: its truth, and shares with their standard errors."""

    truth: float
    tested: int
    inside: tuple[float, float]
    above: tuple[float, float]
    below: tuple[float, float]
    wrong: tuple[float, float]
    decided: tuple[float, float]


def measure(claim: Claim, tested: Sequence[Tested]) -> Measured:
    """Sum up the tests of a claim; ``wrong`` are verdicts that contradict the truth."""
    usable = [one for one in tested if not one.reason]
    truth = float(np.nanmean([one.value for one in tested]))
    false = "supported" if truth < claim.bound else "refuted"

    def share(said: Iterator[bool]) -> tuple[float, float]:
        return share_with_error([(float(yes), 1.0) for yes in said])

    return Measured(
        truth,
        len(usable),
        share(one.low <= truth <= one.high for one in usable),
        share(one.low > truth for one in usable),
        share(one.high < truth for one in usable),
        share(one.verdict == false for one in usable),
        share(one.verdict != "cannot decide" for one in usable),
    )


def kept_tests(claim: Claim, world: str, campaigns: int, folder: Path) -> list[Tested]:
    """Return so many tests, those kept first; new ones are kept as they are made."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{claim.name}, {world}.jsonl"
    lines = file.read_text().splitlines() if file.exists() else []
    known = [Tested(claim, **json.loads(line)) for line in lines[:campaigns]]
    with file.open("a") as open_file:
        for index in range(len(known), campaigns):
            tested = simulate(claim, world, index)
            fields = {k: v for k, v in vars(tested).items() if k != "claim"}
            open_file.write(json.dumps(fields) + "\n")
            open_file.flush()
            known.append(tested)
    return known


def main(words: Sequence[str] | None = None) -> None:
    """Simulate, test, and print one line per claim and world, in percent."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=CAMPAIGNS)
    claims = scaled_claims()
    parser.add_argument("--only", choices=claims, action="append")
    parser.add_argument("--world", choices=WORLDS, action="append")
    options = parser.parse_args(words)
    folder = KEPT / state_of_code()
    print("| claim | world | tested | truth | inside | above | below | wrong verdict | decided |")
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|")
    for name, world in itertools.product(options.only or claims, options.world or WORLDS):
        claim = claims[name]
        m = measure(claim, kept_tests(claim, world, options.campaigns, folder))
        shares = (m.inside, m.above, m.below, m.wrong, m.decided)
        cells = (f"{100 * share:.1f} ± {100 * error:.1f}" for share, error in shares)
        print(
            f"| {name} | {world} | {m.tested} | {m.truth:.3f} | {' | '.join(cells)} |", flush=True
        )


if __name__ == "__main__":
    main()
