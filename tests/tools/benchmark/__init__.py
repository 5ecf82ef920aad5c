"""What Podium promises, measured: ``make bench``. Speed is one table, accuracy some of its own."""
