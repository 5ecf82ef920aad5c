"""Standings by part of a campaign, and covariates such as position and length."""

from analysis.registry import Command, Extra

EXTRA = Extra(
    commands=(
        Command(
            "slices",
            "ranking by part of a campaign, and adjusted for position or length",
            "analysis.extras.slices.command",
            "Extras",
            (
                "slices sample:mqm-ted --by document",
                "slices votes.csv --adjust-for position,length",
            ),
        ),
        Command(
            "effects",
            "slices --adjust-for",
            "analysis.extras.slices.effects_command",
            now="slices --adjust-for",
        ),
    ),
    rankers=("analysis.extras.slices.controlled:Controlled",),
    hooks={"checks": "analysis.extras.slices.check"},
)
