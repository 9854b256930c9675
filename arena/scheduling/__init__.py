"""Schedules: who plays whom, and in which seat; no I/O."""
