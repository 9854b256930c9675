"""Replays: finished matches as bytes, as text and as JSON."""
