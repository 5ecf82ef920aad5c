"""What the evidence separates: replicates, rank ranges, clusters, and what limits a ranking."""
