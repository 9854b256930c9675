"""Pairs of bots whose results together no rating explains. Only `league` reads a file."""
