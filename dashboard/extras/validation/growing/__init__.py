"""Clusters and abilities after so many judgments, questions of the study Experiments."""
