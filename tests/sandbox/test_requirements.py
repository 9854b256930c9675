"""Does a bot get the packages that it requires, exactly those, and none of their code run?"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.errors import BadText
from arena.sandbox.environments import environment_for, plain_environment
from arena.sandbox.installed import BrokenInstallation, sdk_packages
from arena.sandbox.locks import Lock, Wheel, lock_of
from arena.sandbox.wheels import BadRequirements, check_size, install

OURS = {package.name: package.version for package in sdk_packages()}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("ARENA_CACHE", str(folder))
    return folder


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which pip looks for packages."""
    folder = tmp_path / "shop"
    folder.mkdir()
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return folder


def _wheel(
    shop: Path,
    name: str,
    version: str,
    *,
    requires: Sequence[str] = (),
    files: Mapping[str, str] | None = None,
) -> Wheel:
    info = f"{name}-{version}.dist-info"
    head = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    whole = {
        **(files or {f"{name}.py": f"version = {version!r}\n"}),
        f"{info}/METADATA": head + "".join(f"Requires-Dist: {text}\n" for text in requires),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*whole, f"{info}/RECORD"])
    path = shop / f"{name}-{version}-py3-none-any.whl"
    with ZipFile(path, "w") as file:
        for inside, text in {**whole, f"{info}/RECORD": record}.items():
            file.writestr(inside, text)
    return Wheel(name, version, sha256(path.read_bytes()).hexdigest())


def _source(shop: Path, name: str, code: str = "") -> Path:
    """Pack source that runs some code as soon as pip asks it anything."""
    files = {
        "pyproject.toml": "[build-system]\nrequires = []\nbuild-backend = 'build'\n"
        "backend-path = ['.']\n",
        "build.py": code,
    }
    path = shop / f"{name}-1.0.tar.gz"
    with tarfile.open(path, "w:gz") as file:
        for inside, text in files.items():
            entry = tarfile.TarInfo(f"{name}-1.0/{inside}")
            entry.size = len(text)
            file.addfile(entry, BytesIO(text.encode()))
    return path


def _run(lock: Lock, code: str) -> str:
    return subprocess.run(
        [environment_for(lock).root / "bin" / "python", "-I", "-B", "-c", code],
        env={},
        stdout=subprocess.PIPE,
        text=True,
        timeout=60,
        check=True,
    ).stdout.strip()


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


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("apple", "2.0"),
        ("Apple>=1,<2", "1.5"),
        ("apple ~= 1.0", "1.5"),
        ("apple==1.*", "1.5"),
        ("apple[seeds, peel]!=2.0", "1.5"),
        ("apple<2; python_version>='3.11' and sys_platform == \"linux\"", "1.5"),
    ],
)
def test_a_requirement_is_whatever_pip_takes_otherwise(shop: Path, text: str, version: str) -> None:
    wheels = [_wheel(shop, "apple", known) for known in ("1.0", "1.5", "2.0")]
    assert lock_of([text]).wheels == tuple(wheel for wheel in wheels if wheel.version == version)


def test_requiring_nothing_is_the_plain_environment(shop: Path) -> None:
    assert lock_of([]) == Lock(())
    assert environment_for(lock_of([])) == plain_environment()


def test_a_condition_that_does_not_hold_requires_nothing(shop: Path) -> None:
    assert lock_of(["apple; python_version<'3'"]) == Lock(())


def test_a_bot_gets_what_it_requires_and_what_that_requires(shop: Path) -> None:
    pear = _wheel(shop, "pear", "1.0")
    apple = _wheel(shop, "apple", "1.0", requires=["pear"])
    lock = lock_of(["apple"])
    assert lock == Lock((apple, pear))
    code = "import apple, pear, arena.sdk, grpc; print(apple.version, pear.__file__)"
    version, file = _run(lock, code).split()
    assert version == "1.0"
    assert file.startswith(str(environment_for(lock).root))


def test_what_the_sdk_brings_is_not_brought_again(shop: Path) -> None:
    _wheel(shop, "protobuf", OURS["protobuf"], files={"google/protobuf/__init__.py": "fake = 1"})
    apple = _wheel(shop, "apple", "1.0", requires=["protobuf"])
    lock = lock_of(["apple", "protobuf"])
    assert lock == Lock((apple,))
    assert _run(lock, "import google.protobuf as it; print(hasattr(it, 'fake'))") == "False"


def test_a_bot_cannot_have_another_version_of_what_the_sdk_brings(shop: Path) -> None:
    _wheel(shop, "protobuf", OURS["protobuf"])
    _wheel(shop, "protobuf", "4.0")
    _wheel(shop, "apple", "1.0", requires=["protobuf<5"])
    with pytest.raises(BadRequirements) as refused:
        lock_of(["apple"])
    assert str(refused.value) == (
        "the requirements contradict each other: apple 1.0 depends on protobuf<5; "
        f"the SDK has protobuf=={OURS['protobuf']}"
    )


