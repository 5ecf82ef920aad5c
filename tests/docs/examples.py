"""Small worked examples from the papers: what each makes clear, with numbers computed here.

The rankings lie in ``data/examples``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.special import ndtr
from scipy.stats import norm, spearmanr

from analysis.campaign import TIE, WIN, FloatArray, Judgments, PairCounts
from analysis.formats import read_path
from analysis.rankers.hopkins_may import HopkinsMay
from analysis.rankers.ratios import Bojar, ExpectedWins, OrigWMT
from analysis.ranking.clusters import clusters_from_radius
from analysis.shipped import DATA
from analysis.wording import count, fixed, listed, percent
from tests.printed import wmt14_kappa_table

PAGE = Path(__file__).resolve().parents[2] / "docs" / "examples.md"
ABOUT = "Each number on this page is computed by `python -m tests.docs.examples`; a test compares."
FOLDER = DATA / "examples"


@dataclass(frozen=True, eq=False)
class Example:
    """A worked example: a sentence that says the point, sentences that show it, a table.

    ``curves`` are panels of curves over the table's first column: titles of panels to columns.
    """

    name: str
    title: str
    source: str
    point: str
    sentences: tuple[str, ...]
    table: pd.DataFrame
    curves: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def five_way_ranking() -> Example:
    """One ranking of five outputs is ten pairwise judgments."""
    judgments = _read("hm13-il-ne-va-pas.csv")
    names = judgments.systems
    rows = []
    for left, right, outcome in zip(
        judgments.left, judgments.right, judgments.outcome, strict=True
    ):
        first, second = sorted((int(left), int(right)))
        seen = int(outcome) if first == left else -int(outcome)
        preference = 0 if seen == TIE else 1 if seen == WIN else 2
        rows.append({"first": names[first], "second": names[second], "preference": preference})
    ties = judgments.n_ties
    return Example(
        "five-way",
        "One ranking of five outputs is ten judgments",
        "Hopkins & May 2013, Tables 1 and 2",
        f"The five translations of “Il ne va pas.” make {len(judgments)} pairwise judgments; "
        f"{count(ties, 'is a tie', 'are ties')}.",
        (
            "The judge gave bbn rank 1, uedin and jhu rank 2, cmu 4 and kit 5; preference 1 is for "
            "the first system, 2 for the second, 0 for neither.",
            "The ten are not ten independent facts: they come from one judge and one sentence. "
            "Podium keeps the ranking task whole wherever it says how sure something is.",
        ),
        pd.DataFrame(rows),
    )


def four_systems() -> Example:
    """Spearman's rank correlation prefers the worse of two rankings; judgments do not."""
    judgments = _read("hm13-four-systems.csv")
    gold = ("terrific", "close1", "close2", "close3")
    rankings = {
        "first": ("terrific", "close3", "close1", "close2"),
        "second": ("close1", "terrific", "close2", "close3"),
    }
    table = pd.DataFrame({"system": gold, "true_rank": range(1, 5)})
    rho, against = {}, {}
    for name, order in rankings.items():
        table[name] = [order.index(system) + 1 for system in gold]
        rho[name] = float(spearmanr(table["true_rank"], table[name]).statistic)
        against[name] = _share_against(judgments, order)
    wins = ExpectedWins().scores_from_counts(judgments.counts)
    table["expected_wins"] = [float(wins[judgments.systems.index(s)]) for s in gold]
    return Example(
        "four-systems",
        "Rank correlation can prefer the worse ranking",
        "Hopkins & May 2013, section 3",
        f"Spearman's ρ is {fixed(rho['first'], 1)} for the sensible ranking and "
        f"{fixed(rho['second'], 1)} for the one that puts the best system second.",
        (
            "One system is far above three that are all but equal, in the true order terrific, "
            "close1, close2, close3. The first ranking shuffles the three equals; the second puts "
            "one of them above the best system.",
            f"Judgments know better: of 40 simulated rankings, {percent(against['first'])} of the "
            f"pairwise judgments go against the first ranking, {percent(against['second'])} "
            "against the second. Hence the paper measures how well a model predicts judgments.",
        ),
        table,
    )


