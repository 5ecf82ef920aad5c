"""The study of noisy judges, a question of the study Experiments."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"experiments": "dashboard.extras.noise.section"})
