"""Standings by part of the campaign, and effects of position and style: sections of Breakdown."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={"breakdown": "dashboard.extras.slices.section"}, before={"slices": "breakdown"}
)
