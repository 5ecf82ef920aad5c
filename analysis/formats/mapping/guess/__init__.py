"""What the columns of an unknown table may mean, from their names and contents, and how surely."""

from analysis.formats.mapping.guess.draft import SURE, Guess
from analysis.formats.mapping.guess.guess import guess
from analysis.formats.mapping.guess.looks import cutting_columns

__all__ = ["SURE", "Guess", "cutting_columns", "guess"]
