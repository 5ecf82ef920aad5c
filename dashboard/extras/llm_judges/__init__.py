"""LLM judges next to human ones, a section of Agreement; their files come on Data."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={
        "agreement": "dashboard.extras.llm_judges.section",
        "report": "dashboard.extras.llm_judges.reported",
        "slides": "dashboard.extras.llm_judges.slides",
        "data": "dashboard.extras.llm_judges.files",
        "same-items": "dashboard.extras.llm_judges.files",
        "notices": "dashboard.extras.llm_judges.notice",
    },
    before={"machine-judges": "agreement"},
)
