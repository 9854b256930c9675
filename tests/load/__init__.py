"""A served league under load, for `scripts/load`."""
