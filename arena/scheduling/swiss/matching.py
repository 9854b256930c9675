"""Minimum-cost perfect matching: pair all vertices at the least total cost.

Jack Edmonds' blossom algorithm: exact, for any graph. Each vertex has a price, and the two prices
of a pair never exceed its cost. A pair whose prices equal its cost is tight, and only tight pairs
are matched. From each unmatched vertex a tree of tight pairs grows. Its blossoms (single vertices,
or odd cycles shrunk to one) are alternately outer and inner. As time passes, outer prices rise and
inner prices fall by the same amount, until

- a pair that leads out of the tree becomes tight: the blossom that it leads to and its mate join
  the tree, or, if it has no mate, the path from there to the root is flipped and gains a pair;
- a pair of two outer blossoms becomes tight: the cycle that it closes is shrunk to an outer
  blossom;
- the price that an inner blossom paid for being shrunk is used up: it is expanded.

Such events wait in a heap for their time. Each is checked again when its time comes, because
another may have made it obsolete. Costs are integers: nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

OUTSIDE, OUTER, INNER = 0, 1, -1
"""The side of a blossom in the tree, and the sign of its price's change."""

Link = tuple[int, int]
"""Two vertices that can be paired."""


def cheapest_matching(vertices: int, pairs: Iterable[tuple[int, int, int]]) -> list[int] | None:
    """Return each vertex's mate in a cheapest perfect matching; None if there is none.

    `pairs` are the possible pairs: two vertices and a cost.
    """
    matching = _Matching(vertices, pairs)
    if all(matching.find_mate_of(vertex) for vertex in range(vertices)):
        return matching.mate
    return None


class _Blossom:
    """A vertex, or an odd cycle of blossoms; the first of these contains the base."""

    __slots__ = ("base", "children", "entry", "links", "paid", "side", "since", "vertices")

    def __init__(
        self, vertices: list[int], children: Sequence[_Blossom] = (), links: Sequence[Link] = ()
    ) -> None:
        self.vertices = vertices
        self.children = list(children)
        self.links = list(links)
        """From each child to the next, and from the last to the first."""
        self.base: int = children[0].base if children else vertices[0]
        """The vertex whose mate is outside this blossom."""
        self.side = OUTSIDE
        self.entry: Link | None = None
        """The link by which it joined the tree: a vertex of the tree and one of this blossom."""
        self.paid = 0
        self.since = 0
        """The time at which `paid` and the prices of the vertices were updated."""

    def child_with(self, vertex: int) -> int:
        return next(i for i, child in enumerate(self.children) if vertex in child.vertices)

    def link(self, child: int, step: int) -> Link:
        """Return the link from a child to the next one, or to the one before (step -1)."""
        if step == 1:
            return self.links[child]
        there, here = self.links[child - 1]
        return here, there


