"""``agreement``: how much judges agree with each other (inter) and with themselves (intra)."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from math import isnan
from typing import Any, NamedTuple

import pandas as pd

from analysis.campaign import Campaign, Identical
from analysis.cli import flags
from analysis.cli.options import check_level, chosen_pairs, read_campaign, selection
from analysis.cli.output import emit, with_ends
from analysis.errors import PodiumError
from analysis.judges.agreement import Agreement, agreement, judged_once
from analysis.judges.history import explain_copies, few_repeats, headline
from analysis.judges.kappa import Kappa
from analysis.judges.other_coefficients import NAMES, Coefficients, coefficients
from analysis.judges.score_agreement import SCORE_NAMES, score_agreement, score_headline
from analysis.reporting.paper_tables import kappa_table
from analysis.wording import count

IDENTICAL = (
    "identical outputs: judged once (collapsed), or a tie among their systems in every judgment "
    "(expanded). Without the flag a table has both; in JSON strict and wmt are expanded, and "
    "once contains the collapsed ones"
)

LEGEND = {
    "identical": "outputs that several systems share count once, or as ties.",
    "kind": "inter is between judges, intra is of a judge with himself or herself.",
    "definition": "strict takes different judges only, and (A, B) and (B, A) as one item; no "
    "copies leaves out exact copies of tasks of four outputs or more; published is computed the "
    "way WMT did (wmt in JSON).",
    "ci_low, ci_high": "for new segments and these judges.",
    "ci_low_new, ci_high_new": "for new segments and judges.",
}
"""What the columns mean."""

COUNTED = {"collapsed": "once", "expanded": "as ties"}


def add_arguments(parser: argparse.ArgumentParser, words: list[str]) -> None:
    """Declare the flags."""
    flags.add_file(parser)
    flags.add_selection(parser, identical=IDENTICAL)
    flags.add_resamples(parser, "of segments")
    flags.add_level(parser, "intervals")
    flags.add_output(parser)


def run(options: argparse.Namespace) -> None:
    """Compute and print, a language pair after the other."""
    check_level(options)
    campaign, _ = read_campaign(options)
    if campaign.scores is not None:
        _run_of_scores(campaign, options)
        return
    document, rows, others, headlines, kappas = [], [], [], [], []
    for pair in chosen_pairs(campaign, options):
        once = _found(campaign, pair, options, "collapsed")
        is_both = once.kappas.identical is not None and options.identical is None
        asked: Identical = options.identical or "expanded"
        told = once if asked == "collapsed" else _found(campaign, pair, options, asked)
        document.append({"lang_pair": pair, **_document(told), "once": _document(once)})
        for found in (once, told) if is_both else (told,):
            rows += _rows(pair, found.kappas)
        main = once if is_both else told
        kappas.append((pair, main.kappas))
        headlines.append(f"{pair}: {headline(main.kappas)}.")
        others += _in_words(pair, main)
        notes = (*few_repeats(main.kappas), explain_copies(main.kappas))
        others += [f"{pair}: {words}" for words in notes if words]
    frame = pd.DataFrame(rows)
    if frame["identical"].eq("").all():
        frame = frame.drop(columns="identical")
    is_unknown = bool(frame["kappa"].isna().all())
    if not options.csv and is_unknown:
        frame = frame.head(0)
    emit(
        options,
        document,
        frame,
        heading="\n".join(headlines),
        first=(
            "lang_pair",
            "identical",
            "definition",
            "kind",
            "kappa",
            "word",
            "ci_low",
            "ci_high",
            "ci_low_new",
            "ci_high_new",
        ),
        legend=LEGEND,
        notes=(*others, *_means(frame)),
        paper=None if is_unknown else lambda: kappa_table(kappas),
    )


def _run_of_scores(campaign: Campaign, options: argparse.Namespace) -> None:
    """Print how much scores agree, and the preferences that follow from them if any do."""
    document, rows, headlines = [], [], []
    for pair in chosen_pairs(campaign, options):
        judgments = campaign.judgments(pair, selection(options))
        found = score_agreement(
            judgments, runs=options.runs, level=options.level, seed=options.seed
        )
        measures = {name: with_ends(asdict(one)) for name, one in found.by_name().items()}
        correlations = found.pairs_frame()
        document.append(
            {
                "lang_pair": pair,
                **_of_preferences(campaign, pair, options),
                "others": measures,
                "correlations": [with_ends(row) for row in correlations.to_dict(orient="records")],
            }
        )
        rows += [
            {"lang_pair": pair, "measure": SCORE_NAMES[name], **measure}
            for name, measure in measures.items()
        ]
        headlines.append(f"{pair}: {score_headline(found)}.")
    frame = pd.DataFrame([row for row in rows if row["n"]])
    emit(
        options,
        document,
        frame,
        heading="\n".join(headlines),
        legend={**LEGEND, "n": "outputs that two judges rated."},
    )


def _of_preferences(
    campaign: Campaign, pair: str, options: argparse.Namespace
) -> dict[str, dict[str, Any]]:
    """Return kappa of the preferences that follow from scores; nothing where none do."""
    try:
        kappas = _found(campaign, pair, options, "collapsed")
    except PodiumError:
        return {}
    return {name: rates for name, rates in _document(kappas).items() if name != "others"}


def _means(frame: pd.DataFrame) -> list[str]:
    """Return the mean κ of all pairs, unweighted, as WMT's tables have it; none of one pair."""
    n = frame["lang_pair"].nunique()
    if n < 2:
        return []
    by = [name for name in ("identical", "definition", "kind") if name in frame]
    means = frame.groupby(by, sort=False)["kappa"].mean()
    keys = means.index.to_frame().astype(str).agg(" ".join, axis=1)
    parts = [f"{key} {kappa:.3f}" for key, kappa in zip(keys, means, strict=True)]
    return [f"MEAN of {n} language pairs, with equal weight: {', '.join(parts)}."]


