"""Run attacks in one cage: `host.py CAGE FOLDER SECRET TITLE...` prints the results as JSON.

CAGE is `none` for outside, FOLDER is empty and removed by the caller, TITLEs name attacks. It must
be started in its own session.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arena.errors import BadInput
from arena.records import PRINTED_BYTES
from arena.sandbox.bot_process import BotProcess, Launch, Process
from arena.sandbox.cage import Cage, IsolatingCage, Uncaged
from arena.sandbox.packages.environments import plain_environment
from arena.sandbox.packages.lockfile import Lockfile
from arena.sandbox.select import NoCage, select_cage
from arena.sandbox.tempdir import TempDir
from arena.submission.manifest import Manifest
from arena.wire.envelope import SOCKET
from tests.escapes.attack import BUBBLEWRAP, LANDLOCK, Attack, Verdict, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.bots import make_bot, probe_manifest
from tests.escapes.observe import adopt_orphans, traces
from tests.escapes.pairs import run_pair, run_successor, run_successors
from tests.escapes.probes.common import Facts
from tests.escapes.scenarios import (
    RunResult,
    frozen,
    ignore_exit,
    killed_while_starting,
    listening_socket,
    orphaned,
    run_to_end,
    wait_for_output,
    with_naive_server,
    with_player,
)
from tests.escapes.shared_file import reserve_null_device
from tests.escapes.targets import Targets

_MORE_TRIES = 4
_END_S, _LEFT_OUTSIDE_S = 60.0, 0.5
"""How long killed bots may take to end on a busy machine; and how long what is left must stay."""
_NEIGHBOUR = "others.wait_with_a_lock"


class Outside(Cage):
    """No cage at all: a child that inherits everything, and whose whole output is kept."""

    name = mark = Uncaged.name

    def launcher(
        self,
        bot: Manifest,
        run_limits: Mapping[str, int],
        lock: Lockfile | None = None,
        *,
        home: TempDir | None = None,
    ) -> Launch:
        """Return a function that starts a bot without any protection."""
        program, *rest = bot.command
        command = [sys.executable if bot.runs_python else program, *rest]

        def launch(socket: Path, on_exit: Callable[[], None]) -> Process:
            popen = subprocess.Popen(
                command,
                cwd=bot.folder,
                env={**os.environ, **bot.environment, SOCKET: str(socket)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                close_fds=False,
                process_group=0,
            )
            return BotProcess(popen, on_exit, keep_bytes=sys.maxsize)

        return launch


class Host:
    """Runs attacks, one after another."""

    def __init__(self, cage: Cage, targets: Targets, facts: Facts) -> None:
        self.cage = cage
        self._targets = targets
        self._facts = facts

    async def result(self, attack: Attack) -> dict[str, Any]:
        """Run an attack, and return everything known about it."""
        # Only these attacks use the file, one at a time.
        is_about_file = attack.probe.startswith(("shared.", "lasting.", "native."))
        is_about_device = attack.probe in ("shared.TouchedDevice", "shared.TouchedInWords")
        with (
            self._targets.shared.reserve() if is_about_file else nullcontext(),
            reserve_null_device() if is_about_device else nullcontext(),
        ):
            result = await self._result(attack)
            forgotten = is_about_file and not self._targets.shared.is_in_memory()
        result["seen"]["forgotten"] = forgotten
        return result

    async def _result(self, attack: Attack) -> dict[str, Any]:
        before = traces()
        ran = await self._run_or_refuse(attack)
        patience_s = _LEFT_OUTSIDE_S if isinstance(self.cage, Outside) else _END_S
        left = await before.left(patience_s)
        return {
            **_claim(ran.printed),
            "ended": ran.ended,
            "over": ran.over,
            "printed": ran.printed[-2000:].decode(errors="replace"),
            "seen": {
                **self._targets.changes(),
                **asdict(ran.peaks),
                "left": left,
                "stored": len(ran.printed) > PRINTED_BYTES,
            },
        }

    async def _run_or_refuse(self, attack: Attack) -> RunResult:
        folder = self._targets.folder / "bots" / "bot"
        folder.mkdir()
        try:
            bot = make_bot(attack, folder, self._facts)
            return await self._run_scenario(attack, self.cage.launcher(bot, attack.limits))
        except BadInput as error:
            return RunResult(ended=f"was refused: {error}")
        except TimeoutError:
            return RunResult(ended="did not finish in time")
        finally:
            shutil.rmtree(folder)

    async def _run_scenario(self, attack: Attack, launch: Launch) -> RunResult:
        if attack.scenario == "player":
            is_naive = isinstance(self.cage, Outside)
            return await (with_naive_server if is_naive else with_player)(launch)
        if attack.scenario == "killed while starting":
            return await killed_while_starting(launch)
        if attack.scenario == "orphaned":
            return await orphaned(launch)
        if attack.scenario == "pair":
            return await run_pair(launch, self._targets.shared.forget)
        if attack.scenario == "successor":
            return await run_successor(launch, self._targets.shared.forget)
        if attack.scenario == "successors":
            return await run_successors(launch)
        if attack.scenario == "frozen":
            return await frozen(launch)
        with listening_socket() as path:
            return await run_to_end(launch, path)


def _claim(printed: bytes) -> dict[str, Any]:
    """Find the result that the bot reports: the worst one, if it reports several."""
    claims = [json.loads(line) for line in printed.splitlines() if line.startswith(b'{"escaped"')]
    claims.sort(key=lambda claim: claim["escaped"])
    return claims[-1] if claims else {"escaped": None, "detail": ""}


async def _with_neighbour(cage: Cage, targets: Targets, attacks: list[Attack]) -> dict[str, Any]:
    """Run attacks while another bot runs in the same kind of cage."""
    before = traces()
    bot = probe_manifest(targets.neighbour, _NEIGHBOUR)
    with listening_socket() as path:
        first = targets.facts(other_folder=targets.neighbour, other_socket=path)
        (targets.neighbour / "facts.json").write_text(json.dumps(first._asdict()))
        process = cage.launcher(bot, {})(path, ignore_exit)
        try:
            await wait_for_output(b"ready", process)
            created = traces().folders - before.folders
            folders = [Path(tempfile.gettempdir(), name, "bot") for name in created]
            folder = next((found for found in folders if found.exists()), targets.neighbour)
            facts = targets.facts(other_folder=folder, other_socket=path)
            host = Host(cage, targets, facts)
            results = {attack.title: await host.result(attack) for attack in attacks}
            await _try_again(host, attacks, results)
            return results
        finally:
            process.kill()


async def _try_again(host: Host, attacks: list[Attack], results: dict[str, Any]) -> None:
    """Repeat what a busy machine may have disturbed.

    Outside, an attack counts if it succeeds once. In a cage, bits that were passed by chance are
    not passed again, and an attack that failed for another reason than expected gets another try.
    """
    is_outside = isinstance(host.cage, Outside)
    kind = LANDLOCK if host.cage.name == LANDLOCK else BUBBLEWRAP
    for _ in range(_MORE_TRIES):
        for attack in attacks:
            found = verdict(attack, results[attack.title], kind=kind)
            by_chance = (
                found is Verdict.OPEN
                and attack.scenario in ("pair", "successor", "successors")
                and not attack.open_in
            )
            disturbed = found is not Verdict.OPEN if is_outside else found is Verdict.UNCLEAR
            if disturbed or (by_chance and not is_outside):
                results[attack.title] = await host.result(attack)


def main(name: str, folder: Path, secret: str, titles: list[str]) -> None:
    """Print the results of some attacks."""
    os.umask(0o022)
    adopt_orphans()
    attacks = [attack for attack in ATTACKS if attack.title in titles]
    try:
        cage = Outside() if name == Uncaged.name else select_cage(name)
    except NoCage as error:
        print(json.dumps({"cannot": str(error)}))
        return
    environment = plain_environment(python=cage.python if isinstance(cage, IsolatingCage) else None)
    if isinstance(cage, IsolatingCage):
        environment = cage.place(environment)
    with Targets(folder, secret, environment) as targets:
        results = asyncio.run(_with_neighbour(cage, targets, attacks))
    print(json.dumps({"results": results}))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3], sys.argv[4:])