class _Matching:
    """The pairs so far, and the prices that prove them cheapest."""

    def __init__(self, vertices: int, pairs: Iterable[tuple[int, int, int]]) -> None:
        self.mate = [-1] * vertices
        self._pairs: list[list[tuple[int, int]]] = [[] for _ in range(vertices)]
        """The possible mates of each vertex with twice the cost, so that halves stay integers."""
        for one, other, cost in pairs:
            self._pairs[one].append((other, 2 * cost))
            self._pairs[other].append((one, 2 * cost))
        self._price = [min((cost for _, cost in p), default=0) // 2 for p in self._pairs]
        self._top = [_Blossom([vertex]) for vertex in range(vertices)]
        """The outermost blossom around each vertex."""
        self._now = 0
        self._tree: list[_Blossom] = []
        self._waiting: list[tuple[int, int, int, int]] = []
        """Time, a vertex of the tree, its possible mate, their cost; mate -1: expand it."""

    def find_mate_of(self, vertex: int) -> bool:
        """Pair one more vertex, changing other pairs if needed; False if that is impossible."""
        if self.mate[vertex] >= 0:
            return True
        self._now, self._tree, self._waiting = 0, [], []
        self._join(self._top[vertex], OUTER, None)
        self._queue_pairs_of(self._top[vertex].vertices)
        while self._waiting:
            self._now, one, other, cost = heappop(self._waiting)
            if other < 0:
                self._expand(self._top[one])
                continue
            there = self._top[other]
            if there is self._top[one] or there.side == INNER or self._slack(one, other, cost):
                continue
            if there.side == OUTER:
                self._shrink(one, other)
            elif self.mate[there.base] >= 0:
                self._grow(one, other)
            else:
                self._flip(one, other)
                self._leave_tree()
                return True
        return False

    def _slack(self, one: int, other: int, cost: int) -> int:
        """Return how far a pair is from being tight now."""
        here, there, now = self._top[one], self._top[other], self._now
        return (
            cost
            - self._price[one]
            - self._price[other]
            - here.side * (now - here.since)
            - there.side * (now - there.since)
        )

    def _join(self, blossom: _Blossom, side: int, entry: Link | None) -> None:
        blossom.side, blossom.entry, blossom.since = side, entry, self._now
        self._tree.append(blossom)
        if side == INNER and blossom.children:
            heappush(self._waiting, (self._now + blossom.paid, blossom.base, -1, 0))

    def _queue_pairs_of(self, vertices: list[int]) -> None:
        """Queue the times at which pairs of these outer vertices become tight."""
        for one in vertices:
            here = self._top[one]
            for other, cost in self._pairs[one]:
                there = self._top[other]
                if there is here or there.side == INNER:
                    continue
                slack = self._slack(one, other, cost)
                if there.side == OUTER:
                    slack //= 2
                heappush(self._waiting, (self._now + slack, one, other, cost))

    def _settle(self, blossom: _Blossom) -> None:
        """Update a blossom's prices to now, and remove it from its side of the tree."""
        change = blossom.side * (self._now - blossom.since)
        blossom.paid += change
        for vertex in blossom.vertices:
            self._price[vertex] += change
        blossom.side = OUTSIDE

    def _leave_tree(self) -> None:
        for blossom in self._tree:
            self._settle(blossom)

    def _grow(self, one: int, other: int) -> None:
        inner = self._top[other]
        mate = self.mate[inner.base]
        self._join(inner, INNER, (one, other))
        self._join(self._top[mate], OUTER, (inner.base, mate))
        self._queue_pairs_of(self._top[mate].vertices)

    def _path_to_root(self, blossom: _Blossom) -> list[_Blossom]:
        path = [blossom]
        while blossom.entry:
            blossom = self._top[blossom.entry[0]]
            path.append(blossom)
        return path

    def _shrink(self, one: int, other: int) -> None:
        down, up = self._path_to_root(self._top[one]), self._path_to_root(self._top[other])
        while down and up and down[-1] is up[-1]:
            fork = down.pop()
            up.pop()
        down.reverse()
        children = [fork, *down, *up]
        links = [child.entry for child in down if child.entry]
        links.append((one, other))
        links += [child.entry[::-1] for child in up if child.entry]
        outer_by_now = [v for child in children if child.side == INNER for v in child.vertices]
        for child in children:
            self._settle(child)
        blossom = _Blossom([v for child in children for v in child.vertices], children, links)
        for vertex in blossom.vertices:
            self._top[vertex] = blossom
        self._join(blossom, OUTER, fork.entry)
        self._queue_pairs_of(outer_by_now)

    def _expand(self, blossom: _Blossom) -> None:
        used_up = blossom.paid == self._now - blossom.since
        if blossom.side != INNER or not blossom.children or not used_up:
            return
        self._settle(blossom)
        children = blossom.children
        for child in children:
            for vertex in child.vertices:
                self._top[vertex] = child
        assert blossom.entry
        at = blossom.child_with(blossom.entry[1])
        self._join(children[at], INNER, blossom.entry)
        # From where the tree enters, it takes the even path round to the base.
        step = 1 if at % 2 else -1
        side = OUTER
        while at % len(children):
            link = blossom.link(at, step)
            at += step
            self._join(children[at % len(children)], side, link)
            side = -side
        for child in children:
            if child.side == OUTER:
                self._queue_pairs_of(child.vertices)
            elif child.side == OUTSIDE:
                self._queue_outer_pairs_with(child.vertices)

    def _queue_outer_pairs_with(self, vertices: list[int]) -> None:
        """Queue the times at which outer vertices' pairs with these vertices become tight."""
        for other in vertices:
            for one, cost in self._pairs[other]:
                if self._top[one].side == OUTER:
                    slack = self._slack(one, other, cost)
                    heappush(self._waiting, (self._now + slack, one, other, cost))

    def _flip(self, one: int, other: int) -> None:
        """Pair two vertices, and flip all pairs on the path from the first to the root."""
        self._move_base(self._top[other], other)
        self.mate[other] = one
        while True:
            outer = self._top[one]
            self._move_base(outer, one)
            self.mate[one] = other
            if not outer.entry:
                return
            inner = self._top[outer.entry[0]]
            assert inner.entry
            one, other = inner.entry
            self._move_base(inner, other)
            self.mate[other] = one

    def _move_base(self, blossom: _Blossom, vertex: int) -> None:
        """Pair the vertices of a blossom so that this one is left for a mate outside it."""
        blossom.base = vertex
        if not blossom.children:
            return
        children = blossom.children
        first = at = blossom.child_with(vertex)
        self._move_base(children[first], vertex)
        step = 1 if first % 2 else -1
        while at % len(children):
            one, other = blossom.link(at + step, step)
            self._move_base(children[at + step], one)
            at += 2 * step
            self._move_base(children[at % len(children)], other)
            self.mate[one], self.mate[other] = other, one
        blossom.children = children[first:] + children[:first]
        blossom.links = blossom.links[first:] + blossom.links[:first]
