"""Standings by part of the campaign, and length and style control: sections of Breakdown."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={
        "breakdown": "dashboard.extras.slices.section",
        "notices": "dashboard.extras.slices.notice",
    },
    before={"slices": "breakdown"},
)
