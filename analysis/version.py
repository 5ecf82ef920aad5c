"""The version of Podium."""

__version__ = "0.2.0"
