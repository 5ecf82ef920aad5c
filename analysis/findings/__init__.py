"""What results say, in sentences: one module per result. Logic of words, no front end."""
