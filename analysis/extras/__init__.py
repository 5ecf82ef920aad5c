"""Extras: each folder is one feature that the core does without (see `analysis.registry`)."""
