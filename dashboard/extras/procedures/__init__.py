"""Official rankings of scores, a section of Result."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"result": "dashboard.extras.procedures.standings_section"})
