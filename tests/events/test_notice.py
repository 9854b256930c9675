"""Is it no harm where nobody can be told what is in play?"""

from __future__ import annotations

from pathlib import Path

from arena.events.holding import run_of
from arena.events.notice import Notice, in_play
from arena.events.spec import Kind, Spec
from tests.events.leagues import NOON, begun, league


def test_a_notice_that_cannot_be_put_up_stops_nobody_and_leaves_nothing(tmp_path: Path) -> None:
    names = ["ann", "ben"]
    db = tmp_path / "arena.db"
    in_the_way = tmp_path / "arena.db-playing"
    in_the_way.mkdir()
    with league(tmp_path, names) as writer:
        event = begun(writer, Spec(Kind.SWISS, "meow", seats=2, bots=tuple(names)))
        run = run_of(writer, event, now=lambda: NOON)
        with Notice(run, db, event=event.name, jobs=1, rate=lambda course: 0.0) as notice:
            notice.tell(run.course)
            assert in_play(db) is None
    assert sorted(tmp_path.glob("arena.db-*")) == [in_the_way]
