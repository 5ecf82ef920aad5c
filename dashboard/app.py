"""Podium's dashboard: ``streamlit run dashboard/app.py``."""

import os
import sys
from pathlib import Path

# OpenBLAS would take every core for one user's matrix of 200 systems; it reads this on import.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
ROOT = Path(__file__).resolve().parents[1]
if not (ROOT / "__init__.py").exists() and str(ROOT) not in sys.path:  # not an installed package
    sys.path.insert(0, str(ROOT))

from dashboard.memory import keep_small  # noqa: E402

keep_small()
from dashboard import navigation  # noqa: E402

if __name__ == "__main__":
    navigation.run()
