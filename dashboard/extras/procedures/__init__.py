"""Official rankings of scores, a switch on Result."""

from dashboard.registry import Brings

BRINGS = Brings(sections={"rule": "dashboard.extras.procedures.rule_section"})
