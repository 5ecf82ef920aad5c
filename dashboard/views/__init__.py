"""Pages: one module per page, or a package where it has sections, with one function `show`."""
