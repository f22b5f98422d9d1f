from collections.abc import Hashable, Sequence
from typing import Any

from typing_extensions import Buffer

class Problem:
    def __init__(
        self,
        start: Buffer,
        item: Buffer,
        color: Buffer | None,
        rank: Buffer,
        order: Buffer | None,
        primary: int,
    ) -> None: ...
    def bits_plan(self) -> tuple[bool, int, int]: ...
    def clash(self, options: Sequence[int]) -> tuple[int, int, int] | None: ...

class Search:
    def __init__(
        self,
        problem: Problem,
        given: Sequence[int],
        names: list[Hashable] | None,
        engine: str,
        heuristic: str,
    ) -> None: ...
    def draw(self, count: int, seconds: float, into: list[tuple[Any, ...]]) -> None: ...
    def skip(self, count: int, seconds: float) -> int: ...
    def rewind(self) -> None: ...
    def image(self) -> bytes: ...
    @property
    def finished(self) -> bool: ...
    @property
    def stats(self) -> tuple[int, int, int, list[int], float]: ...

def info() -> tuple[str, str, list[str]]: ...
def find_flaw(
    start: Buffer, item: Buffer, color: Buffer | None, secondary: Buffer
) -> int | None: ...
