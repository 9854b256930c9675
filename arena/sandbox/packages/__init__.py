"""The Python of bots, and its packages."""
