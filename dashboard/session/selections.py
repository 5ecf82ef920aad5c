"""The user's filters of each campaign, and how to undo them."""

from __future__ import annotations

from analysis.campaign import DEFAULT_SELECTION, Campaign, Selection
from dashboard.session import link, state

MOST_UNDONE = 50
"""Selections that can be gone back to."""


def of(campaign: Campaign) -> Selection:
    """Return the user's filters of a campaign, else the link's, else those that drop nothing."""
    session = state.session()
    chosen = session.selections.get(campaign.fingerprint)
    if chosen is not None:
        return chosen
    if session.link.get("data") == campaign.fingerprint:
        return link.decode(session.link.get("only", ""), campaign)
    return DEFAULT_SELECTION


def select(campaign: Campaign, selection: Selection) -> None:
    """Hold a selection on every page; works in callbacks and in a page's own run."""
    session = state.session()
    before = session.before.setdefault(campaign.fingerprint, [])
    before.append(of(campaign))
    del before[:-MOST_UNDONE]
    session.selections[campaign.fingerprint] = selection


def can_undo(campaign: Campaign) -> bool:
    """Return whether there is a selection to go back to."""
    return bool(state.session().before.get(campaign.fingerprint))


def undo_selection(campaign: Campaign) -> None:
    """Go back to the selection before the last one; again, and so on."""
    session = state.session()
    before = session.before.get(campaign.fingerprint)
    if before:
        session.selections[campaign.fingerprint] = before.pop()