def test_requirements_that_contradict_each_other_are_refused(shop: Path) -> None:
    for version in ("1.0", "2.0"):
        _wheel(shop, "apple", version)
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
    _source(shop, "apple")
    with pytest.raises(BadRequirements, match="there is no wheel of apple for this Python"):
        lock_of(["apple"])


def test_source_that_is_required_by_its_address_is_not_built(shop: Path, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    source = _source(shop, "pear", f"open({str(canary)!r}, 'w')")
    _wheel(shop, "apple", "1.0", requires=[f"pear @ {source.as_uri()}"])
    with pytest.raises(BadRequirements, match="exists only as source, which is not built here"):
        lock_of(["apple"])
    assert not canary.exists()


def test_a_wheel_that_is_required_by_its_address_is_refused(shop: Path, tmp_path: Path) -> None:
    _wheel(tmp_path, "pear", "1.0")
    address = (tmp_path / "pear-1.0-py3-none-any.whl").as_uri()
    _wheel(shop, "apple", "1.0", requires=[f"pear @ {address}"])
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
        with pytest.raises(BadRequirements, match="apple cannot be fetched, because the package"):
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
    with pytest.raises(BadRequirements, match="took too long to fetch"):
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
        _wheel(shop, name, "1.0")
    old = lock_of(["apple", "pear"])
    new = _wheel(shop, "apple", "2.0")
    assert lock_of(["pear", "apple"]) == old
    assert new in lock_of(["apple", "pear"], fresh=True).wheels
    assert new in lock_of(["apple", "pear"]).wheels


def test_a_remembered_choice_that_is_damaged_is_made_again(shop: Path, cache: Path) -> None:
    _wheel(shop, "apple", "1.0")
    lock = lock_of(["apple"])
    [kept] = (cache / "texts").iterdir()
    kept.write_text("")
    assert lock_of(["apple"]) == lock
    assert kept.read_text() == str(lock)


def test_an_environment_that_is_there_needs_no_index(shop: Path) -> None:
    _wheel(shop, "apple", "1.0")
    before = environment_for(lock_of(["apple"]))
    for wheel in shop.iterdir():
        wheel.unlink()
    assert environment_for(lock_of(["apple"])) == before


def test_a_wheel_that_is_not_the_locked_one_is_refused(shop: Path, cache: Path) -> None:
    _wheel(shop, "apple", "1.0")
    lock = lock_of(["apple"])
    _wheel(shop, "apple", "1.0", files={"apple.py": "version = 'another'"})
    with pytest.raises(BadRequirements, match="its SHA-256 hash differs: lock again"):
        environment_for(lock)
    assert [path.name for path in (cache / "environments").iterdir()] == [".lock"]


def test_a_package_may_share_a_namespace_with_the_sdk(shop: Path) -> None:
    _wheel(shop, "apple", "1.0", files={"google/apple/__init__.py": ""})
    code = "import google.apple, google.protobuf.message; print('both')"
    assert _run(lock_of(["apple"]), code) == "both"


def test_a_package_may_not_replace_a_file_of_the_sdk(shop: Path) -> None:
    _wheel(shop, "apple", "1.0", files={"grpc/__init__.py": ""})
    with pytest.raises(BadRequirements, match=r"bring grpc/__init__\.py, which is the SDK's"):
        environment_for(lock_of(["apple"]))


def test_no_program_of_a_package_is_executable(shop: Path) -> None:
    files = {
        "apple.py": "",
        "apple-1.0.dist-info/entry_points.txt": "[console_scripts]\napple = apple:main\n",
        "apple-1.0.data/scripts/peel": "#!python\n",
    }
    _wheel(shop, "apple", "1.0", files=files)
    root = environment_for(lock_of(["apple"])).root
    assert list(root.rglob("peel"))
    inside = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
    assert not [path for path in inside if path.stat().st_mode & 0o111]


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


def _locked_from_the_index(requirement: str) -> Lock:
    try:
        return lock_of([requirement])
    except BadRequirements as error:
        if "cannot be reached" in str(error):
            pytest.skip("the package index cannot be reached")
        raise


def test_a_package_of_the_real_index_comes_with_what_it_requires() -> None:
    lock = _locked_from_the_index("python-dateutil==2.9.0.post0")
    assert [wheel.name for wheel in lock.wheels] == ["python-dateutil", "six"]
    assert _run(lock, "import dateutil, six; print(dateutil.__version__)") == "2.9.0.post0"


def test_a_package_of_the_real_index_that_is_only_source_is_refused() -> None:
    with pytest.raises(BadRequirements, match="there is no wheel of docopt for this Python"):
        _locked_from_the_index("docopt")
