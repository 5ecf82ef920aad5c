"""The next campaign: how many judgments are needed, and which to ask for now."""
