"""Pages: one module each, with one function `show`."""
