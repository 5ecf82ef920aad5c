"""Automatic metrics next to people: which of them order systems and outputs as people do."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "metrics",
            "which automatic metrics order systems and outputs as human judges do",
            "analysis.extras.metrics.command",
            "Extras",
            ("metrics sample:mqm-ted", "metrics scores.csv metrics.csv --low-is-good ter"),
        ),
    )
)
