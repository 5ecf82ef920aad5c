"""Bradley–Terry abilities, adjusted for position, length and other numbers of outputs."""

from analysis.extras.slices.controlled.controlled import Controlled, ControlledFit

__all__ = ["Controlled", "ControlledFit"]
