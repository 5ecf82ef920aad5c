"""Segments: their difficulty and information under the graded response model."""
