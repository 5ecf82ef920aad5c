"""What pages compute, and the only caches.

Everything slower than a few milliseconds goes through `remember`, whose key is completed by the
campaign's fingerprint, the pair and the selection.
"""

from dashboard.compute.contexts import (
    everything,
    judgments,
    make_context,
    of_file,
    sample,
    with_pair,
    with_selection,
    with_share,
)
from dashboard.compute.drawings import drawn
from dashboard.compute.elsewhere import elsewhere
from dashboard.compute.machines import (
    example_with_machines,
    machine_agreement,
    machines_of_files,
    machines_of_sample,
    powered_standings,
    scores_of_all_people,
)
from dashboard.compute.results import (
    agreement_of_judges,
    agreement_or_none,
    fit,
    graded_response,
    is_ranked,
    judge_aware,
    judge_by_judge,
    judge_couples,
    judged_pairs,
    keep,
    other_coefficients,
    preflight_findings,
    preview,
    quality_of_judges,
    ranking,
    recall,
    remember,
    remember_in_turn,
    replicates,
    standings,
    takes_time,
    told_apart,
    warm_up,
)
from dashboard.compute.resuming import forget_items, resuming_threads
from dashboard.compute.turns import before_me, waiting

__all__ = [
    "agreement_of_judges",
    "agreement_or_none",
    "before_me",
    "drawn",
    "elsewhere",
    "everything",
    "example_with_machines",
    "fit",
    "forget_items",
    "graded_response",
    "is_ranked",
    "judge_aware",
    "judge_by_judge",
    "judge_couples",
    "judged_pairs",
    "judgments",
    "keep",
    "machine_agreement",
    "machines_of_files",
    "machines_of_sample",
    "make_context",
    "of_file",
    "other_coefficients",
    "powered_standings",
    "preflight_findings",
    "preview",
    "quality_of_judges",
    "ranking",
    "recall",
    "remember",
    "remember_in_turn",
    "replicates",
    "resuming_threads",
    "sample",
    "scores_of_all_people",
    "standings",
    "takes_time",
    "told_apart",
    "waiting",
    "warm_up",
    "with_pair",
    "with_selection",
    "with_share",
]
