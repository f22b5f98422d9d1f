"""What 10, 100 or 1000 workers would make of a long search, under the driver's own policy.

    python benchmarks/scaling.py record NAME FILE    one search (say langford-14), stopped every
                                                     few thousand nodes to say where it stands
    python benchmarks/scaling.py plot FILE SVG       simulates, prints a table, draws it

A search is recorded once. Positions come in visiting order, so any part of it is a range of what
was done between two stops, and can be played back without searching. The simulation plays the
workers and the clock; which part is next, what is split, how long a task is and how many are under
way is said by the code that says it in earnest: `dlx.parallel.schedule` and
`dlx.parallel.executors`. What was recorded may be played more slowly than it was: as a tree of the
same shape with that much more in each of its leaves.

What it does not know: that workers differ, die, and share their network with others.
"""

from __future__ import annotations

import json
import math
import sys
from bisect import bisect_left
from collections.abc import Sequence
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

from dlx import Part, Stats, models
from dlx.core.budget import Budget
from dlx.core.kernel import Search as KernelSearch
from dlx.engines.protocols import Start
from dlx.parallel.executors import most_under_way, parts_wanted, seconds_for
from dlx.parallel.results import WorkResult
from dlx.parallel.schedule import QueueNode, Schedule

__all__ = ["Outcome", "Player", "Recording", "plot", "record", "simulate"]

QUANTUM = 5_000  # nodes between two stops
ROUND_TRIP = 0.01  # seconds from the end of a task to the beginning of the next
DISPATCH = 0.001  # seconds that the driver and a scheduler need for each task, one after another
WORKERS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LENGTHS = (("10 minutes", 600.0), ("1 hour", 3600.0), ("10 hours", 36000.0))


class Recording(NamedTuple):
    """A search, and where it stood after every `QUANTUM` nodes."""

    name: str
    stops: list[Part]


def record(name: str) -> Recording:
    """Does a search by the engine "bits", alone: of a model and its size, such as langford-14."""
    model, size = name.split("-")
    problem = getattr(models, model)(int(size))
    engine = KernelSearch(problem._prepare(None).problem, [], None, "bits", "mrv")
    stops = [Part()]
    while not engine.finished:
        engine.skip(Budget(nodes=QUANTUM * len(stops)))
        position = engine.position()
        if position is not None:
            stops.append(Part(tuple(position[0]), position[1]))
    return Recording(name, stops)


class Player:
    """Plays parts of a recorded search: each quantum takes `seconds`.

    Standing after a path is ordered by its options, one after another, a path coming after all that
    is below it; so every part is a range between two stops.
    """

    def __init__(self, recording: Recording, seconds: float) -> None:
        self.quantum = seconds / len(recording.stops)
        self._stops = recording.stops
        self._keys = [_key(stop) for stop in recording.stops[1:]]

    def run(self, part: Part, seconds: float) -> tuple[WorkResult, float]:
        """A slice of a part, and how long it takes."""
        path, floor = part
        first = bisect_left(self._keys, _key(part)) + 1 if path else 0
        last = bisect_left(self._keys, _key(Part(path[:floor]))) + 1
        done = min(max(1, int(seconds / self.quantum)), max(0, last - first))
        left: tuple[Part, ...] = ()
        if first + done < last:
            stop = self._stops[first + done]
            left = (Part(stop.path, max(floor, stop.floor)),)
        spent = done * self.quantum
        return WorkResult(0, None, Stats(done, 0, 0, (), spent), left), spent


def _key(part: Part) -> tuple[int, ...]:
    return (*(option for _, option in part.path), sys.maxsize)


class Outcome(NamedTuple):
    """How a simulated search went."""

    seconds: float
    tasks: int
    busy: float
    """Of the workers' time, the share that was work."""
    longest_list: int
    """The most parts that the driver had at once."""


