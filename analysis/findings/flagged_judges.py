"""Judges whose work needs a check, as a limit of the ranking."""

from __future__ import annotations

from analysis.judges.judges import JudgeTable, judges_finding
from analysis.ranking.preflight import Finding


def flagged_judges(table: JudgeTable) -> tuple[Finding, ...]:
    """Return a finding if a judge needs a check; nothing else, nor of a single judge."""
    if len(table.judges) < 2 or not table.noticed:
        return ()
    return (
        Finding(
            "flagged-judges",
            "note",
            f"{judges_finding(table)}.",
            "A flag is a reason to check a judge's work, not a verdict.",
            # The same words from page and command: an archive's report is written by either.
            "The table of judges shows the reasons. Compare with the ranking without them.",
        ),
    )
