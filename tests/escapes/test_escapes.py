"""Does every cage hold every attack, and would the attack succeed without it?"""

from __future__ import annotations

import json
import os
import shutil
from typing import Any

import pytest

from tests.escapes.attack import Attack, Verdict, verdict
from tests.escapes.attacks import ATTACKS
from tests.escapes.conftest import Results
from tests.escapes.ways import Way, is_tried, outside_of, ways_here

PAIRS = [(way, attack) for way in ways_here() for attack in ATTACKS if is_tried(way, attack)]
IDS = [f"{way.name}: {attack.title}" for way, attack in PAIRS]
CALLS = [(way, attack) for way, attack in PAIRS if attack.probe == "kernel.refused_calls"]


@pytest.mark.parametrize(("way", "attack"), PAIRS, ids=IDS)
def test_a_cage_holds_what_would_succeed_outside(
    way: Way, attack: Attack, results: Results
) -> None:
    inside = possible(results(way, attack))
    if way.name in attack.open_in and inside["detail"].endswith("there are none"):
        pytest.skip("this machine has nothing that could be found")
    expected = Verdict.OPEN if way.name in attack.open_in else Verdict.HELD
    assert verdict(attack, inside, kind=way.kind) is expected, inside
    assert inside["seen"]["left"] == []
    outside = outside_of(attack)
    if outside:
        free = possible(results(outside, attack))
        assert verdict(attack, free, kind=way.kind) is Verdict.OPEN, free


def possible(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result, if there is one here."""
    if "cannot" in result:
        if os.environ.get("CI") and shutil.which("bwrap") is None:
            pytest.fail("bubblewrap is not installed: nothing is shown of the cage")
        pytest.skip(result["cannot"])
    return result


@pytest.mark.parametrize(("way", "attack"), CALLS, ids=[way.name for way, _ in CALLS])
def test_every_call_that_is_refused_would_have_been_answered(
    way: Way, attack: Attack, results: Results
) -> None:
    outside = outside_of(attack)
    if outside is None:
        pytest.skip("as an ordinary user one is refused most of these calls anyway")
    refused = json.loads(possible(results(way, attack))["detail"])
    answered = json.loads(possible(results(outside, attack))["detail"])
    assert refused.keys() == answered.keys()
    assert [name for name in refused if refused[name] == answered[name]] == []


def test_every_attack_is_named_once() -> None:
    titles = [attack.title for attack in ATTACKS]
    assert sorted(set(titles)) == sorted(titles)
