"""Bradley–Terry abilities while position, length and other numbers of outputs are held even."""

from analysis.extras.slices.controlled.controlled import Controlled, ControlledFit

__all__ = ["Controlled", "ControlledFit"]
