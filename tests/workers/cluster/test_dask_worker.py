"""A machine of a cluster can be stopped at any moment."""

from __future__ import annotations

import asyncio

from arena.workers.cluster.dask_worker import _join


class StuckNanny:
    """Waits for ever for a scheduler that was lost while its worker started."""

    async def start(self) -> None:
        """Never end."""
        await asyncio.Event().wait()

    async def close(self) -> None:
        """Wait for the start, as Dask's does."""
        await self.start()


def test_workers_that_are_still_starting_can_be_stopped() -> None:
    async def stop_while_it_starts() -> None:
        stopped = asyncio.Event()
        joining = asyncio.create_task(_join([StuckNanny()], stopped, lambda: None))
        await asyncio.sleep(0)
        stopped.set()
        await asyncio.wait_for(joining, 60)

    asyncio.run(stop_while_it_starts())
