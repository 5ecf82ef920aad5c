"""Mutants are single mistakes with names of their own, and reach the function wherever it is."""

from __future__ import annotations

from analysis.ranking.rank_ranges import left_out_at_each_end
from tests.tools.mutants import EQUIVALENT, FOLDERS, ROOT, change, mutants_of, sampled

SOURCE = '''
LIMIT = 3


class Box:
    def fits(self, size: int = 2) -> bool:
        """Say whether 1 < 2."""
        return size < 4 and not f"{1}"


def far(a, b):
    def near(c):
        return divide(c, -1)

    return divide(a + 1, b) + near(1)
'''


def test_each_mutant_has_one_mistake_in_the_code_of_a_function() -> None:
    names = [mutant.name for mutant in mutants_of("m.py", SOURCE)]
    assert sorted(names) == sorted(set(names))
    assert [name for name in names if " fits" in name] == [
        "m.py fits: size < 4 and not f\"{1}\" → (size < 4 or not f'{1}')",
        "m.py fits: size < 4 → (size <= 4)",
        "m.py fits: 4 → (5)",
        "m.py fits: not f\"{1}\" → (f'{1}')",
    ]
    assert "m.py far: divide(c, -1) → (divide(-1, c))" in names
    assert {name for name in names if "1 → (2)" in name} == {
        "m.py far: 1 → (2)", "m.py far (2): 1 → (2)", "m.py far (3): 1 → (2)",
    }  # fmt: skip
    for mutant in mutants_of("m.py", SOURCE):
        compile(mutant.applied(SOURCE), "m.py", "exec")


def test_a_changed_function_is_changed_for_those_who_have_imported_it() -> None:
    path = "analysis/ranking/rank_ranges.py"
    found = mutants_of(path, (ROOT / path).read_text())
    (mutant,) = (one for one in found if one.name.endswith("1 - level → (1 + level)"))
    before = left_out_at_each_end.__code__
    assert left_out_at_each_end(1000, 0.95) == 25
    try:
        change(mutant)
        assert left_out_at_each_end(1000, 0.95) != 25
    finally:
        left_out_at_each_end.__code__ = before
    assert left_out_at_each_end(1000, 0.95) == 25


def test_a_sample_is_the_same_by_its_seed_and_takes_as_many_from_each_folder() -> None:
    folders = ("judges", "ranking")
    chosen = sampled(4, 0, folders)
    assert [one.name for one in chosen] == [one.name for one in sampled(4, 0, folders)]
    assert [one.path.split("/")[1] for one in chosen] == ["judges", "judges", "ranking", "ranking"]
    assert [one.name for one in chosen] != [one.name for one in sampled(4, 1, folders)]


def test_what_is_listed_as_equivalent_has_a_reason_and_lies_in_a_folder_of_mutants() -> None:
    for name, reason in EQUIVALENT.items():
        assert name.split("/")[1] in FOLDERS
        assert reason
