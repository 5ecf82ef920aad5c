"""Arena-Hard's judgments: a system against a baseline, in two games, with graded verdicts.

In the first game the baseline is A, in the second it is B. Verdicts go from A>>B over A=B to B>>A.
"""

from __future__ import annotations

from analysis.formats.collecting import Collector, ranks_of_vote
from analysis.formats.format import Content, Format
from analysis.formats.nested import Records, dict_of, first_text, list_of, text_of
from analysis.formats.rankings import Rankings
from analysis.wording import count

COLUMNS = "model, judge and games with a score such as A>>B"
BASELINE = "baseline"
"""What the baseline is called where the file does not tell."""

VERDICTS = {
    "A>>B": 1, "A>B": 1, "A=B": 0, "A<B": -1, "A<<B": -1,
    "B>>A": -1, "B>A": -1, "B=A": 0, "B<A": 1, "B<<A": 1,
}  # fmt: skip


def is_arena_hard(content: Content) -> bool:
    """Return whether records have a system and its games."""
    return content.first_record is not None and {"games", "model"} <= content.keys


def read(content: Content) -> Rankings:
    """Make a ranking of two of each game."""
    records = Records(content, ())
    found = Collector(content)
    strong = unnamed = 0
    for row, record in enumerate(records):
        system, category = text_of(record.get("model")), text_of(record.get("category"))
        baseline = first_text(record, ("baseline", "baseline_model"))
        unnamed += not baseline
        baseline = baseline or (f"{BASELINE} of {category}" if category else BASELINE)
        if not system:
            found.leave_out("a system without a name", row, "model is empty")
            continue
        games = [text_of(dict_of(game).get("score")) for game in list_of(record.get("games"))]
        if not any(score in VERDICTS for score in games[:2]):
            got = next(filter(None, games), "")
            found.leave_out(
                "games without a verdict",
                row,
                f"score: {got[:40]!r} is none of {', '.join(VERDICTS)}"
                if got
                else "no game has a score",
            )
            continue
        for game, score in enumerate(games[:2]):
            if score not in VERDICTS:
                found.miss(row, "without a verdict")
                continue
            strong += ">>" in score or "<<" in score
            found.add(
                row,
                [baseline, system] if game == 0 else [system, baseline],
                ranks_of_vote(VERDICTS[score]),
                segment=first_text(record, ("question_id", "uid")),
                judge=text_of(record.get("judge")),
                attributes={"category": category},
            )
    if strong:
        found.note(
            "graded",
            f"{count(strong, 'verdict')} of much better (>>): counted once, as one of better. "
            "Arena-Hard counts such a verdict three times.",
            strong,
        )
    if unnamed:
        found.note(
            "no-baseline",
            f"The file does not name the system that all others met; it is called {BASELINE} here.",
        )
    return found.rankings(len(records), "model")


FORMAT = Format(
    name="arena-hard",
    title="Arena-Hard judgments",
    columns=COLUMNS,
    sniff=is_arena_hard,
    read=read,
)
