"""A campaign's agreement beside what WMT11 to WMT15 published of the same language pair."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis import published
from analysis.errors import PodiumError
from analysis.judges.agreement import Agreement
from analysis.judges.judge_table import JudgeTable
from analysis.judges.kappa import ENOUGH, Kappa, landis_koch
from analysis.judges.other_coefficients import NAMES, Coefficients
from analysis.wording import count, fixed, thousands

ENOUGH_REPEATS = 100
"""Comparisons of judges with themselves under which the interval by these judges is too narrow."""

TITLES = {
    "wmt11": "WMT11",
    "wmt12": "WMT12",
    "wmt13": "WMT13, all judges",
    "wmt13_researchers": "WMT13, researchers",
    "wmt13_mturk": "WMT13, crowd workers",
    "wmt14": "WMT14",
    "wmt15": "WMT15",
}


@dataclass(frozen=True)
class PublishedKappa:
    """A published pair of kappas, nan where the paper has none; ``year`` has two digits."""

    campaign: str
    year: int
    inter: float
    intra: float


def published_kappas(pair: str) -> tuple[PublishedKappa, ...]:
    """Return the published kappas of a language pair, oldest first; none where there are none."""
    try:
        table = published.kappas(pair)
    except PodiumError:
        return ()
    rows = [
        PublishedKappa(TITLES[name], int(name[3:5]), float(row["inter"]), float(row["intra"]))
        for name, row in zip(map(str, table.index), table.to_dict("records"), strict=True)
    ]
    return tuple(row for row in rows if not (math.isnan(row.inter) and math.isnan(row.intra)))


def agreement_frame(rows: Sequence[tuple[str, Agreement]]) -> pd.DataFrame:
    """Return two lines a pair, strict kappa first: judges with each other and with themselves."""
    lines = []
    for pair, found in rows:
        for kind, who in (("inter", "each other"), ("intra", "themselves")):
            strict: Kappa = getattr(found.shown, kind)
            shown: Kappa = getattr(found.published, kind)
            lines.append(
                {
                    "pair": pair,
                    "who": who,
                    "kappa": strict.kappa,
                    "low": strict.low,
                    "high": strict.high,
                    "others_low": strict.others_low,
                    "others_high": strict.others_high,
                    "word": strict.word,
                    "comparable": strict.comparable,
                    "as_published": shown.kappa,
                }
            )
    return pd.DataFrame(lines)


def coefficients_frame(found: Coefficients) -> pd.DataFrame:
    """Return a line for every other measure of how far different judges agree."""
    return pd.DataFrame(
        [
            {"measure": NAMES[name], **dataclasses.asdict(measure)}
            for name, measure in found.by_name().items()
        ]
    )


def kappas_by_judge(table: JudgeTable) -> pd.DataFrame:
    """Return every judge's kappas in numbers and words; nan where there are few answers."""
    frame = pd.DataFrame({"judge": table.judges, "judgments": table.judgments})
    for who, kappa, compared in (
        ("others", table.inter, table.inter_comparable),
        ("oneself", table.intra, table.intra_comparable),
    ):
        told = np.where(compared >= ENOUGH, kappa, np.nan)
        frame[f"with_{who}"] = told
        frame[f"{who}_word"] = ["too few" if np.isnan(k) else landis_koch(k) for k in told]
        frame[f"{who}_compared"] = compared
    return frame


def headline(found: Agreement) -> str:
    """Say how far judges agree.

    "Fair agreement between judges (κ 0.36, 0.34 to 0.38 for these judges); agreement of judges
    with themselves is moderate (κ 0.56, 0.50 to 0.61)"
    """
    expanded = found.identical == "expanded"
    return _headline(found) + ("; identical outputs count as ties" if expanded else "")


def _headline(found: Agreement) -> str:
    inter, intra = found.shown.inter, found.shown.intra
    if math.isnan(inter.kappa):
        words = "No two judges can be compared"
    elif inter.is_scarce:
        words = "Judges rarely judge the same outputs, so their agreement is unknown"
    else:
        whose = "" if math.isnan(inter.low) else " for these judges"
        words = (
            f"{landis_koch(inter.kappa).capitalize()} agreement between judges "
            f"({_number(inter)}{whose})"
        )
    if not found.is_known:
        return words
    if math.isnan(intra.kappa) or intra.is_scarce:
        return f"{words}; too few repeated answers for intra-judge agreement"
    return f"{words}; agreement of judges with themselves is {intra.word} ({_number(intra)})"


