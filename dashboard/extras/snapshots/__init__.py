"""The question of What if that compares two snapshots."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={"what-if": "dashboard.extras.snapshots.section"},
    before={"before-and-after": "what-if"},
)
