"""The league: bots, matches, ratings and standings in one SQLite file.

What is public: `store.Store`, with `Store.open` and `Store.writing`, to open a league for the calls
of `arena.tournament`; and the SQL views of the file, which README.md describes. The tables and all
other modules may change in any release; from 0.1 on, old files are migrated when they are opened.
"""
