"""What scores say, in sentences: how judges used the scale, agree, and see two systems."""

from __future__ import annotations

import numpy as np

from analysis.campaign import UNNAMED_JUDGE, Judgments
from analysis.comparing.two_systems import TwoMeans
from analysis.findings.standings import Name
from analysis.judges.score_agreement import ScoreAgreement
from analysis.judges.scorers import Scorers
from analysis.wording import count, fixed, p_value, percent, thousands

ONLY_MEANS = "Only means rank these scores: no judge rated two systems on one segment"
HARSHNESS = (
    "Mean distance of the judge's ratings below those of other judges on the same outputs, in "
    "points; below 0: more lenient. Empty if no other judge rated the same outputs."
)
CORRELATION = (
    "Pearson's r of the judge's ratings with the mean of the others' on the same outputs; shown "
    "from 10 such outputs on."
)
MOST_USED = "Share of the judge's most frequent rating."
SCORE_MEASURES = (
    "α and ICC are 0 if judges agree as by chance and 1 if they give the same ratings. Interval "
    "uses distances in points, ordinal uses ranks. A harsh judge next to a lenient one lowers "
    "all three, but not a correlation. From and to are the ends of the interval for new segments "
    "(new documents if the file names them), rated by these judges."
)
CORRELATION_ENDS = "For new segments (new documents if the file names them)."
PREFERENCES = (
    "Pairwise judgments follow from ratings of one screen: of two outputs that one judge rated "
    "for one segment, the better rating wins."
)


def scores_sentence(judgments: Judgments) -> str:
    """Say how many scores there are, on which scale, and what follows from them.

    Where no screen holds two systems nothing is said of preferences.
    """
    scores = judgments.scores
    assert scores is not None
    low, high = float(scores.value.min()) + 0.0, float(scores.value.max()) + 0.0  # No -0.
    good = "" if scores.scale.higher_is_better else ", lower is better"
    ends = f"from {low:,g} to {high:,g}".replace("-", "−")
    words = f"{count(len(scores), 'rating')} {ends} ({scores.scale.name}{good})"
    if not len(judgments):
        return f"{words}; no judge rated two systems on one segment"
    return (
        f"{words}; {count(len(judgments), 'pairwise judgment')} of two systems "
        f"{'follows' if len(judgments) == 1 else 'follow'} from them"
    )


def use_finding(found: Scorers) -> str:
    """Say how differently judges used the scale."""
    if found.judges == (UNNAMED_JUDGE,):
        return "The file does not name its judges"
    if len(found.judges) < 2:
        return "All ratings carry one judge name"
    low, high = int(np.nanargmin(found.mean)), int(np.nanargmax(found.mean))
    return (
        f"Judges' mean ratings range from {fixed(found.mean[low], 1)} ({found.judges[low]}) to "
        f"{fixed(found.mean[high], 1)} ({found.judges[high]})"
    )


def use_sentences(found: Scorers) -> list[str]:
    """Say who hardly used the scale, and whose ratings do not go with the others'."""
    one_rating = [
        f"{judge} gave {fixed(favorite, 0)} in {percent(share)} of the ratings"
        for judge, favorite, share, gave_one_rating in zip(
            found.judges, found.favorite, found.most_used, found.one_rating, strict=True
        )
        if gave_one_rating
    ]
    against = [
        f"{judge}'s ratings do not rise with the others' (r = {fixed(r, 2)} on {thousands(n)} "
        "outputs)"
        for judge, r, n, opposed in zip(
            found.judges, found.correlation, found.common, found.opposed, strict=True
        )
        if opposed
    ]
    return [f"{sentence}." for sentence in (*one_rating[:3], *against[:3])]


def score_agreement_finding(found: ScoreAgreement) -> str:
    """Say how much of the differences between scores is between outputs."""
    icc = found.icc
    if not icc.n:
        return "No output has ratings by two judges, so agreement is unknown"
    if np.isnan(icc.value):
        return "All ratings are the same, so agreement cannot exceed chance"
    return (
        f"{percent(max(icc.value, 0.0))} of the variance of ratings is between outputs, the rest "
        f"between judges of one output (ICC {fixed(icc.value, 2)}, {fixed(icc.low, 2)} to "
        f"{fixed(icc.high, 2)})"
    )


def two_means_sentences(found: TwoMeans, name: Name = str) -> list[str]:
    """Say what the segments of both systems show, and what paired tests say of it."""
    a, b = name(found.a), name(found.b)
    if not found.segments:
        return [f"No segment has scores of both {a} and {b}."]
    better = found.better / found.segments
    equal = f", the same on {percent(found.equal / found.segments)}" if found.equal else ""
    where = f"{a} was rated better than {b} on {percent(better)} of the " + (
        f"{count(found.segments, 'segment')} rated for both{equal}, worse on "
        f"{percent(found.worse / found.segments)}"
    )
    side = "higher" if found.difference >= 0 else "lower"
    unit = "standard deviations" if found.of_z else "points"
    lead = f"{where}; its mean there is {fixed(abs(found.difference), 2)} {unit} {side}."
    units = "segments" if found.documents is None else "documents"
    if np.isnan(found.wilcoxon):
        return [lead, f"Too few {units} differ for a paired test."]
    return [
        lead,
        f"With these judges and this pair alone, for new {units}: "
        f"{fixed(found.low, 2)} to {fixed(found.high, 2)} {unit} at 95%; paired t test "
        f"{p_value(found.t)}, Wilcoxon {p_value(found.wilcoxon)}.",
    ]
