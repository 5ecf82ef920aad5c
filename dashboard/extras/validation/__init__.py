"""The page Methods and validation, behind the link at the foot."""

from dashboard.registry import FOOT, Brings, PageSpec

BRINGS = Brings(
    pages=(
        PageSpec(
            "Methods and validation",
            "validation",
            ":material/rule:",
            "dashboard.extras.validation.page",
            FOOT,
            before=("model-selection", "replication", "segments"),
        ),
    )
)
