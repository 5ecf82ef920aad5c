"""Where compiled kernels are kept: beside the code, else at home, else in a folder of this run."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path

_HOME = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())


def choose_kernel_cache(*usual: Path) -> None:
    """Name a temporary folder to Numba where it may write to none of its usual ones.

    Without one it refuses to load a kernel. The folder goes at exit and belongs to this process
    alone, since Numba runs what it finds there.
    """
    if os.environ.get("NUMBA_CACHE_DIR") or any(map(_may_write, usual or _usual())):
        return
    folder = tempfile.mkdtemp(prefix="podium-kernels-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["NUMBA_CACHE_DIR"] = folder


def _usual() -> tuple[Path, ...]:
    return (Path(__file__).parent, _HOME / "numba")


def _may_write(folder: Path) -> bool:
    """Return whether files can be made in a folder, or the folder itself."""
    there = next(path for path in (folder, *folder.parents) if path.exists())
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)
