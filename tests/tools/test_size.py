"""The product's size is counted as it says."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.size import edges, long_functions, longest_chain, modules, repeated_blocks, table

BODY = "\n".join(f"    x{n} = {n}" for n in range(7))
TEXTS = {
    "analysis/__init__.py": "",
    "analysis/a.py": f'"""Two\nlines."""\n\nfrom analysis import b\n\n\ndef f():\n{BODY}\n',
    "analysis/b.py": f"# Why.\nimport os\n\n\ndef g():\n    y = 1  # one\n{BODY}\n",
    "analysis/extras/dask/study.py": "import analysis.a\n\nTEXT = '''\n# text\n'''\n",
}


@pytest.fixture
def product(tmp_path: Path) -> Path:
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_blank_lines_comments_and_docstrings_are_no_code(product: Path) -> None:
    counted = dict(table(modules(product)))
    assert counted["lines of code, core"] == 9 + 10
    assert counted["lines of code, extra dask"] == 4
    assert counted["lines of code, product"] == 23
    assert (counted["comment lines"], counted["docstring lines"]) == (2, 2)


def test_the_longest_chain_goes_through_every_import(product: Path) -> None:
    chain = longest_chain(edges(modules(product)))
    assert chain == ["analysis.extras.dask.study", "analysis.a", "analysis.b"]


def test_a_repeated_block_is_one_pair_at_its_full_length(product: Path) -> None:
    assert repeated_blocks(modules(product)) == [(7, "analysis.a:8", "analysis.b:7")]


def test_only_long_functions_are_named(product: Path) -> None:
    assert long_functions(modules(product)) == []
    (product / "analysis" / "c.py").write_text("def h():\n" + "    x = 1\n" * 50)
    assert long_functions(modules(product)) == [(51, "analysis.c.h")]
