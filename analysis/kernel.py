"""Kernels: functions that Numba compiles when they are first called, and where these are kept.

To import Numba takes a quarter of a second, so nothing imports it before a kernel is called.
"""

from __future__ import annotations

import atexit
import functools
import importlib
import os
import shutil
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


_COMPILING = threading.RLock()


class Kernel:
    """A function that runs compiled, without Python's lock."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        functools.update_wrapper(self, function)
        self._function, self._options = function, options

    def __call__(self, *arguments: Any) -> Any:
        return self.compiled(*arguments)

    @functools.cached_property
    def compiled(self) -> Any:
        """Numba's function, which loads from disk what was compiled before."""
        with _COMPILING:
            names = self._function.__globals__
            # Numba compiles calls of its own functions only: so the kernels that this one calls
            # are replaced where it looks for them.
            for name in self._function.__code__.co_names:
                if isinstance(names.get(name), Kernel):
                    names[name] = names[name].compiled
            numba = importlib.import_module("numba")
            return numba.njit(cache=True, nogil=True, **self._options)(self._function)


def kernel(function: Callable[..., Any] | None = None, **options: Any) -> Any:
    """Make a kernel of a function; ``options`` are Numba's, such as ``inline="always"``."""
    return functools.partial(Kernel, **options) if function is None else Kernel(function)
