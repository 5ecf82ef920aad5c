"""Segments by difficulty, a study of Methods and validation."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={"validation": "dashboard.extras.segments.section"},
    before={"segments": "validation"},
)
