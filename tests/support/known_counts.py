"""Numbers of solutions that others have published, as data, each with its source.

Where a source counts up to symmetry, the factor stands beside the count. `work` says how much a
case asks of an engine: "little" ones are for every engine, "some" for the compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from example_problems import TAOCP_EXAMPLE, board_with_hole

from dlx import Problem, models, times


class Known(NamedTuple):
    """A problem whose number of solutions is known."""

    name: str
    build: Callable[[], Problem]
    solutions: int
    source: str
    work: str = "little"


def _series(
    name: str,
    build: Callable[[int], Problem],
    counts: dict[int, int],
    source: str,
    little_up_to: int,
) -> list[Known]:
    return [
        Known(
            f"{name}({n})",
            lambda n=n: build(n),  # type: ignore[misc]  # mypy cannot infer a bound default
            count,
            source,
            "little" if n <= little_up_to else "some",
        )
        for n, count in counts.items()
    ]


QUEENS = _series(
    "queens",
    models.queens,
    dict(enumerate([1, 0, 0, 2, 10, 4, 40, 92, 352, 724], start=1)),
    "OEIS A000170; TAOCP 7.2.2.1, 'The n queens problem'",
    little_up_to=7,
)

LANGFORD = _series(
    "langford",
    models.langford,
    {n: 2 * count for n, count in enumerate([0, 0, 1, 1, 0, 0, 26, 150, 0, 0], start=1)},
    "twice OEIS A014552 (reversals counted); TAOCP 7.2.2.1 on Langford pairs",
    little_up_to=7,
)

SQUARE_DOMINOES = _series(
    "square dominoes",
    lambda n: models.dominoes(2 * n, 2 * n),
    {1: 2, 2: 36, 3: 6728},
    "OEIS A004003",
    little_up_to=2,
)

# T(n, m) of A099390: the boards that are not even squares.
DOMINOES = [
    Known(f"dominoes({r}, {c})", lambda r=r, c=c: models.dominoes(r, c), count, "OEIS A099390")  # type: ignore[misc]
    for (r, c), count in {
        (1, 1): 0,
        (1, 2): 1,
        (2, 3): 3,
        (2, 10): 89,
        (3, 3): 0,
        (3, 4): 11,
        (3, 6): 41,
        (4, 5): 95,
        (4, 6): 281,
        (5, 6): 1183,
    }.items()
]

PENTOMINOES = [
    Known(
        f"pentominoes({r}, {c})",
        lambda r=r, c=c: models.pentominoes(r, c),  # type: ignore[misc]
        symmetries * essential,
        "C. B. and J. Haselgrove 1960, J. G. Fletcher 1965; TAOCP 7.2.2.1, 'Polyominoes'",
        work,
    )
    for (r, c), essential, symmetries, work in [
        ((3, 20), 2, 4, "some"),
        ((4, 15), 368, 4, "some"),
        ((5, 12), 1010, 4, "some"),
        ((6, 10), 2339, 4, "some"),
    ]
]
PENTOMINOES += [
    Known(
        "pentominoes(8, 8) without the middle",
        board_with_hole,
        8 * 65,
        "D. S. Scott 1958; TAOCP 7.2.2.1, 'Polyominoes'",
        "some",
    ),
    Known(
        "pentominoes in a box of 2 x 3 x 10",
        lambda: models.polyominoes(models.PENTOMINOES, models.box(2, 3, 10)),
        8 * 12,
        "C. J. Bouwkamp 1969 (solid pentominoes: 12 in 2 x 3 x 10)",
        "some",
    ),
]

SOMA = [
    Known(
        "soma()",
        models.soma,
        240 * 48,
        "J. H. Conway and M. J. T. Guy 1961; TAOCP 7.2.2.1, 'Polycubes'",
        "some",
    )
]

LATIN_SQUARES = _series(
    "latin_square",
    models.latin_square,
    {1: 1, 2: 2, 3: 12, 4: 576, 5: 161280},
    "OEIS A002860",
    little_up_to=3,
)

MATCHINGS = _series(
    "matchings",
    models.matchings,
    {1: 1, 2: 3, 3: 15, 4: 105, 5: 945, 6: 10395, 7: 135135},
    "OEIS A001147, (2n - 1)!!",
    little_up_to=5,
)


def chromatic_cycle(n: int, colors: int) -> int:
    """The chromatic polynomial of the ring of n vertices."""
    power: int = (colors - 1) ** n
    return power + (-(colors - 1) if n % 2 else colors - 1)


COLORINGS = [
    Known(
        "Petersen's graph, 3 colors",
        lambda: models.graph_coloring(models.petersen_graph(), 3),
        120,
        "chromatic polynomial of Petersen's graph, N. Biggs, Algebraic Graph Theory",
    ),
    Known(
        "Petersen's graph, 4 colors",
        lambda: models.graph_coloring(models.petersen_graph(), 4),
        12960,
        "chromatic polynomial of Petersen's graph, N. Biggs, Algebraic Graph Theory",
        "some",
    ),
    Known(
        "Petersen's graph, 2 colors",
        lambda: models.graph_coloring(models.petersen_graph(), 2),
        0,
        "it has odd cycles",
    ),
    *(
        Known(
            f"cycle of {n}, {k} colors",
            lambda n=n, k=k: models.graph_coloring(models.cycle_graph(n), k),  # type: ignore[misc]
            chromatic_cycle(n, k),
            "chromatic polynomial (k-1)^n + (-1)^n (k-1)",
        )
        for n in (3, 4, 5)
        for k in (2, 3, 4)
    ),
    Known(
        "complete graph of 5, 6 colors",
        lambda: models.graph_coloring(models.complete_graph(5), 6),
        720,
        "falling factorial 6*5*4*3*2",
    ),
    Known(
        "path of 5 and two lone vertices, 3 colors",
        lambda: models.graph_coloring(models.path_graph(5), 3, vertices=["x", "y"]),
        3 * 2**4 * 3**2,
        "chromatic polynomial of a tree, k (k-1)^(n-1)",
    ),
]

GRACEFUL = [
    *(
        Known(
            f"graceful path of {n}",
            lambda n=n: models.graceful_labeling(models.path_graph(n)),  # type: ignore[misc]
            count,
            "OEIS A006967",
            "little" if n <= 6 else "some",
        )
        for n, count in enumerate([2, 4, 4, 8, 24, 32, 40, 120], start=2)
    ),
    *(
        Known(
            f"graceful star of {n} rays",
            lambda n=n: models.graceful_labeling(  # type: ignore[misc]
                [("hub", ray) for ray in range(n)]
            ),
            count,
            "the hub is 0 or n, the rays are labeled in any order: 2 n!",
        )
        for n, count in {2: 4, 3: 12, 4: 48}.items()
    ),
    *(
        Known(
            f"graceful complete graph of {n}",
            lambda n=n: models.graceful_labeling(models.complete_graph(n)),  # type: ignore[misc]
            count,
            "perfect Golomb rulers 0-1-3 and 0-1-4-6, mirrored, in any order; none beyond "
            "(S. W. Golomb 1972)",
        )
        for n, count in {3: 2 * 6, 4: 2 * 24, 5: 0}.items()
    ),
    *(
        Known(
            f"graceful cycle of {n}",
            lambda n=n: models.graceful_labeling(models.cycle_graph(n)),  # type: ignore[misc]
            0,
            "A. Rosa 1967: a ring of n is graceful if and only if n mod 4 is 0 or 3",
        )
        for n in (5, 6)
    ),
]


def taocp_colors() -> Problem:
    """The example of color-controlled covering, by the book's own letters."""
    from dlx import colored

    return Problem.from_options(
        {
            "pqxy": ["p", "q", "x", colored("y", "A")],
            "prxy": ["p", "r", colored("x", "A"), "y"],
            "px": ["p", colored("x", "B")],
            "qx": ["q", colored("x", "A")],
            "ry": ["r", colored("y", "B")],
        },
        primary=["p", "q", "r"],
        secondary=["x", "y"],
    )


