"""What the slides of a meeting say, one message each."""

from __future__ import annotations

import numpy as np

from analysis.campaign import Judgments
from analysis.findings.changes import Answer
from analysis.findings.evidence import evidence, evidence_size
from analysis.findings.planning import advise, growth_words
from analysis.findings.standings import Name, neighbors, too_close
from analysis.judges.agreement import Agreement, Kappa, landis_koch
from analysis.next_campaign.planning import Plan
from analysis.ranking.ranking import Ranking
from analysis.wording import count, fixed, percent, thousands


def data_title(judgments: Judgments, n_judges: int | None) -> str:
    """Say what there is to go on: "12 345 judgments by 30 judges compare 7 systems"."""
    by = "" if n_judges is None else f" by {count(n_judges, 'judge')}"
    verb = "compares" if evidence_size(judgments) == 1 else "compare"
    return f"{evidence(judgments)}{by} {verb} {count(judgments.n_systems, 'system')}"


def open_title(ranking: Ranking) -> str:
    """Say how many neighbors are too close to call."""
    close, all_ = len(too_close(ranking)), len(neighbors(ranking))
    if not all_:
        return "There is not enough data to estimate the uncertainty of the order"
    if not close:
        return "No two neighbors are too close to call"
    verb = "is" if close == 1 else "are"
    return f"{close} of {count(all_, 'pair')} of neighbors {verb} too close to call"


def open_lines(ranking: Ranking, name: Name = str) -> tuple[str, ...]:
    """Name the neighbors that are too close to call; where none are, who differs significantly."""
    close = too_close(ranking)
    if close:
        return tuple(f"{name(pair.upper)} and {name(pair.lower)}" for pair in close)
    return tuple(
        f"{name(pair.upper)} differs significantly from {name(pair.lower)}"
        for pair in neighbors(ranking)
    )


def agreement_title(found: Agreement) -> str:
    """Say how far judges agree, in a word and a number."""
    kappa = found.strict.inter.kappa
    if np.isnan(kappa):
        return "No two judges judged the same outputs, so their agreement is not known"
    if found.strict.inter.is_scarce:
        met = count(found.strict.inter.comparable, "comparison")
        return f"Only {met} between judges, too few to estimate their agreement"
    word = landis_koch(kappa)
    article = "an" if word[0] in "aeiou" else "a"
    return f"Different judges agree to {article} {word} degree: κ {fixed(kappa)}"


def agreement_facts(found: Agreement) -> tuple[tuple[str, str], ...]:
    """Return κ between judges and of judges with themselves, each with what it is."""
    rates = (("between different judges", found.strict.inter),
             ("of judges with themselves", found.strict.intra))  # fmt: skip
    return tuple((f"κ {fixed(kappa.kappa)}", f"{whose}: {kappa.word}")
                 for whose, kappa in rates if not np.isnan(kappa.kappa))  # fmt: skip


def agreement_lines(found: Agreement) -> tuple[str, ...]:
    """Say how often judges agree, between which ends κ lies, and what κ means."""
    rates = (
        ("Different judges agree", found.strict.inter),
        ("Judges agree with themselves", found.strict.intra),
    )
    lines = [_kappa_line(whose, kappa, found.level) for whose, kappa in rates]
    return (
        *(line for line in lines if line),
        "κ is 0 where judges agree as often as by chance, and 1 where they always agree.",
    )


def _kappa_line(whose: str, kappa: Kappa, level: float) -> str:
    if np.isnan(kappa.kappa):
        return ""
    words = f"{whose} in {percent(kappa.p_agree)} of {thousands(kappa.comparable)} cases"
    if np.isnan(kappa.low):
        return f"{words}."
    ends = f"{fixed(kappa.low)} to {fixed(kappa.high)}"
    return f"{words}; {level:.0%} interval of κ for these judges {ends}."


def radius_title(radius: float, after: Answer) -> str:
    """Say how many groups a radius leaves."""
    n = after.n_clusters or 0
    gaps = f"gaps up to {radius:g}" if radius else "only equal scores"
    return f"If {gaps} count as ties, there {'is' if n == 1 else 'are'} {count(n, 'group')}"


def radius_line(before: Answer, after: Answer, right: float, ties: float) -> str:
    """Say what changes against the tuned radius, and how well the radius predicts."""
    same = before.n_clusters == after.n_clusters
    change = (
        "" if same else f"{count(before.n_clusters or 0, 'group')} at the radius that fits best. "
    )
    return (
        f"{change}Predicts {percent(right)} of these judgments correctly, {percent(ties)} as ties."
    )


def next_title(ranking: Ranking, plan: Plan | None) -> str:
    """Say what to do: what the plan advises, else whether anything is open."""
    if plan is not None:
        return advise(plan, with_price=False)
    if ranking.ranges is not None and not too_close(ranking):
        return "The order is settled"
    return "Judge the pairs that are too close to call, or report the open places"


def next_lines(ranking: Ranking, plan: Plan | None) -> tuple[str, ...]:
    """Say what comes with it."""
    close = len(too_close(ranking))
    lines = [] if plan is None else [growth_words(plan)]
    if close:
        lines.append(
            f"{count(close, 'pair')} of neighbors {'is' if close == 1 else 'are'} still open; "
            "Collect next chooses the tasks that settle most."
        )
        lines.append("Open places can be reported as they are: with rank ranges, not with ranks.")
    else:
        lines.append("No two neighbors are too close to call: carry the order into the report.")
    return tuple(line for line in lines if line)
