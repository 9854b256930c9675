"""How do all tests of a run share what few processes find out?"""

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
from tests.escapes.ways import EVERY_WAY, HostFailed, Way, outside_of, results_of

Results = Callable[[Way, Attack], dict[str, Any]]


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return what looks up the result of an attack; `cannot` in it says why there is none.

    The first test that asks for one makes all that any test will ask for.
    """
    folder = tmp_path_factory.getbasetemp()
    if hasattr(request.config, "workerinput"):
        # The workers of one run each have a folder of their own in there.
        folder = folder.parent

    def wanted(way: Way) -> list[Attack]:
        found = set()
        for item in request.session.items:
            if isinstance(item, pytest.Function) and hasattr(item, "callspec"):
                attack = item.callspec.params.get("attack")
                here = item.callspec.params.get("way")
                if isinstance(attack, Attack) and way in (here, outside_of(attack)):
                    found.add(attack.title)
        return [attack for attack in ATTACKS if attack.title in found]

    def run(way: Way, *, wait: bool) -> None:
        """Make the results of a way, unless they are there or another worker is at it."""
        file = folder / f"escapes {way.name}.json"
        with (folder / f"escapes {way.name}.lock").open("w") as lock, suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not file.exists():
                file.write_text(json.dumps(_results(way, wanted(way))))

    @cache
    def all_of(way: Way) -> dict[str, Any]:
        # Rather than wait for another worker, do what nobody does yet.
        for each in filter(wanted, EVERY_WAY):
            run(each, wait=False)
        run(way, wait=True)
        found: dict[str, Any] = json.loads((folder / f"escapes {way.name}.json").read_text())
        return found

    def look_up(way: Way, attack: Attack) -> dict[str, Any]:
        found = all_of(way)
        if "broken" in found:
            pytest.fail(found["broken"])
        return found if "cannot" in found else found["results"][attack.title]

    return look_up


def _results(way: Way, attacks: list[Attack]) -> dict[str, Any]:
    try:
        return results_of(way, attacks)
    except HostFailed as error:
        # Noted, so that not every test tries again.
        return {"broken": str(error)}
