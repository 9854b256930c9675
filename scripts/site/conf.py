"""How Sphinx builds the documentation: every page where it is, with the ways through it.

The ways are those of `arena docs`. A link to a file that is no page becomes a download.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import arena  # noqa: E402  # of this checkout, whatever is installed
from arena.cli.docs import FOLDER, WAYS  # noqa: E402

FURTHER = {
    "Organisers": ("arena/serve/SECURITY",),
    "Developers": (
        "ARCHITECTURE",
        "CONTRIBUTING",
        "scripts/benches/RESULTS",
        "scripts/benches/STUDIES",
    ),
}
"""Pages that `arena docs` does not show."""


def _name_of(path: Path) -> str:
    return str(path.resolve().relative_to(ROOT).with_suffix(""))


_ways = {
    way: [*(_name_of(FOLDER / f"{page}.md") for page in pages), *FURTHER.get(way, ())]
    for way, pages in WAYS.items()
}
_ways["Rules of the games"] = sorted(_name_of(path) for path in ROOT.glob("arena/games/*/RULES.md"))

project = "Arena"
version = release = arena.__version__
root_doc = "README"
include_patterns = [f"{page}.md" for pages in _ways.values() for page in pages]
exclude_patterns = [".*", "build", "arena/docs/readme.md"]
extensions = ["myst_parser"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"Arena {release}"
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False


def add_ways(app: Sphinx, page: str, content: list[str]) -> None:
    """Add the ways through the pages to the first one; the sidebar shows them."""
    if page == root_doc:
        for way, pages in _ways.items():
            names = "\n".join(f"/{name}" for name in pages if name != root_doc)
            content[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {way}\n\n{names}\n```\n"


def write_index(app: Sphinx, error: Exception | None) -> None:
    """Let the address of the site lead to its first page."""
    target = f'<meta http-equiv="refresh" content="0; url={root_doc}.html">\n'
    Path(app.outdir, "index.html").write_text(f"<!doctype html>\n{target}", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect the above to Sphinx."""
    app.connect("source-read", add_ways)
    app.connect("build-finished", write_index)
