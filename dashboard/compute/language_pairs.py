"""All language pairs by the view's method: each kept as it comes, for this page and every other."""

from __future__ import annotations

from analysis.comparing.language_pairs import Keep, PairResult, whole_campaign
from analysis.parallel import Progress
from dashboard.compute import results
from dashboard.compute.contexts import with_pair
from dashboard.compute.resuming import InPlace, forget_items, resuming_threads
from dashboard.session import selections
from dashboard.session.view import ViewContext


def whole(
    context: ViewContext, keep: Keep | None = None, progress: Progress | None = None
) -> tuple[PairResult, ...]:
    """Return every pair's result; ``keep`` is told of each as it comes, of known ones at once.

    A pair that was ranked on another page is not ranked again, nor the other way round. Pairs are
    ranked as it is this session's turn, one by one.
    """
    views = {pair: with_pair(context, pair) for pair in context.campaign.pairs}
    known = {}
    for pair, view in views.items():
        found = _known(view)
        if found is not None:
            known[pair] = found
            if keep is not None:
                keep(found)

    def remember(result: PairResult) -> None:
        view = views[result.pair]
        results.keep(view, _key(view), result)
        if result.ranking is not None:
            results.keep_ranking(view, result.ranking)
        if keep is not None:
            keep(result)

    pairs_key = _key(context)
    with resuming_threads(context, pairs_key) as workers:
        every = whole_campaign(
            context.campaign,
            context.ranker,
            context.certainty,
            selections.of(context.campaign),
            known=known,
            keep=remember,
            executor=InPlace(),
            workers=workers,
            progress=progress,
        )
    forget_items(context, pairs_key)
    return every


def is_whole(context: ViewContext) -> bool:
    """Return whether every pair is known already."""
    return all(_known(with_pair(context, pair)) for pair in context.campaign.pairs)


def _known(view: ViewContext) -> PairResult | None:
    found: PairResult | None = results.recall(view, _key(view))
    if found is None and results.is_ranked(view):
        agreed = results.agreement_or_none(view)
        names = view.short_names
        found = PairResult(view.pair, names, view.judgments, results.ranking(view), agreed)
        results.keep(view, _key(view), found)
    return found


def _key(view: ViewContext) -> tuple[object, ...]:
    return ("pair result", view.ranker, view.certainty)
