"""Words that a user reads: one term for one thing, and none of the house's old ones.

The strings of pages and findings are collected from their syntax trees, without docstrings and
keys.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "tell": r"\b(?:told|tell|tells|telling)\b",
    "how sure": r"\b[Hh]ow (?:sure|far)\b",
    "hold": r"\b(?:holds?|held|holding)\b",
    "is no": r"\b(?:is|are) (?:no|nobody|nothing)\b",
    "again": r"\bagain\b",
    "beside": r"\bbeside\b",
    "machine judge": r"\b[Mm]achine judges?\b",
    "as printed": r"\bas (?:printed|published)\b",
    "Choose of": r"\bChoose of\b",
    "anew": r"\banew\b",
    "thin space": "\u202f",
}
"""Patterns of TERMS.md's right-hand column and of the rules under it, by name."""


def visible(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that read like words, with their lines."""
    tree = ast.parse(path.read_text())
    skipped = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                skipped.add(id(statement.value))
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) else None
        if isinstance(words, str) and id(node) not in skipped and " " in words.strip():
            yield getattr(node, "lineno", 0), words


ALLOWED = {
    "dashboard/widgets/mode.py": "a script's function",
    "dashboard/compute/held_out.py": "held out is the field's term of judgments kept for a test",
    "dashboard/figures/agreement.py": "the name of a published value",
    "dashboard/views/agreement/kappa.py": "kappa of guessing",
    "analysis/findings/scored.py": "a number is no more than another",
    "dashboard/widgets/sidebar.py": "a notice of a reload",
}
"""Modules whose matches are something else, each with the reason."""


def test_pages_and_findings_use_one_term_for_one_thing() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {name}: {words[:60]!r}"
        for folder in ("dashboard", "analysis/findings")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.relative_to(ROOT).as_posix() not in ALLOWED
        for line, words in visible(path)
        for name, pattern in FORBIDDEN.items()
        if re.search(pattern, words)
    ]
    assert found == []


def test_a_forbidden_word_is_found_in_a_string_and_not_in_a_docstring(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text('"""What is told apart."""\nkey = "told"\nwords = f"{key} told apart"\n')
    assert [words for _, words in visible(module)] == [" told apart"]
