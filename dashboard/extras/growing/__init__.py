"""Clusters and abilities after so many judgments, questions of the study Experiments."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"experiments": "dashboard.extras.growing.section"})