TAOCP = [
    Known(
        "the example of colors",
        taocp_colors,
        1,
        "TAOCP 7.2.2.1 on color-controlled covering: {prxy, qx}",
    ),
    Known(
        "the example of exact covering",
        lambda: Problem.from_options(map(list, TAOCP_EXAMPLE), primary=list("abcdefg")),
        1,
        "TAOCP 7.2.2.1, its first example",
    ),
]

# (n, least number of queens, number of ways with that number)
QUEEN_DOMINATION = [
    Known(
        f"queen_domination({n}, {queens})",
        lambda n=n, queens=queens: models.queen_domination(n, queens),  # type: ignore[misc]
        count,
        "OEIS A075458 (the least number of queens) and A002564 (the ways)",
        "little" if n <= 5 else "some",
    )
    for n, least, ways in zip(
        range(1, 8), [1, 1, 1, 2, 3, 3, 4], [1, 4, 1, 12, 186, 4, 86], strict=True
    )
    for queens, count in ((least - 1, 0), (least, ways))
    if queens > 0
]

PARTRIDGE = _series(
    "partridge",
    models.partridge,
    {1: 1, 2: 0, 3: 0, 4: 0, 5: 0},
    "W. Cutler: no solutions for n = 2 .. 7; TAOCP 7.2.2.1 on Algorithm M",
    little_up_to=3,
)

