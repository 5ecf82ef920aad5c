"""The signature: one composer, nothing told twice, nothing lost where two are put together."""

from dataclasses import fields

from analysis.provenance import Provenance

WHOLE = Provenance(
    "elo", "k:32", (("split", "folds"),), "task", 10, 0, 0.95, "identical:expanded", "a-b", "f00"
)


def test_a_seed_of_zero_is_told() -> None:
    assert str(Provenance(seed=0)) == "seed:0"


def test_two_together_tell_what_each_of_them_tells() -> None:
    parts = [Provenance(**{f.name: getattr(WHOLE, f.name)}) for f in fields(WHOLE)]
    together = Provenance()
    for part in reversed(parts):
        together |= part
    assert together == WHOLE


def test_every_field_changes_the_signature() -> None:
    signatures = {str(Provenance(**{**vars(WHOLE), f.name: f.default})) for f in fields(WHOLE)}
    assert len(signatures | {str(WHOLE)}) == 1 + len(fields(WHOLE))


def test_the_other_one_is_believed_and_extras_add_up() -> None:
    both = WHOLE | Provenance(seed=7, extra=(("quick", True),))
    assert (both.seed, both.extra) == (7, (("split", "folds"), ("quick", True)))
    assert "|split:folds|quick:yes|resample:task|runs:10|seed:7|level:.95|" in str(both)
