"""Two snapshots of a campaign: what changed between them beyond noise."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "diff",
            "significant changes between two snapshots of a campaign",
            "analysis.extras.snapshots.command",
            "Results",
            ("diff before.csv after.csv", "diff before.csv after.csv --json"),
        ),
        Command("compare-states", "diff", "analysis.extras.snapshots.command", now="diff"),
    ),
    hooks={"checks": "analysis.extras.snapshots.check"},
)
