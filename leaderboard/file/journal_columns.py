"""How `arena verify` notices a change, for every column of the league's file.

What follows from other data is computed again. Everything else is in the journal, as a value or,
for matches, as part of a digest. A test demands that every column is listed here.
"""

from __future__ import annotations


class Coverage:
    """How the columns of one table are covered; each argument lists some of them."""

    def __init__(
        self, key: str, journalled: str | None = None, *, digested: str = "", computed: str = ""
    ) -> None:
        self.key = tuple(key.split())
        """The primary key: a row that was added, removed or given another key is noticed."""
        self.is_journalled = journalled is not None
        """Whether the journal lists the rows."""
        self.columns = (*self.key, *(journalled or "").split())
        """The columns whose values are in the journal, the key first."""
        self.digested = tuple(digested.split())
        """Columns that are part of the digest of a match, which is in the journal."""
        self.computed = tuple(computed.split())
        """Columns that are computed again from others, and are not in the journal."""


COVERAGE = {
    "bots": Coverage("id", "name"),
    "versions": Coverage(
        "id", "bot number hash games manifest lock files size submitted retired package"
    ),
    "variants": Coverage("id", "game name parameters"),
    "tie_rates": Coverage("variant seats", "rate"),
    "events": Coverage(
        "id",
        "name kind variant seats deals rounds clock seed commitment secret open_deals cage spec "
        "status started ended stopped",
        computed="rated_up_to",
    ),
    # Not in the journal, which may be published: the commitment is.
    "secrets": Coverage("event", computed="secret"),
    "entrants": Coverage("event number", "version suspended"),
    "rounds": Coverage("event number", "paired"),
    "pairings": Coverage("event number", "round"),
    "pairing_seats": Coverage("event pairing seat", "version"),
    "byes": Coverage("event round version", ""),
    "matches": Coverage(
        "id",
        "rating_order",
        digested="event number pairing deal rotation seed ending decisions time_ms cage rated",
    ),
    "seats": Coverage(
        "match seat",
        digested="version place score points ending breaks team answers time_us slowest_us cpu_us "
        "memory_kib",
    ),
    "faults": Coverage("match seat", digested="sentence printed"),
    "replays": Coverage("match", "content"),
    "ratings": Coverage(
        "variant version", "changed", computed="mu sigma matches wins place_sum faults"
    ),
    "rating_history": Coverage("variant version number", computed="match mu sigma"),
    "meetings": Coverage("variant version opponent", computed="ahead tied behind"),
    "deal_sums": Coverage("variant pairs", computed="deals scores products"),
    "summed_events": Coverage("event", computed="summed_up_to"),
    "strengths": Coverage(
        "variant version",
        computed="strength error degrees rank best_rank worst_rank chance_first chance_next",
    ),
    "machines": Coverage("id", "name speed"),
    "match_machines": Coverage("match", "machine"),
    "journal": Coverage("id", computed="content hash"),
}
"""By table."""
