"""Ours against published peers, on the instances of the set, in one run.

    python benchmarks/peers.py [INSTANCE ...] [--heavy] [--peers NAME,NAME] [--rounds 3]
                               [--limit 60] [--environment .venv-peers] [--output build/peers]
                               [--reference "dlx auto"] [--into benchmarks/results.md]
                               [--mark peers] [--resume]

Run it with a Python that has `dlxkit`. The peers get an environment of their own, made when it
is missing, from `peers-requirements.txt`. Each run is a process of its own (`peer_worker.py`), and
in each round all solvers take turns on an instance, so that a ratio compares neighbours in time;
the table has medians of CPU seconds, building included, and medians of those ratios. Answers are
compared with what is expected. Writes `table.md`, `results.json`, `plot.svg` and `plot.png`, and
prints the table; `--into` puts it into a page as well, between two marks, and with the mark "peers"
the plot beside that page. The exit status is 1 if an answer was wrong. (`make bench-peers` is the
whole thing.)
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from math import exp, log
from pathlib import Path
from statistics import median
from typing import NamedTuple

from instances import BY_NAME, Instance
from measuring import make_environment, outcome_of, place_of, plain, put_into, stats_of
from peer_worker import PEERS

__all__ = ["machine", "main", "show_count", "show_digits", "show_time"]

HERE = Path(__file__).parent
COUNTERS = ("dlx auto", "xcover ZDD")  # they need not list what they count
DEFAULT_PEERS = [name for name in PEERS if name not in ("dlx links", "dlx list")]


class Cell(NamedTuple):
    """What a solver did on an instance: seconds of each round and the answer, or why not."""

    seconds: list[float]
    ratios: list[float]  # to ours, in the same round
    answer: int | None
    why_not: str | None

    def text(self, expected: int) -> str:
        """The cell as the table has it."""
        if self.why_not is not None:
            return self.why_not
        if self.answer != expected:
            return f"**wrong: {self.answer}**"
        ratio = f" ({show_digits(median(self.ratios))}x)" if self.ratios else ""
        return f"{show_time(median(self.seconds))}{ratio}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures, and writes what came out."""
    options = _parse(arguments)
    chosen = [
        BY_NAME[name]
        for name in options.instances or BY_NAME
        if options.instances or options.heavy or BY_NAME[name].weight != "heavy"
    ]
    python = make_environment(options.environment)
    options.output.mkdir(parents=True, exist_ok=True)
    results: dict[str, dict[str, Cell]] = {}
    work: dict[str, tuple[int, int]] = {}
    versions: dict[str, str] = {}
    if options.resume:
        results, work, versions = _read(options.output / "results.json")
    missing = [instance for instance in chosen if instance.name not in results]
    with tempfile.TemporaryDirectory() as folder:
        try:
            for number, instance in enumerate(missing, start=1):
                print(
                    f"{number}/{len(missing)} {instance.name}", end="", file=sys.stderr, flush=True
                )
                path = Path(folder, "instance.json")
                work[instance.name] = _write(instance, path)
                results[instance.name] = _measure(instance, path, options, python, versions)
                measured = _json(results, work, versions)  # kept, whatever comes
                Path(options.output, "results.json").write_text(measured, "utf-8")
                print(file=sys.stderr)
        except KeyboardInterrupt:
            print("\nstopped; what has been measured is written", file=sys.stderr)
    table = _table(results, work, options, versions, {instance.name for instance in chosen})
    Path(options.output, "table.md").write_text(table, encoding="utf-8")
    print(table)
    subprocess.run([python, HERE / "plot_peers.py", options.output], check=True)
    if options.into is not None:
        if options.mark == "peers":
            shutil.copyfile(options.output / "plot.svg", options.into.with_name("peers.svg"))
            table += "\n![The same as a plot](peers.svg)\n"
        put_into(options.into, options.mark, table)
    wrong = [
        f"{solver} says {cell.answer} on {name}, not {BY_NAME[name].expected}"
        for name, cells in results.items()
        for solver, cell in cells.items()
        if cell.answer not in (None, BY_NAME[name].expected)
    ]
    print(*wrong, sep="\n", file=sys.stderr)
    return 1 if wrong else 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument(
        "instances", nargs="*", metavar="INSTANCE", help="(default: all but the heavy ones)"
    )
    parser.add_argument("--heavy", action="store_true", help="the heavy instances, too")
    parser.add_argument("--peers", type=lambda text: text.split(","), default=DEFAULT_PEERS)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--limit", type=int, default=60, help="CPU seconds of a run")
    parser.add_argument("--environment", type=Path, default=HERE.parent / ".venv-peers")
    parser.add_argument("--output", type=Path, default=HERE.parent / "build" / "peers")
    parser.add_argument(
        "--resume", action="store_true", help="keep what an earlier, stopped run has measured"
    )
    parser.add_argument(
        "--reference", default="dlx auto", help="the solver that the ratios refer to"
    )
    parser.add_argument("--into", type=Path, help="a page that gets the table and the plot")
    parser.add_argument("--mark", default="peers", help="the page's place for the table")
    options = parser.parse_args(arguments)
    place = place_of(options.mark)
    if options.into is not None and place.search(options.into.read_text("utf-8")) is None:
        parser.error(f"{options.into} has no place for the table: {place.pattern}")
    for name in options.instances:
        if name not in BY_NAME:
            parser.error(f"there is no instance {name!r}; there are {', '.join(BY_NAME)}")
    for name in (*options.peers, options.reference):
        if name not in PEERS:
            parser.error(f"there is no peer {name!r}; there are {', '.join(PEERS)}")
    if options.reference not in options.peers:
        options.peers.insert(0, options.reference)
    return options


