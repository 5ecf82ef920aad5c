"""Who may touch what in the dashboard: state, caches, pages without arithmetic."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from dashboard.navigation import PAGES

ROOT = Path(__file__).resolve().parents[1]
LONGEST_VIEW = 220


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(path: Path) -> set[str]:
    """Top-level packages that a module imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.split(".")[0])
    return found


def attributes(path: Path) -> Iterator[str]:
    """Dotted names that a module's code uses."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute):
            yield ast.unparse(node)


def test_no_folder_pages_lies_beside_the_app() -> None:
    """Streamlit would take its modules for the pages of the first visitor after a start."""
    assert modules("dashboard/pages") == []


def test_the_folders_that_the_rules_are_about_exist() -> None:
    assert modules("analysis")
    assert modules("dashboard/figures")
    assert modules("dashboard/views")


@pytest.mark.parametrize("path", modules("dashboard/figures"), ids=lambda path: path.stem)
def test_figure_builders_know_no_streamlit(path: Path) -> None:
    assert "streamlit" not in imports(path)


def test_only_the_state_module_touches_session_state() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in modules("dashboard")
        if any(name.startswith("st.session_state") for name in attributes(path))
    }
    assert users == {"dashboard/session/state.py"}


CACHES = {
    "st.cache_data", "st.cache_resource", "streamlit.cache_data", "streamlit.cache_resource",
    "functools.cache", "functools.lru_cache", "cachetools.cached",
}  # fmt: skip


def caches(source: str) -> set[str]:
    """Which of the caches that outlive a call a module's code uses, by their full names.

    >>> sorted(caches("from functools import lru_cache as kept, partial"))
    ['functools.lru_cache']
    >>> sorted(caches("import streamlit as st" + chr(10) + "x = st.cache_data"))
    ['st.cache_data']
    >>> caches("from functools import cached_property  # no lru_cache, no st.cache_data")
    set()
    """
    used: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom):
            used |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute):
            used.add(ast.unparse(node))
    return used & CACHES


def test_only_compute_holds_caches() -> None:
    users = {path.parent.name for path in modules("dashboard") if caches(path.read_text())}
    assert users == {"compute"}


def test_pages_are_thin_and_do_no_arithmetic() -> None:
    for path in modules("dashboard/views"):
        assert not imports(path) & {"numpy", "scipy", "numba"}, path.name
        assert len(path.read_text().splitlines()) <= LONGEST_VIEW, path.name


def test_every_page_begins_with_the_campaign() -> None:
    for page in PAGES:
        source = Path(str(import_module(page.module).__file__)).read_text()
        (show,) = (
            node
            for node in ast.parse(source).body
            if isinstance(node, ast.FunctionDef) and node.name == "show"
        )
        assert ast.unparse(show.body[1]) == "context = require_campaign()", page.module


def test_every_figure_has_its_finding_in_words() -> None:
    """Each builder gives an alternative text itself, or a function of its module that it calls."""
    builders = []
    for path in modules("dashboard"):
        functions = {
            node.name: [call for call in ast.walk(node) if isinstance(call, ast.Call)]
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.FunctionDef)
        }
        tells = {name for name, calls in functions.items() if any(map(_has_alt, calls))}
        for node in ast.walk(ast.parse(path.read_text())):
            returns = getattr(node, "returns", None)
            if returns is not None and ast.unparse(returns) == "go.Figure":
                called = {ast.unparse(call.func) for call in functions[node.name]}
                # What `analysis.drawing` makes has an alternative text, or cannot be made.
                told = ({node.name} | called) & (
                    tells | {"as_figure", "counts_figure", "lines_figure"}
                )
                builders.append((path.name, node.name, bool(told) or node.name == "as_figure"))
    assert len(builders) > 20
    assert [builder for builder in builders if not builder[2]] == []


def _has_alt(call: ast.Call) -> bool:
    return any(keyword.arg == "alt" for keyword in call.keywords)
