"""A report analyses matches within a budget, keeps the analyses, and says how good they were."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.analysis.assessment import Effort
from arena.pages.site import analyses
from arena.pages.site.build import build
from leaderboard.store import Store
from tests.builders.leagues import NOON, league_with_byes
from tests.pages.replays import Elements
from tests.pages.site.sites import texts_of


def build_analysed(db: Path, site: Path, seconds: float) -> int:
    """Build a site; return how many of its matches have an analysis."""
    with Store.open(db) as store:
        build(store, site, newest=0, now=NOON, on_progress=lambda *_: None, analyse_s=seconds)
    return len(list((site / "analysis").rglob("*.json")))


def test_an_analysis_is_made_shown_kept_and_not_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(analyses, "EFFORT", Effort(playouts=4))
    db, site = league_with_byes(tmp_path), tmp_path / "site"
    assert build_analysed(db, site, 0.001) == 1
    (kept,) = (site / "analysis").rglob("*.json")
    page = site / "replays" / kept.parent.name / f"{kept.stem}.html"
    data = json.loads(Elements(page.read_text("utf-8")).texts["script"][0])
    assert len(data["analysis"]["decisions"]) == len(json.loads(kept.read_text())["assessments"])
    assert sum(each["decisions"] for each in data["analysis"]["accuracy"])
    shown = texts_of(site)["analysis.html"]
    assert "Of the positions called 70 %" in shown
    assert f'href="replays/{kept.parent.name}/{kept.stem}.html"' in shown
    # A report without a budget keeps what there is.
    before = (page.stat().st_mtime_ns, kept.stat().st_mtime_ns)
    assert build_analysed(db, site, 0.0) == 1
    assert (page.stat().st_mtime_ns, kept.stat().st_mtime_ns) == before
    # A damaged file, or one of another match, is ignored.
    kept.write_text(kept.read_text().replace('"seed":"', '"seed":"00'))
    assert build_analysed(db, site, 0.0) == 0
    assert "analysis.html" not in texts_of(site)
