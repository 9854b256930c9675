"""The commands of `arena event`."""
