"""TrueSkill as the translation workshops use it: the ranker, its kernels, its expected run."""

from analysis.rankers.trueskill.trueskill import TrueSkill

__all__ = ["TrueSkill"]
