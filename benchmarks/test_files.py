"""What it costs to read and to write a problem of a million entries, in Knuth's format."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from dlx import Problem

OPTIONS, ITEMS, SIZE = 200_000, 100_000, 5


def plain(option: int) -> str:
    """Five items."""
    first = (option * 7919) % (ITEMS - 4 * 1013)
    return " ".join(f"i{first + place * 1013}" for place in range(SIZE))


def tinted(option: int) -> str:
    """Two items, and three secondary ones with colors."""
    colors = [f"s{(option + place * 13) % 5000}:c{option * place % 50}" for place in range(3)]
    return " ".join([f"i{option % ITEMS}", f"i{(option + 7) % ITEMS}", *colors])


def named(option: int) -> str:
    """A name, five items and a cost."""
    return f'| dlx name: ["row", {option}]\n{plain(option)} |{option % 100}'


def lines(write: Callable[[int], str]) -> Iterator[str]:
    """The lines of a file whose options are written by this function."""
    secondary = " ".join(f"s{number}" for number in range(5000))
    yield " ".join(f"i{number}" for number in range(ITEMS)) + f" | {secondary}\n"
    yield from (f"{write(option)}\n" for option in range(OPTIONS))


@pytest.fixture(scope="module", params=[plain, tinted, named])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of a million entries."""
    path = tmp_path_factory.mktemp("files") / f"{request.param.__name__}.dlx"
    with path.open("w", encoding="utf-8") as target:
        target.writelines(lines(request.param))
    return path


@pytest.mark.benchmark(group="files")
def test_load(file: Path, benchmark: BenchmarkFixture) -> None:
    """Reads a million entries."""
    problem = benchmark.pedantic(Problem.load, (file,), rounds=5)  # type: ignore[no-untyped-call]
    assert problem.entry_count == OPTIONS * SIZE


@pytest.mark.benchmark(group="files")
def test_dump(file: Path, tmp_path: Path, benchmark: BenchmarkFixture) -> None:
    """Writes them again."""
    problem = Problem.load(file)
    target = tmp_path / "again.dlx"
    benchmark.pedantic(problem.dump, (target,), rounds=5)  # type: ignore[no-untyped-call]
    assert target.stat().st_size > 10 * OPTIONS


@pytest.mark.benchmark(group="files")
@pytest.mark.parametrize("file", [plain], indirect=True)
def test_split_and_from_options(file: Path, benchmark: BenchmarkFixture) -> None:
    """For comparison: the words of each line, and a problem with these options."""

    def read() -> Problem[int]:
        with file.open(encoding="utf-8") as source:
            items, *options = [line.split() for line in source]
        return Problem.from_options(options, primary=[item for item in items if item != "|"])

    problem = benchmark.pedantic(read, rounds=5)  # type: ignore[no-untyped-call]
    assert problem.entry_count == OPTIONS * SIZE
