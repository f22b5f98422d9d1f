"""The best cost and its bound over time, recorded and as a picture: `Trajectory`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, inf, isfinite, log10
from typing import TYPE_CHECKING, Any, Final

from dlx.analysis.estimate import duration_text
from dlx.core.picture import Picture, svg_picture
from dlx.escapes import markup

if TYPE_CHECKING:
    from dlx.analysis.minimum import Progress

__all__ = ["Trajectory"]

WIDTH: Final = 480  # of the plot, in pixels
HEIGHT: Final = 240
LEFT: Final = 80
TOP: Final = 36
MOST_POINTS: Final = 4000
TICKS: Final = 5
EARLY: Final = 0.1  # of the time, whose values may lie outside the plot
LARGEST: Final = 1e300
BEST: Final = "#0072b2"  # blue and red for readers with color blindness
BOUND: Final = "#d55e00"

Curve = Sequence[tuple[float, float]]


class Trajectory:
    """Records the best cost and the bound of a `minimum` or `maximum` over time, for a picture.

    A function for `progress=`, as `dlx.ProgressBar` is. If a search is resumed, so is its
    trajectory; another search begins a new one. Notebooks show the picture.

    >>> import dlx
    >>> trajectory = dlx.Trajectory()
    >>> problem = dlx.Problem.from_options([["a"], ["a"]], costs=[7, 3])
    >>> problem.minimum(progress=trajectory)
    [(3, (1,))]
    >>> [(point.best, point.bound) for point in trajectory.points]
    [(3, 3)]
    >>> trajectory.picture()
    <dlx.Picture: SVG, ... bytes>
    """

    def __init__(self) -> None:
        self.points: list[Progress] = []
        """What was reported whenever the best cost or the bound had changed, and at last."""

    def __call__(self, progress: Progress) -> None:
        """Records a report."""
        points, known = self.points, (progress.best, progress.bound)
        if points and progress.seconds < points[-1].seconds:
            points.clear()
        if len(points) > 1 and points[-2][:2] == points[-1][:2] == known:
            points.pop()
        points.append(progress)
        if len(points) > MOST_POINTS:
            del points[1:-1:2]

    def picture(self) -> Picture:
        """Both curves and the area between them. O(points).

        The scale of costs is that of the values after the first tenth of the time: earlier ones may
        lie outside.
        """
        points = self.points
        best = [(point.seconds, _number(point.best)) for point in points]
        bound = [(point.seconds, _number(point.bound)) for point in points]
        end = points[-1].seconds if points else 0.0
        late = max(1, sum(point.seconds < EARLY * end for point in points)) - 1
        shown = [cost for _, cost in best[late:] + bound[late:] if isfinite(cost)]
        plot = _Plot(end or 1.0, min(shown, default=0.0), max(shown, default=1.0))
        words = zip(_words(points), (BEST, BOUND, "#222", "#222"), strict=False)
        title = ", ".join(f'<tspan fill="{color}">{markup(word)}</tspan>' for word, color in words)
        drawn = [
            f'<text x="{LEFT}" y="20" font-size="14">{title}</text>',
            *plot.grid(),
            f'<clipPath id="plot"><rect x="{LEFT}" y="{TOP - 2}" width="{WIDTH}" '
            f'height="{HEIGHT + 4}"/></clipPath><g clip-path="url(#plot)" fill="none">',
            plot.area(best, bound),
            plot.curve(bound, BOUND),
            plot.curve(best, BEST),
            "</g>",
        ]
        return svg_picture(LEFT + WIDTH + 20, TOP + HEIGHT + 40, drawn)

    def _repr_html_(self) -> str:
        return self.picture()._repr_html_()

    def __repr__(self) -> str:
        return f"<dlx.Trajectory: {', '.join(_words(self.points))}>"


def _number(cost: Any) -> float:
    """A cost, or the first of several, as a float.

    Infinite if it is unknown or too large to be drawn.
    """
    cost = cost[0] if isinstance(cost, tuple) else cost
    try:
        found = inf if cost is None else float(cost)
    except OverflowError:
        return inf
    return found if abs(found) < LARGEST else inf


def _words(points: Sequence[Progress]) -> list[str]:
    """The best cost, the bound, the seconds, and the gap if it is known, at the end."""
    if not points:
        return ["no solution", "no bound"]
    last = points[-1]
    known = [
        "no solution" if last.best is None else f"best {last.best}",
        "no bound" if last.bound is None else f"bound {last.bound}",
        duration_text(last.seconds),
    ]
    return known if last.relative_gap == inf else [*known, f"gap {last.relative_gap:.2%}"]


class _Plot:
    """The coordinates of a plot, from 0 to `end` seconds and between two costs."""

    def __init__(self, end: float, low: float, high: float) -> None:
        self._end = end
        margin = 0.05 * (high - low)
        if margin <= max(1e-9 * abs(low), 1e-9 * abs(high), 1 / LARGEST):  # no scale has such steps
            margin = max(1.0, 0.05 * abs(high))
        self._low, self._high = low - margin, high + margin

    def _x(self, seconds: float) -> float:
        return LEFT + WIDTH * seconds / self._end

    def _y(self, cost: float) -> float:
        return TOP + HEIGHT * (self._high - cost) / (self._high - self._low)

    def grid(self) -> Iterator[str]:
        """Lines and numbers of both scales, and their names."""
        bottom = TOP + HEIGHT
        yield f'<path d="M{LEFT} {TOP}v{HEIGHT}h{WIDTH}" fill="none" stroke="#222"/>'
        for seconds in _ticks(0, self._end):
            x = self._x(seconds)
            yield f'<path d="M{x:.6g} {bottom}v5" stroke="#222"/>'
            yield f'<text x="{x:.6g}" y="{bottom + 18}" text-anchor="middle">{seconds:g} s</text>'
        for cost in _ticks(self._low, self._high):
            y = self._y(cost)
            yield f'<path d="M{LEFT} {y:.6g}h{WIDTH}" stroke="#ddd"/>'
            yield f'<text x="{LEFT - 6}" y="{y + 4:.6g}" text-anchor="end">{cost:,.10g}</text>'

    def curve(self, curve: Curve, color: str) -> str:
        """The steps of a curve."""
        known = [point for point in curve if isfinite(point[1])]
        return f'<path d="{self._steps(known)}" stroke="{color}" stroke-width="2"/>'

    def area(self, best: Curve, bound: Curve) -> str:
        """The area between the curves, where both are known."""
        both = [
            (upper, lower)
            for upper, lower in zip(best, bound, strict=True)
            if isfinite(upper[1]) and isfinite(lower[1])
        ]
        above = self._steps([upper for upper, _ in both])
        below = self._steps([lower for _, lower in both], back=True)
        return f'<path d="{above}{below}" fill="{BEST}" fill-opacity="0.12"/>'

    def _steps(self, points: Curve, *, back: bool = False) -> str:
        """The path that keeps each cost until the next point, perhaps from the last one back."""
        corners: list[tuple[float, float]] = []
        for seconds, cost in points:
            if corners:
                corners.append((self._x(seconds), corners[-1][1]))
            corners.append((self._x(seconds), self._y(cost)))
        words = [f"{x:.6g} {y:.6g}" for x, y in (reversed(corners) if back else corners)]
        return f"{'L' if back else 'M'}{'L'.join(words)}" if words else ""


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from low to high, about `TICKS` of them.

    >>> _ticks(0, 7.3)
    [0.0, 2.0, 4.0, 6.0]
    """
    rough = (high - low) / TICKS
    unit = 10.0 ** floor(log10(rough))
    step = unit * next(factor for factor in (1, 2, 5, 10) if factor * unit >= rough)
    return [step * number for number in range(ceil(low / step), floor(high / step) + 1)]