def simulate(recording: Recording, seconds: float, workers: int) -> Outcome:
    """A search of `seconds` of work, done by `workers` workers of an executor."""
    player = Player(recording, seconds)
    schedule = Schedule(Start((Part(),)), ordered=False)
    schedule.keep = False
    most = most_under_way(workers)
    running: list[tuple[float, int, QueueNode, WorkResult]] = []  # by the time at which they end
    ready: list[tuple[QueueNode, float]] = []  # sent, and waiting for a worker
    now = dispatcher = worked = 0.0
    tasks = longest = 0

    def begin(place: QueueNode, budget: float, at: float) -> None:
        nonlocal worked
        assert place.part is not None
        piece, spent = player.run(place.part, budget)
        worked += spent
        heappush(running, (at + spent, id(place), place, piece))

    while not schedule.over:
        while (
            len(running) + len(ready) < most and (place := schedule.take(workers=most)) is not None
        ):
            budget = seconds_for(now, waiting=schedule.waiting, workers=workers)
            dispatcher = max(now, dispatcher) + DISPATCH
            tasks += 1
            if len(running) < workers:
                begin(place, budget, dispatcher + ROUND_TRIP)
            else:
                ready.append((place, budget))
        longest = max(longest, schedule.waiting + schedule.taken)
        now, _, place, piece = heappop(running)
        if ready:
            begin(*ready.pop(0), now)
        schedule.done(place, piece, wanted=parts_wanted(schedule.waiting, workers))
    assert schedule.stats.nodes == len(recording.stops)
    return Outcome(now, tasks, worked / (now * workers), longest)


# -- the plot --------------------------------------------------------------------------------------

WIDTH, HEIGHT, MARGIN = 640, 460, 60
COLORS = ("#1b6ca8", "#c8553d", "#3a7d44")


def plot(name: str, curves: dict[str, list[tuple[int, float]]]) -> str:
    """Speed-ups over workers, both on logarithmic scales, as SVG."""

    def at(workers: float, speedup: float) -> str:
        x = MARGIN + (WIDTH - 2 * MARGIN) * math.log10(workers) / 3
        y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * math.log10(speedup) / 3
        return f"{x:.1f},{y:.1f}"

    def text(x: float, y: float, words: str, *, anchor: str = "middle", turn: str = "") -> str:
        return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{words}</text>'

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        text(WIDTH / 2, 24, f"Simulated speed-up on a search shaped like {name}"),
        text(WIDTH / 2, HEIGHT - 16, "workers"),
        text(18, HEIGHT / 2, "speed-up", turn=f' transform="rotate(-90 18 {HEIGHT / 2})"'),
    ]
    for power in range(4):
        value = 10**power
        across, up = float(at(value, 1).split(",")[0]), float(at(1, value).split(",")[1])
        lines += [
            f'<path d="M{at(value, 1)}L{at(value, 1000)}M{at(1, value)}L{at(1000, value)}" '
            'stroke="#ddd"/>',
            text(across, HEIGHT - MARGIN + 18, str(value)),
            text(MARGIN - 8, up + 4, str(value), anchor="end"),
        ]
    lines.append(f'<path d="M{at(1, 1)}L{at(1000, 1000)}" stroke="#999" stroke-dasharray="4 4"/>')
    for place, ((label, points), color) in enumerate(zip(curves.items(), COLORS, strict=True)):
        way = "L".join(at(*point) for point in points)
        lines.append(f'<path d="M{way}" fill="none" stroke="{color}" stroke-width="2"/>')
        lines += [
            f'<circle cx="{x}" cy="{y}" r="3.5" fill="{color}"/>'
            for x, y in (at(*point).split(",") for point in points)
        ]
        top = MARGIN + 20 + 18 * place
        lines.append(f'<circle cx="{MARGIN + 20}" cy="{top - 4}" r="4" fill="{color}"/>')
        lines.append(text(MARGIN + 32, top, f"{label} of work", anchor="start"))
    return "\n".join([*lines, "</svg>", ""])


def main(arguments: Sequence[str]) -> int:
    """Records, or simulates and draws."""
    if len(arguments) == 3 and arguments[0] == "record":
        recording = record(arguments[1])
        Path(arguments[2]).write_text(json.dumps(recording), encoding="utf-8")
        print(f"{len(recording.stops)} quanta of {QUANTUM} nodes")
        return 0
    if len(arguments) != 3 or arguments[0] != "plot":
        print(__doc__, file=sys.stderr)
        return 2
    name, stops = json.loads(Path(arguments[1]).read_text(encoding="utf-8"))
    read = [Part(tuple((item, option) for item, option in path), floor) for path, floor in stops]
    recording = Recording(name, read)
    print("| work | workers | seconds | speed-up | busy | tasks | parts at once |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    curves = {}
    for label, seconds in LENGTHS:
        points = []
        for workers in WORKERS:
            run = simulate(recording, seconds, workers)
            points.append((workers, seconds / run.seconds))
            print(
                f"| {label} | {workers} | {run.seconds:.1f} | {seconds / run.seconds:.1f} "
                f"| {run.busy:.0%} | {run.tasks} | {run.longest_list} |"
            )
        curves[label] = points
    Path(arguments[2]).write_text(plot(name, curves), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
