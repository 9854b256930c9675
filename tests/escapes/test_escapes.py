"""Every cage stops every attack, each of which would succeed without a cage."""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

import pytest

from tests.escapes.attack import Attack, Verdict, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.conftest import Results
from tests.escapes.setups import Setup, available_setups, is_applicable, outside_setup

PAIRS = [
    (setup, attack)
    for setup in available_setups()
    for attack in ATTACKS
    if is_applicable(setup, attack)
]
CALLS = [(setup, attack) for setup, attack in PAIRS if attack.probe == "kernel.refused_calls"]
SLOW_SETUPS = ("landlock-root",)
"""It differs from landlock-user in little, and root has bubblewrap nearly everywhere."""


def parameters(pairs: list[tuple[Setup, Attack]]) -> list[Any]:
    """Return setups and attacks as parameters of a test."""
    return [
        pytest.param(
            setup,
            attack,
            id=f"{setup.name}: {attack.title}",
            marks=[pytest.mark.slow] if setup.name in SLOW_SETUPS else [],
        )
        for setup, attack in pairs
    ]


@pytest.mark.parametrize(("setup", "attack"), parameters(PAIRS))
def test_a_cage_stops_every_attack_that_would_succeed_outside(
    setup: Setup, attack: Attack, results: Results
) -> None:
    inside = available(results(setup, attack))
    if setup.name in attack.open_in and inside["detail"].endswith("there are none"):
        pytest.skip("this machine has nothing to be found")
    expected = Verdict.OPEN if setup.name in attack.open_in else Verdict.HELD
    assert verdict(attack, inside, kind=setup.kind) is expected, inside
    assert inside["seen"]["left"] == []
    outside = outside_setup(attack)
    if outside:
        free = available(results(outside, attack))
        assert verdict(attack, free, kind=setup.kind) is Verdict.OPEN, free


def available(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result; skip the test if there is none here."""
    if "cannot" in result:
        if os.environ.get("CI") and shutil.which("bwrap") is None:
            pytest.fail("bubblewrap is not installed: the cage cannot be tested")
        pytest.skip(result["cannot"])
    return result


@pytest.mark.parametrize(("setup", "attack"), parameters(CALLS))
def test_every_refused_call_would_succeed_outside(
    setup: Setup, attack: Attack, results: Results
) -> None:
    outside = outside_setup(attack)
    if outside is None:
        pytest.skip("an ordinary user is refused most of these calls anyway")
    refused = json.loads(available(results(setup, attack))["detail"])
    answered = json.loads(available(results(outside, attack))["detail"])
    assert refused.keys() == answered.keys()
    assert [name for name in refused if refused[name] == answered[name]] == []


def test_attack_titles_are_unique() -> None:
    titles = [attack.title for attack in ATTACKS]
    assert sorted(set(titles)) == sorted(titles)
