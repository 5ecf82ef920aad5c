"""What simulated campaigns say, in words: which method errs least, how far ranges hold."""

from __future__ import annotations

import pandas as pd

from analysis.extras.validation.simulation.koehn2012 import RangeMethod
from analysis.extras.validation.simulation.spread_fit import SpreadFit
from analysis.rankers import RANKERS
from analysis.wording import capital, count, fixed, listed, thousands

RANGES_BY: dict[RangeMethod, str] = {
    "pairwise": "sign tests of pairs",
    "rows": "resampled judgments",
    "task": "resampled ranking tasks",
}
"""The ways to rank ranges, in words."""


def named(method: str) -> str:
    """Return a method's title, or a way to rank ranges in words.

    >>> named("lopez"), named("rows")
    ('Fewest contradictions (Lopez)', 'Resampled judgments')
    """
    if method in RANKERS:
        return RANKERS[method].title
    return capital({str(way): words for way, words in RANGES_BY.items()}[method])


ALIKE = 2.0
"""Standard errors of a difference within which two methods err alike."""


def error_title(errors: pd.DataFrame) -> str:
    """Say which method puts the fewest pairs in the wrong order, or which alone the most."""
    size = int(errors["judgments"].max())
    last = errors[errors["judgments"] == size].sort_values("error", kind="stable")
    best = last.iloc[0]
    reach = ALIKE * (last["standard_error"] ** 2 + best["standard_error"] ** 2) ** 0.5
    first = last[last["error"] - best["error"] <= reach]
    after = f"of the pairs after {thousands(size)} judgments"
    if len(first) == len(last) - 1 > 2:
        worst = last.iloc[-1]
        return f"{named(worst['method'])} errs most, {100 * worst['error']:.1f}% {after}"
    names = listed([RANKERS[name].title for name in first["method"]])
    err = "errs" if len(first) == 1 else "err"
    return f"{names} {err} least, {100 * best['error']:.1f}% {after}"


def ranges_title(quality: pd.DataFrame, level: float) -> str:
    """Say which ranges keep what their level promises: by way, the most misses at any size."""
    allowed = 1 - level
    worst = quality.groupby("method", sort=False)[["violations", "violations_error"]].max()
    known = worst["violations"] - 2 * worst["violations_error"] > allowed
    broken = [RANGES_BY[name] for name in worst.index[known]]
    promise = f"the allowed {100 * allowed:.3g}% at {100 * level:.3g}%"
    if not broken:
        return f"None of these ranges is shown to miss the truth more often than {promise}"
    most = 100 * float(worst["violations"][known].max())
    return (
        f"Ranges by {listed(broken)} miss the truth more often, up to {most:.1f}%, than {promise}"
    )


def spread_title(fit: SpreadFit) -> str:
    """Say which spread simulated campaigns need to separate pairs as the one at hand does."""
    systems = count(fit.simulation.systems, "system")
    if fit.best == int(fit.spreads[-1]):
        return (
            f"The {systems} are harder to separate than with a standard deviation of {fit.best}, "
            "the largest tried"
        )
    if fit.best == int(fit.spreads[0]):
        return (
            f"The {systems} are as easy to separate as with a standard deviation of {fit.best} or "
            "less, the smallest tried"
        )
    return f"The {systems} are as hard to separate as with a standard deviation of {fit.best}"


def spread_words(fit: SpreadFit) -> str:
    """Say what the fit compares, how near it comes, and what Koehn found."""
    away = 100 * float(fit.misfit.min())
    return (
        "Share of pairs that a one-sided sign test separates (p ≤ 0.05) by number of ranking "
        "tasks, in random order, next to simulated campaigns with the same number of systems. "
        f"The best curve is {fixed(away, 1)} points away on average. Koehn (2012, Figure 2) found "
        "standard deviations from 7 to 12, such as 10 for 15 French–English systems."
    )


EXPERIMENTS_HELP = (
    "More campaigns take longer and reduce the error. Koehn (2012) used 10,000 for the errors of "
    "methods and 400 for rank ranges."
)


def simulated_words(systems: int, spread: float, own_number: bool, own_spread: bool) -> str:
    """Say which campaigns are simulated, and what of them is taken from the one at hand.

    >>> simulated_words(13, 9.6, True, True)
    'Simulated: 13 systems and a standard deviation of outputs of 9.6, both as in your campaign.'
    """
    said = f"{count(systems, 'system')} and a standard deviation of outputs of {spread:.1f}"
    if own_number and own_spread:
        return f"Simulated: {said}, both as in your campaign."
    if own_number or own_spread:
        which = "the number" if own_number else "the deviation"
        return f"Simulated: {said}; {which} is that of your campaign."
    return f"Simulated: {said}, as set below."


def error_words(campaigns: int) -> str:
    """Say what the errors of methods are made of."""
    return (
        f"{count(campaigns, 'simulated campaign')}; bands are two standard errors. Five outputs "
        "per task, no ties, no noise of judges, as in Koehn (2012), Figure 3. Its published errors "
        "need one fitted constant: a standard deviation of 20. An error is a pair of systems in "
        "the wrong order; equal scores count half."
    )


def range_words(campaigns: int, resamples: int) -> str:
    """Say what the misses of rank ranges are made of."""
    return (
        f"{count(campaigns, 'simulated campaign')}, {resamples} resamples each; bands are two "
        "standard errors. Ranges by Expected Wins, one system at a time, as in Koehn (2012), Table "
        "1. A cluster is violated for a system that has a truly better one in a lower cluster, or "
        "a truly worse one in a higher cluster."
    )


def needed_title(needed: pd.DataFrame, spread: float) -> str:
    """Say how many judgments the simulated systems need before most pairs differ significantly."""
    rows = needed[(needed["sd"] == spread) & needed["needed"].notna()]
    if rows.empty:
        return "A million judgments separate fewer pairs than any share shown"
    last = rows.sort_values("share").iloc[-1]
    return (
        f"{thousands(int(round(last['needed'], -2)))} judgments separate "
        f"{100 * float(last['share']):.0f}% of the pairs of {count(int(last['n']), 'system')}"
    )


def needed_words(campaigns: int) -> str:
    """Say what the judgments needed are made of."""
    return (
        f"{count(campaigns, 'simulated campaign')} per standard deviation, one-sided sign tests at "
        "0.05, as in Koehn (2012), Table 4. A larger standard deviation of output quality makes "
        "systems harder to separate."
    )
