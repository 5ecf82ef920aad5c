"""The study of noisy judges, a question of the study Experiments."""
