"""Hyperparameters: declared once, checked always, and all of them in the signature."""

from dataclasses import dataclass
from typing import Any

import pytest

from analysis.errors import PodiumError
from analysis.parameters import (
    Parameterized,
    choice,
    flag,
    format_value,
    from_settings,
    hyperparameters,
    number,
    text,
)


@dataclass(frozen=True)
class Sieve(Parameterized):
    mesh: float = number(0.5, "width of a hole in mm", low=0.1, high=2, symbol="m")
    shakes: int = number(3, "how often it is shaken", low=1, high=9)
    shape: str = choice("round", "shape of a hole", {"round": "a disc", "square": "a square"})
    lid: bool = flag(False, "whether it is closed")
    label: str = text("", "what is written on it")


@pytest.mark.parametrize(
    ("settings", "remedy"),
    [
        ({"mesh": 3}, "from 0.1 to 2"),
        ({"mesh": float("nan")}, "from 0.1 to 2"),
        ({"mesh": "wide"}, "from 0.1 to 2"),
        ({"shakes": 2.5}, "whole number from 1 to 9"),
        ({"shakes": "2.5"}, "whole number from 1 to 9"),
        ({"shape": "oval"}, "round, square"),
        ({"lid": "perhaps"}, "like no"),
        ({"colour": "red"}, "mesh, shakes, shape, lid, label"),
    ],
)
def test_an_impossible_setting_is_refused_with_what_is_possible(
    settings: dict[str, Any], remedy: str
) -> None:
    with pytest.raises(PodiumError) as error:
        from_settings(Sieve, settings)
    assert remedy in str(error.value)


def test_a_direct_construction_is_checked_like_one_from_text() -> None:
    with pytest.raises(PodiumError):
        Sieve(mesh=0)


def test_settings_from_text_equal_those_from_values() -> None:
    words = {"mesh": ".25", "shakes": "4", "shape": "square", "lid": "yes", "label": "a"}
    assert from_settings(Sieve, words) == Sieve(0.25, 4, "square", True, "a")


def test_the_signature_holds_every_setting_in_fixed_order() -> None:
    assert Sieve(label="a").signature() == "m:.5|shakes:3|shape:round|lid:no|label:a"


def test_every_change_of_a_setting_changes_the_signature() -> None:
    changed = {"mesh": 1.0, "shakes": 5, "shape": "square", "lid": True, "label": "b"}
    signatures = {from_settings(Sieve, {k: v}).signature() for k, v in changed.items()}
    assert len(signatures | {Sieve().signature()}) == 1 + len(changed)


def test_a_declaration_tells_flag_kind_and_bounds() -> None:
    mesh, shakes, shape, lid, _ = hyperparameters(Sieve)
    assert (mesh.flag, mesh.kind, mesh.low, mesh.high) == ("--mesh", float, 0.1, 2)
    assert (shakes.kind, shape.choices["square"], lid.kind) == (int, "a square", bool)


def test_settings_that_print_alike_are_not_alike() -> None:
    assert format_value(0.1 + 0.2) == format_value(0.3)  # six digits are what a person sets
    assert format_value(0.30001) != format_value(0.3)
