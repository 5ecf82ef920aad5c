"""Wide rows: two outputs a row, and the votes of several judges side by side (PandaLM).

A judge's column is ``annotator1``, ``judge_b``, ``rater 3`` or ``NAME_result``; its value is 1 or
2 for the output that is better, 0 for a tie, or one of the words that arena votes use.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from analysis.formats.arena import LEFT, QUESTION, RIGHT
from analysis.formats.content import Content
from analysis.formats.described import DOCUMENT
from analysis.formats.format import Format
from analysis.formats.mapping.apply import Parts, apply_to
from analysis.formats.mapping.profile import Profile
from analysis.formats.rankings import Column

_JUDGE = re.compile(r"(?:annotator|judge|rater|evaluator|labeler|worker|expert)[ _-]?(?:\d+|[a-z])")
_RESULT = "_result"
BOTH = ("cmp_key", "pair_name")
"""Two systems in one column, with an underscore between."""
QUESTIONS = (*QUESTION, "idx", "index", "id")
TEXTS = ("instruction", "input", "prompt")
"""What the outputs answer: rows number pairs of outputs, not questions."""
OUTPUTS = (("response1", "response2"), ("output_1", "output_2"), ("response_a", "response_b"))


def judge_columns(keys: Sequence[str]) -> list[str]:
    """Return the columns that hold a judge's votes.

    >>> judge_columns(["idx", "annotator1", "annotator2", "gpt_result", "judge", "judge_id"])
    ['annotator1', 'annotator2', 'gpt_result']
    """
    return [key for key in keys if _JUDGE.fullmatch(key) or key.endswith(_RESULT)]


def is_wide(content: Content) -> bool:
    """Return whether each row has two systems, and columns of judges instead of a winner."""
    keys = content.keys
    pairs = any(k in keys for k in BOTH) or (
        any(k in keys for k in LEFT) and any(k in keys for k in RIGHT)
    )
    return pairs and bool(judge_columns(sorted(keys))) and "winner" not in keys


def read(content: Content) -> Parts:
    """Make a ranking of two of each judge's vote in a row."""
    judges = judge_columns(sorted(content.keys))
    texts = tuple(key for pair in OUTPUTS for key in pair)
    table = content.table((*BOTH, *LEFT, *RIGHT, *judges, *QUESTIONS, *TEXTS, *DOCUMENT, *texts))
    names = [judge.removesuffix(_RESULT) for judge in judges]
    made = {name: table[own] for name, own in zip(names, judges, strict=True)}
    left, right = table.name_of(LEFT), table.name_of(RIGHT)
    if not (left and right):
        left, right = "left system", "right system"
        made |= dict(zip((left, right), _taken_apart(table[table.name_of(BOTH)]), strict=True))
    texts_of_item = [f"{{{key}}}" for key in TEXTS if key in table]
    item = "[" + "][ ".join(texts_of_item) + "]" if texts_of_item else ""
    profile = Profile(
        system_a=left,
        system_b=right,
        winner="vote",
        judge="judge",
        segment="item" if item else table.name_of(QUESTIONS),
        document=table.name_of(DOCUMENT),
        winners=(("0", "tie"), ("1", "a"), ("2", "b")),
        repeats=(("vote", tuple(names)),),
        repeat_name="{judge}",
        templates=(("item", item),) if item else (),
        lengths=tuple(("characters", pair) for pair in OUTPUTS if pair[0] in table)[:1],
    )
    columns = {**table.columns, **made}
    return apply_to(replace(table, columns=columns, header=(*columns,)), profile, content.place)


def _taken_apart(both: Column) -> list[Column]:
    """Take names like a_b apart; where names have underscores, at the names that recur most."""
    splits = [
        [(key[:k], key[k + 1 :]) for k, letter in enumerate(key) if letter == "_"]
        if len(key) < 400
        else []
        for key in both.names
    ]
    often = Counter(name for options in splits for pair in options for name in set(pair))
    best = [
        max(options, key=lambda pair: min(often[pair[0]], often[pair[1]]), default=("", ""))
        for options in splits
    ]
    return [Column(both.codes, [pair[side] for pair in best]) for side in (0, 1)]


FORMAT = Format(
    name="wide-judges",
    title="rows with several judges",
    columns="two systems (model_a, model_b, or cmp_key) and one column per judge (annotator1, "
    "annotator2)",
    sniff=is_wide,
    read=read,
)
