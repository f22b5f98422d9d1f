"""Proofs without a search that a problem has no solution, for "auto" beside its search.

Seventeen pigeons do not fit into sixteen holes; 24 shifts do not meet a demand of 28; dominoes do
not cover a board without two opposite corners. A search would take very long to find that out.
*Certificates* take milliseconds: prices of items (Farkas' lemma), or weights of items modulo a
prime (dlx/cpp/explain/farkas_certificate.hpp and modular_certificate.hpp).

`Certificates` looks for one at a time, each once the search has done many times the work of
looking. Work is measured in nodes, not in seconds, so the answer and `Stats` are the same in every
run, unless a timeout interrupts it.
"""

from __future__ import annotations

import time
from math import inf
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dlx.core.numbering import SearchInput

__all__ = ["CERTIFICATES", "CERTIFICATE_INTERVAL", "Certificates", "MIN_NODES"]

CERTIFICATES = {"counting": 0, "modulo 2147483647": 2**31 - 1, "parity": 2}
"""The kinds of certificates by name; the values are the kernel's: 0 is Farkas', p modulo p."""

MIN_NODES = 20_000  # of the search, before the first certificate; most searches are finished then
WORK_PER_NODE = 15  # elementary steps of a certificate for each node of the search
CERTIFICATE_INTERVAL = 0.05  # seconds of a count or a ranking before and between certificates
MIN_SECONDS = 0.01  # for a certificate there
MAX_WORK = 10**8  # beyond this, the kernel gives up; it takes about a second


class Certificates:
    """The search for a certificate that a problem with these givens has no solution."""

    __slots__ = ("_given", "_items", "_problem", "_waiting", "due", "seconds")

    def __init__(self, search_input: SearchInput) -> None:
        """The table may have grown since the problem was numbered."""
        table, numbered, self._given = search_input
        self._problem = numbered.problem
        self._items = items = len(numbered.rank)
        # In the worst case, of one certificate. Each step of the simplex method brings an item or
        # an option into the basis; an item that must be covered 100 times takes 100 options.
        steps = items + sum(low for low, _ in table.multiplicities.values())
        work = (len(table.entry_item) + items * items) * steps
        self._waiting = list(CERTIFICATES) if work <= MAX_WORK else []
        self.due = max(MIN_NODES, work // WORK_PER_NODE)
        """The number of nodes of the search from which on `find` may be called again."""
        self.seconds = 0.0
        """The time that `find_within_share` has taken."""

    @property
    def pending(self) -> bool:
        """Whether there are kinds of certificates that have not been tried."""
        return bool(self._waiting)

    def find_within_share(self, spent: float, left: float) -> str | None:
        """As `find`, for a tenth of the `spent` seconds of a search, at least `MIN_SECONDS`.

        For no more than the seconds that are `left`. Not at all if there are none, or if
        certificates have taken more than a fifth of the time of the search.
        """
        if left <= 0 or self.seconds > spent / 5:
            return None
        began = time.monotonic()
        try:
            return self.find(min(left, max(MIN_SECONDS, spent / 10)))
        finally:
            self.seconds += time.monotonic() - began

    def find(self, seconds: float = inf) -> str | None:
        """Looks for a certificate of the next kind; its name, or None if there is none.

        A kind that the time interrupted is tried again next time.
        """
        name = self._waiting[0]
        refuter = self._problem.refuter()
        kept = bytearray([1]) * self._items
        until = time.monotonic() + seconds
        verdict = refuter.weigh(kept, self._given, CERTIFICATES[name], seconds)[0]
        if verdict == "refuted":
            self._waiting.clear()
            return name
        if time.monotonic() < until:
            self._waiting.pop(0)
            self.due *= 2
        return None
