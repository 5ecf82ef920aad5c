"""What looks odd in a campaign as a whole, whatever file it came from."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Sequence

import numpy as np

from analysis.campaign import Campaign, MqmWeights, is_reference
from analysis.errors import control
from analysis.formats.report import Oddity
from analysis.formats.usable import Comparisons

MAX_SENTENCES = 20
"""How many language pairs are named for one kind of oddity; of the rest the number is told."""


def look_over(campaign: Campaign, comparisons: Comparisons) -> list[Oddity]:
    """Return what looks odd: references; names alike; ties only; systems never compared."""
    return [
        *_references(campaign),
        *_names_alike(campaign),
        *_first_few(_only_ties(campaign, comparisons)),
        *_first_few(_comparison_graph(campaign, comparisons)),
    ]


def look_over_scores(campaign: Campaign) -> list[Oddity]:
    """Return what looks odd in scores: names alike; a pair of which no preferences follow."""
    of_several = campaign.task_pair[campaign.shown.sizes > 1]
    n_screens = np.bincount(of_several, minlength=len(campaign.pairs))
    alone = [
        Oddity(
            "no-preferences",
            f"{pair}: no judge rated two systems on one segment, so there are no "
            "pairwise judgments. Rank the systems by the mean score.",
        )
        for pair, n in zip(campaign.pairs, n_screens.tolist(), strict=True)
        if n == 0
    ]
    costs = "" if campaign.scores is None else MqmWeights().words(campaign.scores)
    words = f"An MQM score is minus the sum of the weights of an output's errors: {costs}."
    weights = [Oddity("weights", words)] * bool(costs)
    return [*_names_alike(campaign), *weights, *_first_few(alone)]


def _references(campaign: Campaign) -> list[Oddity]:
    """Say which names are taken for human references, and what ranks them."""
    names = [name for name in campaign.systems if is_reference(name)]
    if not names:
        return []
    shown = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    one = len(names) == 1
    them, have = ("it", "has the name") if one else ("them", "have names")
    are = "is not ranked. If it is a system" if one else "are not ranked. If they are systems"
    words = f"{shown} {have} of a human reference and {are}, rank {them}"
    rank_them = control("--references", f"“Rank {them} too” on Result", "references=True")
    return [Oddity("references", f"{words} with {rank_them}.", len(names))]


def _names_alike(campaign: Campaign) -> list[Oddity]:
    """Return one oddity for systems, or judges, that differ only in case, blanks or accents."""
    oddities = []
    for what, names in (("systems", campaign.systems), ("judges", campaign.judges)):
        looks = _looks(names)
        if len(set(looks)) == len(looks):
            continue
        groups: dict[str, list[str]] = {}
        for name, look in zip(names, looks, strict=True):
            groups.setdefault(look, []).append(name)
        alike = [group for group in groups.values() if len(group) > 1]
        if alike:
            shown = "; ".join(" and ".join(name[:60] for name in group) for group in alike[:5])
            more = f"; and {len(alike) - 5} more" if len(alike) > 5 else ""
            oddities.append(
                Oddity(
                    "names-alike",
                    f"Some {what} differ only in case, blanks or accents, and are treated as "
                    f"different: {shown}{more}.",
                    len(alike),
                )
            )
    return oddities


def _looks(names: Sequence[str]) -> list[str]:
    """Return what each name looks like to a reader; all at once where none has a blank."""
    together = "\n".join(names)
    if together.isascii() and len(plain := together.casefold().split()) == len(names):
        return plain
    return [_look(name) for name in names]


def _look(name: str) -> str:
    """Return what two names share that a reader would take for one."""
    if name.isascii():
        return "".join(name.casefold().split())
    plain = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in plain if not c.isspace() and unicodedata.category(c) not in "Cf Mn")


def _first_few(oddities: list[Oddity]) -> list[Oddity]:
    """Keep the first of each kind and tell how many more there are."""
    kept = []
    for kind, group in itertools.groupby(
        sorted(oddities, key=lambda oddity: oddity.kind), key=lambda oddity: oddity.kind
    ):
        same = list(group)
        kept += same[:MAX_SENTENCES]
        rest = len(same) - MAX_SENTENCES
        if rest > 0:
            kept.append(Oddity(kind, f"The same applies to {rest} more language pairs.", rest))
    return kept


def _only_ties(campaign: Campaign, comparisons: Comparisons) -> list[Oddity]:
    return [
        Oddity(
            "only-ties",
            f"{pair}: every judgment is a tie, so no system can be placed above another.",
        )
        for pair, n in zip(campaign.pairs, comparisons.decided, strict=True)
        if n == 0
    ]


def _comparison_graph(campaign: Campaign, comparisons: Comparisons) -> list[Oddity]:
    """Say which systems were never compared, and where they fall into groups."""
    n_systems = len(campaign.systems)
    compared, island = comparisons.compared, comparisons.island
    oddities = []
    for code, pair in enumerate(campaign.pairs):
        own = comparisons.systems_of_pair(code, n_systems)
        alone = [campaign.systems[comparisons.nodes[k] % n_systems] for k in own[~compared[own]]]
        if alone:
            oddities.append(
                Oddity(
                    "never-compared",
                    f"{pair}: {', '.join(sorted(alone)[:20])}{', …' if len(alone) > 20 else ''} "
                    f"{'is' if len(alone) == 1 else 'are'} in the file but "
                    f"{'was' if len(alone) == 1 else 'were'} never compared, so "
                    f"{'it has' if len(alone) == 1 else 'they have'} no place in a ranking.",
                    len(alone),
                )
            )
        islands = len(np.unique(island[own[compared[own]]]))
        if islands > 1:
            oddities.append(
                Oddity(
                    "disconnected",
                    f"{pair}: the systems form {islands} groups that were never compared with "
                    "each other, so places across groups have no meaning. Collect judgments "
                    "between them, or rank each group alone.",
                    islands,
                )
            )
    return oddities
