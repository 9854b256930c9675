"""The views of the league's file, for Datasette, sqlite-utils and other programs.

They answer the usual questions, with names instead of ids.
"""

from __future__ import annotations

IS_WIN = """
    seats.place = 1 AND matches.ending <> 'forfeit' AND NOT EXISTS (
        SELECT 1 FROM seats AS other
        WHERE other.match = seats.match AND other.place = 1 AND other.seat <> seats.seat
            AND (seats.team IS NULL OR other.team <> seats.team)
    )
"""
"""Whether a seat of a match has won, as `leaderboard.result.is_win` says."""
RATINGS = """bots.name AS bot,
            versions.number AS version_number,
            ratings.mu - 3 * ratings.sigma AS score,
            ratings.mu,
            ratings.sigma,
            ratings.matches,
            ratings.wins,
            1.0 * ratings.place_sum / ratings.matches AS mean_place,
            ratings.faults,
            ratings.changed,
            strengths.strength,
            (strengths.high - strengths.low) / 2 AS strength_error,
            strengths.low AS strength_low,
            strengths.high AS strength_high,
            strengths.group_number AS strength_group,
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
            AND strengths.version = ratings.version"""
"""Columns of ratings, with the names and strengths of their versions."""
ACCOUNT = """count(*) AS matches,
            sum(answers) AS answers,
            sum(time_s) AS time_s,
            1000 * sum(time_s) / nullif(sum(answers), 0) AS mean_ms,
            1000 * max(slowest_s) AS slowest_ms,
            sum(cpu_s) AS cpu_s,
            max(memory_mib) AS memory_mib,
            avg(clock_share) AS clock_share,
            max(clock_share) AS max_clock_share"""
