"""Only matching workers may play, and a sentence says what differs."""

from __future__ import annotations

from typing import Any

import pytest

from arena.workers.cluster.hello import Admission, Hello, make_hello
from tests.cages import cage


@pytest.fixture(scope="module")
def own() -> Hello:
    """Return what this process says."""
    return make_hello(worker="alpha-0", machine="alpha", cage=cage().name, speed=30.0)


def admission(band: float = 10.0) -> Admission:
    """Return what decides who may play."""
    return Admission(cage_mark=cage().mark, speed_band=band)


def test_workers_that_are_alike_may_play(own: Hello) -> None:
    other = own._replace(worker="beta-0", machine="beta", boot="x", speed=32.9)
    there = admission()
    assert there.admit([own, other]) == {}
    assert there.machine("beta").speed == 32.9


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"arena": "0.0.1"}, "arena is 0.0.1 there and"),
        ({"rules": "abc"}, "the rules of the games is abc there and"),
        ({"python": "2.7"}, "Python is 2.7 there and"),
        ({"cage": "paper"}, "its cage is paper, and the event's is"),
        ({"cage": "", "problem": "no bubblewrap"}, "would have no cage: no bubblewrap"),
        ({"machine": "alpha"}, "another machine is called 'alpha' too"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, dict) else "",
)
def test_an_odd_worker_is_refused_with_what_differs(
    own: Hello, change: dict[str, Any], sentence: str
) -> None:
    odd = own._replace(worker="beta-0", machine="beta", boot="x")._replace(**change)
    refused = admission().admit([own, odd])
    assert list(refused) == ["beta-0"]
    assert sentence in refused["beta-0"]


def test_a_machine_outside_the_band_is_refused(own: Hello) -> None:
    others = [
        own._replace(worker=f"{name}-0", machine=name, boot=name, speed=speed)
        for name, speed in (("beta", 30.5), ("gamma", 45.0))
    ]
    refused = admission().admit([own, *others])
    assert list(refused) == ["gamma-0"]
    assert "gamma is 48% faster than the others, and 10% is allowed" in refused["gamma-0"]
    assert admission(50.0).admit([own, *others]) == {}


def test_one_who_comes_later_is_compared_with_the_first(own: Hello) -> None:
    there = admission()
    there.admit([own])
    late = own._replace(worker="beta-0", machine="beta", boot="x", speed=20.0)
    assert "33% slower" in there.admit([late])["beta-0"]
    # Its machine is known, whatever a new worker of it measures.
    assert there.admit([own._replace(worker="alpha-1", speed=20.0)]) == {}
