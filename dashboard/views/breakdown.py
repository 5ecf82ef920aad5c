"""Breakdown: the result by domain, document, direction, and length and style control."""

from __future__ import annotations

from dashboard.registry import sections
from dashboard.session.state import require_campaign


def show() -> None:
    """Show what extras find to break the judgments down by."""
    context = require_campaign()
    for section in sections("breakdown"):
        section.show(context)
