"""The people who judged: how far they agree, each one's work, and how others agreed before."""
