"""Podium's analysis: judgments in, standings out. Plain Python, no front end.

The way of the data: ``reading`` turns bytes into a `Campaign` and a `ReadReport`;
``Campaign.judgments`` makes a user's choice of them into `Judgments`; a ranker from
``rankers.RANKERS`` makes these into `Standings`; ``resampling`` repeats that on resamples;
``rank_ranges`` and ``clusters`` say what of it can be told apart.
"""

__version__ = "0.1.0"