def _write(instance: Instance, path: Path) -> tuple[int, int]:
    """Writes an instance in plain numbers, and returns nodes and updates of our search."""
    problem = instance.build()
    task = {
        **plain(problem),
        "limit": instance.limit,
        "single": instance.limit == 1 or instance.expected <= 1,
    }
    path.write_text(json.dumps(task), encoding="utf-8")
    if instance.weight == "vast":
        return 0, 0
    stats = stats_of(problem, limit=instance.limit)
    return stats.nodes, stats.updates


def _measure(
    instance: Instance,
    path: Path,
    options: argparse.Namespace,
    python: Path,
    versions: dict[str, str],
) -> dict[str, Cell]:
    """All solvers on one instance, in turn, round after round; a failure is not repeated."""
    cells = {name: Cell([], [], None, None) for name in options.peers}
    if instance.weight == "vast":
        for name in set(cells).difference(COUNTERS):
            cells[name] = cells[name]._replace(why_not="would list them")
    for _ in range(options.rounds):
        reference: float | None = None
        for name in sorted(options.peers, key=lambda name: name != options.reference):
            if cells[name].why_not is not None:
                continue
            print(".", end="", file=sys.stderr, flush=True)
            executable = sys.executable if name.startswith("dlx ") else python
            arguments = (name, path, str(options.limit))
            outcome = outcome_of(options.limit, executable, "peer_worker.py", *arguments)
            versions.setdefault(name, outcome.get("version", "?"))
            if "cannot" in outcome:
                cells[name] = cells[name]._replace(why_not=outcome["cannot"])
                continue
            seconds = outcome["seconds"]
            if name == options.reference:
                reference = seconds
            elif reference:
                cells[name].ratios.append(seconds / reference)
            cells[name].seconds.append(seconds)
            cells[name] = cells[name]._replace(answer=outcome["answer"])
    return cells


# -- writing -------------------------------------------------------------------------------------


def _table(
    results: Mapping[str, Mapping[str, Cell]],
    work: Mapping[str, tuple[int, int]],
    options: argparse.Namespace,
    versions: Mapping[str, str],
    wanted: set[str],
) -> str:
    peers: Sequence[str] = options.peers
    header = ["instance", "answer", "nodes", "updates", *peers]
    lacking = len(wanted.difference(results))
    part = f" Stopped with {lacking} instances to go." if lacking else ""
    lines = [
        f"CPU time, building included, median of {options.rounds} rounds of at most "
        f"{options.limit} s each; in brackets the median ratio to `{options.reference}` in the "
        f"same round.{part}",
        f"{machine()}, Python {platform.python_version()}; "
        + ", ".join(f"{name} {versions.get(name, '?')}" for name in peers)
        + ".",
        "",
        f"| {' | '.join(header)} |",
        f"|---|{'---:|' * (len(header) - 1)}",
    ]
    for name in (name for name in BY_NAME if name in results):
        cells = results[name]
        expected = BY_NAME[name].expected
        nodes, updates = work[name]
        effort = [f"{nodes:,}", f"{updates:,}"] if nodes else ["", ""]
        row = [name, show_count(expected), *effort]
        row += [cells[peer].text(expected) for peer in peers]
        lines.append(f"| {' | '.join(row)} |")
    means = [_geometric_mean(results, peer) for peer in peers]
    lines.append(f"| **geometric mean of ratios** | | | | {' | '.join(means)} |")
    return "\n".join(lines) + "\n"


def _geometric_mean(results: Mapping[str, Mapping[str, Cell]], peer: str) -> str:
    ratios = [median(cells[peer].ratios) for cells in results.values() if cells[peer].ratios]
    if not ratios:
        return ""
    return f"{show_digits(exp(sum(map(log, ratios)) / len(ratios)))}x of {len(ratios)}"


def _json(
    results: Mapping[str, Mapping[str, Cell]],
    work: Mapping[str, tuple[int, int]],
    versions: Mapping[str, str],
) -> str:
    return json.dumps(
        {
            "machine": machine(),
            "versions": versions,
            "work": work,
            "results": {
                name: {peer: cell._asdict() for peer, cell in cells.items()}
                for name, cells in results.items()
            },
        },
        indent=1,
    )


def _read(
    path: Path,
) -> tuple[dict[str, dict[str, Cell]], dict[str, tuple[int, int]], dict[str, str]]:
    """What `_json` has written."""
    data = json.loads(path.read_text(encoding="utf-8"))
    results = {
        name: {peer: Cell(**cell) for peer, cell in cells.items()}
        for name, cells in data["results"].items()
    }
    work = {name: (nodes, updates) for name, (nodes, updates) in data["work"].items()}
    return results, work, data["versions"]


def machine() -> str:
    """The processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n")
        return next(line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def show_count(number: int) -> str:
    """All digits of a number, or the first three of one that would widen a table."""
    if number < 10**15:
        return f"{number:,}"
    power = len(str(number)) - 1
    return f"{number / 10**power:.2f}·10^{power}"


def show_time(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{show_digits(seconds / size)} {unit}"
    return f"{show_digits(seconds / 1e-6)} us"


def show_digits(number: float) -> str:
    """Three digits, or all before the point."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"


if __name__ == "__main__":
    sys.exit(main())
