"""Pages: a module each, or a package where it has sections, with one function `show`."""
