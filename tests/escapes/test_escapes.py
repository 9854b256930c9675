"""Every cage stops every attack, each of which would succeed without a cage.

The short test run tries the best cage of this machine, without the attack that starts 32 bots;
`scripts/test --all` tries every cage, and shows for each attack that it succeeds outside. A machine
may not allow that: such an attack is reported as not shown here.
"""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

import pytest

from arena.sandbox.select import AUTO, NoCage, select_cage
from tests.escapes.attack import LANDLOCK, Attack, Verdict, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.conftest import Results
from tests.escapes.setups import Setup, available_setups, is_root, outside_setup


def best_setup() -> Setup | None:
    """Return the setup with the cage that bots get on this machine, if there is one."""
    try:
        name = select_cage(AUTO).name
    except NoCage:
        return None
    found = [each for each in available_setups() if each.cage == name]
    return next(each for each in found if each.as_root == is_root())


BEST = best_setup()
PAIRS = [(setup, attack) for setup in available_setups() for attack in ATTACKS]
CALLS = [
    (setup, attack)
    for setup, attack in PAIRS
    if attack.probe == "kernel.refused_calls" and outside_setup(attack)
]
OUTSIDE = [(setup, attack) for attack in ATTACKS if (setup := outside_setup(attack))]


def parameters(pairs: list[tuple[Setup, Attack]]) -> list[Any]:
    """Return setups and attacks as parameters of a test; the short ones in the best cage."""
    return [
        pytest.param(
            setup,
            attack,
            id=f"{setup.name}: {attack.title}",
            marks=[] if setup == BEST and not is_long(attack) else [pytest.mark.slow],
        )
        for setup, attack in pairs
    ]


def is_long(attack: Attack) -> bool:
    """Tell whether an attack takes a new bot for each bit that is sent and received."""
    return attack.scenario == "successors"


@pytest.mark.parametrize(("setup", "attack"), parameters(PAIRS))
def test_a_cage_stops_every_attack(setup: Setup, attack: Attack, results: Results) -> None:
    inside = available(results(setup, attack))
    found = verdict(attack, inside, kind=setup.kind)
    assert inside["seen"]["left"] == []
    if setup.name not in attack.open_in:
        assert found is Verdict.HELD, inside
    elif found is not Verdict.OPEN:
        pytest.skip(f"not shown here: {setup.name} leaves this open, but {inside['detail']}")


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "attack"), parameters(OUTSIDE))
def test_every_attack_succeeds_outside(setup: Setup, attack: Attack, results: Results) -> None:
    result = available(results(setup, attack))
    if verdict(attack, result, kind=LANDLOCK) is not Verdict.OPEN:
        pytest.skip(f"not shown here: {result['detail'] or result['ended']}")


def available(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result; skip the test if there is none here."""
    if "cannot" in result:
        if os.environ.get("CI") and shutil.which("bwrap") is None:
            pytest.fail("bubblewrap is not installed: the cage cannot be tested")
        pytest.skip(result["cannot"])
    return result


@pytest.mark.slow
@pytest.mark.parametrize(("setup", "attack"), parameters(CALLS))
def test_every_refused_call_would_succeed_outside(
    setup: Setup, attack: Attack, results: Results
) -> None:
    outside = outside_setup(attack)
    assert outside
    refused = json.loads(available(results(setup, attack))["detail"])
    answered = json.loads(available(results(outside, attack))["detail"])
    assert refused.keys() == answered.keys()
    assert [name for name in refused if refused[name] == answered[name]] == []


def test_attack_titles_are_unique() -> None:
    titles = [attack.title for attack in ATTACKS]
    assert sorted(set(titles)) == sorted(titles)
