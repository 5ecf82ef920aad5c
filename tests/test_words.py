"""Words that a user reads: one term for one thing, and none of the house's old ones.

The strings of all modules are collected from their syntax trees, without docstrings and keys;
help texts, README and docs are read as they are, and pages as they are shown.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboard.navigation import PAGES
from dashboard.registry import FOOT
from tests.opening import open_address

ROOT = Path(__file__).resolve().parents[1]
FORBIDDEN = {
    "tell": r"\b(?:told|tell|tells|telling)\b",
    "how sure": r"\b[Hh]ow (?:sure|far|near)\b",
    "what-clause": r"\b(?:[Ss]ays?|[Ss]hows?|sees?|knows?|is|of|from|by|than|with|to) what\b"
    r"|^What (?!if\b|next\b)[^?]*$",
    "hold": r"\b(?:holds?|held|holding)\b",
    "is no": r"(?<!here )\b(?:is|are) (?:no|nobody|nothing)\b",
    "nobody": r"\b(?:[Nn]obody|[Ss]omebody|[Nn]o one)\b",
    "again": r"\bagain\b",
    "anew": r"\banew\b",
    "beside": r"\bbeside\b",
    "stand": r"\b(?:stands?|stood)\b",
    "apart": r"\b(?:[Ss]ystems|[Pp]airs?|[Tt]hem|[Tt]wo) apart\b",
    "less": r"\bless (?:the|what|its|their|those)\b",
    "a row a": r"\ba (?:row|column|slide|line) a \w+",
    "each two": r"\b[Ee](?:ach|very) two neighbors\b|\beach two\b",
    "machine judge": r"\b(?:[Mm]achine|[Pp]eople|[Rr]aters?)\b",
    "as printed": r"\bas (?:printed|published)\b",
    "Choose of": r"\bChoose of\b",
    "spread": r"\bspreads?\b|\bhalf widths?\b|\b[Ss]td\. ?dev",
    "sentence": r"\bsentences?\b",
    "of this kind": r"\bof this kind\b",
    "fingerprint": r"\bfingerprints?\b",
    "drawn": r"\bdrawn (?:toward|in|anew|at random)\b|\bheld even\b",
    "draws": r"(?<!posterior )\bdraws\b|\breplicates\b",
    "line": r"\b[Ll]ines? (?:parts?|crosses)\b",
    "circle": r"\bcircles?\b",
    "preference": r"\bpreferences?\b",
    "margin": r"\b[Mm]argins?\b",
    "chip": r"\b[Cc]hips?\b",
    "honest": r"\bHonest\b",
    "bare decimal": r"(?:^|[ (≤=<])\.\d+(?![\w%;])",
    "thin space": "\u202f",
}
"""Patterns of TERMS.md's right-hand column and of the rules under it, by name."""

CODE = re.compile(r"=>|[{};]\n|</|^\s*[<.#*@:]|px;|\\b|\(\?|\]\?")
"""Styles, scripts, markup and patterns: not for reading."""
ALLOWED = {
    ("analysis/extras/validation/simulation", "spread"): "the name of a study, --study spread",
    ("analysis/extras/scores", "sentence"): "the unit of quality estimation is a sentence",
    ("analysis/formats/mqm_errors.py", "machine judge"): "the name of a column",
    ("analysis/formats/scores_table.py", "machine judge"): "names of columns",
    ("analysis/formats/potato.py", "preference"): "the name of a column",
    ("analysis/formats/mapping/guess/names.py", "machine judge"): "names of columns",
    ("analysis/formats/mapping/guess/names.py", "preference"): "names of columns",
    ("analysis/formats/mapping/guess/names.py", "sentence"): "names of columns",
    ("analysis/formats/mapping/winners.py", "preference"): "words of files",
    ("analysis/formats/mapping/winners.py", "sentence"): "words of files",
    ("analysis/cli/commands.py", "machine judge"): "the name of a sample",
    ("analysis/extras/llm_judges/__init__.py", "machine judge"): "the name of a sample",
    ("dashboard/extras/validation/held_out.py", "hold"): "a key",
    ("analysis/published.py", "machine judge"): "the title of a workshop",
}
"""Matches that are something else, by module or folder, each with the reason."""

