"""Published numbers computed again, a study of Methods and validation."""

from dashboard.registry import Brings

BRINGS = Brings(
    sections={"validation": "dashboard.extras.replication.section"},
    before={"replication": "validation"},
)
