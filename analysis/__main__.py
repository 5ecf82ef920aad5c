"""``python -m analysis COMMAND FILE …``: everything the analysis can say, from a shell."""

import os
import sys

# Work is spread over threads already; OpenBLAS's own would fight them. It reads this on import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from analysis.cli import main

if __name__ == "__main__":
    sys.exit(main())
