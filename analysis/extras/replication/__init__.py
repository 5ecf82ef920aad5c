"""Published numbers, recomputed: one module per paper."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "research replicate",
            "recompute published numbers, with a verdict on each",
            "analysis.extras.replication.command",
            "Research",
            ("research replicate --quick", "research replicate --only koehn-table-4"),
        ),
        Command(
            "replicate",
            "research replicate",
            "analysis.extras.replication.command",
            now="research replicate",
        ),
    )
)
