"""The slide of LLM judges, in the deck of a view that has some."""

from __future__ import annotations

from analysis.extras.llm_judges.findings import machines_slide
from analysis.reporting.deck.slides import Slide
from dashboard.extras.llm_judges.compute import measured_machines
from dashboard.session.view import ViewContext


def slides(context: ViewContext) -> list[Slide]:
    """Return the slide; none where no LLM judge could be compared."""
    known = [agreed for _, agreed in measured_machines(context)[0].values()]
    return [machines_slide(known)] if any(agreed.kappa.is_known for agreed in known) else []
