"""The front door: a few functions for a notebook or a script.

    from analysis import rank, read

    votes = read("votes.csv")
    ranking = rank(votes, "bradley-terry")
    ranking.to_frame(), ranking.winner, ranking.plot()

Every error that a user can correct is a `PodiumError`. Same seed, same result.
"""

from analysis.api.functions import agreement, compare, plan, rank
from analysis.api.results import Ranking
from analysis.api.sources import Votes, read
from analysis.errors import PodiumError

__all__ = ["PodiumError", "Ranking", "Votes", "agreement", "compare", "plan", "rank", "read"]