def twins() -> Example:
    """Counting ties as wins rewards a system that is entered twice."""
    third = np.ones((2, 2)) - np.eye(2)
    alone = PairCounts(third, third)
    wins, ties = np.zeros((3, 3)), np.zeros((3, 3))
    for twin in (1, 2):
        wins[0, twin] = wins[twin, 0] = ties[0, twin] = ties[twin, 0] = 1
    ties[1, 2] = ties[2, 1] = 3
    twice = PairCounts(wins, ties)
    rows = []
    for ranker in (OrigWMT(), Bojar()):
        before, after = (ranker.scores_from_counts(counts) for counts in (alone, twice))
        for k, system in enumerate("AB"):
            rows.append(
                {
                    "method": ranker.title,
                    "system": system,
                    "alone": float(before[k]),
                    "with_a_twin_of_B": float(after[k]),
                }
            )
    table = pd.DataFrame(rows)
    alone_shares, twin_shares = table["alone"].tolist(), table["with_a_twin_of_B"].tolist()
    return Example(
        "twins",
        "A system entered twice",
        "Hopkins & May 2013, section 2",
        f"Under “better or equal”, B rises from {_fraction(alone_shares[1])} to "
        f"{_fraction(twin_shares[1])} when a copy of B enters; nothing about B has changed.",
        (
            "A and B win, tie and lose a third of their comparisons each. A copy of B ties with B "
            "every time, and counting ties as wins makes B look better.",
            f"A stays at {_fraction(twin_shares[0])}. Without ties, as Bojar counts, both stay at "
            f"{_fraction(twin_shares[2])} and {_fraction(twin_shares[3])}.",
        ),
        table,
    )


def one_judgment() -> Example:
    """From abilities to one judgment, step by step."""
    ability, quality, seen, radius = (0.4, -0.6), (0.2, -0.3), (0.35, -0.42), 0.5
    table = pd.DataFrame(
        {"system": ["first", "second"], "ability": ability, "quality": quality, "seen": seen}
    )
    model = HopkinsMay(radius=radius)
    spread = np.sqrt(2 * (model.sigma_a**2 + model.sigma_obs**2))
    gap = ability[0] - ability[1]
    wins, loses = ndtr((gap - radius) / spread), ndtr((-gap - radius) / spread)
    difference = seen[0] - seen[1]
    says = "prefers the first" if difference > radius else "has no preference"
    return Example(
        "one-judgment",
        "From abilities to one judgment",
        "Hopkins & May 2013, Figure 1",
        f"The outputs look {fixed(difference)} apart, more than the radius {fixed(radius, 1)}: the "
        f"judge {says}.",
        (
            "A system's ability is the mean quality of its outputs. This sentence's outputs differ "
            "from it by chance, and the judge sees each quality through noise of its own.",
            f"Over all sentences and judges, with the paper's deviations "
            f"(σa = {fixed(model.sigma_a, 1)}, σobs = {fixed(model.sigma_obs, 0)}), the first wins "
            f"{percent(float(wins))}, ties {percent(float(1 - wins - loses))} and loses "
            f"{percent(float(loses))} of such judgments.",
        ),
        table,
    )


def updates() -> Example:
    """How far one judgment moves two systems, under TrueSkill and under Hopkins & May."""
    epsilon, radius, spreads = 0.5, 0.5, (0.8, 0.3)
    t = np.round(np.linspace(-1.5, 1.5, 61), 3)
    table = pd.DataFrame({"difference": t})
    for c in spreads:
        table[f"win_c{c:g}"] = push_of_win(t / c, epsilon / c)
        table[f"tie_c{c:g}"] = push_of_tie(t / c, epsilon / c)
    table["win_loss"] = np.maximum(0, radius - t)
    table["tie_loss"] = np.where(t >= radius, radius - t, np.where(t <= -radius, -radius - t, 0.0))
    upset = table.loc[np.isclose(t, -1.0)].iloc[0]
    sure = table.loc[np.isclose(t, 1.0)].iloc[0]
    return Example(
        "updates",
        "Surprises move systems far, expected results hardly",
        "Sakaguchi, Post & Van Durme 2014, Figures 1 and 2",
        f"A win over a system that stood 1 higher pushes {fixed(upset['win_c0.8'])}; one over a "
        f"system that stood 1 lower {fixed(sure['win_c0.8'])} (TrueSkill, c = .8).",
        (
            "v is how far TrueSkill moves the two, in units of σ²/c, by the difference of their "
            "means before; ε = .5 is the margin of a tie and c their joint deviation. The smaller "
            "c, the more surprising an upset.",
            "Hopkins & May's loss, d − t with d = .5, is nothing at all where the result agrees "
            "with the order, and a straight line beyond. v times c comes to it as c shrinks: it is "
            f"{fixed(0.8 * upset['win_c0.8'])} and {fixed(0.3 * upset['win_c0.3'])} at t = −1, "
            f"where the loss is {fixed(upset['win_loss'], 1)}.",
        ),
        table,
        {
            "a win of the first": ("win_c0.8", "win_c0.3", "win_loss"),
            "a tie": ("tie_c0.8", "tie_c0.3", "tie_loss"),
        },
    )


