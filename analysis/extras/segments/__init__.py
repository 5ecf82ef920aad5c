"""Segments: their difficulty and information under the graded response model."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "research segments",
            "difficulty and information of each segment",
            "analysis.extras.segments.command",
            "Research",
            ("research segments sample:wmt14-cs-en", "research segments votes.csv --json"),
        ),
        Command(
            "segments",
            "research segments",
            "analysis.extras.segments.command",
            now="research segments",
        ),
    )
)
