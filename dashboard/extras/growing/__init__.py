"""Clusters and abilities after so many judgments, a section of Model selection."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"validation": "dashboard.extras.growing.section"})
