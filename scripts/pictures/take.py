"""Take the pictures of the README.

Play a short league, write its pages and the page of one match, and take screenshots in a browser.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
BOTS = "search,greedy-meow,random,first"
BROWSER = ("--no-sandbox", "--disable-gpu", "--disable-background-networking")
STEPS = 42
"""Steps into the match at which the picture is taken."""
WIDTH, HEIGHT = 1200, 840
MARGIN = 16


def arena(*words: str, folder: Path) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "arena", *words], cwd=folder, check=True)


def play(folder: Path) -> None:
    """Play a league; write its pages and the page of one match."""
    words = ("--game", "meow", "--bots", BOTS, "--name", "cup", "--clock", "cpu:1+0.01")
    arena("event", "run", "round-robin", *words, "--deals", "10", "--quiet", folder=folder)
    arena("replay", "html", "cup/0", "-o", "match.html", folder=folder)
    arena("report", "site", "--quiet", folder=folder)


def take(page: Page, folder: Path) -> None:
    """Take the pictures."""
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


def main() -> None:
    """Play, take the pictures, and remove everything else."""
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        play(Path(name))
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=BROWSER)
        take(browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}), Path(name))
        browser.close()


if __name__ == "__main__":
    main()
