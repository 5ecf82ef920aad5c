"""What pages compute, and the only caches.

Everything slower than a few milliseconds goes through `remember`, whose key is completed by the
campaign's fingerprint, the pair and the selection.
"""

from dashboard.compute.contexts import (
    everything,
    judgments,
    make_context,
    with_pair,
    with_selection,
    with_share,
)
from dashboard.compute.downloads import drawn, fetched
from dashboard.compute.queue import before_me, begin_request, waiting, where
from dashboard.compute.results import (
    agreement_of_judges,
    agreement_or_none,
    agreement_to_trust,
    caution,
    doubt_of_winner,
    extra_checks,
    few_judges_of,
    fit,
    graded_response,
    gravest_of,
    is_ranked,
    judge_by_judge,
    judged_pairs,
    keep,
    limits_by_method,
    other_coefficients,
    pairs_of_judges,
    preflight_findings,
    preview,
    quality_of_judges,
    ranking,
    recall,
    remember,
    remember_in_turn,
    replicates,
    score_agreement_of_judges,
    standings,
    takes_time,
    verdict,
    warm_up,
)
from dashboard.compute.store import forget_items, resuming_threads
