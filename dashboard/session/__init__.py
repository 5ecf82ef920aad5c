"""One user's session: what it holds, the link it was opened with, and the view it looks at."""
