"""Pages and sections of extras: each folder is one (see `dashboard.registry`)."""
