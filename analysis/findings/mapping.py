"""What is asked about an unknown table, in words."""

from __future__ import annotations

from analysis.formats.mapping import Guess
from analysis.wording import percent

QUESTION = "What do the columns of this table mean?"
"""The heading over the form that asks for it."""

CHECK = "If these statements are right, the columns are. If not, change the columns above them."

LAYOUTS = {
    "pairs": "A row compares two systems",
    "wide": "A row ranks or scores several systems, one column each",
    "long": "A row is one output of one system",
}
"""What a row of a table may be."""

OUTCOMES = {
    "a": "The first is better",
    "b": "The second is better",
    "tie": "A tie",
    "skip": "No judgment",
}
"""What a word of the column of winners may mean."""


def sureness_in_words(guess: Guess) -> str:
    """Return how sure a guess is and why not more, in a sentence or two."""
    if not guess.is_complete:
        return f"The columns could not be guessed: {guess.doubts[0]}. Choose them."
    sure = "sure" if guess.is_sure else "not sure"
    said = f"The guess is {sure} ({percent(guess.confidence)})"
    doubts = f": {'; '.join(guess.doubts[:2])}" if guess.doubts else ""
    return f"{said}{doubts}." + ("" if guess.is_sure else " Check it before you read the table.")
