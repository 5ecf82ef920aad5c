"""Bradley–Terry that knows judges: `judge_aware` ranks, `posterior` finds the mode."""

from analysis.rankers.judge_aware.judge_aware import JudgeAware, JudgeAwareFit

__all__ = ["JudgeAware", "JudgeAwareFit"]
