"""Wheels are chosen by a bot's requirements, without running any of their code."""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadText, PlatformError
from arena.games.installed import installed_games
from arena.sandbox.packages.environments import plain_environment
from arena.sandbox.packages.games import BrokenInstallation
from arena.sandbox.packages.lockfile import Lockfile, Wheel, lockfile_for
from arena.sandbox.packages.wheels import BadRequirements, check_size, install
from tests.sandbox.wheelhouse import locked_from_the_index, pack_source, pack_wheel


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
def test_a_requirement_is_not_a_url_path_or_option(text: str) -> None:
    with pytest.raises(BadRequirements) as refused:
        lockfile_for(["six", text])
    assert str(refused.value).startswith(f"{text!r} is not an allowed requirement")


def test_any_other_requirement_that_pip_accepts_is_allowed(wheelhouse: Path) -> None:
    for name in ("apple", "berry", "cherry", "date", "elder", "fig"):
        for version in ("1.0", "1.5", "2.0"):
            pack_wheel(wheelhouse, name, version)
    texts = ["apple", "Berry>=1,<2", "cherry ~= 1.0", "date==1.*", "elder[seeds, peel]!=2.0"]
    texts += ["fig<2; python_version>='3.11' and sys_platform == \"linux\""]
    versions = [wheel.version for wheel in lockfile_for(texts).wheels]
    assert versions == ["2.0", "1.5", "1.5", "1.5", "1.5", "1.5"]


def test_a_condition_that_does_not_hold_requires_nothing(wheelhouse: Path) -> None:
    assert lockfile_for(["apple; python_version<'3'"]) == Lockfile(())


