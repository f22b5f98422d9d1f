"""Ours against native programs, alternately, on every family of instances.

    python benchmarks/native.py [FOLDER] [--families plain,colors] [--rows NAME ...] [--heavy]
                                [--rounds 3] [--seconds 10] [--programs FILE.toml]
                                [--lists FILE ...] [--into benchmarks/results.md]

FOLDER holds executables. How each is called, and which families it can do, is in
`native_programs.toml`; `--programs` reads another file. In each round ours and all programs take
turns on a row, each run is a process of its own, and times are the CPU time of that process. Ours
has two: that of the call alone ("search"), and that of the process from the start of Python to the
answer. A ratio is a program's time over ours in the same round, so above 1 ours is faster; tables
have medians over the rounds, and the geometric mean of each family.

An answer that is wrong is shown in the table and listed below it, has no ratio, and makes the exit
status 1. Without executables, the tables have ours only and `--into` changes nothing.
`make bench-native NATIVES=FOLDER` is the whole thing.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Sequence
from math import exp, log
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from measuring import place_of, put_into
from native_rows import FORMATS, Family, Row, Unwritable, families
from native_worker import QUESTIONS
from peers import machine, show_count, show_digits, show_time

__all__ = ["Program", "main", "read_programs"]

HERE = Path(__file__).parent
SHORT = 0.05  # CPU seconds of a program; in shorter runs, starting and reading weigh too much
MARK = "\u2020"


class Program(NamedTuple):
    """A native program and how it is called: see `native_programs.toml`."""

    name: str
    path: Path
    families: Sequence[str]
    input: str
    answer: str
    sum: bool = False
    arguments: Sequence[str] = ()
    limit: Sequence[str] | None = None
    executable: str | None = None

    def command(self, file: Path, limit: int | None) -> list[str]:
        """The call that reads a file. Raises `Unwritable` if it cannot stop at a limit."""
        arguments = list(self.arguments)
        if limit is not None:
            if self.limit is None:
                raise Unwritable("all solutions only")
            arguments += self.limit
        return [str(self.path), *(word.format(file=file, limit=limit) for word in arguments)]

    def read(self, output: str) -> int | None:
        """The answer in what it has printed, if there is one."""
        found = [int(text) for text in re.findall(self.answer, output, re.MULTILINE)]
        return None if not found else sum(found) if self.sum else found[-1]


class Run(NamedTuple):
    """A process that has ended: its CPU time and what it has printed; or why there is no answer."""

    seconds: float
    output: str
    trouble: str | None = None
    is_over: bool = False  # past the limit of CPU time


class Ours(NamedTuple):
    """What ours did on a row, round by round; `trouble` says why there is no answer.

    Over the limit, both times are the limit.
    """

    search: list[float]
    process: list[float]
    answer: int | None = None
    trouble: str | None = None
    is_over: bool = False


class Cell(NamedTuple):
    """What a program did on a row: CPU seconds and ratios of each round, or why there are none.

    A program that was over the limit has the limit as its seconds; its ratios are lower bounds,
    and `sign` is ">". If ours was over the limit, ratios are upper bounds, and `sign` is "<".
    """

    seconds: list[float]
    to_search: list[float]
    to_process: list[float]
    answer: int | None = None
    trouble: str | None = None
    sign: str = ""

    def text(self) -> str:
        """The cell as the table has it."""
        time = self.trouble or show_time(median(self.seconds))
        return f"{time} ({self.ratio(self.to_search)})" if self.to_search else time

    def ratio(self, ratios: Sequence[float]) -> str:
        """The median of ratios, with the sign of bounds."""
        return f"{self.sign}{show_digits(median(ratios))}x"


class Measured(NamedTuple):
    """A row with its results, and the answer that programs are compared with."""

    row: Row
    ours: Ours
    cells: dict[str, Cell]

    @property
    def authority(self) -> tuple[str, int | None]:
        """The answer that others are compared with, and where it comes from."""
        answers = {name: cell.answer for name, cell in self.cells.items()}
        for name, answer in {"ours": self.ours.answer, **answers}.items():
            if answer is not None and self.row.answer is None:
                return f"as {name} says", answer
        return "as its source says", self.row.answer

    @property
    def expected(self) -> int | None:
        """What the row's source says, or else ours, or else the first program that knows it."""
        return self.authority[1]

    @property
    def fastest(self) -> str | None:
        """The program with the least time, those with wrong answers left out."""
        right = [name for name, cell in self.cells.items() if cell.to_search]
        return min(right, key=lambda name: median(self.cells[name].seconds), default=None)

    @property
    def is_short(self) -> bool:
        """Does the fastest program take under 50 ms?"""
        name = self.fastest
        return name is not None and median(self.cells[name].seconds) < SHORT

    def wrong(self) -> list[str]:
        """Sentences about wrong answers."""
        source, expected = self.authority
        answers = {name: cell.answer for name, cell in self.cells.items()}
        return [
            f"{name} says {answer:,} on {self.row.name}, not {expected:,} {source}"
            for name, answer in {"ours": self.ours.answer, **answers}.items()
            if answer is not None and expected is not None and answer != expected
        ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and writes the tables."""
    options = _parse(arguments)
    programs = read_programs(options.programs, options.folder)
    chosen = _chosen(options)
    found = [program.name for program in programs if program.path.is_file()]
    notes = _notes(options.folder, programs)
    print(*notes, sep="\n", file=sys.stderr)
    measured: dict[str, list[Measured]] = {name: [] for name in chosen}
    try:
        for name, family in chosen.items():
            able = [p for p in programs if p.name in found and name in p.families]
            for row in family.rows:
                measured[name].append(_measure(name, row, able, options))
    except KeyboardInterrupt:
        print("\nstopped; the tables have what has been measured", file=sys.stderr)
    tables = [_table(chosen[name], name, rows) for name, rows in measured.items() if rows]
    wrong = [text for rows in measured.values() for one in rows for text in one.wrong()]
    text = "\n".join([_introduction(options, arguments), *notes, *tables, *_errors(wrong)])
    print(text)
    if options.into is not None and found:
        put_into(options.into, "native", text)
    elif options.into is not None:
        print(f"{options.into} stays as it is: no native program was measured", file=sys.stderr)
    return 1 if wrong else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=HERE.parent / "build" / "native",
        help="of executables (default: build/native)",
    )
    parser.add_argument(
        "--families",
        type=lambda text: text.split(","),
        metavar="NAME[,NAME]",
        help=f"of {', '.join(QUESTIONS)} (default: all)",
    )
    parser.add_argument("--rows", nargs="+", metavar="NAME", help="(default: all of a family)")
    parser.add_argument("--heavy", action="store_true", help="the heavy instances, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10, help="CPU seconds of a run, at most")
    parser.add_argument(
        "--programs", type=Path, default=HERE / "native_programs.toml", help="how each is called"
    )
    parser.add_argument("--lists", nargs="+", type=Path, default=[], help="files of Sudokus")
    parser.add_argument("--into", type=Path, help="a page that gets the tables")
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()  # a name without a slash would be looked up in PATH
    pages = [] if options.into is None else [options.into]
    for path in [options.programs, *options.lists, *pages]:
        if not path.is_file():
            parser.error(f"there is no file {path}")
    place = place_of("native")
    if options.into is not None and not place.search(options.into.read_text("utf-8")):
        parser.error(f"{options.into} has no place for the tables: {place.pattern}")
    if min(options.rounds, options.seconds) < 1:
        parser.error("--rounds and --seconds must be at least 1")
    known = families(options.lists)
    for name in options.families or []:
        if name not in known:
            parser.error(f"there is no family {name!r}; there are {', '.join(known)}")
    wanted = {name: known[name] for name in options.families or known}
    names = {row.name for family in wanted.values() for row in family.rows}
    for name in options.rows or []:
        if name not in names:
            parser.error(f"there is no row {name!r}; there are {', '.join(sorted(names))}")
    return options


def _chosen(options: argparse.Namespace) -> dict[str, Family]:
    """The families and rows that the command line asks for."""
    known = families(options.lists)
    chosen = {}
    for name in options.families or known:
        rows = [
            row
            for row in known[name].rows
            if (row.name in options.rows if options.rows else options.heavy or not row.heavy)
        ]
        if rows:
            chosen[name] = known[name]._replace(rows=rows)
    return chosen


def read_programs(table: Path, folder: Path) -> list[Program]:
    """The programs of a table. Exits with a message if the table is wrong."""
    programs = []
    try:
        entries = tomllib.loads(table.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise SystemExit(f"{table}: {error}") from None
    for name, entry in entries.items():
        unknown = set(entry).difference(Program._fields) | set(entry).intersection({"name", "path"})
        missing = {"families", "input", "answer"}.difference(entry)
        wrong = set(entry.get("families", ())).difference(QUESTIONS)
        for what, names in (("unknown key", unknown), ("no", missing), ("unknown family", wrong)):
            if names:
                raise SystemExit(f"{table}: [{name}]: {what} {', '.join(sorted(names))}")
        if entry["input"] not in FORMATS:
            raise SystemExit(f"{table}: [{name}]: input is one of {', '.join(FORMATS)}")
        if re.compile(entry["answer"]).groups != 1:
            raise SystemExit(f"{table}: [{name}]: answer needs one group")
        programs.append(Program(name, folder / entry.get("executable", name), **entry))
    return programs


# -- runs ----------------------------------------------------------------------------------------


def _measure(
    family: str, row: Row, programs: Sequence[Program], options: argparse.Namespace
) -> Measured:
    """Ours and all programs on a row, alternately, round after round; a failure is not repeated."""
    print(f"{family} {row.name}", end=" ", file=sys.stderr, flush=True)
    measured = Measured(row, Ours([], []), {program.name: Cell([], [], []) for program in programs})
    with tempfile.TemporaryDirectory() as folder:
        files = _Files(row, Path(folder))
        for _ in range(options.rounds):
            print(".", end="", file=sys.stderr, flush=True)
            if measured.ours.trouble is None:
                file = files.path("sudoku" if family == "sudoku" else "knuth")
                measured = measured._replace(
                    ours=_run_ours(measured.ours, family, file, row.limit, options.seconds)
                )
            for program in programs:
                cell = measured.cells[program.name]
                if cell.trouble is None:
                    turn = _Turn(program, row.limit, options.seconds)
                    measured.cells[program.name] = _run_program(turn, cell, files, measured)
    print(file=sys.stderr)
    return measured


class _Files:
    """A row's file in each format, written when it is first read."""

    def __init__(self, row: Row, folder: Path) -> None:
        self._row, self._folder = row, folder

    def path(self, form: str) -> Path:
        """The file in a format. Raises `Unwritable`."""
        path = self._folder / form
        if not path.exists():
            lines = "".join(f"{line}\n" for line in FORMATS[form](self._row))
            path.write_text(lines, encoding="ascii")
        return path


class _Turn(NamedTuple):
    """A program's turn: what it is asked, and for how long it may work."""

    program: Program
    limit: int | None
    seconds: int


def _run_ours(ours: Ours, family: str, file: Path, limit: int | None, seconds: int) -> Ours:
    command = [sys.executable, str(HERE / "native_worker.py"), family, str(file)]
    run = run_process([*command, *([] if limit is None else [str(limit)])], file, seconds)
    if run.is_over:
        return Ours([seconds], [seconds], trouble=run.trouble, is_over=True)
    if run.trouble is not None:
        return Ours([], [], trouble=run.trouble)
    outcome: dict[str, Any] = json.loads(run.output.strip().split("\n")[-1])
    ours.search.append(outcome["search"])
    ours.process.append(outcome["process"])
    return ours._replace(answer=outcome["answer"])


def _run_program(turn: _Turn, cell: Cell, files: _Files, measured: Measured) -> Cell:
    """A program's cell after its turn."""
    program = turn.program
    try:
        file = files.path(program.input)
        run = run_process(program.command(file, turn.limit), file, turn.seconds)
    except Unwritable as reason:
        return cell._replace(trouble=str(reason))
    if run.trouble is not None and not run.is_over:
        return Cell([], [], [], trouble=run.trouble)
    answer = None if run.is_over else program.read(run.output)
    if answer is None and not run.is_over:
        last = (run.output.strip().split("\n") or [""])[-1]
        return Cell([], [], [], trouble=f"no answer in its output: {last[:40]}".rstrip(": "))
    ours, expected = measured.ours, measured.expected
    if None not in (answer, expected) and answer != expected:
        return Cell([], [], [], answer, f"**wrong: {answer:,}**")
    if run.is_over:  # what earlier rounds have measured no longer counts
        cell = Cell([], [], [], trouble=run.trouble, sign=">")
    elif ours.is_over:
        cell = cell._replace(sign="<")
    cell.seconds.append(run.seconds)
    if ours.search and ours.answer in (None, expected) and not (run.is_over and ours.is_over):
        cell.to_search.append(run.seconds / ours.search[-1])
        cell.to_process.append(run.seconds / ours.process[-1])
    return cell._replace(answer=answer)


def run_process(command: Sequence[str], file: Path, seconds: int) -> Run:
    """Runs a command that reads a file; past its CPU seconds the system ends it."""
    limited = ["sh", "-c", f'ulimit -S -t {seconds}; exec "$@"', "sh", *command]
    with file.open("rb") as source, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen(limited, stdin=source, stdout=printed, stderr=subprocess.STDOUT)
        timer = threading.Timer(3 * seconds + 60, process.kill)  # of the clock: it may sleep
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        timer.join()
        process.returncode = code = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        output = printed.read().decode(errors="replace")
    if code in (-signal.SIGXCPU, -signal.SIGKILL):
        return Run(seconds, output, f"over {seconds} s", is_over=True)
    last = (output.strip().split("\n") or [""])[-1]
    if code == 126:  # says the shell
        return Run(0, output, f"does not start: {last.split(': ')[-1]}")
    if code:
        return Run(0, output, f"crashed ({code}): {last[:40]}".rstrip(": "))
    return Run(usage.ru_utime + usage.ru_stime, output)


# -- writing -------------------------------------------------------------------------------------


def _notes(folder: Path, programs: Sequence[Program]) -> list[str]:
    """What is in the folder, and what is not."""
    there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
    missing = [program.name for program in programs if program.path.name not in there]
    strange = sorted(there.difference(program.path.name for program in programs))
    notes = []
    if len(missing) == len(programs):
        notes.append(f"No native program in {folder}: only ours is measured.")
    elif missing:
        notes.append(f"Not in the folder: {', '.join(missing)}.")
    if strange:
        notes.append(f"In the folder, but not in the table of programs: {', '.join(strange)}.")
    return notes


def _introduction(options: argparse.Namespace, arguments: Sequence[str] | None) -> str:
    words = sys.argv[1:] if arguments is None else arguments
    return (
        f"`benchmarks/native.py {shlex.join(map(str, words))}`, {machine()}, "
        f"Python {platform.python_version()}. CPU time, median of {options.rounds} round(s) of at "
        f"most {options.seconds} s; in brackets the median ratio to ours in the same round, above "
        "1 where ours is faster: a program's process to our search in its column, and the fastest "
        "program to our search and to our whole process in the last two. A run that is over "
        "the limit counts as if it took just that time, so that the ratio is a bound (> or <)."
    )


def _table(family: Family, name: str, rows: Sequence[Measured]) -> str:
    """A family's table."""
    programs = list(rows[0].cells)
    header = ["row", "answer", "search", "process", *programs]
    header += ["fastest / search", "fastest / process"] if programs else []
    lines = [
        f"\n### Native programs: {name}\n",
        f"Ours is {family.call}.\n",
        f"| {' | '.join(header)} |",
        f"|---|{'---:|' * (len(header) - 1)}",
        *(f"| {' | '.join(_cells(one, programs))} |" for one in rows),
    ]
    if programs:
        lines.append(f"| {' | '.join(_means('geometric mean', rows, programs))} |")
    long = [one for one in rows if not one.is_short]
    if programs and len(long) < len(rows):
        if any(one.fastest for one in long):
            lines.append(f"| {' | '.join(_means(f'without rows with {MARK}', long, programs))} |")
        lines += [
            "",
            f"{MARK} The fastest program takes under 50 ms, starting and reading included.",
        ]
    return "\n".join(lines)


def _cells(one: Measured, programs: Sequence[str]) -> list[str]:
    ours = one.ours
    if ours.trouble is not None:
        times = [ours.trouble, ours.trouble]
    else:
        times = [show_time(median(ours.search)), show_time(median(ours.process))]
    answer = "?" if one.expected is None else show_count(one.expected)
    if None not in (ours.answer, one.expected) and ours.answer != one.expected:
        times[0] = f"**wrong: {ours.answer:,}**"
    cells = [f"{one.row.name}{f' {MARK}' if one.is_short else ''}", answer, *times]
    cells += [one.cells[program].text() for program in programs]
    if programs:
        cells += _last_cells(one)
    return cells


def _last_cells(one: Measured) -> list[str]:
    name = one.fastest
    if name is None:
        return ["", ""]
    cell = one.cells[name]
    search, process = cell.ratio(cell.to_search), cell.ratio(cell.to_process)
    return [search if cell.sign == ">" else f"{search} ({name})", process]


def _means(title: str, rows: Sequence[Measured], programs: Sequence[str]) -> list[str]:
    """A line of geometric means: of each program, and of the fastest of each row."""
    columns = [
        _mean([(one.cells[program], one.cells[program].to_search) for one in rows])
        for program in programs
    ]
    best = [one.cells[one.fastest] for one in rows if one.fastest is not None]
    columns.append(_mean([(cell, cell.to_search) for cell in best]))
    columns.append(_mean([(cell, cell.to_process) for cell in best]))
    return [f"**{title}**", "", "", "", *columns]


def _mean(ratios: Sequence[tuple[Cell, list[float]]]) -> str:
    """The geometric mean of medians; ">" or "<" if some are bounds, "~" if some are of each."""
    known = [(cell.sign, median(each)) for cell, each in ratios if each]
    if not known:
        return ""
    mean = exp(sum(log(ratio) for _, ratio in known) / len(known))
    signs = {sign for sign, _ in known}.difference({""})
    sign = "~" if len(signs) > 1 else "".join(signs)
    return f"{sign}{show_digits(mean)}x of {len(known)}"


def _errors(wrong: Sequence[str]) -> list[str]:
    return ["", "**Wrong answers:**", "", *(f"* {text}" for text in wrong)] if wrong else []


if __name__ == "__main__":
    sys.exit(main())
