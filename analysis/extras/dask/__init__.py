"""Long work on the workers of a Dask cluster."""

from analysis.registry import Extra

EXTRA = Extra(hooks={"executor": "analysis.extras.dask.command"})
