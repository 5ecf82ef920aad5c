"""Tables for the screen and for export: one frame, with columns formatted for reading."""
