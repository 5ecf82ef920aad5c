"""Published numbers computed again: the record at once, and what was computed since then.

They depend on no upload, so that everybody shares them.
"""

from __future__ import annotations

from functools import partial

from analysis.extras.validation.replication.number import Number
from analysis.extras.validation.replication.registry import REPLICATIONS
from analysis.extras.validation.replication.replication import Replication
from analysis.extras.validation.replication.running import (
    Outcome,
    campaigns_folder,
    compute_part,
    missing,
    recorded,
)
from analysis.parallel import Progress
from dashboard.compute import store


def replications() -> list[Outcome]:
    """Return what came of every replication: just now where it was computed, else the record's."""
    kept = store.shared_memory().results.get_or_make(("replication", "record"), recorded)
    of_record = {outcome.replication.name: outcome for outcome in kept}
    found = [just_computed(r) or of_record.get(r.name) for r in REPLICATIONS.values()]
    return [outcome for outcome in found if outcome is not None]


def just_computed(replication: Replication) -> Outcome | None:
    """Return what this server computed; None where it has only the record's."""
    found: Outcome | None = store.shared_memory().results.get(("replication", replication.name))
    return found


def lacks(replication: Replication) -> str:
    """Say what this server lacks to compute a replication; empty where it can."""
    return missing(replication, campaigns_folder())


def replicate(replication: Replication, progress: Progress | None = None) -> Outcome:
    """Compute a replication; one that was left goes on at the part where it was."""
    memory, folder = store.shared_memory(), campaigns_folder()
    numbers: list[Number] = []
    for done, part in enumerate(replication.parts):
        if progress is not None:
            progress(done, len(replication.parts))
        key = ("replication", replication.name, part)
        made = partial(compute_part, replication, part, folder)
        numbers += memory.chunks.get_or_make(key, made)
    outcome = Outcome(replication, tuple(numbers))
    memory.results.put(("replication", replication.name), outcome)
    return outcome
