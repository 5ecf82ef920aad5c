"""compar:IA's votes: two models, the one that was chosen, or both alike."""

from __future__ import annotations

from analysis.formats.arena import LENGTHS, SESSION, Votes, read_votes
from analysis.formats.format import Content, Format
from analysis.formats.rankings import Column, Rankings, combine
from analysis.formats.text_names import named_by_text

COLUMNS = "model_a_name, model_b_name, chosen_model_name and both_equal"
SYSTEMS = ("model_a_name", "model_b_name")
VOTE = ("chosen_model_name", "both_equal")
JUDGE = ("visitor_id", *SESSION)
QUESTION = ("conversation_pair_id", "id")
TEXT = ("opening_msg",)
ABOUT = ("selected_category", "mode", "country_portal", "conv_turns")
WANTED = (
    *SYSTEMS, *VOTE, *JUDGE, *QUESTION, *TEXT, *ABOUT, *(n for pair in LENGTHS for n in pair[:2]),
)  # fmt: skip


def is_comparia(content: Content) -> bool:
    """Return whether two models stand beside the chosen one."""
    return {*SYSTEMS, VOTE[0]} <= content.keys


def read(content: Content) -> Rankings:
    """Make rankings of two of the votes."""
    table = content.table(WANTED)
    left, right = (table[key] for key in SYSTEMS)
    columns = [table[key] for key in VOTE if key in table]
    question = table.first(QUESTION)
    if question is None and TEXT[0] in table:
        text = table[TEXT[0]]
        question = Column(text.codes, [named_by_text(name) for name in text.names])
    return read_votes(
        content,
        Votes(
            table=table,
            left=left,
            right=right,
            winner=combine(columns, _winner),
            called=SYSTEMS,
            judge=table.first(JUDGE),
            question=question,
            attributes={key: table[key] for key in ABOUT if key in table},
        ),
    )


def _winner(chosen: str, both_equal: str = "") -> str:
    """Return the chosen model, or a tie; a vote for neither and no tie is none.

    >>> _winner("m", "False"), _winner("", "True"), _winner("nan", "true"), _winner("", "")
    ('m', 'tie', 'tie', 'no choice')
    """
    if both_equal.strip().casefold() in ("true", "1", "1.0"):
        return "tie"
    return chosen if chosen.strip().casefold() not in ("", "nan", "none", "null") else "no choice"


FORMAT = Format(
    name="comparia",
    title="compar:IA votes",
    columns=COLUMNS,
    sniff=is_comparia,
    read=read,
)
