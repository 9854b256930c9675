"""Does every cage hold every attack, and would the attack succeed without it?"""

from __future__ import annotations

import json
import os
import re
import shutil
from typing import Any

import pytest

from tests.escapes.attacks import ATTACKS, Attack, has_succeeded
from tests.escapes.conftest import Results
from tests.escapes.ways import Way, outside_of, ways_here

PAIRS = [(way, attack) for way in ways_here() for attack in ATTACKS]
IDS = [f"{way.name}: {attack.title}" for way, attack in PAIRS]
CALLS = [(way, attack) for way, attack in PAIRS if attack.probe == "kernel.refused_calls"]


@pytest.mark.parametrize(("way", "attack"), PAIRS, ids=IDS)
def test_a_cage_holds_what_would_succeed_outside(
    way: Way, attack: Attack, results: Results
) -> None:
    inside = possible(results(way, attack))
    assert has_succeeded(attack, inside) == (way.name in attack.open_in), inside
    assert inside["seen"]["left"] == []
    if way.name not in attack.open_in:
        assert was_stopped_as_expected(way, attack, inside), inside
    outside = outside_of(attack)
    if outside:
        free = results(outside, attack)
        assert has_succeeded(attack, free), free


def possible(result: dict[str, Any]) -> dict[str, Any]:
    """Return a result, if there is one here."""
    if "cannot" in result:
        if os.environ.get("CI") and shutil.which("bwrap") is None:
            pytest.fail("bubblewrap is not installed: nothing is shown of the cage")
        pytest.skip(result["cannot"])
    return result


def was_stopped_as_expected(way: Way, attack: Attack, inside: dict[str, Any]) -> bool:
    """Tell whether an attack failed for the reason that it should."""
    if attack.over and way.kind in attack.over_in:
        return re.fullmatch(attack.over, inside["over"] or "") is not None
    if attack.ends and inside["escaped"] is None:
        return re.search(attack.ends, inside["ended"]) is not None
    return inside["escaped"] is not None and inside["over"] is None


@pytest.mark.parametrize(("way", "attack"), CALLS, ids=[way.name for way, _ in CALLS])
def test_every_call_that_is_refused_would_have_been_answered(
    way: Way, attack: Attack, results: Results
) -> None:
    outside = outside_of(attack)
    if outside is None:
        pytest.skip("as an ordinary user one is refused most of these calls anyway")
    refused = json.loads(possible(results(way, attack))["detail"])
    answered = json.loads(results(outside, attack)["detail"])
    assert refused.keys() == answered.keys()
    assert [name for name in refused if refused[name] == answered[name]] == []


def test_every_attack_is_named_once() -> None:
    titles = [attack.title for attack in ATTACKS]
    assert sorted(set(titles)) == sorted(titles)