"""What a version used in some rows of `seat_results`."""
VIEWS = {
    "leaderboard": f"""
        CREATE VIEW leaderboard AS
        SELECT
            variants.game,
            variants.name AS variant,
            rank() OVER (
                PARTITION BY ratings.variant ORDER BY ratings.mu - 3 * ratings.sigma DESC
            ) AS rank,
            {RATINGS}
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
            versions.number AS version_number,
            other_bots.name AS opponent,
            others.number AS opponent_version_number,
            ahead + tied + behind AS matches,
            ahead,
            tied,
            behind,
            (ahead + 0.5 * tied) / (ahead + tied + behind) AS share,
            both_ways.variant AS variant_id,
            both_ways.version AS version_id,
            both_ways.opponent AS opponent_version_id
        FROM both_ways
        JOIN variants ON variants.id = both_ways.variant
        JOIN versions ON versions.id = both_ways.version
        JOIN bots ON bots.id = versions.bot
        JOIN versions AS others ON others.id = both_ways.opponent
        JOIN bots AS other_bots ON other_bots.id = others.bot
    """,
    # As leaderboard.standings says: a pairing is worth the mean of its matches, and a bye 1.
    "event_standings": f"""
        CREATE VIEW event_standings AS
        WITH pairing_points AS (
            SELECT event, pairing, version, avg(points) AS points
            FROM matches JOIN seats ON seats.match = matches.id
            GROUP BY event, pairing, version
        ), totals AS (
            SELECT
                entrants.event,
                entrants.version,
                count(pairing) + (
                    SELECT count(*) FROM byes
                    WHERE byes.event = entrants.event AND byes.version = entrants.version
                ) AS pairings,
                total(points) + (
                    SELECT count(*) FROM byes
                    WHERE byes.event = entrants.event AND byes.version = entrants.version
                ) AS points
            FROM entrants
            LEFT JOIN pairing_points AS own ON own.event = entrants.event
                AND own.version = entrants.version
            GROUP BY entrants.event, entrants.version
        ), rivals AS (
            SELECT DISTINCT matches.event, matches.pairing, own.version, other.version AS rival
            FROM events
            JOIN matches ON matches.event = events.id
            JOIN seats AS own ON own.match = matches.id
            JOIN seats AS other ON other.match = matches.id AND other.seat <> own.seat
                AND (own.team IS NULL OR other.team <> own.team)
            WHERE events.kind = 'swiss' AND events.seats > 2 AND matches.ending <> 'forfeit'
        ), tables_met AS (
            SELECT rivals.event, rivals.version, avg(totals.points) AS points
            FROM rivals
            JOIN totals ON totals.event = rivals.event AND totals.version = rivals.rival
            GROUP BY rivals.event, rivals.version, rivals.pairing
        ), opposition AS (
            SELECT event, version, count(*) AS pairings, sum(points) AS points
            FROM tables_met GROUP BY event, version
        ), counts AS (
            SELECT
                matches.event,
                seats.version,
                sum(matches.ending <> 'forfeit') AS matches,
                sum(matches.ending = 'forfeit') AS forfeited,
                sum({IS_WIN}) AS wins,
                avg(CASE WHEN matches.ending <> 'forfeit' THEN seats.place END) AS mean_place,
                sum(seats.ending NOT IN ('played', 'forfeit')) AS faults,
                sum(seats.breaks) AS breaks
            FROM matches JOIN seats ON seats.match = matches.id
            GROUP BY matches.event, seats.version
        )
        SELECT
            events.name AS event,
            bots.name AS bot,
            versions.number AS version_number,
            totals.points,
            CASE WHEN events.kind = 'swiss' AND events.seats > 2 THEN
                totals.points + (
                    coalesce(opposition.points, 0)
                    + (totals.pairings - coalesce(opposition.pairings, 0)) * totals.points
                ) / max(totals.pairings, 1)
            END AS adjusted,
            coalesce(counts.matches, 0) AS matches,
            coalesce(counts.forfeited, 0) AS forfeited,
            coalesce(counts.wins, 0) AS wins,
            counts.mean_place,
            coalesce(counts.faults, 0) AS faults,
            coalesce(counts.breaks, 0) AS breaks,
            (
                SELECT count(*) FROM byes
                WHERE byes.event = entrants.event AND byes.version = entrants.version
            ) AS byes,
            entrants.suspended,
            events.id AS event_id,
            entrants.version AS version_id
        FROM entrants
        JOIN events ON events.id = entrants.event
        JOIN versions ON versions.id = entrants.version
        JOIN bots ON bots.id = versions.bot
        JOIN totals ON totals.event = entrants.event AND totals.version = entrants.version
        LEFT JOIN counts ON counts.event = entrants.event AND counts.version = entrants.version
        LEFT JOIN opposition ON opposition.event = entrants.event
            AND opposition.version = entrants.version
        ORDER BY events.id, coalesce(adjusted, totals.points) DESC
    """,
    # A clock is written as BANK or BANK+INCREMENT; a cast to a number stops at the plus sign.
    "seat_results": f"""
        CREATE VIEW seat_results AS
        SELECT
            events.name AS event,
            variants.game,
            variants.name AS variant,
            matches.number AS match,
            matches.pairing,
            matches.deal,
            matches.rotation,
            seats.seat,
            bots.name AS bot,
            versions.number AS version_number,
            seats.team,
            seats.place,
            seats.score,
            seats.points,
            {IS_WIN} AS is_win,
            seats.ending,
            faults.sentence AS fault,
            matches.ending AS match_ending,
            matches.rated,
            seats.answers,
            seats.time_us / 1e6 AS time_s,
            seats.slowest_us / 1e6 AS slowest_s,
            seats.cpu_us / 1e6 AS cpu_s,
            seats.memory_kib / 1024.0 AS memory_mib,
            seats.time_us / 1e6 / nullif(
                CAST(replace(events.clock, 'cpu:', '') AS REAL)
                + CASE WHEN instr(events.clock, '+') THEN
                    CAST(substr(events.clock, instr(events.clock, '+') + 1) AS REAL)
                ELSE 0 END * seats.answers,
                0
            ) AS clock_share,
            matches.event AS event_id,
            matches.id AS match_id,
            events.variant AS variant_id,
            seats.version AS version_id
        FROM matches
        JOIN events ON events.id = matches.event
        JOIN variants ON variants.id = events.variant
        JOIN seats ON seats.match = matches.id
        JOIN versions ON versions.id = seats.version
        JOIN bots ON bots.id = versions.bot
        LEFT JOIN faults ON faults.match = seats.match AND faults.seat = seats.seat
    """,
    "accounts": f"""
        CREATE VIEW accounts AS
        SELECT
            game,
            variant,
            bot,
            version_number,
            {ACCOUNT},
            sum(ending <> 'played') AS faults,
            variant_id,
            version_id
        FROM seat_results
        WHERE match_ending <> 'forfeit'
        GROUP BY variant_id, version_id
    """,
    # With max() in a query, SQLite takes the other columns from the row with the maximum.
    "faults_by_bot": """
        CREATE VIEW faults_by_bot AS
        SELECT
            bots.name AS bot,
            versions.number AS version_number,
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
