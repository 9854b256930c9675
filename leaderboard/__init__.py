"""The league: bots, matches, ratings and standings in one SQLite file.

What is public: the SQL views of the file, which README.md describes. The tables and all modules may
change in any release; from 0.1 on, old files are migrated when they are opened.
"""
