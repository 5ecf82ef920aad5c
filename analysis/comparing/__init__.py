"""Results side by side: methods, two systems, official tables, and what if."""
