"""Pairs of bots whose results together no rating explains. Nothing here reads a file."""
