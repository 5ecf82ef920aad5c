"""FastChat's judgments of pairs (MT-bench): two games a record, the second in swapped order.

``g1_winner`` is that of the game with ``model_1`` first, ``g2_winner`` that with ``model_2`` first.
Each game is a vote of its own, so that a machine's leaning to a side can be seen.
"""

from __future__ import annotations

from analysis.formats.arena import segment_of_turn
from analysis.formats.collecting import Collector, ranks_of_vote
from analysis.formats.format import Content, Format
from analysis.formats.nested import Record, Records, first_text, text_of
from analysis.formats.rankings import Rankings

COLUMNS = "question_id, model_1, model_2, g1_winner and g2_winner"
WANTED = (
    "question_id", "id", "model_1", "model_2", "g1_winner", "g2_winner", "judge", "judge_model",
    "turn",
)  # fmt: skip
OUTCOMES = {"model_1": 1, "model_2": -1, "tie": 0}


def is_pairs(content: Content) -> bool:
    """Return whether records have two systems and the winner of a game in one order."""
    return {"model_1", "model_2", "g1_winner"} <= content.keys


def read(content: Content) -> Rankings:
    """Make a ranking of two of each game."""
    records = Records(content, WANTED)
    found = Collector(content)
    for row, record in enumerate(records):
        first, second = (text_of(record.get(f"model_{k}")) for k in (1, 2))
        if not first or not second:
            found.leave_out("a system without a name", row, "a model is empty")
            continue
        winners = [text_of(record.get(f"g{k}_winner")) for k in (1, 2)]
        wrong = [winner for winner in winners if winner and winner not in OUTCOMES]
        if not any(winner in OUTCOMES for winner in winners):
            got = f"the judge's answer is {wrong[0]!r}" if wrong else "no game has a winner"
            found.leave_out("games without a winner", row, got)
            continue
        for game, winner in enumerate(winners):
            if winner not in OUTCOMES:
                found.miss(row, "without a winner")
                continue
            outcome = OUTCOMES[winner]
            shown, ranks = [first, second], ranks_of_vote(outcome)
            if game == 1:
                shown, ranks = shown[::-1], ranks_of_vote(-outcome)
            found.add(row, shown, ranks, segment=_segment(record), judge=judge_of(record))
    return found.rankings(len(records), "model_1 and model_2")


def _segment(record: Record) -> str:
    return segment_of_turn(first_text(record, ("question_id", "id")), text_of(record.get("turn")))


def judge_of(record: Record) -> str:
    """Return a judge's name, with that of the prompt where it stands beside."""
    judge = record.get("judge")
    if isinstance(judge, list):
        return " ".join(filter(None, map(text_of, judge[:2])))
    return first_text(record, ("judge", "judge_model"))


FORMAT = Format(
    name="fastchat-pairs",
    title="FastChat judgments of pairs",
    columns=COLUMNS,
    sniff=is_pairs,
    read=read,
)
