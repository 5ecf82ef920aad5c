"""AlpacaEval's annotations: two outputs of an instruction, and a preference from 1 to 2.

1 is the first output, 2 the second, what lies between is how sure the machine is; 1.5 is a tie (so
is 0, as older files write it). What counts is the side of 1.5 on which a preference lies.
"""

from __future__ import annotations

from analysis.formats.collecting import Collector, ranks_of_vote
from analysis.formats.format import Content, Format
from analysis.formats.nested import Record, Records, first_text, text_of
from analysis.formats.rankings import Rankings, number
from analysis.formats.text_names import named_by_text
from analysis.wording import count

COLUMNS = "instruction, generator_1, generator_2 and preference"
WANTED = (
    "instruction", "input", "dataset", "generator_1", "generator_2", "output_1", "output_2",
    "annotator", "annotator_index", "preference",
)  # fmt: skip


def is_alpaca_eval(content: Content) -> bool:
    """Return whether records have two generators and a preference."""
    return {"generator_1", "generator_2", "preference"} <= content.keys


def read(content: Content) -> Rankings:
    """Make a ranking of two of each annotation."""
    records = Records(content, WANTED)
    found = Collector(content)
    graded = 0
    for row, record in enumerate(records):
        systems = [text_of(record.get(f"generator_{k}")) for k in (1, 2)]
        preference = number(text_of(record.get("preference")))
        if not all(systems):
            found.leave_out("a system without a name", row, "a generator is empty")
        elif not (1 <= preference <= 2 or preference == 0):
            got = text_of(record.get("preference"))
            found.leave_out(
                "a preference outside 1–2",
                row,
                f"preference: {got[:40]!r} is not between 1 and 2" if got else "it has none",
            )
        else:
            graded += preference not in (0, 1, 1.5, 2)
            side = 0.0 if preference == 0 else 1.5 - preference
            found.add(
                row,
                systems,
                ranks_of_vote((side > 0) - (side < 0)),
                segment=_segment(record),
                judge=first_text(record, ("annotator", "annotator_index")),
                characters=[_length(record.get(f"output_{k}")) for k in (1, 2)],
                attributes={"dataset": text_of(record.get("dataset"))},
            )
    if graded:
        found.note(
            "graded",
            f"{count(graded, 'preference')} between a win and a tie: counted as a win of the side "
            "on which it lies, however narrowly.",
            graded,
        )
    found.note(
        "order-unknown",
        "The annotators may have been shown the outputs in the other order, which the file does "
        "not tell: what it says of the first shown is about the file's order.",
    )
    return found.rankings(len(records), "generator_1 and generator_2")


def _segment(record: Record) -> str:
    parts = (text_of(record.get(key)) for key in ("instruction", "input"))
    return named_by_text(" ".join(filter(None, parts)))


def _length(value: object) -> float:
    return float(len(value)) if isinstance(value, str) and value else float("nan")


FORMAT = Format(
    name="alpaca-eval",
    title="AlpacaEval annotations",
    columns=COLUMNS,
    sniff=is_alpaca_eval,
    read=read,
)
