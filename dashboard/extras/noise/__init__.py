"""The study of noisy judges, a section of Stability."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"validation": "dashboard.extras.noise.section"})
