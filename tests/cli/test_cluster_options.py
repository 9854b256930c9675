"""The address of a cluster comes from the command, or from the file of an event."""

from __future__ import annotations

from arena.cli.options.cluster import NO_CLUSTER, chosen_pool


def test_a_command_overrides_the_address_in_the_file() -> None:
    in_file = "tls://alpha:8786"
    assert NO_CLUSTER.or_at(in_file).address == in_file
    other = NO_CLUSTER._replace(address="tls://beta:8786")
    assert other.or_at(in_file).address == "tls://beta:8786"
    here = NO_CLUSTER._replace(address="").or_at(in_file)
    assert here.words() == []
    with chosen_pool(here, cage="none") as workers:
        assert workers is None
