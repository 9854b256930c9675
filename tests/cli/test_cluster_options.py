"""The address of a cluster comes from the command, or from the file of an event."""

from __future__ import annotations

from arena.cli.options.workers import WorkerChoice


def test_a_command_overrides_the_address_in_the_file() -> None:
    in_file = "tls://alpha:8786"
    assert WorkerChoice().or_at(in_file).workers == in_file
    other = "tls://beta:8786"
    assert WorkerChoice(workers=other).or_at(in_file).workers == other
    here = WorkerChoice(workers="").or_at(in_file)
    assert here.cluster_words() == []
    with here.cluster(cage="none") as pool:
        assert pool is None