NAMES = r"sample:\S+|\bspread\b|\S+-preferences\b|per sentence|or sentence"
"""Names of samples, studies and tables, and the unit of quality estimation, in help texts."""


def visible(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that read like words, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    skipped = set()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                skipped.add(id(statement.value))
    for node in ast.walk(tree):
        words = node.value if isinstance(node, ast.Constant) else None
        if not isinstance(words, str) or id(node) in skipped or " " not in words.strip():
            continue
        if not CODE.search(words):
            yield getattr(node, "lineno", 0), words


def faults(words: str, where: str) -> list[str]:
    """Return what is forbidden in some words, but not what is allowed at that place."""
    allowed = {name for (place, name) in ALLOWED if where.startswith(place)}
    return [
        f"{where}: {name}: {words[:80]!r}"
        for name, pattern in FORBIDDEN.items()
        if name not in allowed and re.search(pattern, words)
    ]


@pytest.mark.parametrize("folder", ["analysis", "dashboard"])
def test_every_string_uses_one_term_for_one_thing(folder: str) -> None:
    found = []
    for path in sorted((ROOT / folder).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        found += [f for line, words in visible(path) for f in faults(words, f"{where}:{line}")]
    assert found == []


def test_the_help_of_all_commands_uses_the_same_terms() -> None:
    record = json.loads((ROOT / "analysis/cli/help.json").read_text(encoding="utf-8"))
    texts = [text for text in _leaves(record) if " " in text]
    words = "\n\n".join(re.sub(NAMES, "", text) for text in texts)
    assert len(words) > 10_000
    assert [f for part in words.split("\n\n") for f in faults(part, "help.json")] == []


def _leaves(record: object) -> Iterator[str]:
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict | list):
        for value in record.values() if isinstance(record, dict) else record:
            yield from _leaves(value)


WRITTEN = ("README.md", "docs/changelog.md", "docs/contributing.md", "docs/deployment.md",
           "docs/formats.md", "docs/howto.md", "docs/index.md", "docs/tutorial.md")  # fmt: skip
"""Pages of the documentation that are written by hand for organizers."""


@pytest.mark.parametrize("page", WRITTEN)
def test_a_page_of_the_documentation_uses_the_same_terms(page: str) -> None:
    words = (ROOT / page).read_text(encoding="utf-8")
    words = re.sub(r"```.*?```", "", words, flags=re.DOTALL)
    words = re.sub(rf"`[^`]*`|\]\([^)]*\)|<[^>]+>|{NAMES}", "", words)
    # a machine is a computer here, and people come to it; a margin is the user's own
    others = re.sub(r"\b(?:[Mm]achines?|[Pp]eople|margin)\b", "", words)
    assert len(others) > 400
    parts = re.split(r"\n\n|\n(?=[|-])|(?<=[.:;])\s", others)
    assert [f for part in parts for f in faults(part.replace("\n", " "), page)] == []


@pytest.mark.parametrize("page", [page.address for page in PAGES if page.place < FOOT])
def test_a_page_of_the_sample_uses_the_same_terms(page: str) -> None:
    app = open_address(page)
    shown = [getattr(part, "value", "") for part in (*app.markdown, *app.caption, *app.get("html"))]
    shown += [part.label for part in (*app.button, *app.selectbox, *app.toggle, *app.expander)]
    words = " ".join(str(part) for part in shown)
    words = re.sub(r"<style.*?</style>|<script.*?</script>|<[^>]+>", " ", words, flags=re.DOTALL)
    assert len(words) > 40
    assert [fault for line in re.split(r"[.\n] ", words) for fault in faults(line, page)] == []


def test_a_forbidden_word_is_found_in_a_string_and_not_in_a_docstring(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text('"""What is told apart."""\nkey = "told"\nwords = f"{key} told apart"\n')
    assert [words for _, words in visible(module)] == [" told apart"]
    assert faults(" told apart", "m") == ["m: tell: ' told apart'"]
