"""Podium's dashboard: ``streamlit run dashboard/app.py``."""

import os
import sys
from pathlib import Path

# OpenBLAS would take every core for one user's matrix of 200 systems; it reads this on import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = str(Path(__file__).resolve().parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)

from dashboard.heaps import keep_small  # noqa: E402

keep_small()
from dashboard import navigation  # noqa: E402

if __name__ == "__main__":
    navigation.run()
