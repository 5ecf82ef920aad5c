"""What makes a number again: method, settings, resampling, seed, choice of judgments and data."""

from __future__ import annotations

from dataclasses import dataclass, fields

from analysis.parameters import format_value


@dataclass(frozen=True)
class Provenance:
    """Where a result comes from; its text is the signature that stands beside every number.

    What is None or empty is not told. ``method`` is a method's name and ``settings`` are its
    hyperparameters as `Parameterized.signature` writes them; ``extra`` is what else decides on the
    result, by name; ``unit`` what each of the ``runs`` draws again; ``level`` the intervals',
    as a share; ``selection`` is a `Selection`'s signature; ``data`` the campaign's fingerprint.

    >>> ranked = Provenance("elo", "k:32", unit="task", runs=1000, seed=0)
    >>> str(ranked | Provenance(level=.95, pair="eng-fin"))
    'method:elo|k:32|resample:task|runs:1000|seed:0|level:.95|pair:eng-fin'
    """

    method: str = ""
    settings: str = ""
    extra: tuple[tuple[str, object], ...] = ()
    unit: str = ""
    runs: int | None = None
    seed: int | None = None
    level: float | None = None
    selection: str = ""
    pair: str = ""
    data: str = ""

    def __or__(self, other: Provenance) -> Provenance:
        """Return both together; where both tell, the other one is believed; extras add up."""
        told = {f.name: getattr(self, f.name) for f in fields(self)}
        told |= {name: value for name, value in vars(other).items() if value not in (None, "", ())}
        return Provenance(**{**told, "extra": self.extra + other.extra})

    def __str__(self) -> str:
        parts = [
            _part("method", self.method),
            self.settings,
            *(_part(name, value) for name, value in self.extra),
            _part("resample", self.unit),
            _part("runs", self.runs),
            _part("seed", self.seed),
            _part("level", self.level),
            self.selection,
            _part("pair", self.pair),
            _part("data", self.data),
        ]
        return "|".join(part for part in parts if part)


def _part(name: str, value: object) -> str:
    return "" if value is None or value == "" else f"{name}:{format_value(value)}"