BRICKS = [
    Known(
        "six 1x2x2 and three 1x1x1 in 3x3x3",
        lambda: models.bricks({(1, 2, 2): 6, (1, 1, 1): 3}, 3, 3, 3),
        8,
        "J. Slothouber and W. Graatsma: one solution up to symmetry, itself of 6 symmetries",
    ),
    Known(
        "dominoes of one kind, 6x6",
        lambda: models.polyominoes(["I2"], models.box(6, 6), counts={"I2": 18}),
        6728,
        "OEIS A004003",
        "some",
    ),
    *(
        Known(
            f"up to a number of dominoes, {n}x{n}",
            lambda n=n: models.polyominoes(  # type: ignore[misc]
                ["I2", "I1"], models.box(n, n), counts={"I2": (0, n * n), "I1": (0, n * n)}
            ),
            count,
            "OEIS A028420, matchings in the grid graph",
            "little" if n < 4 else "some",
        )
        for n, count in enumerate([1, 7, 131, 10012], start=1)
    ),
]


def biregular(n: int, k: int) -> Problem:
    """Square matrices of zeros and ones with k ones in each line."""
    lines = [f"{line}{i}" for i in range(n) for line in "rc"]
    return Problem.from_options(
        [[f"r{i}", f"c{j}"] for i in range(n) for j in range(n)],
        primary=lines,
        multiplicities=dict.fromkeys(lines, k),
    )


def regular_graphs(n: int, k: int) -> Problem:
    """Graphs on n labeled vertices, k edges at each."""
    return Problem.from_options(
        [[i, j] for i in range(n) for j in range(i)],
        primary=range(n),
        multiplicities=dict.fromkeys(range(n), k),
    )


REGULAR = [
    Known(
        f"{build.__name__}({n}, {k})",
        lambda build=build, n=n, k=k: build(n, k),  # type: ignore[misc]
        count,
        f"OEIS {source}",
        "little" if count < 3000 else "some",
    )
    for build, k, source, counts in (
        (biregular, 2, "A001499", {2: 1, 3: 6, 4: 90, 5: 2040, 6: 67950}),
        (biregular, 3, "A001501", {3: 1, 4: 24, 5: 2040, 6: 297200}),
        (regular_graphs, 2, "A001205", {3: 1, 4: 3, 5: 12, 6: 70, 7: 465, 8: 3507}),
        (regular_graphs, 3, "A002829", {4: 1, 6: 70, 8: 19355}),
        (regular_graphs, 4, "A005815", {5: 1, 6: 15, 7: 465, 8: 19355}),
    )
    for n, count in counts.items()
]


