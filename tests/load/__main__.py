"""Serve a league to thirty authors and two hundred live pages while its processes are killed.

At the end, everything that was answered must be in the league's file, and the file must be what its
log and its replays give.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random

from arena.tournament.verification.league import check_league
from leaderboard.events import all_events
from leaderboard.store import Reader, Store
from leaderboard.uploads import find_upload
from tests.load.authors import KINDS, Account, Author
from tests.load.disturbances import Disturbances, small_disk
from tests.load.readers import Reading, look, quantile, watch
from tests.load.same_league import TWO_LADDERS, compare
from tests.serve.processes import ServedLeague

_READS_PER_S = 5.0


async def load(
    league: ServedLeague, options: argparse.Namespace, *, may_fill: bool
) -> tuple[Account, Reading, Disturbances]:
    """Let authors submit and readers read, for some minutes."""
    account, reading = Account(), Reading()
    until = asyncio.get_running_loop().time() + 60 * options.minutes
    tokens = {
        kind_number: league.author(f"{kind_number[0]}-{kind_number[1]}")
        for kind_number in _authors()
    }
    disturbances = Disturbances(league, Random(options.seed), may_fill=may_fill)

    def address() -> str:
        return league.address

    readers = [asyncio.create_task(watch(address, reading)) for _ in range(options.pages)]
    readers.append(asyncio.create_task(look(address, reading, _READS_PER_S, Random(options.seed))))
    async with asyncio.TaskGroup() as group:
        for (kind, number), token in tokens.items():
            author = Author(kind, number, token, account)
            group.create_task(author.run(address, period_s=options.period, until=until))
        group.create_task(disturbances.run(options.every, until))
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    return account, reading, disturbances


def _authors() -> list[tuple[str, int]]:
    return [(kind, KINDS[:at].count(kind)) for at, kind in enumerate(KINDS)]


def check(store: Reader, account: Account) -> list[str]:
    """Return what is wrong with the league."""
    wrong = check_league(store).wrong
    for sent in account.sent:
        upload = find_upload(store, sent.number)
        if not upload or (upload.author_name, upload.bot) != (sent.author, sent.bot):
            wrong.append(f"submission {sent.number} of {sent.author} is lost")
        elif upload.status == "accepted" and not upload.version:
            wrong.append(f"submission {sent.number} was accepted, but there is no version")
    return wrong


def show(title: str, rows: dict[str, object]) -> None:
    """Print figures."""
    print(f"\n{title}")
    for name, figure in rows.items():
        print(f"  {name:<44} {figure}")


def report(
    store: Reader, account: Account, reading: Reading, disturbances: Disturbances, took_s: float
) -> list[str]:
    """Print the table of a trial; return what is wrong."""
    show(
        "Submissions",
        {f"{kind}: {what}": count for (kind, what), count in sorted(account.answers.items())},
    )
    waits = account.waits_s
    show(
        "From a submission to the end of its check, s",
        {
            "checks": len(waits),
            "median, 90 %, longest": f"{quantile(waits, 0.5):.0f}, {quantile(waits, 0.9):.0f}, "
            f"{quantile(waits, 1):.0f}",
        },
    )
    show("Disturbances", dict(disturbances.done))
    show(
        "Readers",
        {
            "live pages open at once, messages": f"{reading.most_pages}, {reading.messages:,}",
            "refused, cut off": f"{reading.refused}, {reading.cut_off}",
            **{
                f"{path}: requests, p50, p99 in ms": f"{len(ms):,}, {quantile(ms, 0.5):.0f}, "
                f"{quantile(ms, 0.99):.0f}"
                for path, ms in sorted(reading.took_ms.items())
            },
        },
    )
    statuses = Counter(status for (status,) in store.rows("SELECT status FROM uploads"))
    ((faults,),) = store.rows("SELECT count(*) FROM faults")
    counts = {}
    for event in all_events(store):
        ((counts[event.name],),) = store.rows(
            "SELECT count(*) FROM matches WHERE event = ?", [event.id]
        )
    show(
        "League",
        {
            **{
                f"matches of {name}": f"{n:,} ({n / took_s:.1f} a second)"
                for name, n in counts.items()
            },
            "faults": f"{faults:,}",
            **{f"submissions {status}": count for status, count in sorted(statuses.items())},
        },
    )
    wrong = check(store, account)
    show(
        "Verified",
        {
            "": "; ".join(wrong[:5])
            or f"all {len(account.sent)} submissions are there, "
            "all results, ratings and the log agree"
        },
    )
    return wrong


def main() -> None:
    """Run the trial and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--minutes", type=float, default=4)
    parser.add_argument("--period", type=float, default=90, help="seconds between submissions")
    parser.add_argument("--every", type=float, default=30, help="seconds between disturbances")
    parser.add_argument("--pages", type=int, default=200, help="live pages")
    parser.add_argument("--kills", type=int, default=20, help="of the server that is compared")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="arena-load."))
    folder.chmod(0o755)
    try:
        if options.kills:
            print(compare(folder / "same", options.kills, Random(options.seed)), flush=True)
        disk = folder / "disk"
        disk.mkdir()
        with small_disk(disk) as may_fill:
            _try(disk, options, may_fill=may_fill)
    finally:
        shutil.rmtree(folder)


def _try(folder: Path, options: argparse.Namespace, *, may_fill: bool) -> None:
    # Files that are made while bots play fill the small disk, too.
    tempfile.tempdir = str(folder)
    league = ServedLeague(folder, TWO_LADDERS)
    league.start()
    began = time.monotonic()
    try:
        found = asyncio.run(load(league, options, may_fill=may_fill))
        took_s = time.monotonic() - began
    finally:
        stopped = time.monotonic()
        league.stop()
        print(f"the server stopped in {time.monotonic() - stopped:.1f} s")
    with Store.open(league.db) as store:
        wrong = report(store, *found, took_s)
    if wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
