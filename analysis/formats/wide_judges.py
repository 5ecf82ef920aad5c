"""Wide rows: two outputs a row, and the votes of several judges side by side (PandaLM).

A judge's column is ``annotator1``, ``judge_b``, ``rater 3`` or ``NAME_result``; its value is 1 or
2 for the output that is better, 0 for a tie, or one of the words that arena votes use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from analysis.errors import ReadingError
from analysis.formats.arena import LEFT, QUESTION, RIGHT, outcome_of
from analysis.formats.collecting import Collector, ranks_of_vote
from analysis.formats.described import DOCUMENT
from analysis.formats.format import Content, Format
from analysis.formats.nested import Record, first_text, rows_of, text_of
from analysis.formats.rankings import Rankings
from analysis.formats.text_names import named_by_text

COLUMNS = (
    "two systems (model_a, model_b, or cmp_key) and one column per judge (annotator1, annotator2)"
)

_JUDGE = re.compile(r"(?:annotator|judge|rater|evaluator|labeler|worker|expert)[ _-]?(?:\d+|[a-z])")
_RESULT = re.compile(r".+_result")
BOTH = ("cmp_key", "pair_name")
"""Two systems in one column, with an underscore between."""
_NUMBERS = {"0": 0, "1": 1, "2": -1}
QUESTIONS = (*QUESTION, "idx", "index", "id")
TEXTS = ("instruction", "input", "prompt")
OUTPUTS = (("response1", "response2"), ("output_1", "output_2"), ("response_a", "response_b"))


def judge_columns(keys: Sequence[str]) -> list[str]:
    """Return the columns that hold a judge's votes.

    >>> judge_columns(["idx", "annotator1", "annotator2", "gpt_result", "judge", "judge_id"])
    ['annotator1', 'annotator2', 'gpt_result']
    """
    return [key for key in keys if _JUDGE.fullmatch(key) or _RESULT.fullmatch(key)]


def is_wide(content: Content) -> bool:
    """Return whether each row has two systems, and columns of judges instead of a winner."""
    keys = content.keys
    pairs = any(k in keys for k in BOTH) or (
        any(k in keys for k in LEFT) and any(k in keys for k in RIGHT)
    )
    return pairs and bool(judge_columns(sorted(keys))) and "winner" not in keys


def read(content: Content) -> Rankings:
    """Make a ranking of two of each judge's vote in a row."""
    judges = judge_columns(sorted(content.keys))
    texts = tuple(key for pair in OUTPUTS for key in pair)
    table = content.table((*BOTH, *LEFT, *RIGHT, *judges, *QUESTIONS, *TEXTS, *DOCUMENT, *texts))
    found = Collector(content)
    in_one = _names_within([name for key in BOTH if key in table for name in table[key].names])
    for row, record in enumerate(rows_of(table)):
        systems = _systems(record, in_one)
        if systems is None:
            found.leave_out("a system without a name", row, "it does not name two systems")
            continue
        votes = {judge: text_of(record.get(judge)) for judge in judges}
        outcomes = {judge: _outcome(vote, systems) for judge, vote in votes.items()}
        if all(outcome is None for outcome in outcomes.values()):
            got = next(filter(None, votes.values()), "")
            found.leave_out(
                "no judge's vote",
                row,
                f"{got[:40]!r} is not a vote" if got else "no judge answered",
            )
            continue
        for judge, outcome in outcomes.items():
            if outcome is None:
                found.miss(row, "without a vote")
            else:
                found.add(
                    row,
                    systems,
                    ranks_of_vote(outcome),
                    segment=_segment(record),
                    judge=judge.removesuffix("_result"),
                    characters=_lengths(record),
                    attributes=_document(record),
                )
    if not len(found) and table.n_rows and not in_one and not any(k in content.keys for k in LEFT):
        raise ReadingError(
            content.place, "no column names the two systems of a row", f"It needs {COLUMNS}."
        )
    return found.rankings(table.n_rows, "the columns of systems")


def _outcome(vote: str, systems: Sequence[str]) -> int | None:
    """Return 1, 0 or -1 from the first output's side; None for no vote."""
    if vote in _NUMBERS:
        return _NUMBERS[vote]
    if vote in systems:
        return 1 if vote == systems[0] else -1
    return outcome_of(vote)


def _names_within(keys: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Take names like a_b apart; where names hold underscores, at the names that recur most."""
    splits = {
        key: [
            (key[:k], key[k + 1 :])
            for k, letter in enumerate(key)
            if letter == "_" and 0 < k < len(key) - 1
        ]
        for key in set(keys)
        if len(key) < 400
    }
    often = Counter(name for options in splits.values() for pair in options for name in set(pair))
    return {
        key: max(options, key=lambda pair: min(often[pair[0]], often[pair[1]]))
        for key, options in splits.items()
        if options
    }


def _systems(record: Record, in_one: dict[str, tuple[str, str]]) -> list[str] | None:
    left, right = first_text(record, LEFT), first_text(record, RIGHT)
    if left and right:
        return [left, right]
    both = in_one.get(first_text(record, BOTH))
    return list(both) if both else None


def _segment(record: Record) -> str:
    """Return the question: its text where there is one, since rows number pairs, not questions."""
    text = " ".join(filter(None, (text_of(record.get(key)) for key in TEXTS)))
    return named_by_text(text) if text else first_text(record, QUESTIONS)


def _document(record: Record) -> dict[str, str]:
    document = first_text(record, DOCUMENT)
    return {"document": document} if document else {}


def _lengths(record: Record) -> list[float]:
    for pair in OUTPUTS:
        texts = [record.get(key) for key in pair]
        if all(isinstance(text, str) and text for text in texts):
            return [float(len(str(text))) for text in texts]
    return []


FORMAT = Format(
    name="wide-judges",
    title="rows with several judges",
    columns=COLUMNS,
    sniff=is_wide,
    read=read,
)
