"""Matches and leagues as pages for a browser."""