def contingency_tables(n: int, total: int) -> Problem:
    """Square matrices of integers from 0 up, each line with this sum."""
    lines = [f"{line}{i}" for i in range(n) for line in "rc"]
    cells = [(i, j) for i in range(n) for j in range(n)]
    return Problem.from_options(
        [
            [times(f"r{i}", value), times(f"c{j}", value), (i, j)]
            for i, j in cells
            for value in range(1, total + 1)
        ],
        primary=lines,
        secondary=cells,
        multiplicities=dict.fromkeys(lines, total),
    )


def payments(amount: int, coins: Iterable[int]) -> Problem:
    """The ways to pay an amount in coins: each option is a number of coins of one kind."""
    coins = list(coins)
    return Problem.from_options(
        [
            [times("sum", coin * number), f"coin {coin}"]
            for coin in coins
            for number in range(1, amount // coin + 1)
        ],
        primary=["sum"],
        secondary=[f"coin {coin}" for coin in coins],
        multiplicities={"sum": amount},
    )


def subset_sums(numbers: Iterable[int], total: int) -> Problem:
    """The sets of these numbers that add up to a total."""
    return Problem.from_options(
        {number: [times("sum", number)] for number in numbers}, multiplicities={"sum": total}
    )


WEIGHTED = [
    *(
        Known(
            f"tables({n}, {total})",
            lambda n=n, total=total: contingency_tables(n, total),  # type: ignore[misc]
            count,
            f"OEIS {source}",
            "little" if count < 3000 else "some",
        )
        for n, source, counts in (
            (3, "A002817, a(n + 1)", [6, 21, 55, 120, 231]),
            (4, "A001496", [24, 282, 2008, 10147]),
        )
        for total, count in enumerate(counts, start=1)
    ),
    Known(
        "change for a dollar",
        lambda: payments(100, [1, 5, 10, 25, 50]),
        292,
        "OEIS A001300, a(100); G. Polya, 'On picture-writing', Amer. Math. Monthly 63 (1956)",
    ),
    *_series(
        "partitions",
        lambda n: payments(n, range(1, n + 1)),
        {8: 22, 12: 77, 20: 627},
        "OEIS A000041",
        little_up_to=12,
    ),
    *_series(
        "distinct parts",
        lambda n: subset_sums(range(1, n + 1), n),
        {10: 10, 20: 64, 30: 296},
        "OEIS A000009",
        little_up_to=30,
    ),
    *_series(
        "halves of 1 to",
        lambda n: subset_sums(range(1, n + 1), n * (n + 1) // 4),
        {7: 8, 8: 14, 11: 70, 12: 124},
        "OEIS A063865",
        little_up_to=12,
    ),
]
"""Problems whose options cover items several times."""


def taocp_multiplicities() -> Problem:
    """The example of DLX3."""
    from dlx import colored

    return Problem.from_options(
        [
            ["A", "B", colored("X", 0), colored("Y", 0)],
            ["A", "C", colored("X", 1), colored("Y", 1)],
            ["C", colored("X", 0)],
            ["B", colored("X", 1)],
            ["C", colored("Y", 1)],
        ],
        primary=["A", "B", "C"],
        secondary=["X", "Y"],
        multiplicities={"C": (2, 3)},
    )


MULTIPLE = [
    *QUEEN_DOMINATION,
    *PARTRIDGE,
    *BRICKS,
    *REGULAR,
    *WEIGHTED,
    Known("the example of multiplicities", taocp_multiplicities, 1, "D. E. Knuth, DLX3"),
]
"""Problems with multiplicities, for the engines that know them."""

ALL = [
    *QUEENS,
    *LANGFORD,
    *SQUARE_DOMINOES,
    *DOMINOES,
    *PENTOMINOES,
    *SOMA,
    *LATIN_SQUARES,
    *MATCHINGS,
    *COLORINGS,
    *GRACEFUL,
    *TAOCP,
]
LITTLE = [known for known in ALL if known.work == "little"]
"""Those that every engine counts in a moment."""
LITTLE_MULTIPLE = [known for known in MULTIPLE if known.work == "little"]
"""Those of the others."""
