"""A served league without sockets and without matches: requests go straight to the application."""

from __future__ import annotations

import asyncio
import io
import zipfile
from collections.abc import Coroutine, Mapping
from pathlib import Path
from typing import Any

import httpx

from arena.serve.app import make_app
from arena.serve.config import TEMPLATE, ServeConfig, read_config
from arena.serve.service import LeagueService
from leaderboard.authors import add_author
from leaderboard.store import Store
from tests.builders.leagues import NOON

ADDRESS = "http://127.0.0.1:8000"
FIRST = """
from arena.sdk import Bot, run


class First(Bot):
    def choose(self, view):
        return self.legal_actions(view)[0]


if __name__ == "__main__":
    run(First)
"""


def bot_files(name: str, *, code: str = FIRST, games: str = '["meow"]') -> dict[str, str]:
    """Return the files of a bot."""
    manifest = f'name = "{name}"\ngames = {games}\ncommand = ["python", "bot.py"]\n'
    return {"bot.toml": manifest, "bot.py": code}


def zip_of(files: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a zip file as any program writes it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return out.getvalue()


def write_config(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the config that `arena serve --init` writes, with changes."""
    text = TEMPLATE.format(file="league.toml")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "league.toml"
    path.write_text(text, encoding="utf-8")
    return path


class InProcess:
    """An application and a loop in which it answers."""

    def __init__(self, folder: Path, *changes: tuple[str, str]) -> None:
        self.path = write_config(folder, *changes)
        self.config: ServeConfig
        self.config, self.db = read_config(self.path)
        Store.open(self.db, create=True).close()
        self.service = LeagueService(self.config, self.path, self.db)
        self._runner = asyncio.Runner()
        app = make_app(self.service)
        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app, client=("192.0.2.1", 5000)), base_url=ADDRESS
        )
        self.refresh()

    def refresh(self) -> bool:
        """Show the present state of the league."""
        return self._runner.run(self.service.snapshot.refresh())

    def run(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine in the loop of the application; its result may be anything."""
        return self._runner.run(coroutine)

    def author(self, name: str, role: str = "author") -> str:
        """Add an author and return their token."""
        with Store.open(self.db) as store, store.writing_bots() as writer:
            return add_author(writer, name, role=role, now=NOON)

    def request(self, method: str, path: str, token: str = "", **options: Any) -> httpx.Response:
        """Send a request, with a token as a program does; options are those of httpx, hence Any."""
        headers = options.pop("headers", {})
        if token:
            headers = {**headers, "Authorization": f"Bearer {token}"}
        return self._runner.run(self._client.request(method, path, headers=headers, **options))

    def get(self, path: str, token: str = "", **options: Any) -> httpx.Response:
        """Send a GET request."""
        return self.request("GET", path, token, **options)

    def submit(self, token: str, files: Mapping[str, str | bytes]) -> httpx.Response:
        """Send a bot."""
        return self.request("POST", "/api/v1/submissions", token, content=zip_of(files))

    def form(self, path: str, **options: Any) -> httpx.Response:
        """Send a form as a browser does from a page of ours."""
        return self.request("POST", path, headers={"Origin": ADDRESS}, **options)

    def close(self) -> None:
        """End everything."""
        self._runner.run(self._client.aclose())
        self._runner.close()
        self.service.snapshot.close()
        self.service.file.close()
