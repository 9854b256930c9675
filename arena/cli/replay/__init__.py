"""The commands of `arena replay`."""
