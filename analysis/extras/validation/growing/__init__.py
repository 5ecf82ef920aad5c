"""Growing campaigns: clusters and abilities after so many judgments."""
