"""The views of the league's file, for Datasette, sqlite-utils and other programs.

They answer the usual questions, with names instead of ids. Every migration creates them again.
"""

from __future__ import annotations

VIEWS = {
    "leaderboard": """
        CREATE VIEW leaderboard AS
        SELECT
            variants.game,
            variants.name AS variant,
            rank() OVER (
                PARTITION BY ratings.variant ORDER BY ratings.mu - 3 * ratings.sigma DESC
            ) AS rank,
            bots.name AS bot,
            versions.number AS version,
            ratings.mu - 3 * ratings.sigma AS score,
            ratings.mu,
            ratings.sigma,
            ratings.matches,
            ratings.wins,
            1.0 * ratings.place_sum / ratings.matches AS mean_place,
            ratings.faults,
            ratings.changed,
            strengths.strength,
            strengths.error AS strength_error,
            strengths.rank AS strength_rank,
            strengths.best_rank,
            strengths.worst_rank,
            strengths.chance_first,
            strengths.chance_next,
            ratings.variant AS variant_id,
            ratings.version AS version_id
        FROM ratings
        JOIN variants ON variants.id = ratings.variant
        JOIN versions ON versions.id = ratings.version
        JOIN bots ON bots.id = versions.bot
        LEFT JOIN strengths ON strengths.variant = ratings.variant
            AND strengths.version = ratings.version
        WHERE versions.retired IS NULL
        ORDER BY variants.game, ratings.variant, rank, bots.name, versions.number
    """,
    "head_to_head": """
        CREATE VIEW head_to_head AS
        WITH both_ways AS (
            SELECT variant, version, opponent, ahead, tied, behind FROM meetings
            UNION ALL
            SELECT variant, opponent, version, behind, tied, ahead FROM meetings
        )
        SELECT
            variants.game,
            variants.name AS variant,
            bots.name AS bot,
            versions.number AS version,
            other_bots.name AS opponent,
            others.number AS opponent_version,
            ahead + tied + behind AS matches,
            ahead,
            tied,
            behind,
            (ahead + 0.5 * tied) / (ahead + tied + behind) AS share
        FROM both_ways
        JOIN variants ON variants.id = both_ways.variant
        JOIN versions ON versions.id = both_ways.version
        JOIN bots ON bots.id = versions.bot
        JOIN versions AS others ON others.id = both_ways.opponent
        JOIN bots AS other_bots ON other_bots.id = others.bot
    """,
    "event_standings": """
        CREATE VIEW event_standings AS
        SELECT
            events.name AS event,
            bots.name AS bot,
            versions.number AS version,
            sum(seats.points) AS points,
            count(*) AS matches,
            sum(seats.place = 1) AS wins,
            avg(seats.place) AS mean_place,
            sum(seats.ending NOT IN ('played', 'forfeit')) AS faults,
            sum(seats.breaks) AS breaks,
            (
                SELECT count(*) FROM byes
                WHERE byes.event = matches.event AND byes.version = seats.version
            ) AS byes,
            (
                SELECT suspended FROM entrants
                WHERE entrants.event = matches.event AND entrants.version = seats.version
            ) AS suspended
        FROM events
        JOIN matches ON matches.event = events.id
        JOIN seats ON seats.match = matches.id
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        GROUP BY events.name, seats.version
        ORDER BY events.id, points DESC
    """,
    # With max() in a query, SQLite takes the other columns from the row with the maximum.
    "faults_by_bot": """
        CREATE VIEW faults_by_bot AS
        SELECT
            bots.name AS bot,
            versions.number AS version,
            variants.game,
            seats.ending,
            count(*) AS faults,
            events.name AS last_event,
            matches.number AS last_match,
            faults.sentence AS last_sentence
        FROM faults
        JOIN seats ON seats.match = faults.match AND seats.seat = faults.seat
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        JOIN matches ON matches.id = faults.match
        JOIN events ON events.id = matches.event
        JOIN variants ON variants.id = events.variant
        WHERE seats.ending <> 'forfeit'
        GROUP BY seats.version, variants.game, seats.ending
        HAVING max(faults.match)
    """,
}
"""The statements that create the views."""
