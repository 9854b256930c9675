"""What `arena verify` checks: events, ratings, strengths, bots, secrets and the journal.

Replays alone are checked in `arena.replays.verify`.
"""

from __future__ import annotations

AT_MOST = 20
"""The number of differences that some checks report: one cause may change many rows."""