def partial_order() -> Example:
    """A radius turns scores into a partial order."""
    systems = ("B", "D", "E", "A", "F", "C")
    scores = np.array([0.60, 0.44, 0.39, 0.25, -0.08, -0.22])
    radius = 0.15
    clusters = clusters_from_radius(scores, radius)
    groups = [
        " ".join(s for s, c in zip(systems, clusters, strict=True) if c == k)
        for k in range(1, int(clusters.max()) + 1)
    ]
    ends = scores[1] - scores[3]
    return Example(
        "partial-order",
        "A radius makes groups, and the groups chain",
        "Bojar et al. 2014, Table 6 (the groups; the scores are chosen here)",
        f"With a radius of {fixed(radius)}, six systems fall into {' | '.join(groups)}.",
        (
            "Walking down the scores, a gap of more than the radius starts a new group. Two "
            "systems of one group are predicted to tie.",
            f"D and A are {fixed(float(ends))} apart, more than the radius, and still in one "
            "group: E stands between them.",
        ),
        pd.DataFrame({"system": systems, "score": scores, "group": clusters}),
    )


def mean_kappa() -> Example:
    """The MEAN row of WMT14's tables of kappa gives every language pair the same weight."""
    rows = []
    for kind, number in (("inter", 4), ("intra", 5)):
        table = wmt14_kappa_table(kind)
        pairs, printed = table.drop(index="MEAN"), table.loc["MEAN"]
        for campaign in table.columns:
            rows.append(
                {
                    "table": number,
                    "campaign": campaign,
                    "pairs": int(pairs[campaign].notna().sum()),
                    "mean": float(np.nanmean(pairs[campaign])),
                    "printed": printed.to_dict()[campaign],
                }
            )
    frame = pd.DataFrame(rows)
    known = frame.dropna(subset=["printed"])
    differs = known[np.abs(known["mean"] - known["printed"]) > 0.0006]
    others = [
        f"Table {table}, {campaign.upper()}: {fixed(mean, 3)}, printed {fixed(printed, 3)}"
        for table, campaign, mean, printed in differs.drop(columns="pairs").itertuples(index=False)
    ]
    (last,) = known[(known["campaign"] == "wmt14") & (known["table"] == 4)]["mean"].tolist()
    return Example(
        "mean-kappa",
        "What the mean of kappas is a mean of",
        "Bojar et al. 2014, Tables 4 and 5",
        f"WMT14's mean κ between judges, {fixed(last, 3)}, counts every "
        "language pair once, however many judgments it has.",
        (
            f"Of {count(len(known), 'printed mean')}, {len(known) - len(differs)} are the plain "
            f"mean of their column to the third decimal; not so {listed(others)}.",
            "A pair with few judgments weighs as much as one with many: look at the pairs before "
            "you compare two means.",
        ),
        frame,
    )


EXAMPLES: tuple[Callable[[], Example], ...] = (
    four_systems,
    twins,
    five_way_ranking,
    one_judgment,
    updates,
    partial_order,
    mean_kappa,
)


def push_of_win(t: FloatArray, margin: float) -> FloatArray:
    """Return TrueSkill's v of a win: φ(t - ε) / Φ(t - ε)."""
    return np.asarray(np.exp(norm.logpdf(t - margin) - norm.logcdf(t - margin)))


def push_of_tie(t: FloatArray, margin: float) -> FloatArray:
    """Return TrueSkill's v of a tie: (φ(-ε - t) - φ(ε - t)) / (Φ(ε - t) - Φ(-ε - t))."""
    low, high = -margin - t, margin - t
    return np.asarray((norm.pdf(low) - norm.pdf(high)) / (ndtr(high) - ndtr(low)))


def _read(name: str) -> Judgments:
    campaign, _ = read_path(FOLDER / name)
    return campaign.judgments()


def _share_against(judgments: Judgments, order: tuple[str, ...]) -> float:
    """Return the share of decided judgments that prefer the system lower in an order."""
    place = np.array([order.index(system) for system in judgments.systems])
    wins = judgments.counts.wins
    lower_won = place[:, None] > place
    return float((wins * lower_won).sum() / wins.sum())


def _fraction(share: float) -> str:
    """Write a share as a fraction of small numbers."""
    return str(Fraction(float(share)).limit_denominator(12))


def as_markdown() -> str:
    """Return all examples as a page of the documentation."""
    parts = ["# Small worked examples from the papers", ABOUT]
    for make in EXAMPLES:
        example = make()
        table = _short(example.table)
        cells = [list(map(str, table.columns)), ["---"] * len(table.columns)]
        cells += [[_cell(value) for value in row] for row in table.itertuples(index=False)]
        parts += [f"## {example.title}", f"{example.source}. **{example.point.rstrip(chr(46))}.**"]
        parts += ["\n".join("| " + " | ".join(row) + " |" for row in cells)]
        parts += [" ".join(example.sentences)]
    return "\n\n".join(parts) + "\n"


def _short(table: pd.DataFrame, most: int = 21) -> pd.DataFrame:
    """Return every k-th row of a long table."""
    return table.iloc[:: max(1, -(-len(table) // most))]


def _cell(value: object) -> str:
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(as_markdown(), encoding="utf-8")
