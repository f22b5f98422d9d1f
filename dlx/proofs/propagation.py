"""What unit propagation finds in a problem with costs: the part of it that a proof relies on.

A checker of proofs propagates on all inequalities that it knows, so a search that logs its steps
must not infer more from them than that. It may infer less.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from dlx.core.numbering import kernel_bounds

if TYPE_CHECKING:
    from dlx.core.table import Table

__all__ = ["Budget", "Propagation"]

LIVE, CHOSEN, REMOVED = range(3)


class Budget:
    """An inequality: the costs of the options chosen are at most an amount, of any sign."""

    def __init__(self, number: int, costs: Sequence[int] = (), amount: int = 0) -> None:
        self.number = number  # in the proof
        self.costs = costs
        self.amount = amount
        self.left = 0  # of the amount, if the open options of negative cost are all chosen
        self.order: list[int] = []  # the open options, the greatest absolute cost first
        self.place = 0  # in this order: those before it have had their consequences


class Propagation:
    """The options that are chosen and removed, and their consequences, which can be taken back.

    Items are covered as often as they may be, no option clashes with one that is chosen, and no
    budget is exceeded.
    """

    def __init__(self, table: Table) -> None:
        """All options are open. Items, options and their entries as in the table. O(entries)."""
        self.rows = [list(table.row(option)) for option in range(len(table))]
        self.users: list[list[tuple[int, int, int]]] = [[] for _ in table.items]
        for option, row in enumerate(self.rows):
            for item, color, weight in row:
                self.users[item].append((option, color, weight))
        bounds = kernel_bounds(table)
        self.need, self.room = [], []  # how often an item must, and may, be covered yet
        for item, secondary in enumerate(table.secondary):
            low, high = (0, 1) if secondary else bounds.get(item, (1, 1))
            self.need.append(low)
            self.room.append(high)
        self.spare = [  # how often more than needed the open options can cover it
            sum(weight for _, color, weight in users if not color) - need
            for users, need in zip(self.users, self.need, strict=True)
        ]
        self.heaviest = [max((w for _, _, w in users), default=0) for users in self.users]
        self.state = bytearray(len(table))
        self.color = [0] * len(self.users)  # of each item; 0: none yet
        self.budgets: list[Budget] = []
        self._done: list[int] = []  # the options that are not open, in order
        self._queue: list[tuple[int, int]] = []

    def start(self) -> bool:
        """The consequences of the problem itself. Returns whether they are consistent."""
        for item, spare in enumerate(self.spare):
            if spare < 0:
                return False
            self._force(item)
        return self.propagate()

    def set(self, options: Iterable[int], state: int) -> bool:
        """Chooses or removes options. Returns whether the consequences are consistent."""
        self._queue += [(option, state) for option in options]
        return self.propagate()

    def propagate(self) -> bool:
        """All consequences of what is known. Returns whether they are consistent."""
        queue = self._queue
        while True:
            while queue:
                option, state = queue.pop()
                if self.state[option]:
                    consistent = self.state[option] == state
                elif state == CHOSEN:
                    consistent = self._choose(option)
                else:
                    consistent = self._remove(option)
                if not consistent:
                    queue.clear()
                    return False
            for budget in self.budgets:
                left = budget.left
                if left < 0:
                    return False
                order, costs, place = budget.order, budget.costs, budget.place
                while place < len(order) and abs(costs[order[place]]) > left:
                    option = order[place]
                    place += 1
                    if not self.state[option]:
                        queue.append((option, REMOVED if costs[option] > 0 else CHOSEN))
                budget.place = place
                if queue:
                    break
            if not queue:
                return True

    def add(self, budget: Budget) -> None:
        """Adds a budget. `propagate` then finds its consequences. O(options log options)."""
        costs, state = budget.costs, self.state
        spent = sum(compress(costs, map(CHOSEN.__eq__, state)))
        order = [one for one, cost in enumerate(costs) if cost and not state[one]]
        order.sort(key=lambda option: -abs(costs[option]))
        spent += sum(costs[one] for one in order if costs[one] < 0)
        budget.left, budget.order, budget.place = budget.amount - spent, order, 0
        self.budgets.append(budget)

    @property
    def mark(self) -> tuple[int, list[int]]:
        """The present state, for `undo`."""
        return len(self._done), [budget.place for budget in self.budgets]

    def undo(self, mark: tuple[int, list[int]]) -> None:
        """Goes back to an earlier state. Takes as long as what is taken back."""
        size, places = mark
        del self.budgets[len(places) :]
        for budget, place in zip(self.budgets, places, strict=True):
            budget.place = place
        done = self._done
        while len(done) > size:
            self._reopen(done.pop())

    def _choose(self, option: int) -> bool:
        self.state[option] = CHOSEN
        self._done.append(option)
        for budget in self.budgets:
            cost = budget.costs[option]
            if cost > 0:
                budget.left -= cost
        consistent = True
        for item, color, weight in self.rows[option]:
            if color:
                if not self.color[item]:
                    self.color[item] = color
                    self._drop(item, color)
            else:
                self.room[item] -= weight
                self.need[item] -= weight
                consistent = consistent and self.room[item] >= 0
                if self.room[item] < self.heaviest[item]:
                    self._drop(item, 0)
        return consistent

    def _drop(self, item: int, color: int) -> None:
        """Removes the options that clash with those chosen; `color` is that of the item or 0."""
        room, state = self.room[item], self.state
        for other, own, weight in self.users[item]:
            if not state[other] and (own != color if color or own else weight > room):
                self._queue.append((other, REMOVED))

    def _remove(self, option: int) -> bool:
        self.state[option] = REMOVED
        self._done.append(option)
        for budget in self.budgets:
            cost = budget.costs[option]
            if cost < 0:
                budget.left += cost
        consistent = True
        for item, color, weight in self.rows[option]:
            if not color:
                self.spare[item] -= weight
                consistent = consistent and self.spare[item] >= 0
                self._force(item)
        return consistent

    def _force(self, item: int) -> None:
        """Chooses the options without which the item cannot be covered as often as it must."""
        spare, state = self.spare[item], self.state
        if self.need[item] > 0 and spare < self.heaviest[item]:
            for option, color, weight in self.users[item]:
                if weight > spare and not color and not state[option]:
                    self._queue.append((option, CHOSEN))

    def _reopen(self, option: int) -> None:
        chosen = self.state[option] == CHOSEN
        self.state[option] = LIVE
        for budget in self.budgets:
            cost = budget.costs[option]
            if chosen and cost > 0:
                budget.left += cost
            elif not chosen and cost < 0:
                budget.left -= cost
        for item, color, weight in self.rows[option]:
            if not chosen:
                self.spare[item] += 0 if color else weight
            elif not color:
                self.room[item] += weight
                self.need[item] += weight
            elif self.color[item] == color and not self._others(item, color):
                self.color[item] = 0

    def _others(self, item: int, color: int) -> bool:
        """Whether options that are chosen give this item this color."""
        return any(
            own == color and self.state[other] == CHOSEN for other, own, _ in self.users[item]
        )
