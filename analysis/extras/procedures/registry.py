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
from analysis.errors import PodiumError
from analysis.extras.procedures.procedure import Procedure

_EACH_PAIR = "Each pair is tested alone: nothing accounts for the number of pairs. "
_INDEPENDENT = "The test takes segments for independent facts, also those of one judge or document."

WMT21_DA = Procedure(
    "wmt21-da",
    "WMT21, direct assessment",
    "Mean z by segment; a win is a rank-sum test below .05, one-sided.",
    "Akhbardeh et al. 2021",
    ("akhbardeh-etal-2021-findings", "graham-etal-2017-crowd"),
    average=ScoreTable.over_segments,
    test=rank_sum,
    threshold=0.05,
    ranges="clusters",
    lines="wins",
    wins_either_way=True,
    uses_z=True,
    asserts="A win says that scores of the one tend to be higher than scores of the other. Each "
    "pair is tested in both directions, one-sided at .05, which is .10 a pair. "
    + _EACH_PAIR + _INDEPENDENT,
    note="Checked against the campaign's files: means, p-values, wins and clusters come out, but "
    "for one cell of German–English, where its table and its clusters disagree. A rank range is "
    "that of the cluster.",
)  # fmt: skip
WMT22_DA = Procedure(
    "wmt22-da",
    "WMT22, direct assessment",
    "Mean z by segment; a win is a rank-sum test below .05, one-sided, for the higher mean.",
    "Kocmi et al. 2022",
    ("kocmi-etal-2022-findings", "graham-etal-2017-crowd"),
    average=ScoreTable.over_segments,
    test=rank_sum,
    threshold=0.05,
    ranges="wins",
    lines="pairs",
    uses_z=True,
    asserts="A win says that scores of the one tend to be higher than scores of the other, the "
    "direction chosen by the data. " + _EACH_PAIR + _INDEPENDENT,
    note="Uncertain: the campaign published its scores and p-values, not the script of its tables; "
    "rank ranges by wins and losses and lines by pairs are taken from the paper's words.",
)
WMT22_APPRAISE = Procedure(
    "wmt22-appraise",
    "WMT22, Appraise (DA+SQM)",
    "Mean z by segment; a win is a rank-sum test below .05 on the segments that both have.",
    "Kocmi et al. 2022",
    ("kocmi-etal-2022-findings",),
    average=ScoreTable.over_segments,
    test=matched_rank_sum,
    threshold=0.05,
    ranges="wins",
    lines="wins",
    uses_z=True,
    asserts="A win says that scores of the one tend to be higher than scores of the other, the "
    "direction chosen by the data. The segments are the same, yet the test takes them for two "
    "unrelated samples. " + _EACH_PAIR + _INDEPENDENT,
    note="After the script that the campaign published to check its rankings, which says that it "
    "is not the one that made the tables. A line stands where the fewest wins so far equal the "
    "number of systems below, which need not mean that all pairs across it are won.",
)
WMT24_ESA = Procedure(
    "wmt24-esa",
    "WMT24, error span annotation",
    "Mean over domains; p by Wilcoxon's signed-rank test in each domain, added up by Stouffer.",
    "Kocmi et al. 2024",
    ("kocmi-etal-2024-findings",),
    average=ScoreTable.over_domains,
    test=stouffer_by_domain,
    threshold=0.05,
    ranges="wins",
    lines="pairs",
    asserts="A win says that the two differ in some domain, not that one is better: p-values "
    "without a sign are added up, so domains that speak for opposite systems add up to a win for "
    "the higher mean. " + _EACH_PAIR + _INDEPENDENT,
    note="After the campaign's script, which averages ratings of one output before. Where the file "
    "names no domains, one test over all segments stands for them.",
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
    asserts="A win is a one-sided test below .025. Where outputs are rated twice, each rating is "
    "set against both of the other, so that two facts count as four. A range stops at the first "
    "neighbor that differs and says nothing of those beyond. " + _EACH_PAIR + _INDEPENDENT,
    note="After the campaign's script, whose two waves of ratings are taken here for the ratings "
    "of an output in the file's order.",
)
WMT26 = Procedure(
    "wmt26",
    "WMT26, contrastive error span annotation",
    "Mean by segment; a win is a paired or an unpaired t test below .05, whichever is smaller.",
    "WMT26 General Translation task",
    (),
    average=ScoreTable.over_segments,
    test=paired_or_unpaired_t,
    threshold=0.05,
    ranges="walk",
    lines="pairs",
    asserts="A win is the smaller of two p-values. A line stands where all pairs across it are "
    "won, which equal systems nearly never are. " + _EACH_PAIR + _INDEPENDENT,
    note="Uncertain: the campaign's script changed while it ran. It held a paired t test first, "
    "then this rule, then Wilcoxon's and t tests, at last bootstrap intervals of the same two "
    "differences; ranges by walking came with the last.",
)
MQM = Procedure(
    "mqm",
    "MQM, permutations",
    "Mean by segment; a win is a paired permutation test below .05, one-sided.",
    "Freitag et al. 2021",
    ("freitag-etal-2021-experts",),
    average=ScoreTable.over_segments,
    test=permutation,
    threshold=0.05,
    ranges="wins",
    lines="pairs",
    asserts="A win says that the one's mean is higher on these segments, the direction chosen by "
    "the data. " + _EACH_PAIR + _INDEPENDENT,
    note="Uncertain: the campaigns from 2021 on name paired permutations at .05 and lines where "
    "all systems above are better than all below; whether one-sided and with how many draws, "
    "they do not say. Here 10,000 draws, one-sided.",
)

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (WMT21_DA, WMT22_DA, WMT22_APPRAISE, WMT24_ESA, WMT25, WMT26, MQM)
}


def procedure_named(name: str) -> Procedure:
    """Return the procedure of this name; an unknown name raises and lists the known ones."""
    if name not in PROCEDURES:
        raise PodiumError(
            "Procedure", f"{name!r} is not known", f"Choose of {', '.join(PROCEDURES)}."
        )
    return PROCEDURES[name]
