"""The room of scores: quality estimates, labels and search results, uploaded on Data."""

from dashboard.extras.scores.files import is_shown
from dashboard.registry import Brings, PageSpec

BRINGS = Brings(
    pages=(
        PageSpec(
            "Scores",
            "scores",
            ":material/straighten:",
            "dashboard.extras.scores.page",
            110,
            is_shown,
        ),
    ),
    sections={"data": "dashboard.extras.scores.files"},
)
