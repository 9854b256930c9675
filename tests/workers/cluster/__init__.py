"""Tests of events on a cluster."""
