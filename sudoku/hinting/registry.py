"""All techniques, from the easiest to the hardest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from sudoku.hinting.deduction import Deduction, changes_of
from sudoku.hinting.position import Changes, Position
from sudoku.hinting.rule_techniques import (
    combinations,
    house_combinations,
    innies_and_outies,
    rule_nets,
)
from sudoku.hinting.techniques import (
    als,
    chains,
    coloring,
    fish,
    forcing,
    intersections,
    single_digit,
    singles,
    subsets,
    sue_de_coq,
    templates,
    uniqueness,
    wings,
)

__all__ = [
    "ALL_HINT_TECHNIQUES",
    "BANDS",
    "BOX_SINGLE",
    "HINT_TECHNIQUES",
    "RATING_TECHNIQUES",
    "TECHNIQUES",
    "Technique",
    "band_index",
    "by_name",
]

BANDS = ("gentle", "easy", "medium", "hard", "expert", "extreme")
"""The difficulties, from the easiest; that of a puzzle is the band of its hardest technique."""


SMALL = 6
"""The side below which grids have a scale of their own for gentle puzzles: see `band_index`."""


class Technique(NamedTuple):
    """A solving technique: its name, its difficulty, and the functions that find it."""

    name: str
    """As in `Step.technique`."""
    code: str
    """Its code in HoDoKu; `""` if HoDoKu does not have it."""
    band: str
    """One of `BANDS`."""
    score: int
    """The score of one step: one digit placed, or one round of removals."""
    find: Callable[[Position], Iterator[Deduction]]
    """Yields all its deductions in a position."""
    all: Callable[[Position], Changes] | None = None
    """Returns the changes of all its deductions together; None if that is not faster."""
    use: str = "usual"
    """`"usual"`: for hints and ratings. `"proof"`: for hints; ratings take the next technique.
    `"rating"`: for ratings; for hints it belongs to the next technique.
    `"rare"`: for hints with `every=True`, since it is slow or little known. `"variant"`: never
    tried, since other techniques find the same."""
    rules: bool = False
    """Whether it finds something only in layouts with rules besides marks."""

    def deduce(self, position: Position) -> Changes:
        """The changes of all its deductions in a position, together."""
        if self.all is not None:
            return self.all(position)
        return changes_of(position, self.find(position))


def _techniques() -> list[Technique]:
    """All techniques, from the easiest to the hardest."""
    t = Technique
    gentle, easy, medium, hard, expert, extreme = BANDS
    finned = partial(fish.finned_fish, sashimi=False)
    sashimi = partial(fish.finned_fish, sashimi=True)
    return [
        t("full house", "0000", gentle, 4, singles.full_houses, singles.all_full_houses),
        t("hidden single", "0002", easy, 10, singles.hidden_singles, singles.all_hidden_singles),
        t("naked single", "0003", easy, 14, singles.naked_singles, singles.all_naked_singles),
        *(
            t(name, "", medium, score, partial(combinations.combinations, name=name), rules=True)
            for name, score in (
                ("inequality", 30),
                ("kropki dot", 30),
                ("XV pair", 30),
                ("cage combinations", 40),
                ("thermometer", 40),
                ("arrow", 40),
                ("rule", 50),
            )
        ),
        t("locked pair", "0110", medium, 40, partial(subsets.locked_subsets, size=2)),
        t("locked triple", "0111", medium, 50, partial(subsets.locked_subsets, size=3)),
        t(
            "locked candidates (pointing)",
            "0100",
            medium,
            50,
            intersections.pointing,
            intersections.all_pointing,
        ),
        t(
            "locked candidates (claiming)",
            "0101",
            medium,
            50,
            intersections.claiming,
            intersections.all_claiming,
        ),
        t("common conflict", "", medium, 50, combinations.common_conflicts, rules=True),
        t(
            "cage-house interaction",
            "",
            medium,
            60,
            partial(combinations.interactions, kinds=("cage",), name="cage-house interaction"),
            rules=True,
        ),
        t(
            "rule-house interaction",
            "",
            medium,
            60,
            partial(combinations.interactions, kinds=(), name="rule-house interaction"),
            rules=True,
        ),
        t(
            "innies and outies",
            "",
            medium,
            60,
            partial(innies_and_outies.innies_and_outies, count=1, name="innies and outies"),
            rules=True,
        ),
        *(
            t(name, "", medium, score, partial(combinations.combinations, name=name), rules=True)
            for name, score in (("line", 60), ("little killer", 70), ("outside clue", 80))
        ),
        t("naked pair", "0200", medium, 60, partial(subsets.naked_subsets, size=2)),
        t("hidden pair", "0210", medium, 70, partial(subsets.hidden_subsets, size=2)),
        t("naked triple", "0201", medium, 80, partial(subsets.naked_subsets, size=3)),
        t("hidden triple", "0211", medium, 100, partial(subsets.hidden_subsets, size=3)),
        *(
            t(
                f"innies and outies of {count} houses",
                "",
                hard,
                60 + 30 * count,
                partial(
                    innies_and_outies.innies_and_outies,
                    count=count,
                    name=f"innies and outies of {count} houses",
                ),
                rules=True,
            )
            for count in (2, 3, 4)
        ),
        t("naked quad", "0202", hard, 120, partial(subsets.naked_subsets, size=4)),
        t("hidden quad", "0212", hard, 150, partial(subsets.hidden_subsets, size=4)),
        t("killer subset", "", hard, 130, house_combinations.killer_subsets, rules=True),
        t(
            "conflicting combinations",
            "",
            hard,
            160,
            house_combinations.conflicting_combinations,
            house_combinations.all_conflicting_combinations,
            rules=True,
        ),
        t("BUG+1", "0610", hard, 100, uniqueness.bug_plus_one),
        t("X-wing", "0300", hard, 140, partial(fish.basic_fish, size=2)),
        t("skyscraper", "0400", hard, 130, single_digit.skyscrapers),
        t("two-string kite", "0401", hard, 140, single_digit.kites),
        t("turbot fish", "0403", hard, 140, single_digit.turbot_fish),
        t("empty rectangle", "0402", hard, 140, single_digit.empty_rectangles),
        t("remote pairs", "0703", hard, 140, coloring.remote_pairs),
        t("W-wing", "0803", hard, 150, wings.w_wings),
        t("XY-wing", "0800", hard, 160, wings.xy_wings),
        t("simple colors (trap)", "0500", hard, 150, coloring.simple_color_traps),
        t("simple colors (wrap)", "0501", hard, 150, coloring.simple_color_wraps),
        *(
            t(
                f"unique rectangle {kind}",
                f"060{kind - 1}",
                hard,
                100,
                partial(uniqueness.unique_rectangles, kind=kind),
            )
            for kind in range(1, 7)
        ),
        t("hidden rectangle", "0606", hard, 100, uniqueness.hidden_rectangles),
        t(
            "avoidable rectangle 1",
            "0607",
            hard,
            100,
            partial(uniqueness.avoidable_rectangles, kind=1),
        ),
        t(
            "avoidable rectangle 2",
            "0608",
            hard,
            100,
            partial(uniqueness.avoidable_rectangles, kind=2),
        ),
        t("swordfish", "0301", hard, 150, partial(fish.basic_fish, size=3)),
        t("XYZ-wing", "0801", hard, 180, wings.xyz_wings),
        t("finned X-wing", "0310", hard, 150, partial(finned, size=2)),
        t("sashimi X-wing", "0320", hard, 160, partial(sashimi, size=2)),
        t("jellyfish", "0302", expert, 200, partial(fish.basic_fish, size=4)),
        t("finned swordfish", "0311", expert, 200, partial(finned, size=3)),
        t("sashimi swordfish", "0321", expert, 220, partial(sashimi, size=3)),
        t("multi-colors 1", "0502", expert, 200, partial(coloring.multi_colors, kind=1)),
        t("multi-colors 2", "0503", expert, 200, partial(coloring.multi_colors, kind=2)),
        t("finned jellyfish", "0312", expert, 250, partial(finned, size=4)),
        t("sashimi jellyfish", "0322", expert, 280, partial(sashimi, size=4)),
        t("X-chain", "0701", expert, 240, chains.x_chains, chains.all_x_chains),
        t("XY-chain", "0702", expert, 250, chains.xy_chains, chains.all_xy_chains),
        t("alternating inference chain", "0708", expert, 280, chains.aics, chains.all_aics),
        t(
            "grouped AIC",
            "0711",
            expert,
            320,
            partial(chains.aics, grouped=True),
            partial(chains.all_aics, grouped=True),
        ),
        *(
            t(
                f"{before}{kind} nice loop",
                code,
                expert,
                320 if before else 280,
                partial(chains.aics, grouped=bool(before), kind=kind),
                use="variant",
            )
            for code, before, kind in (
                ("0706", "", "continuous"),
                ("0707", "", "discontinuous"),
                ("0709", "grouped ", "continuous"),
                ("0710", "grouped ", "discontinuous"),
            )
        ),
        t("sue de coq", "1101", extreme, 330, sue_de_coq.sue_de_coqs, use="rare"),
        t("ALS-XZ", "0901", extreme, 340, als.als_xz, use="rare"),
        t("ALS-XY-wing", "0902", extreme, 360, als.als_xy_wings, use="rare"),
        t("ALS chain", "0903", extreme, 380, als.als_chains, use="rare"),
        t("death blossom", "0904", extreme, 400, als.death_blossoms, use="rare"),
        t("template set", "1201", extreme, 450, templates.template_sets, use="rare"),
        t("template delete", "1202", extreme, 450, templates.template_deletes, use="rare"),
        t("forcing net", "", extreme, 500, forcing.forcing_nets, forcing.all_forcing_nets),
        t("rule net", "", extreme, 600, rule_nets.rule_nets, rule_nets.all_rule_nets, rules=True),
        t(
            "combination net",
            "",
            extreme,
            800,
            partial(rule_nets.rule_nets, houses=True),
            use="proof",
            rules=True,
        ),
        t("nested forcing net", "", extreme, 1000, forcing.nested_forcing_nets, use="proof"),
        t("trial", "", extreme, 1000, forcing.trials, forcing.all_trials),
        t("dual two-string kite", "0404", hard, 150, single_digit.dual_kites, use="variant"),
        t(
            "dual empty rectangle",
            "0405",
            hard,
            150,
            single_digit.dual_empty_rectangles,
            use="variant",
        ),
        *(
            t(
                f"siamese {kind} {fish.NAMES[size]}",
                f"03{tens}{size - 2}1",
                expert,
                250,
                partial(fish.siamese_fish, size=size, sashimi=kind == "sashimi"),
                use="variant",
            )
            for size in (2, 3, 4)
            for tens, kind in ((1, "finned"), (2, "sashimi"))
        ),
    ]


TECHNIQUES = tuple(_techniques())
"""All techniques, in the order in which they are tried; the variants are never tried."""

HINT_TECHNIQUES = tuple(
    technique for technique in TECHNIQUES if technique.use in ("usual", "proof")
)
"""The techniques that hints use by default."""

BOX_SINGLE = Technique(
    "hidden single in a box",
    "0002",
    BANDS[0],
    8,
    singles.box_singles,
    singles.all_box_singles,
    use="rating",
)
"""The hidden singles that are found without looking along rows and columns. Sudoku Explainer rates
them 1.2, the others 1.5; hints try them first, and call them hidden singles too."""

_RATED = [technique for technique in HINT_TECHNIQUES if technique.use == "usual"]
RATING_TECHNIQUES = (_RATED[0], BOX_SINGLE, *_RATED[1:])
"""The techniques that ratings use: after full houses, hidden singles in boxes, then in lines."""

ALL_HINT_TECHNIQUES = tuple(technique for technique in TECHNIQUES if technique.use != "variant")
"""The techniques that hints use with `every=True`: the rare ones too."""


def band_index(technique: Technique, side: int) -> int:
    """The index in `BANDS` of a technique on grids with that side.

    On grids with a side below `SMALL`, hidden singles in boxes are easy, not gentle: they solve
    every 4x4 puzzle, and only full houses are easier.
    """
    band = BANDS.index(technique.band)
    return max(band, 1) if technique is BOX_SINGLE and side < SMALL else band


def by_name(name: str) -> Technique:
    """The technique of that name, of hints or of ratings. Raises KeyError."""
    for technique in (*TECHNIQUES, BOX_SINGLE):
        if technique.name == name:
            return technique
    raise KeyError(name)
