"""How do all tests of a run share what few processes find out?"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.escapes.attacks import ATTACKS, Attack
from tests.escapes.ways import Way, outside_of, results_of

Results = Callable[[Way, Attack], dict[str, Any]]


@pytest.fixture(scope="session")
def results(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Results:
    """Return what looks up the result of an attack; `cannot` in it says why there is none.

    The first test that asks for a way runs all attacks that any test will ask for in that way.
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

    def look_up(way: Way, attack: Attack) -> dict[str, Any]:
        file = folder / f"escapes {way.name}.json"
        with (folder / f"escapes {way.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not file.exists():
                file.write_text(json.dumps(results_of(way, wanted(way))))
        found: dict[str, Any] = json.loads(file.read_text())
        return found if "cannot" in found else found["results"][attack.title]

    return look_up
