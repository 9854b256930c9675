"""How is a table driven to its end without a floor?"""

from __future__ import annotations

from collections.abc import Callable

from arena.records import Fault
from arena.referee.table import Answer, Finished, Request, Table


def driven(
    match: Table, answer: Callable[[Request], Answer | Fault]
) -> tuple[Finished, list[Request | Fault]]:
    """Answer whatever a table asks; return how the match ended, and all that the table yielded."""
    yielded: list[Request | Fault] = []
    sent: Answer | Fault | None = None
    while True:
        try:
            item = match.send(sent)
        except StopIteration as end:
            return end.value, yielded
        yielded.append(item)
        sent = answer(item) if isinstance(item, Request) else None
