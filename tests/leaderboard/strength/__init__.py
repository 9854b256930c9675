"""Tests of the strengths that do not depend on the order of results."""
