"""The process that checks one package of the queue, and makes it a version if it passes."""

from __future__ import annotations

import json
import os
import resource
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any

from arena.api.checks import check
from arena.checks.steps import Step, StepLog, StepStatus
from arena.errors import ArenaError, BadInput
from arena.games.registry import plays
from arena.referee.clock import EVENT_CLOCK, limited, read_clock
from arena.sandbox.tempdir import temp_dir
from arena.serve.config import ServeConfig, read_config
from arena.serve.intake import unpacked
from arena.submission.manifest import Manifest
from arena.submission.package import Package
from arena.tournament.entrants import submit_folder
from leaderboard.authors import find_author, take_ownership
from leaderboard.seasons import Season, all_seasons
from leaderboard.store import BotsWriter, Store, moment
from leaderboard.uploads import (
    ACCEPTED,
    REFUSED,
    WAITING,
    end_upload,
    find_upload,
    package_of_upload,
)

_PATIENCE_S = 15.0
"""For matches at many tables: others wait."""
_START_LIMIT_S = 30.0
"""Several bots start at the same time, on as many cores as there are."""
Steps = list[dict[str, Any]]
"""As JSON has them, hence Any."""


def check_upload(config: ServeConfig, db: Path, number: int) -> None:
    """Check a package and store what becomes of it; failures of this machine are raised."""
    with Store.open(db) as store:
        upload, blob = find_upload(store, number), package_of_upload(store, number)
        seasons = all_seasons(store)
    assert upload
    with temp_dir() as folder:
        bot = unpacked(Package(upload.hash, blob, 0, 0), folder / "bot")
        steps = _check(config, bot)
        status, sentence, version = WAITING, "it has passed, and waits for the next season", None
        failed = [step for step in steps if step["status"] == StepStatus.FAILED.value]
        with Store.open(db) as store, store.writing_bots() as writer:
            now = datetime.now(UTC)
            if failed:
                status = REFUSED
                sentence = f"{failed[0]['title']}: {failed[0]['sentence']}"
            elif not is_frozen(config, seasons, now):
                status, sentence, version = _submit(writer, upload.id, bot, now)
            end_upload(
                writer,
                upload.id,
                status,
                sentence,
                steps=steps,
                cpu_ms=_cpu_ms(),
                version=version,
                now=now,
            )


def _submit(
    writer: BotsWriter, number: int, bot: Manifest, now: datetime
) -> tuple[str, str, int | None]:
    """Make a package a version; return what became of it, a sentence, and the version."""
    try:
        # Read again: the author may have been renamed or revoked meanwhile.
        sent = find_upload(writer, number)
        assert sent
        author = find_author(writer, sent.author_name)
        if author.revoked:
            raise BadInput(f"{author.name} may not submit any more")
        take_ownership(writer, bot.name, author)
    except BadInput as error:
        return REFUSED, str(error), None
    version = submit_folder(writer, bot, now=now).version
    return ACCEPTED, f"it plays as {version}", version.id


def is_frozen(config: ServeConfig, seasons: list[Season], now: datetime) -> bool:
    """Return whether submissions wait for the next season."""
    freeze = config.freeze
    return bool(freeze and seasons and moment(seasons[-1].opened) < freeze <= now)


def _check(config: ServeConfig, bot: Manifest) -> Steps:
    """Run the check; print its steps."""
    games = [spec for spec in config.ladders() if plays(bot.games, spec.game)]
    clock = limited(read_clock(games[0].clock)) if games else EVENT_CLOCK

    def begin(number: int, title: str) -> None:
        _print({"number": number, "title": title})

    def end(step: Step) -> None:
        _print(_document(step))

    report = check(
        bot.folder,
        clock=clock,
        cage=config.play.cage,
        limits=config.play.limits,
        log=StepLog(begin, end),
        patience_s=_PATIENCE_S,
        start_limit_s=_START_LIMIT_S,
        on_warning=lambda sentence: None,  # `arena serve` prints it when it starts
    )
    return [_document(step) for step in report.steps]


def _document(step: Step) -> dict[str, Any]:
    return {**asdict(step), "status": step.status.value}


def _cpu_ms() -> int:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return round(1000 * sum(each.ru_utime + each.ru_stime for each in used))


def _print(document: dict[str, Any]) -> None:
    print(json.dumps(document), flush=True)


def main() -> None:
    """Check the package of a number; the end of standard input means that the server died.

    The third argument is the open file of the turn, which is not for the bot.
    """

    def end_with_server() -> None:
        sys.stdin.read()
        os._exit(1)

    os.set_inheritable(int(sys.argv[3]), False)
    Thread(target=end_with_server, daemon=True).start()
    config, db = read_config(Path(sys.argv[1]))
    try:
        check_upload(config, db, int(sys.argv[2]))
    except ArenaError as error:
        _print({"failure": str(error)})
        sys.exit(1)


if __name__ == "__main__":
    main()
