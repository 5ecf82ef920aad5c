"""Published numbers computed again, a study of Methods and validation."""
