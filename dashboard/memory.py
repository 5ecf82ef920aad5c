"""The C library's heaps: kept few and short, so that what a crowd of users took goes back.

As it comes, glibc gives nearly every thread a heap of its own and keeps up to 64 MB at the end of
each one. After thirty sessions those ends held more than all that was still in use.
"""

from __future__ import annotations

import contextlib
import ctypes

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Parameters of the allocator, as malloc.h numbers them."""
MB = 2**20


def keep_small() -> None:
    """Share two heaps among all threads; give back free ends and, when freed, every large array.

    Called before other code runs in threads, since a heap that is there stays; again does no harm.
    """
    _libc("mallopt", M_ARENA_MAX, 2)
    _libc("mallopt", M_MMAP_THRESHOLD, 1 * MB)
    _libc("mallopt", M_TRIM_THRESHOLD, 2 * MB)


def give_back() -> None:
    """Give whole pages that are free inside the heaps back to the machine."""
    _libc("malloc_trim", 0)


def _libc(function: str, *arguments: int) -> None:
    """Call the C library where it has such a function: glibc does, others do not."""
    with contextlib.suppress(AttributeError, OSError, TypeError):
        getattr(ctypes.CDLL(None), function)(*arguments)
