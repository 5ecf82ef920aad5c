"""Growing campaigns: clusters and abilities after so many judgments."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    hooks={"claims": "analysis.extras.growing.claims"},
    commands=(
        Command(
            "research grow",
            "number of clusters and abilities for campaigns of given sizes",
            "analysis.extras.growing.command",
            "Research",
            (
                "research grow sample:wmt14-cs-en --sizes 200,800",
                "research grow votes.csv --of abilities",
            ),
        ),
        Command("grow", "research grow", "analysis.extras.growing.command", now="research grow"),
    ),
)
