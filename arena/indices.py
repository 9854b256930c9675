"""Types for indices, one for each kind of thing that is counted.

A seating is a tuple with one entry per seat. The entries are of different kinds on the way from the
schedule to the table, and the types show which.
"""

from __future__ import annotations

from typing import NewType

Seat = NewType("Seat", int)
"""A seat at a table, from 0."""
PlayerIndex = NewType("PlayerIndex", int)
"""A player of a referee, from 0."""
EntrantIndex = NewType("EntrantIndex", int)
"""An entrant of an event or a schedule, from 0, in the order of the field."""
VersionId = NewType("VersionId", int)
"""A version of a bot, by its id in the league's file."""
