"""What is asked about an unknown table, in words."""

from __future__ import annotations

from analysis.formats.mapping import Guess

QUESTION = "What do the columns of this table mean?"
"""The heading over the form that asks for it."""

CHECK = "If these statements are right, the columns are. If not, change the columns above them."

LAYOUTS = {
    "pairs": "A row compares two systems",
    "wide": "A row ranks or scores several systems, one column each",
    "long": "A row is one output of one system",
}
"""What a row of a table may be."""

TEXTS = ("First output's text", "Second output's text")
TEXTS_HELP = "Breakdown shows the result for outputs of equal length."

OUTCOMES = {
    "a": "The first is better",
    "b": "The second is better",
    "tie": "A tie",
    "skip": "No judgment",
}
"""What a word of the column of winners may mean."""


def sureness_in_words(guess: Guess) -> str:
    """Return whether a guess is certain, and why not, in a sentence or two."""
    if not guess.is_complete:
        return f"The columns could not be guessed: {guess.doubts[0]}. Choose them."
    doubts = f": {'; '.join(guess.doubts[:2])}" if guess.doubts else ""
    if guess.is_sure:
        return f"Podium found what the columns mean{doubts}. Check them below."
    return f"Podium is not certain what the columns mean{doubts}. First choose what a row is."
