"""Share the results of attacks between all tests of a run."""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from tests.escapes.attack import Attack
from tests.escapes.attacks import ATTACKS
from tests.escapes.setups import ALL_SETUPS, HostFailed, Setup, outside_setup, results_of

Results = Callable[[Setup, Attack], dict[str, Any]]


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return a function that looks up the result of an attack; `cannot` says why there is none.

    The first lookup runs all attacks that the selected tests need.
    """
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        # Each worker of a run has its own folder in there.
        folder = folder.parent

    def needed_attacks(setup: Setup) -> list[Attack]:
        found = set()
        for item in request.session.items:
            if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
                attack = item.callspec.params.get("attack")
                if not isinstance(attack, Attack):
                    continue
                # Only slow tests compare with what happens outside.
                is_slow = item.get_closest_marker("slow")
                outside = outside_setup(attack) if is_slow else None
                if setup in (item.callspec.params.get("setup"), outside):
                    found.add(attack.title)
        return [attack for attack in ATTACKS if attack.title in found]

    def run(setup: Setup, *, wait: bool) -> None:
        """Make the results of a setup, unless they exist or another worker is making them."""
        file = folder / f"escapes {setup.name}.json"
        with (folder / f"escapes {setup.name}.lock").open("w") as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not file.exists():
                file.write_text(json.dumps(_results(setup, needed_attacks(setup))))

    @cache
    def all_of(setup: Setup) -> dict[str, Any]:
        # Rather than wait for another worker, run what no worker has started yet.
        for each in filter(needed_attacks, ALL_SETUPS):
            run(each, wait=False)
        run(setup, wait=True)
        found: dict[str, Any] = json.loads((folder / f"escapes {setup.name}.json").read_text())
        return found

    def look_up(setup: Setup, attack: Attack) -> dict[str, Any]:
        found = all_of(setup)
        if "broken" in found:
            pytest.fail(found["broken"])
        return found if "cannot" in found else found["results"][attack.title]

    return look_up


def _results(setup: Setup, attacks: list[Attack]) -> dict[str, Any]:
    try:
        return results_of(setup, attacks)
    except HostFailed as error:
        # Recorded, so that the other tests do not try again.
        return {"broken": str(error)}
