"""Write a campaign in the formats that Podium reads; what is read back is the same campaign.

"The same" means an equal fingerprint. `losses` tells beforehand what a format does not hold; what
it would change or confuse is refused with an error. Outputs that several systems made alike are
written ``a+b`` in both WMT formats. Names are written as they are, also those that begin like a
spreadsheet's formula: these files are data, and are read as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.campaign import UNRANKED, Campaign, Identical
from analysis.errors import PodiumError
from analysis.formats.format import Outgoing, Writer
from analysis.formats.rankings import cleaned, pair_name, split_name
from analysis.formats.registry import FORMATS
from analysis.formats.report import counted
from analysis.formats.scores_table import holds_documents, lost_attributes
from analysis.wording import listed

_UNWRITABLE = re.compile(r"[\x00-\x1f\ud800-\udfff]")

WRITABLE = tuple(name for name, format in FORMATS.items() if format.write is not None)
"""Names of the formats that can be written."""


def write(campaign: Campaign, to: str, *, identical: Identical = "collapsed") -> bytes:
    """Return the campaign as a CSV file in UTF-8; only a campaign of scores as a table of scores.

    ``identical`` says whether systems with identical output stand as one (``a+b``) or each for
    itself; arena votes know single systems only, so there it must be ``expanded`` where the
    campaign has such outputs. Rankings of more than five outputs get as many columns as they need.
    """
    writer = _writer(to)
    if writer.scores and campaign.scores is None:
        raise PodiumError(
            "Campaign",
            "its judges ranked or voted, and gave no scores",
            f"Use {' or '.join(name for name in WRITABLE if not _writer(name).scores)}.",
        )
    apart = identical == "expanded" and not writer.scores
    tasks = Outgoing(_expanded(campaign) if apart else campaign)
    _check(tasks, writer)
    table = writer.table(tasks)
    if table.empty:
        others = (name for name in WRITABLE if not _writer(name).pairs_only)
        raise PodiumError(
            "Campaign",
            "contains no pair of outputs that this format supports",
            f"Use {' or '.join(others)}.",
        )
    return table.to_csv(index=False, lineterminator="\n").encode()


def _writer(to: str) -> Writer:
    found = FORMATS.get(to)
    if found is None or found.write is None:
        raise PodiumError(
            "Format", f"{to!r} cannot be written", (f"Use one of {', '.join(WRITABLE)}.")
        )
    return found.write


def losses(campaign: Campaign, to: str, *, identical: Identical = "collapsed") -> tuple[str, ...]:
    """Return in plain words what the format does not hold of this campaign."""
    writer = _writer(to)
    if writer.scores:
        return _losses_beside_scores(campaign)
    tasks = Outgoing(_expanded(campaign) if identical == "expanded" else campaign)
    sizes = np.diff(tasks.campaign.task_start)
    found = []
    if identical == "expanded" and len(tasks.campaign.entry_rank) > len(campaign.entry_rank):
        found.append("Which outputs were identical: they become ties.")
    alone = int(np.count_nonzero(sizes < 2))
    if alone and writer.pairs_only:
        found.append(f"{counted(alone, 'ranking', verb='')} of a single output.")
    together = int(np.count_nonzero(sizes > 2))
    if writer.votes and together:
        found.append(
            f"Which pairs were ranked together, in {counted(together, 'ranking', verb='')}."
        )
    unranked = int(np.count_nonzero(tasks.campaign.entry_rank == UNRANKED))
    if writer.votes and unranked:
        found.append(f"{counted(unranked, 'output', verb='')} without a rank.")
    if campaign.scores is not None:
        found.append("The scores: only which output was better remains.")
    if campaign.task_seconds is not None:
        found.append("How long each ranking took.")
    return tuple(found)


def _losses_beside_scores(campaign: Campaign) -> tuple[str, ...]:
    found = []
    scores = campaign.scores
    if scores is not None and scores.errors is not None:
        found.append("The marked errors; the scores that follow from them stay.")
    if scores is not None and scores.document is not None and not holds_documents(scores):
        found.append("The documents: some segment is in several.")
    if campaign.checks is not None:
        found.append("The scores of degraded outputs, for quality control.")
    if scores is not None and (lost := lost_attributes(Outgoing(campaign))):
        found.append(f"The attributes {listed(lost)}.")
    if campaign.texts is not None:
        found.append("The texts.")
    return tuple(found)


def _expanded(campaign: Campaign) -> Campaign:
    """Replace every output by its systems, one entry each."""
    systems, entry = campaign.shown.join(campaign.made_by)
    return replace(
        campaign,
        task_start=systems.start,
        entry_output=systems.values,
        entry_rank=campaign.entry_rank[entry],
        output_start=np.arange(len(campaign.systems) + 1),
        output_system=np.arange(len(campaign.systems)),
        scores=None,
    )


def _check(tasks: Outgoing, writer: Writer) -> None:
    """Refuse what would come back as something else."""
    campaign = tasks.campaign
    for what, names in (
        ("System", campaign.systems),
        ("Judge", campaign.judges),
        ("Segment", campaign.segments),
        ("Language pair", campaign.pairs),
    ):
        for name in names:
            if _UNWRITABLE.search(name):
                raise PodiumError(
                    f"{what} {name!r}", "has a line break or control character", "Rename it."
                )
            if cleaned(name) != name:
                raise PodiumError(
                    f"{what} {name!r}",
                    f"the file would say {cleaned(name)!r}",
                    "Rename it without blanks at its ends and without invisible letters.",
                )
    if not writer.scores:
        _check_names(campaign, writer)
        _check_ranks(campaign, writer)


def _check_names(campaign: Campaign, writer: Writer) -> None:
    for group in campaign.output_groups():
        names = tuple(campaign.systems[s] for s in group)
        joined = "+".join(names)
        if not all(names):
            raise PodiumError("System", "one has an empty name", "Rename it.")
        if writer.votes and len(names) > 1:
            raise PodiumError(
                f"Output of {joined}",
                "an arena vote is between two systems, not between groups of them",
                "Write systems with identical output separately (expanded).",
            )
        if not writer.votes and split_name(joined) != names:
            raise PodiumError(
                f"System {joined}",
                "in this format + joins systems with identical output, so the name would change",
                "Rename it without +, or write arena votes.",
            )
    for pair in campaign.pairs:
        source, _, target = pair.partition("-")
        if not writer.votes and pair_name(source, target) != pair:
            raise PodiumError(f"Language pair {pair!r}", "has an empty end", "Rename it.")


def _check_ranks(campaign: Campaign, writer: Writer) -> None:
    sizes, task = campaign.shown.sizes, campaign.shown.owners
    if writer.highest_rank != "any":
        own = writer.highest_rank == "of its ranking"
        bound = np.maximum(5, sizes if own else sizes.max(initial=0))
        bad = np.flatnonzero(campaign.entry_rank > np.broadcast_to(bound, sizes.shape)[task])
        if len(bad):
            raise PodiumError(
                f"Ranking {task[bad[0]] + 1}",
                f"rank {campaign.entry_rank[bad[0]]} among {sizes[task[bad[0]]]} outputs",
                "The format supports ranks up to 5, or up to the number of outputs.",
            )
    groups = campaign.output_groups()
    key = np.unique(task.astype(np.int64) * len(groups) + campaign.entry_output, return_counts=True)
    shared = key[0][key[1] > 1].tolist()
    if any(len(group) > 1 for group in groups):
        shared += [t * len(groups) for t in _tasks_sharing_a_system(campaign, groups)]
    if shared:
        raise PodiumError(
            f"Ranking {min(shared) // len(groups) + 1}",
            "it contains a system twice",
            "No format supports that; leave the ranking out.",
        )


def _tasks_sharing_a_system(campaign: Campaign, groups: Sequence[tuple[int, ...]]) -> list[int]:
    start, output = campaign.task_start.tolist(), campaign.entry_output.tolist()
    found = []
    for t in range(campaign.n_tasks):
        systems = [s for o in output[start[t] : start[t + 1]] for s in groups[o]]
        if len(set(systems)) < len(systems):
            found.append(t)
    return found
