"""Campaigns that nobody judged: of known truth, or made to match published tables."""
