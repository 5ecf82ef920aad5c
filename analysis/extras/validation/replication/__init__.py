"""Published numbers, recomputed: one module per paper."""
