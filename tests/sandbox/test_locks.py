"""Are the wheels for a bot chosen as it asks, and without running any code of theirs?"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadText, PlatformError
from arena.sandbox.environments import plain_environment
from arena.sandbox.installed import BrokenInstallation
from arena.sandbox.locks import Lock, Wheel, lock_of
from arena.sandbox.wheels import BadRequirements, check_size, install
from tests.sandbox.shop import OURS, locked_from_the_index, pack_source, pack_wheel


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-r list.txt",
        "--index-url=x",
        "six --pre",
        "six @ https://example.org/six.whl",
        "https://example.org/six.whl",
        "git+ssh://example.org/six",
        "./six",
        "/tmp/six.whl",
        "six\n--pre",
        "six>=1 # as ever",
        "six[",
        "six=1",
    ],
)
def test_a_requirement_is_no_address_path_or_option(text: str) -> None:
    with pytest.raises(BadRequirements) as refused:
        lock_of(["six", text])
    assert str(refused.value).startswith(f"{text!r} is not a requirement that a bot may have")


def test_a_requirement_is_whatever_pip_takes_otherwise(shop: Path) -> None:
    for name in ("apple", "berry", "cherry", "date", "elder", "fig"):
        for version in ("1.0", "1.5", "2.0"):
            pack_wheel(shop, name, version)
    texts = ["apple", "Berry>=1,<2", "cherry ~= 1.0", "date==1.*", "elder[seeds, peel]!=2.0"]
    texts += ["fig<2; python_version>='3.11' and sys_platform == \"linux\""]
    versions = [wheel.version for wheel in lock_of(texts).wheels]
    assert versions == ["2.0", "1.5", "1.5", "1.5", "1.5", "1.5"]


def test_a_condition_that_does_not_hold_requires_nothing(shop: Path) -> None:
    assert lock_of(["apple; python_version<'3'"]) == Lock(())


def test_a_bot_cannot_have_another_version_of_what_the_sdk_brings(shop: Path) -> None:
    pack_wheel(shop, "protobuf", OURS["protobuf"])
    pack_wheel(shop, "protobuf", "4.0")
    pack_wheel(shop, "apple", "1.0", requires=["protobuf<5"])
    with pytest.raises(BadRequirements) as refused:
        lock_of(["apple"])
    assert str(refused.value) == (
        "the requirements contradict each other: apple 1.0 depends on protobuf<5; "
        f"the SDK has protobuf=={OURS['protobuf']}"
    )


def test_requirements_that_contradict_each_other_are_refused(shop: Path) -> None:
    for version in ("1.0", "2.0"):
        pack_wheel(shop, "apple", version)
    with pytest.raises(BadRequirements) as refused:
        lock_of(["apple<2", "apple>=2"])
    assert str(refused.value) == (
        "the requirements contradict each other: "
        "the bot requires apple<2; the bot requires apple>=2"
    )


def test_a_package_that_is_not_there_is_refused(shop: Path) -> None:
    with pytest.raises(BadRequirements, match="there is no wheel of apple>=1 for this Python"):
        lock_of(["apple>=1"])


def test_a_package_that_exists_only_as_source_is_refused(shop: Path) -> None:
    pack_source(shop, "apple")
    with pytest.raises(BadRequirements, match="there is no wheel of apple for this Python"):
        lock_of(["apple"])


def test_source_that_is_required_by_its_address_is_not_built(shop: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    source = pack_source(shop, "pear", f"open({str(canary)!r}, 'w')")
    pack_wheel(shop, "apple", "1.0", requires=[f"pear @ {source.as_uri()}"])
    with pytest.raises(BadRequirements, match="exists only as source, which is not built here"):
        lock_of(["apple"])
    assert not canary.exists()


def test_a_wheel_that_is_required_by_its_address_is_refused(shop: Path, tmp_path: Path) -> None:
    pack_wheel(tmp_path, "pear", "1.0")
    address = (tmp_path / "pear-1.0-py3-none-any.whl").as_uri()
    pack_wheel(shop, "apple", "1.0", requires=[f"pear @ {address}"])
    with pytest.raises(BadRequirements, match="pear is required by its address"):
        lock_of(["apple"])


def test_a_condition_that_makes_no_sense_is_refused_in_pips_words(shop: Path) -> None:
    with pytest.raises(BadRequirements, match="pip failed and said: Invalid requirement: 'six'"):
        lock_of(["six; colour=='red'"])


def test_an_index_that_cannot_be_reached_is_a_sentence(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        monkeypatch.setenv("PIP_RETRIES", "1")
        with pytest.raises(PlatformError, match="apple cannot be fetched, because the package"):
            lock_of(["apple"])


@pytest.fixture
def silent_index(shop: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let pip wait for an answer that never comes."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.getsockname()[1]}/")
        monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "600")
        yield


@pytest.mark.usefixtures("silent_index")
def test_fetching_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="took too long to fetch"):
        install("apple", folder=tmp_path, most_s=0)


@pytest.mark.usefixtures("silent_index")
def test_fetching_that_takes_too_much_room_is_given_up(tmp_path: Path) -> None:
    (tmp_path / "wheel").write_bytes(bytes(1 << 20))
    with pytest.raises(BadRequirements, match="take more than 1 MiB: require fewer"):
        install("apple", folder=tmp_path, most_bytes=1 << 20)


def test_wheels_that_take_too_much_room_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for path in ("one", "inner/two"):
        (tmp_path / path).write_bytes(bytes(1 << 20))
    check_size(tmp_path, 2 << 20)
    with pytest.raises(BadRequirements, match="take more than 1 MiB"):
        check_size(tmp_path, (2 << 20) - 1)


def test_a_python_without_pip_says_how_to_get_it(
    shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = plain_environment().root / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(without))
    with pytest.raises(BrokenInstallation, match=f"has none: run `{without} -m ensurepip`"):
        lock_of(["apple"])


def test_a_choice_is_remembered_until_it_is_asked_for_afresh(shop: Path) -> None:
    for name in ("apple", "pear"):
        pack_wheel(shop, name, "1.0")
    old = lock_of(["apple", "pear"])
    new = pack_wheel(shop, "apple", "2.0")
    assert lock_of(["pear", "apple"]) == old
    assert new in lock_of(["apple", "pear"], fresh=True).wheels
    assert new in lock_of(["apple", "pear"]).wheels


@pytest.mark.parametrize("damaged", [b"", b"\xff"], ids=["empty", "not text"])
def test_a_remembered_choice_that_is_damaged_is_made_again(
    shop: Path, cache: Path, damaged: bytes
) -> None:
    pack_wheel(shop, "apple", "1.0")
    lock = lock_of(["apple"])
    [kept] = (cache / "texts").iterdir()
    kept.write_bytes(damaged)
    assert lock_of(["apple"]) == lock
    assert kept.read_text() == str(lock)


WHEELS = st.builds(
    Wheel,
    st.text("abz019-", min_size=1),
    st.text("019.+!_abz", min_size=1),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
)


@given(st.lists(WHEELS, unique_by=lambda wheel: wheel.name))
def test_a_lock_reads_back_from_its_text(wheels: list[Wheel]) -> None:
    lock = Lock(tuple(sorted(wheels)))
    assert Lock.read(str(lock)) == lock


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text.rstrip("\n"),
        lambda text: text + "--index-url x\n",
        lambda text: text.replace("sha256", "md5"),
        lambda text: text.partition("\n")[2],
    ],
    ids=["empty", "cut off", "with an option", "another hash", "without its title"],
)
def test_a_text_that_is_no_lock_is_refused(change: Callable[[str], str]) -> None:
    with pytest.raises(BadText, match="this is not a lock"):
        Lock.read(change(str(Lock((Wheel("apple", "1.0", "0" * 64),)))))


def test_a_package_of_the_real_index_that_is_only_source_is_refused(cache: Path) -> None:
    with pytest.raises(BadRequirements, match="there is no wheel of docopt for this Python"):
        locked_from_the_index("docopt")
