"""Peers that the table compares with; one that is not installed is said to be missing."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from typing import Any

NOT_BESIDE_US = {
    "arena-rank": "0.1.1 needs numpy 2.3.3 and jax 0.8.1 exactly; Podium runs on numpy 2.4.6",
}
"""Peers that cannot be installed into one environment with Podium, and why."""


def peer(module: str) -> Any | None:
    """Return a peer's module, None where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        return None


def named(distribution: str) -> str:
    """Return a peer's name with its version."""
    return f"{distribution} {version(distribution)}"


def missing(distribution: str) -> str:
    """Say that a peer is missing."""
    return f"{distribution} is not installed (tests/tools/benchmark/requirements.txt)"
