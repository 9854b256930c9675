"""Tests of the search for collusion."""
