"""A meeting's deck: slides made of a campaign's own results, one message each."""
