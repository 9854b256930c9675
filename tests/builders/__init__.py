"""Builders of bots, matches, blocks and leagues for all tests."""
