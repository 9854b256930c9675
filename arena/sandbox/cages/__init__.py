"""The two kinds of cage."""
