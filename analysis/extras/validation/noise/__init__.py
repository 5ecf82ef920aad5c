"""Noisy judges: which methods stay close to the gold standard when judges answer at random."""
