"""What the study of noisy judges found, in words."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from analysis import published
from analysis.comparing.score_table import column_means
from analysis.extras.validation.noise.noisy_judges import GAIN, METHODS, NoiseStudy
from analysis.rankers import RANKERS
from analysis.wording import capital, fixed, listed, percent

SURE = 2.0
"""Standard errors by which a mean must be ahead for a sentence to call it the best."""

ABOUT = (
    "Some of the answers are replaced by random ones. Every method then ranks the systems from "
    "the same number of judgments, and its scores are compared with the gold standard: "
    "TrueSkill's mean over resamples of all the original judgments. As in Otani et al. (2016), "
    "the graded response model learns from comparisons with one baseline, averaged over all "
    f"systems as the baseline; the other methods learn from random pairs. nDCG: {GAIN}."
)
PRINTED = "Otani et al. (2016), Table 1: WMT13 Spanish–English, mean of 100 trials"


def noise_finding(study: NoiseStudy) -> str:
    """Say which method stays closest to the gold standard at the least and the most noise."""
    size = len(study.design.sizes) - 1
    shares = study.design.shares
    if study.design.trials < 2:
        return f"One trial gives no standard error, so no method can be called closer{_top(study)}"
    first, last = (_closest(study, i, size) for i in (0, len(shares) - 1))
    least, most = (_with(share) for share in (shares[0], shares[-1]))
    said = f"{capital(first)} to the gold standard"
    if len(shares) == 1:
        return f"{said}, {least}"
    return f"{said}, {least} and {most}" if first == last else f"{said}, {least}; {most}, {last}"


def _top(study: NoiseStudy) -> str:
    """Name the highest correlation at the least and the most noise."""
    said = []
    for share in dict.fromkeys((0, len(study.design.shares) - 1)):
        means = column_means(study.correlation[share, -1])
        if np.isfinite(means).any():
            best = int(np.nanargmax(means))
            said.append(
                f"{RANKERS[METHODS[best]].title} {fixed(float(means[best]), 3)} "
                f"{_with(study.design.shares[share])}"
            )
    return f"; highest correlation: {listed(said)}" if said else ""


def _with(share: float) -> str:
    return f"with {percent(share)} noise" if share else "without noise"


def _closest(study: NoiseStudy, share: int, size: int) -> str:
    """Name the closest method, and say where another one is as close, within the draws' noise."""
    values = study.correlation[share, size]
    if np.isnan(values).all():
        return "no method's correlation is defined"
    means = column_means(values)
    best = int(np.nanargmax(means))
    level = []
    for m in range(len(METHODS)):
        behind = values[:, best] - values[:, m]
        behind = behind[np.isfinite(behind)]
        error = behind.std(ddof=1) / np.sqrt(len(behind)) if len(behind) > 1 else np.inf
        if m != best and len(behind) and behind.mean() < SURE * error:
            level.append(RANKERS[METHODS[m]].title)
    title = RANKERS[METHODS[best]].title
    if not level:
        return f"{title} comes closest"
    if len(level) == len(METHODS) - 1:
        return "all methods come about as close"
    if len(level) == len(METHODS) - 2 > 1:
        (rest,) = {RANKERS[name].title for name in METHODS} - {title, *level}
        return f"all methods but {rest} come about as close"
    return f"{listed([title, *level])} come closest"


def losses(study: NoiseStudy) -> str:
    """Say how much correlation each method loses from the least to the most noise."""
    size, shares = len(study.design.sizes) - 1, study.design.shares
    if len(shares) < 2:
        return ""
    least, most = (column_means(study.correlation[share, size]) for share in (0, -1))
    lost = least - most
    known = [m for m in np.argsort(lost) if np.isfinite(lost[m])]
    parts = [f"{RANKERS[METHODS[m]].title} {fixed(float(lost[m]), 3)}" for m in known]
    if not parts:
        return ""
    return (
        f"Correlation lost from {percent(shares[0])} to {percent(shares[-1])} noise: "
        f"{'; '.join(parts)}."
    )


def beside_print(study: NoiseStudy) -> pd.DataFrame:
    """Return the largest size's differences from the graded response model beside O16's Table 1."""
    frame = study.to_frame()
    frame = frame[frame["size"] == max(study.design.sizes)].set_index(["method", "noise"])
    printed = published.otani_table1().set_index(["measure", "noise"])
    rows = []
    for measure in ("correlation", "ndcg"):
        for share in study.design.shares:
            row: dict[str, object] = {"measure": measure, "noise": share}
            row["graded_response"] = frame.loc[("graded-response", share), measure]
            for column, method in (
                ("hopkins_may_minus", "hopkins-may"), ("expected_wins_minus", "expected-wins"),
                ("trueskill_minus", "trueskill"),
            ):  # fmt: skip
                row[column] = frame.loc[(method, share), f"{measure}_minus_graded"]
            known = (measure, share) in printed.index
            for column in printed.columns:
                row[f"printed_{column}"] = printed.loc[(measure, share), column] if known else None
            rows.append(row)
    return pd.DataFrame(rows)


def missing_words(study: NoiseStudy) -> str:
    """Say if there were fewer comparisons with a baseline than asked for; empty if never."""
    short = study.by_baseline[2] < np.array(study.design.sizes)[None, :, None, None]
    if not short.any():
        return ""
    return (
        f"In {percent(float(short.mean()))} of the fits there were too few comparisons with the "
        "baseline; the graded response model used all of them."
    )


def metric_finding(frame: pd.DataFrame, name: Callable[[str], str] = str) -> str:
    """Say how good the baseline is that the metric chooses, among all baselines (Figure 4).

    ``frame`` has one row per baseline of one noise share and size, with the metric's scores.
    """
    known = frame[frame["metric"].notna() & frame["correlation"].notna()]
    if len(known) < 3:
        return "A choice by metric scores needs scores of at least three baselines"
    distance = (known["metric"] - known["metric"].mean()).abs().to_numpy()
    chosen = known.iloc[int(distance.argmin())]
    place = int((known["correlation"] > chosen["correlation"]).sum()) + 1
    return (
        f"The metric chooses {name(str(chosen['baseline']))} as the baseline: correlation "
        f"{fixed(float(chosen['correlation']), 3)}, place {place} of {len(known)}"
    )
