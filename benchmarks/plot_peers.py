"""The plot of `peers.py`: seconds on a logarithmic scale, an instance a line, a mark a solver.

python plot_peers.py FOLDER    reads results.json there, writes plot.svg and plot.png
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from statistics import median

MARKS = "osD^vPX*"


def main(folder: Path) -> None:
    """Draws."""
    import_module("matplotlib").use("svg")
    pyplot = import_module("matplotlib.pyplot")
    data = json.loads((folder / "results.json").read_text(encoding="utf-8"))
    results = data["results"]
    names = list(results)
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.28 * len(names)), layout="constrained")
    for number, peer in enumerate(next(iter(results.values()))):
        cells = [results[name][peer] for name in names]
        done = [
            (median(cell["seconds"]), place)
            for place, cell in enumerate(cells)
            if cell["seconds"] and cell["why_not"] is None
        ]
        if done:
            seconds, places = zip(*done, strict=True)
            label = f"{peer} {data['versions'].get(peer, '')}"
            mark = MARKS[number % len(MARKS)]
            axes.scatter(seconds, places, marker=mark, label=label, s=36, zorder=3, alpha=0.85)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.grid(axis="both", alpha=0.3)
    axes.set_xlabel("CPU seconds, building included (less is better)")
    axes.set_title(f"Exact cover on one core: {data['machine']}", fontsize=10)
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=8)
    figure.savefig(folder / "plot.svg")
    figure.savefig(folder / "plot.png", dpi=120)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
