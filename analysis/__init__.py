"""Podium's analysis: judgments in, standings out. Plain Python, no front end.

    from analysis import rank, read

    votes = read("judgments.csv")
    rank(votes, "bradley-terry", lang_pair="fra-eng").to_frame()

The functions of the front door are in `analysis.api`; they are imported when asked for. The
way of the data: a format turns bytes into a `Campaign` and a `ReadReport`; ``Campaign.judgments``
makes a user's choice of them into `Judgments`; a ranker from ``rankers.RANKERS`` makes these into
`Standings`; `ranking` says which of them differ significantly.
"""

import importlib
import os

# A sum over two threads differs from one over four in its last digit, and Podium spreads work over
# threads itself. OpenBLAS reads this once, when NumPy is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from analysis.kernel import choose_kernel_cache
from analysis.version import __version__ as __version__

__all__ = ["PodiumError", "Ranking", "Votes", "agreement", "compare", "plan", "rank", "read"]

choose_kernel_cache()


def __getattr__(name: str) -> object:
    """Open the front door for those who ask for it; modules of the house do without."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module("analysis.api"), name)
