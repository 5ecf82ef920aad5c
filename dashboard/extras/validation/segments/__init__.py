"""Segments by difficulty, a study of Methods and validation."""
