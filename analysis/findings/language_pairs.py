"""A whole campaign in words and as a table: in which language pairs it is settled who is first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from analysis.comparing.comparison import official_clusters
from analysis.comparing.language_pairs import PairResult
from analysis.findings.certainty import certainty_words, whom
from analysis.findings.result import levels_words
from analysis.findings.standings import evidence_noun, evidence_size, neighbors, too_close
from analysis.languages import language_pair
from analysis.names import middle_cut
from analysis.ranking.preflight import dominant_judge
from analysis.ranking.ranking import Ranking
from analysis.wording import EN_DASH, capital, count, listed, percent, thousands

MOST_NAMED, NAME_WIDTH = 3, 18
"""Systems that a line names, and their letters."""


def whole_certainty_words(results: Sequence[PairResult]) -> str:
    """Say what the intervals of all language pairs cover, as each pair's own page does."""
    rankings = _rankings(results)
    if not rankings:
        return ""
    scopes = sorted({whom(ranking) for ranking in rankings})
    return certainty_words(rankings[0].certainty, " or ".join(scopes), with_ranks=False)


def whole_headline(results: Sequence[PairResult]) -> str:
    """Say in how many language pairs a single system wins, and what is open in all.

    "A single winner in 4 of 10 language pairs; 45 of 111 neighbors are too close to call"
    """
    ranked = [r for r in results if r.ranking is not None and r.ranking.ranges is not None]
    left_out = len(results) - len(ranked)
    without = f"{count(left_out, 'language pair')} cannot be ranked" if left_out else ""
    if not ranked:
        return capital(without or "no language pair")
    settled = sum(result.is_settled_first for result in ranked)
    published = any(ranking.certainty.is_official for ranking in _rankings(ranked))
    alone, nobody = "a single winner", "no single winner"
    of_all = count(len(ranked), "language pair")
    if len(ranked) == 1:
        first = alone if settled else nobody
    elif settled == len(ranked):
        first = f"{alone} in {'both language pairs' if settled == 2 else f'all {of_all}'}"
    else:
        first = f"{alone if settled else nobody} in {settled or 'any'} of {of_all}"
    close, all_ = (sum(map(len, map(f, _rankings(ranked)))) for f in (too_close, neighbors))
    verb = "is" if close == 1 else "are"
    still = f"{close} of {thousands(all_)} adjacent pairs {verb} too close to call" if all_ else ""
    lead = first
    if published:
        lead = f"by the official procedure, {first}"
        apart = f"{thousands(all_ - close)} of {thousands(all_)} adjacent pairs"
        still = f"{apart} have separate rank ranges" if all_ else ""
    return capital("; ".join(part for part in (lead, still, without) if part))


def who_leads(result: PairResult, most: int = MOST_NAMED) -> str:
    """Name the winner, or who could be best.

    "online-B" if there is a single winner, else "2 of 7: online-B and kit".
    """
    if result.ranking is None:
        return EN_DASH
    leaders = [result.names.get(name, name) for name in result.leaders]
    if not leaders:
        return "not known"
    if result.is_settled_first:
        return leaders[0]
    leaders = [middle_cut(name, NAME_WIDTH) for name in leaders]
    return f"{len(leaders)} of {len(result.ranking.systems)}: {listed(leaders, most)}"


def who_judged(result: PairResult) -> str:
    """Say how many judges there are, and the share of one who gave most of the judgments.

    "53"; "5; one gave 53%"
    """
    if result.judgments is None or result.n_judges is None:
        return EN_DASH
    found = dominant_judge(result.judgments)
    outvotes = f"; one gave {percent(found[1])}" if found else ""
    return f"{thousands(result.n_judges)}{outvotes}"


def what_is_open_in(result: PairResult) -> str:
    """Say how many neighbors are too close to call."""
    if result.ranking is None or result.ranking.ranges is None:
        return EN_DASH
    close, all_ = len(too_close(result.ranking)), len(neighbors(result.ranking))
    return f"{close} of {all_}" if close else "nothing"


def published_words(results: Sequence[PairResult]) -> str:
    """Name the language pairs for which another number of clusters was published."""
    other: dict[str, list[str]] = {}
    for ranking in _rankings(results):
        pair, systems = ranking.judgments.pair, ranking.judgments.systems
        found = official_clusters(pair, systems) if ranking.certainty.is_official else None
        if found is not None and (n := len({*found.clusters.values()})) != ranking.n_clusters:
            other.setdefault(found.source, []).append(f"{n} for {language_pair(pair)}")
    return " ".join(
        f"{source} published another number of clusters: {listed(pairs, len(pairs))}."
        for source, pairs in other.items()
    )


def pair_line(result: PairResult) -> str:
    """Say what a language pair comes to, in few words, under its picture.

    "At least 3 tiers, one winner", "At least 2 tiers, 4 could be best"
    """
    if result.ranking is None:
        return result.problem
    if not result.leaders:
        return "its uncertainty is unknown: too few judgments differ"
    best = "one winner" if result.is_settled_first else f"{len(result.leaders)} could be best"
    return f"{levels_words(result.ranking)}, {best}"


