"""Trials of everything that may go wrong while an event is played: `scripts/faults`."""
