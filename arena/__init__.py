"""Tournaments between untrusted bots at four hidden-information tabletop games."""

__version__ = "0.1.0"
