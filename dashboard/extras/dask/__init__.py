"""Long work on the workers of a Dask cluster."""

from dashboard.registry import Brings

BRINGS = Brings(workers="dashboard.extras.dask.workers")
