"""The order of the house: who may import whom, over the imports that really stand in the code.

Each package imports only those above it in `ORDER`; inside a package nothing goes in circles. An
import that stands in a function or behind TYPE_CHECKING counts like any other.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

ORDER = (
    "analysis.errors",
    "analysis.shipped",
    "analysis.version",
    "analysis.kernel",
    "analysis.parameters",
    "analysis.provenance",
    "analysis.parallel",
    "analysis.registry",
    "analysis.names",
    "analysis.languages",
    "analysis.escaping",
    "analysis.wording",
    "analysis.colors",
    "analysis.campaign",
    "analysis.formats",
    "analysis.published",
    "analysis.samples",
    "analysis.rankers",
    "analysis.ranking",
    "analysis.judges",
    "analysis.comparing",
    "analysis.next_campaign",
    "analysis.kernels",
    "analysis.presets",
    "analysis.findings",
    "analysis.drawing",
    "analysis.reporting",
    "analysis.api",
    "analysis.cli",
    "analysis",
    "analysis.extras",
    "dashboard",
    "dashboard.memory",
    "dashboard.design",
    "dashboard.figures",
    "dashboard.tables",
    "dashboard.session",
    "dashboard.registry",
    "dashboard.compute",
    "dashboard.widgets",
    "dashboard.views",
    "dashboard.navigation",
    "dashboard.app",
    "dashboard.extras",
)
"""From the top of the house to its bottom; plumbing first, the front door last, then its pages."""


@cache
def modules() -> dict[str, Path]:
    """Every module of the product by its dotted name."""
    found = {}
    for path in sorted(p for top in ("analysis", "dashboard") for p in (ROOT / top).rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


@cache
def edges() -> dict[str, frozenset[str]]:
    """Which modules of the product each one imports, anywhere in it."""
    graph = {}
    for name, path in modules().items():
        targets: set[str] = set()
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                targets |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                targets |= {
                    inner if (inner := f"{node.module}.{alias.name}") in modules() else node.module
                    for alias in node.names
                }
        graph[name] = frozenset(targets & modules().keys()) - {name}
    return graph


def room(module: str) -> str:
    """The entry of `ORDER` that a module belongs to: its own or its package's."""
    while module not in ORDER:
        module = module.rpartition(".")[0]
    return module


def upward_edges() -> list[str]:
    return [
        f"{name} imports {target}"
        for name, targets in edges().items()
        for target in targets
        if ORDER.index(room(target)) > ORDER.index(room(name))
    ]


def cycles() -> list[str]:
    """Modules that reach themselves; a package's face belongs to its modules and may not."""
    state: dict[str, int] = {}
    found: list[str] = []

    def visit(name: str, path: tuple[str, ...]) -> None:
        state[name] = 1
        for target in sorted(edges()[name]):
            if state.get(target) == 1:
                found.append(" → ".join((*path[path.index(target) :], target)))
            elif target not in state:
                visit(target, (*path, target))
        state[name] = 2

    for name in modules():
        if name not in state:
            visit(name, (name,))
    return found


def test_nothing_is_imported_from_below() -> None:
    assert upward_edges() == []


def extra_of(module: str) -> str:
    """The extra that a module belongs to; empty for the core."""
    parts = module.split(".")
    return parts[2] if parts[1:2] == ["extras"] and len(parts) > 2 else ""


def test_the_core_imports_no_extra_and_an_extra_no_other() -> None:
    across = [
        f"{name} imports {target}"
        for name, targets in edges().items()
        for target in targets
        if extra_of(target) and extra_of(target) != extra_of(name)
    ]
    assert across == []


def test_no_import_goes_in_a_circle() -> None:
    assert cycles() == []


def test_every_room_is_in_the_order() -> None:
    rooms = {".".join(name.split(".")[:2]) for name in modules()}
    assert rooms - {"analysis.__main__"} == set(ORDER)


def test_nobody_imports_a_page_and_a_page_only_its_own_sections() -> None:
    def page(module: str) -> str:
        return ".".join(module.split(".")[:3])

    strangers = [
        f"{name} imports {target}"
        for name, targets in edges().items()
        for target in targets
        if room(target) == "dashboard.views" and page(name) != page(target)
    ]
    assert strangers == []


def test_no_import_is_hidden_behind_type_checking() -> None:
    hiding = [name for name, path in modules().items() if "TYPE_CHECKING" in path.read_text()]
    assert hiding == []


@pytest.mark.parametrize("front_end", ["streamlit", "plotly", "dashboard"])
def test_the_analysis_knows_no_front_end(front_end: str) -> None:
    importing = [
        name
        for name, path in modules().items()
        if name.startswith("analysis")
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == front_end)
        or (
            isinstance(node, ast.Import)
            and any(alias.name.split(".")[0] == front_end for alias in node.names)
        )
    ]
    assert importing == []
