"""The official procedures by name, each as its campaign's own scripts and papers have it."""

from __future__ import annotations

from analysis.comparing.pair_tests import (
    matched_rank_sum,
    paired_or_unpaired_t,
    permutation,
    rank_sum,
    signed_rank_of_all_ratings,
    stouffer_by_domain,
)
from analysis.comparing.score_table import ScoreTable
from analysis.errors import unknown
from analysis.extras.procedures.procedure import Procedure

WMT21_DA = Procedure(
    "wmt21-da",
    "WMT21, direct assessment",
    "Mean z by segment; a win is a rank-sum test below 0.05, one-sided.",
    "Akhbardeh et al. 2021",
    ("akhbardeh-etal-2021-findings", "graham-etal-2017-crowd"),
    test=rank_sum,
    ranges="clusters",
    lines="wins",
    wins_either_way=True,
    uses_z=True,
    win_means=(
        "A win says that scores of one system tend to be higher than scores of the other. Each "
        "pair is tested in both directions, one-sided at 0.05, which makes 0.10 per pair."
    ),
    note=(
        "Checked against the files of WMT21: means, p-values, wins and clusters agree, except for "
        "one cell of its German–English, where its table and its clusters disagree. A rank range "
        "is that of the cluster."
    ),
)
WMT22_DA = Procedure(
    "wmt22-da",
    "WMT22, direct assessment",
    "Mean z by segment; a win is a rank-sum test below 0.05, one-sided, for the higher mean.",
    "Kocmi et al. 2022",
    ("kocmi-etal-2022-findings", "graham-etal-2017-crowd"),
    test=rank_sum,
    uses_z=True,
    win_means=(
        "A win says that scores of one system tend to be higher than scores of the other; the "
        "data choose the direction."
    ),
    note=(
        "Uncertain: the campaign published its scores and p-values, but not the script of its "
        "tables; rank ranges by wins and losses and clusters by pairs follow the paper's words."
    ),
)
WMT22_APPRAISE = Procedure(
    "wmt22-appraise",
    "WMT22, Appraise (DA+SQM)",
    "Mean z by segment; a win is a rank-sum test below 0.05 on the segments that both systems "
    "have.",
    "Kocmi et al. 2022",
    ("kocmi-etal-2022-findings",),
    test=matched_rank_sum,
    lines="wins",
    uses_z=True,
    win_means=(
        "A win says that scores of one system tend to be higher than scores of the other; the "
        "data choose the direction. The segments are the same, yet the test treats them as two "
        "unrelated samples."
    ),
    note=(
        "After the script that the campaign published to check its rankings; the script says "
        "that it did not make the tables. A cluster ends where the fewest wins so far equal the "
        "number of systems below, so some pairs across the boundary may not be won."
    ),
)
WMT24_ESA = Procedure(
    "wmt24-esa",
    "WMT24, error span annotation",
    "Mean over domains; p by Wilcoxon's signed-rank test in each domain, combined by Stouffer's "
    "method.",
    "Kocmi et al. 2024",
    ("kocmi-etal-2024-findings",),
    average=ScoreTable.over_domains,
    test=stouffer_by_domain,
    win_means=(
        "A win says that the two differ in some domain, not that one is better: p-values without "
        "a sign are combined, so domains that favor opposite systems add up to a win for the "
        "higher mean."
    ),
    note=(
        "After the campaign's script, which first averages the ratings of one output. If the "
        "file names no domains, all segments are tested together."
    ),
)
WMT25 = Procedure(
    "wmt25",
    "WMT25, error span annotation",
    "Mean of all ratings; ranges walk to the first system that differs by Wilcoxon's test.",
    "Kocmi et al. 2025",
    ("kocmi-etal-2025-findings",),
    average=ScoreTable.over_ratings,
    test=signed_rank_of_all_ratings,
    threshold=0.025,
    ranges="walk",
    lines="ranges",
    win_means=(
        "A win is a one-sided test below 0.025. If outputs are rated twice, each rating is "
        "compared with both of the other system, so that two ratings count as four. A range "
        "stops at the first neighbor that differs and ignores the systems beyond."
    ),
    note=(
        "After the campaign's script; its two waves of ratings are the ratings of an output "
        "here, in the file's order."
    ),
)
WMT26 = Procedure(
    "wmt26",
    "WMT26, contrastive error span annotation",
    "Mean by segment; a win is a paired or an unpaired t test below 0.05, whichever is smaller.",
    "WMT26 General Translation task",
    (),
    test=paired_or_unpaired_t,
    ranges="walk",
    win_means=(
        "A win is the smaller of two p-values. A cluster ends where all pairs across the "
        "boundary are won, which almost never happens with equal systems."
    ),
    note=(
        "Uncertain: the campaign's script changed during the campaign. It used a paired t test "
        "first, then this rule, then Wilcoxon's and t tests, and finally bootstrap intervals of "
        "the same two differences, together with ranges by walking."
    ),
)
MQM = Procedure(
    "mqm",
    "MQM, permutations",
    "Mean by segment; a win is a paired permutation test below 0.05, one-sided.",
    "Freitag et al. 2021",
    ("freitag-etal-2021-experts",),
    test=permutation,
    win_means=(
        "A win says that the mean of one system is higher on these segments; the data choose the "
        "direction."
    ),
    note=(
        "Uncertain: the campaigns from 2021 on name paired permutations at 0.05 and clusters in "
        "which all systems above are better than all below; they do not state the number of "
        "sides and of permutations. Podium uses 10,000, one-sided."
    ),
)

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (WMT21_DA, WMT22_DA, WMT22_APPRAISE, WMT24_ESA, WMT25, WMT26, MQM)
}


def procedure_named(name: str) -> Procedure:
    """Return the procedure of this name; an unknown name raises and lists the known ones."""
    if name not in PROCEDURES:
        raise unknown("Procedure", name, PROCEDURES)
    return PROCEDURES[name]
