"""Take the pictures of the README, from a league that is played for them.

`sources.json` has a hash of the code that draws each picture; `--check` compares it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HASHES = HERE / "sources.json"
FILES, TEMPLATES = "arena/pages/files", "arena/pages/site/templates"
SOURCES = {
    "leaderboard.png": (
        f"{FILES}/page.css",
        *(f"{TEMPLATES}/{name}.html" for name in ("base", "index", "pieces", "charts")),
        f"{TEMPLATES}/site.css",
    ),
    "replay.png": (FILES,),
    "terminal.svg": ("arena/cli/terminal", "arena/cli/leaderboard", "scripts/pictures/film.py"),
}
"""The files and folders that draw each picture."""
CUP = """kind = "round-robin"
game = "meow"
bots = ["search", "greedy-meow", "first", "random"]
clock = "cpu:1+0.01"
deals = 8
"""
FILMED = ("cat cup.toml", "arena event run cup.toml --name cup", "arena leaderboard meow")
BROWSER = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
STEPS = 42
"""Steps into the match at which the picture is taken."""
WIDTH, HEIGHT = 1200, 840
MARGIN = 16


def hash_of(sources: tuple[str, ...]) -> str:
    """Return the hash of some files, and of the sources in some folders."""
    digest = sha256()
    for name in sources:
        for path in sorted([ROOT / name, *(ROOT / name).rglob("*")]):
            if path.is_file() and path.suffix in (".py", ".js", ".css", ".html"):
                digest.update(f"{path.relative_to(ROOT)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def outdated() -> list[str]:
    """Return the pictures that show something else than the code would now draw."""
    taken = json.loads(HASHES.read_text(encoding="utf-8"))
    return [name for name, each in SOURCES.items() if taken.get(name) != hash_of(each)]


def arena(words: str, folder: Path) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", *words.split()], cwd=folder, check=True)


def take(folder: Path) -> None:
    """Play a league, and take the pictures."""
    # Imported late: --check needs neither a browser nor a terminal.
    from film import record
    from playwright.sync_api import sync_playwright

    (folder / "cup.toml").write_text(CUP, encoding="utf-8")
    (HERE / "terminal.svg").write_text(record(FILMED, folder), encoding="utf-8")
    arena("arena replay html cup/0 -o match.html", folder)
    arena("arena report site --quiet", folder)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=BROWSER)
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto((folder / "match.html").as_uri())
        for _ in range(STEPS):
            page.keyboard.press("ArrowRight")
        page.screenshot(path=HERE / "replay.png")
        page.goto((folder / "site" / "index.html").as_uri())
        board = page.locator("section").first.bounding_box()
        assert board is not None
        bottom = board["y"] + board["height"] + MARGIN
        page.screenshot(
            path=HERE / "leaderboard.png",
            clip={"x": 0, "y": 0, "width": WIDTH, "height": bottom},
        )
        browser.close()


def main() -> None:
    """Take the pictures; with --check, say which of them are outdated."""
    if sys.argv[1:] == ["--check"]:
        if old := outdated():
            sys.exit(f"{', '.join(old)}: run scripts/screenshots, and commit the pictures")
        return
    with TemporaryDirectory() as name:
        take(Path(name))
    taken = {name: hash_of(each) for name, each in SOURCES.items()}
    HASHES.write_text(json.dumps(taken, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
