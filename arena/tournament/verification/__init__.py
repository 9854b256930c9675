"""What `arena verify` checks: events, ratings, strengths, bots, secrets and the journal.

Replays alone are checked in `arena.replays.verify`.
"""