def compare_with_history(found: Agreement, history: Sequence[PublishedKappa]) -> str:
    """Say where agreement between judges, counted as published, stands among published ones."""
    if found.identical == "expanded":
        return "κ with identical outputs as ties, not comparable with published values"
    known = [row.inter for row in history if not math.isnan(row.inter)]
    kappa = found.published.inter.kappa
    if not known or math.isnan(kappa):
        return "κ of this campaign"
    ours = [round(kind.kappa, 3) for kind in (found.published.inter, found.published.intra)]
    same = next((row.campaign for row in history if [row.inter, row.intra] == ours), "")
    if same:
        return f"Counted the WMT way: κ {fixed(kappa)}, as {same} published"
    low, high = min(known), max(known)
    shown, ends = fixed(kappa), [fixed(low), fixed(high)]
    there, word = " to ".join(ends[: len(known)]), "within" if len(known) > 1 else "as in"
    if round(kappa, 3) < low and shown != ends[1]:
        word = "at the low end of" if shown == ends[0] else "below"
    if round(kappa, 3) > high and shown != ends[0]:
        word = "at the high end of" if shown == ends[1] else "above"
    return f"Counted the WMT way: κ {shown}, {word} {_years(history)} ({there})"


def _years(history: Sequence[PublishedKappa]) -> str:
    """Return WMT14, or WMT11–14."""
    first, last = history[0].year, history[-1].year
    return f"WMT{first}" if first == last else f"WMT{first}–{last}"


def explain_published(found: Agreement) -> str:
    """Say how much the published way of counting differs here, and why."""
    strict, shown = found.strict.inter, found.published.inter
    if math.isnan(strict.kappa) or math.isnan(shown.kappa):
        return ""
    difference = shown.kappa - strict.kappa
    if abs(difference) < 0.005:
        return "Counted the way WMT did, agreement between judges is the same to two decimals."
    more = "higher" if difference > 0 else "lower"
    return (
        f"Counted the way WMT did, agreement between judges is {abs(difference):.2f} {more} "
        f"({fixed(shown.kappa)}): WMT also compared judges with themselves and treated “A vs. B” "
        "and “B vs. A” as different questions. Its values are those of this language pair."
    )


def explain_intervals(found: Agreement) -> str:
    """Say what the intervals of kappa are made of, and for which judges they hold."""
    level = f"{found.level:.0%}"
    words = (
        f"Thick line: {level} interval for these judges, from {thousands(found.runs)} resamples "
        "of the segments."
    )
    strict = found.shown
    if not math.isnan(strict.inter.others_low) or not math.isnan(strict.intra.others_low):
        words += f" Thin line: {level} interval for new judges too."
    return " ".join([words, *few_repeats(found)])


def few_repeats(found: Agreement) -> list[str]:
    """Say where the interval of judges with themselves rests on too few repeats; else nothing."""
    intra = found.shown.intra
    if math.isnan(intra.low) or intra.comparable >= ENOUGH_REPEATS:
        return []
    return [
        f"Judges repeated only {count(intra.comparable, 'comparison')}, so the interval of "
        "intra-judge κ is too narrow: in simulations with this few repeats, 95% intervals "
        "covered the true value only 84% of the time."
    ]


def explain_copies(found: Agreement) -> str:
    """Say what agreement of judges with themselves is with copies, which look like repeats."""
    now, copied = found.intra_without_copies, found.strict.intra
    if now is None or math.isnan(copied.kappa) or fixed(now.kappa) == fixed(copied.kappa):
        return ""
    unknown = math.isnan(now.kappa) or now.is_scarce
    then = "unknown" if unknown else f"{fixed(now.kappa)} ({now.word})"
    return (
        f"Exact copies look like repeated answers: strict κ of judges with themselves is {then} "
        f"without them, {fixed(copied.kappa)} ({copied.word}) with them."
    )


def explain_identical(found: Agreement) -> str:
    """Say how identical outputs count, where the file names any."""
    if found.identical == "collapsed":
        return "Outputs that are identical across systems count once."
    if found.identical == "expanded":
        return (
            "Systems with identical outputs count as tied in every judgment of these. No judge "
            "saw such ties, and all judges agree on them; this usually raises κ."
        )
    return ""


def _number(kappa: Kappa) -> str:
    if math.isnan(kappa.low):
        return f"κ {fixed(kappa.kappa)}"
    return f"κ {fixed(kappa.kappa)}, {fixed(kappa.low)} to {fixed(kappa.high)}"