@pytest.fixture
def click_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Install a game that needs click, and return the version of click on this machine."""
    info = tmp_path / "site" / "odd_games-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text("[arena.games]\nodd = odd:GAME\n")
    (info / "METADATA").write_text("Name: odd-games\nRequires-Dist: click\n\n")
    monkeypatch.syspath_prepend(info.parent)
    installed_games.cache_clear()
    yield metadata.version("click")
    installed_games.cache_clear()


def test_a_bot_cannot_have_another_version_of_a_package_of_a_game(
    wheelhouse: Path, click_version: str
) -> None:
    pack_wheel(wheelhouse, "click", click_version)
    pack_wheel(wheelhouse, "click", "4.0")
    pack_wheel(wheelhouse, "apple", "1.0", requires=["click<5"])
    assert lockfile_for(["click"]) == Lockfile(())
    with pytest.raises(BadRequirements) as refused:
        lockfile_for(["apple"])
    assert str(refused.value) == (
        "the requirements contradict each other: apple 1.0 depends on click<5; "
        f"an installed game has click=={click_version}"
    )


def test_requirements_that_contradict_each_other_are_refused(wheelhouse: Path) -> None:
    for version in ("1.0", "2.0"):
        pack_wheel(wheelhouse, "apple", version)
    with pytest.raises(BadRequirements) as refused:
        lockfile_for(["apple<2", "apple>=2"])
    assert str(refused.value) == (
        "the requirements contradict each other: "
        "the bot requires apple<2; the bot requires apple>=2"
    )


def test_a_missing_package_is_refused(wheelhouse: Path) -> None:
    with pytest.raises(BadRequirements, match="no wheel of apple>=1 for this Python"):
        lockfile_for(["apple>=1"])


def test_a_package_that_exists_only_as_source_is_refused(wheelhouse: Path) -> None:
    pack_source(wheelhouse, "apple")
    with pytest.raises(BadRequirements, match="no wheel of apple for this Python"):
        lockfile_for(["apple"])


def test_source_that_is_required_by_url_is_not_built(wheelhouse: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    source = pack_source(wheelhouse, "pear", f"open({str(canary)!r}, 'w')")
    pack_wheel(wheelhouse, "apple", "1.0", requires=[f"pear @ {source.as_uri()}"])
    with pytest.raises(BadRequirements, match="exists only as source, which is not built here"):
        lockfile_for(["apple"])
    assert not canary.exists()


def test_a_wheel_that_is_required_by_url_is_refused(wheelhouse: Path, tmp_path: Path) -> None:
    pack_wheel(tmp_path, "pear", "1.0")
    address = (tmp_path / "pear-1.0-py3-none-any.whl").as_uri()
    pack_wheel(wheelhouse, "apple", "1.0", requires=[f"pear @ {address}"])
    with pytest.raises(BadRequirements, match="pear is required by URL"):
        lockfile_for(["apple"])


def test_an_invalid_condition_is_refused_with_pips_message(wheelhouse: Path) -> None:
    with pytest.raises(BadRequirements, match="pip failed: Invalid requirement: 'six'"):
        lockfile_for(["six; colour=='red'"])


@pytest.fixture
def silent_index(wheelhouse: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run pip against an index that never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.delenv("PIP_NO_INDEX")
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.getsockname()[1]}/")
        monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "600")
        yield


@pytest.mark.usefixtures("silent_index")
def test_a_download_that_takes_too_long_is_aborted(tmp_path: Path) -> None:
    with pytest.raises(PlatformError, match="took too long: try again"):
        install("apple", folder=tmp_path, timeout_s=0)


@pytest.mark.usefixtures("silent_index")
def test_a_download_that_is_too_large_is_aborted(tmp_path: Path) -> None:
    (tmp_path / "wheel").write_bytes(bytes(1 << 20))
    with pytest.raises(BadRequirements, match="are larger than 1 MiB: require fewer"):
        install("apple", folder=tmp_path, max_bytes=1 << 20)


def test_wheels_that_are_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    for path in ("one", "inner/two"):
        (tmp_path / path).write_bytes(bytes(1 << 20))
    check_size(tmp_path, 2 << 20)
    with pytest.raises(BadRequirements, match="are larger than 1 MiB"):
        check_size(tmp_path, (2 << 20) - 1)


def test_a_python_without_pip_says_how_to_get_it(
    wheelhouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = plain_environment().root / "bin" / "python"
    monkeypatch.setattr(sys, "executable", str(without))
    with pytest.raises(
        BrokenInstallation, match=f"requirements of bots: run `{without} -m ensurepip`"
    ):
        lockfile_for(["apple"])


def test_a_choice_is_cached(wheelhouse: Path) -> None:
    for name in ("apple", "pear"):
        pack_wheel(wheelhouse, name, "1.0")
    old = lockfile_for(["apple", "pear"])
    pack_wheel(wheelhouse, "apple", "2.0")
    assert lockfile_for(["pear", "apple"]) == old


def test_a_damaged_cached_choice_is_replaced(wheelhouse: Path, cache: Path) -> None:
    pack_wheel(wheelhouse, "apple", "1.0")
    lock = lockfile_for(["apple"])
    [cached] = (cache / "texts").iterdir()
    cached.write_bytes(b"\xff")
    assert lockfile_for(["apple"]) == lock
    assert cached.read_text() == str(lock)


WHEELS = st.builds(
    Wheel,
    st.text("abz019-", min_size=1),
    st.text("019.+!_abz", min_size=1),
    st.binary(min_size=32, max_size=32).map(bytes.hex),
)


@given(st.lists(WHEELS, unique_by=lambda wheel: wheel.name))
def test_a_lockfile_is_read_back_unchanged(wheels: list[Wheel]) -> None:
    lock = Lockfile(tuple(sorted(wheels)))
    assert Lockfile.read(str(lock)) == lock


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
def test_a_text_that_is_not_a_lockfile_is_refused(change: Callable[[str], str]) -> None:
    with pytest.raises(BadText, match="not a valid lockfile"):
        Lockfile.read(change(str(Lockfile((Wheel("apple", "1.0", "0" * 64),)))))


@pytest.mark.slow
def test_a_source_only_package_of_the_real_index_is_refused(cache: Path) -> None:
    with pytest.raises(BadRequirements, match="no wheel of docopt for this Python"):
        locked_from_the_index("docopt")
