"""The room of metrics, shown where scores of metrics were uploaded on Data."""

from dashboard.extras.metrics.files import is_shown
from dashboard.registry import Brings, PageSpec

BRINGS = Brings(
    pages=(
        PageSpec(
            "Metrics",
            "metrics",
            ":material/query_stats:",
            "dashboard.extras.metrics.page",
            100,
            is_shown,
        ),
    ),
    sections={"data": "dashboard.extras.metrics.files"},
)
