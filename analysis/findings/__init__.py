"""What results say, in sentences: one module a result. Logic of words, no front end."""
