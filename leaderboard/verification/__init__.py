"""Checks of a league's file beyond its events and ratings: its journal, its bots, its secrets."""

from __future__ import annotations

AT_MOST = 20
"""The number of differences that each check reports: one cause may change many rows."""
