"""What goes out: tables for papers and spreadsheets, and the report."""
