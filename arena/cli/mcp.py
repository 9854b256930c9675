"""The command `arena mcp`: serve the Model Context Protocol."""

from __future__ import annotations

import asyncio
from pathlib import Path

import click

from arena.cli.options import number_option
from arena.cli.options.cage import cage_option
from arena.cli.options.league import db_option
from arena.cli.terminal.output import say


@click.command()
@click.option("--http", is_flag=True, help="Serve over HTTP on this machine instead of stdio.")
@number_option("--port", most=65535, default=8765, help="Port for --http.")
@click.option("--organiser", is_flag=True, help="Let clients run events, too.")
@cage_option
@db_option
def mcp(http: bool, port: int, organiser: bool, cage: str, db: Path) -> None:
    """Let programs with a language model play and write bots.

    The program starts this command and talks to it over its standard input and output; with
    --http, several can connect to http://127.0.0.1:8765/mcp. They work in the current folder, and
    see only their own seats. `arena docs mcp` says how to set up a program.

    Example: arena mcp --organiser
    """
    # Imported here: it is an extra, and takes as long to import as all the rest.
    from arena.mcp.server import make_server

    server = make_server(league=db.absolute(), cage=cage, is_organiser=organiser)
    if http:
        say(f"http://127.0.0.1:{port}/mcp; Ctrl-C stops it.", err=True)
        asyncio.run(server.run_streamable_http_async(host="127.0.0.1", port=port))
    else:
        asyncio.run(server.run_stdio_async())
