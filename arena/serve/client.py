"""The author's side: send a bot to a league that is served, and follow its check."""

from __future__ import annotations

import json
import os
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from arena.errors import ArenaError, BadInput
from arena.submission.manifest import MANIFEST, read_manifest
from arena.submission.package import pack_folder

TOKEN_VARIABLE = "ARENA_TOKEN"
_KEYRING = "arena"
_TIMEOUT_S = 60.0
_POLL_S = 1.0
_MOST_BYTES = 64 * 1024 * 1024
PENDING = ("queued", "checking")
Answer = dict[str, Any]
"""What the API answers, hence Any."""


class Refused(ArenaError):
    """The league refused a request."""


class RemoteLeague:
    """A league at an address, as one author sees it."""

    def __init__(self, address: str, token: str | None) -> None:
        """Use an address such as https://league.example."""
        self.address = check_address(address)
        self._token = token

    def me(self) -> Answer:
        """Return the author of the token."""
        return self._ask("GET", "me")

    def submit(self, folder: Path) -> Answer:
        """Send the folder of a bot and return the submission."""
        if not folder.is_dir():
            raise BadInput(f"{folder} is not a folder with a {MANIFEST}")
        read_manifest(folder)
        return self._ask("POST", "submissions", pack_folder(folder).blob)

    def follow(self, submission: Answer, on_step: Callable[[Answer], None]) -> Answer:
        """Wait for the end of a check; call `on_step` with each step that has ended."""
        shown = 0
        while True:
            for step in submission["steps"][shown:]:
                if step["status"] is None:
                    break
                on_step(step)
                shown += 1
            if submission["status"] not in PENDING:
                return submission
            time.sleep(_POLL_S)
            submission = self._ask("GET", f"submissions/{submission['id']}")

    def _ask(self, method: str, path: str, body: bytes | None = None) -> Answer:
        """Send a request; wait where the league asks for it, but not for hours."""
        headers = {"Content-Type": "application/zip", "Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = Request(
            f"{self.address}/api/v1/{path}", data=body, headers=headers, method=method
        )
        try:
            # The address has been checked to be http or https.
            with urlopen(request, timeout=_TIMEOUT_S) as answer:
                return _read(answer.read(_MOST_BYTES))
        except HTTPError as error:
            raise self._refusal(error) from None
        except (URLError, OSError, ssl.SSLError) as error:
            reason = getattr(error, "reason", error)
            raise Refused(f"{self.address} cannot be reached: {reason}") from None

    def _refusal(self, error: HTTPError) -> ArenaError:
        with error:
            document = _read(error.read(_MOST_BYTES)) if error.fp else {}
        sentence = str(document.get("detail") or error.reason)
        if error.code == HTTPStatus.UNAUTHORIZED:
            what = sentence.partition(":")[0]
            return Refused(f"{what}: `arena login {self.address}` remembers another one")
        return Refused(f"{self.address}: {sentence}")


def _read(content: bytes) -> Answer:
    try:
        document = json.loads(content)
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def check_address(address: str) -> str:
    """Return an address without a slash at its end; a token goes nowhere in the clear."""
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"{address!r} is not an address, such as https://league.example")
    if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
        raise BadInput(f"{address} would show your token to the network: use https://")
    return address.rstrip("/")


def token_for(address: str) -> str:
    """Return the token for an address: from the environment, the keyring, or the file."""
    token = os.environ.get(TOKEN_VARIABLE) or _from_keyring(address) or _tokens().get(address)
    if not token:
        raise BadInput(
            f"no token for {address}: use `arena login {address}`, or set {TOKEN_VARIABLE}"
        )
    return token


def remember(address: str, token: str) -> str:
    """Keep a token in the user's keyring, or else in a file of mode 0600; return where."""
    tokens = _tokens()
    if _to_keyring(address, token):
        where, tokens[address] = "your keyring", ""
    else:
        where, tokens[address] = str(_file()), token
    path = _file()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        json.dump(tokens, file)
    fresh.replace(path)
    return where


def _file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "arena" / "tokens.json"


def _tokens() -> dict[str, str]:
    """Return the addresses at which the user is logged in; the keyring has some of the tokens."""
    try:
        found = json.loads(_file().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if type(found) is dict else {}


def _from_keyring(address: str) -> str | None:
    if keyring := _keyring():
        with suppress(keyring.errors.KeyringError):
            found: str | None = keyring.get_password(_KEYRING, address)
            return found
    return None


def _to_keyring(address: str, token: str) -> bool:
    if keyring := _keyring():
        with suppress(keyring.errors.KeyringError):
            keyring.set_password(_KEYRING, address, token)
            return True
    return False


def _keyring() -> Any:
    """Return the package keyring, if it is installed: its types are not, hence Any."""
    return import_module("keyring") if find_spec("keyring") else None