def whole_frame(results: Sequence[PairResult]) -> pd.DataFrame:
    """Return a line per language pair.

    Columns: pair, systems, judgments (ratings, where judges gave these), judges, kappa (strict,
    between judges), tiers, clusters, leaders (all that could be best), pairs of systems,
    significant (how many of them are), neighbors, open (neighbors too close to call), problem and
    signature. What is unknown is missing.
    """
    frame = pd.DataFrame([_row(result) for result in results])
    whole = [
        "systems",
        "judgments",
        "judges",
        "tiers",
        "clusters",
        "pairs",
        "significant",
        "neighbors",
        "open",
    ]
    return frame.astype(dict.fromkeys(whole, "Int64"))


COLUMNS = {
    "pair": "lang_pair",
    "leaders": "possible_winners",
    "neighbors": "adjacent_pairs",
    "open": "not_separated",
}
"""Columns of `whole_frame` as files call them."""


def csv_frame(results: Sequence[PairResult]) -> pd.DataFrame:
    """Return the table for a file; an official procedure has rank ranges, no tiers and no test."""
    frame = whole_frame(results).rename(columns=COLUMNS)
    if not any(ranking.certainty.is_official for ranking in _rankings(results)):
        return frame
    return frame.drop(columns="tiers").rename(columns={"significant": "separate_ranges"})


def paper_frame(results: Sequence[PairResult]) -> pd.DataFrame:
    """Return the table without what only a machine reads, systems by their short names."""
    frame = whole_frame(results)
    frame["leaders"] = [
        ", ".join(result.names[name] for name in result.leaders) for result in results
    ]
    shown = ["pair", "systems", "judgments", "judges", "kappa", "clusters", "leaders"]
    return frame[[*shown, "neighbors", "open"]]


HEADINGS = {
    "pair": "Language pair",
    "first": "Possible winners",
    "tiers": "Tiers, at least",
    "clusters": "Clusters",
    "open": "Not separated",
    "systems": "Systems",
    "judgments": "Judgments",
    "judges": "Judges",
    "kappa": "κ, strict",
}
"""Headings of `pairs_table`, on the page and in files, where `headings` knows no closer one."""


def headings(results: Sequence[PairResult]) -> dict[str, str]:
    """Return the headings of `pairs_table`, in the words of these results."""
    ranked = [result for result in results if result.ranking is not None]
    nouns = {evidence_noun(one.judgments) for one in results if one.judgments is not None}
    noun = nouns.pop() if len(nouns) == 1 else "judgment"
    winner = {"first": "Winner"} if ranked and all(r.is_settled_first for r in ranked) else {}
    return HEADINGS | {"judgments": f"{capital(noun)}s"} | winner


def pairs_table(results: Sequence[PairResult]) -> pd.DataFrame:
    """Return a line per language pair as people read it, without columns that are empty.

    An official procedure has no tiers.
    """
    frame = whole_frame(results)
    table = pd.DataFrame(
        {
            "pair": [language_pair(result.pair) for result in results],
            "first": [who_leads(result) for result in results],
            "tiers": frame["tiers"],
            "clusters": frame["clusters"],
            "open": [result.problem or what_is_open_in(result) for result in results],
            "systems": frame["systems"],
            "judgments": frame["judgments"],
            "judges": [who_judged(result) for result in results],
            "kappa": frame["kappa"],
        }
    )
    published = any(ranking.certainty.is_official for ranking in _rankings(results))
    empty = table.columns[table.isin([EN_DASH]).all() | table.isna().all()]
    return table.drop(columns=[*empty.union(["tiers"] if published else [])])


def _row(result: PairResult) -> dict[str, object]:
    judgments, ranking = result.judgments, result.ranking
    verdict = None if ranking is None else ranking.verdict
    known = None if verdict is None else np.triu(verdict.known, 1)
    sure = ranking is not None and ranking.ranges is not None
    return {
        "pair": result.pair,
        "systems": None if judgments is None else judgments.n_systems,
        "judgments": None if judgments is None else evidence_size(judgments),
        "judges": result.n_judges,
        "kappa": result.kappa,
        "tiers": None if verdict is None else verdict.n_tiers,
        "clusters": None if ranking is None else ranking.n_clusters,
        "leaders": "; ".join(result.leaders),
        "pairs": None if known is None else int(known.sum()),
        "significant": None
        if verdict is None or known is None
        else int((verdict.significant & known).sum()),
        "neighbors": len(neighbors(ranking)) if ranking is not None and sure else None,
        "open": len(too_close(ranking)) if ranking is not None and sure else None,
        "problem": result.problem,
        "signature": "" if ranking is None else ranking.signature,
    }


def _rankings(results: Sequence[PairResult]) -> list[Ranking]:
    return [result.ranking for result in results if result.ranking is not None]
