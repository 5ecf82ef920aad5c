"""Many users at once, without a browser: ``make load``."""