class Found(NamedTuple):
    """All that is told of a pair, with identical outputs counted one way."""

    kappas: Agreement
    others: Coefficients


def _found(
    campaign: Campaign, pair: str, options: argparse.Namespace, identical: Identical
) -> Found:
    judged = judged_once(campaign, pair, selection(options), identical=identical)
    drawn: dict[str, Any] = dict(runs=options.runs, level=options.level, seed=options.seed)
    return Found(agreement(judged, **drawn), coefficients(judged, **drawn))


def _document(found: Found) -> dict[str, Any]:
    kappas = found.kappas
    without = kappas.shown.intra
    no_copies = {"without_copies": {"intra": kappa_document(without, interval=True)}}
    return {
        **{
            definition: {
                kind: kappa_document(getattr(rates, kind), interval=definition == "strict")
                for kind in ("inter", "intra")
            }
            for definition, rates in (("strict", kappas.strict), ("wmt", kappas.published))
        },
        **(no_copies if without is not kappas.strict.intra else {}),
        "others": {name: with_ends(asdict(one)) for name, one in found.others.by_name().items()},
    }


def _in_words(pair: str, found: Found) -> list[str]:
    """Return the other measures of different judges, one line each."""
    measures = {n: m for n, m in found.others.by_name().items() if not isnan(m.value)}
    if not measures:
        return [
            f"{pair}: No two judges labeled the same item, so their agreement cannot be measured. "
            "Give some items to two judges."
        ]
    n = next(iter(measures.values())).n
    lines = [f"{pair}, other measures on {count(n, 'item')} of two judges or more:"]
    for name, measure in measures.items():
        line = f"  {NAMES[name]} {measure.value:.3f}"
        if not isnan(measure.low):
            line += f", {measure.low:.3f} to {measure.high:.3f}"
        if not isnan(measure.others_low):
            line += f"; for new judges {measure.others_low:.3f} to {measure.others_high:.3f}"
        lines.append(line)
    return lines


def kappa_document(kappa: Kappa, *, interval: bool) -> dict[str, Any]:
    """Return one kappa as the contract of the command line has it."""
    names = ["agree", "comparable", "ties", "total", "p_agree", "p_chance", "kappa"]
    if interval:
        names += ["low", "high", "others_low", "others_high"]
    return with_ends({name: getattr(kappa, name) for name in names})


def _rows(pair: str, found: Agreement) -> list[dict[str, Any]]:
    """Return a row for each kappa."""
    counted = COUNTED[found.identical] if found.identical else ""
    return [{"lang_pair": pair, "identical": counted, **with_ends(row)} for row in found.rows()]
