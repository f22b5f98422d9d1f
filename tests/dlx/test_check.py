"""The checkers of proofs: right proofs are accepted, damaged ones never prove what is false.

The proofs of this file come from a naive search of its own, and what they show is compared with all
assignments.
"""

from __future__ import annotations

import gzip
import itertools
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from bruteforce import Case, all_subsets
from hypothesis import given
from hypothesis import strategies as st
from proofs import older_formula, older_proof
from strategies import any_cases, small_multi_case

from dlx import models
from dlx.check import drat, pseudo_boolean
from dlx.check.__main__ import main
from dlx.check.propagation import Inequality, Propagation

HEADER = "pseudo-Boolean proof version 3.0"
END = "end pseudo-Boolean proof ;"

Clauses = list[list[int]]


class Program(NamedTuple):
    """A small OPB formula: sums of pairs of a factor and a literal that are at least a number."""

    variables: int
    sums: list[tuple[list[tuple[int, int]], int]]
    objective: list[int] | None = None  # of the variables
    preserved: tuple[int, ...] | None = None

    def lines(self) -> list[str]:
        head = []
        if self.objective is not None:
            terms = (f"{cost} {name(x)}" for x, cost in enumerate(self.objective, start=1))
            head.append(f"min: {' '.join(terms)} ;")
        if self.preserved is not None:
            head.append(f"preserved: {' '.join(map(name, self.preserved))} ;")
        return [
            "* a comment",
            *head,
            *(f"{written(terms)}>= {side} ;" for terms, side in self.sums),
        ]

    def solutions(self) -> list[frozenset[int]]:
        """The true variables of each assignment that satisfies all sums."""
        found = []
        for values in product([0, 1], repeat=self.variables):
            true = frozenset(x for x, value in enumerate(values, start=1) if value)
            if all(amount(terms, true) >= side for terms, side in self.sums):
                found.append(true)
        return found

    def cost(self, true: frozenset[int]) -> int:
        return sum((self.objective or [])[x - 1] for x in true)


def name(literal: int) -> str:
    return f"{'~' if literal < 0 else ''}x{abs(literal)}"


def written(terms: Sequence[tuple[int, int]]) -> str:
    return "".join(f"{factor} {name(literal)} " for factor, literal in terms)


def amount(terms: Sequence[tuple[int, int]], true: frozenset[int]) -> int:
    return sum(factor for factor, x in terms if (abs(x) in true) == (x > 0))


@st.composite
def programs(draw: st.DrawFn, objective: bool = False, preserved: bool = False) -> Program:
    variables = draw(st.integers(1, 5))
    rng = random.Random(draw(st.integers(0, 2**32)))
    sums = [([(1, x) for x in range(1, variables + 1)], 0)]  # so that all variables are known
    for _ in range(draw(st.integers(0, 6))):
        chosen = rng.sample(range(1, variables + 1), rng.randint(1, variables))
        big = rng.choice([1, 1, 3, 10**20])
        terms = [(rng.choice([1, 1, 1, big, -1]), x * rng.choice([1, 1, -1])) for x in chosen]
        sums.append((terms, rng.randint(-1, 2) + rng.choice([0, 0, big // 2])))
    costs = [rng.randint(-4, 4) for _ in range(variables)] if objective else None
    kept = tuple(range(1, variables + 1)) if preserved else None
    return Program(variables, sums, costs, kept)


# -- proofs --------------------------------------------------------------------------------------


def proof_of(program: Program, rng: random.Random) -> list[str]:
    """A proof by trying all values of the variables in a random order."""
    steps = [HEADER, "% dlx proof", f"f {len(program.sums)} ;"]
    solutions = set(program.solutions())
    best: list[int] = []
    order = rng.sample(range(1, program.variables + 1), program.variables)
    numbers = itertools.count(len(program.sums) + 1)

    def clause(decisions: Sequence[int]) -> int:
        steps.append(f"rup {written([(1, -x) for x in decisions])}>= 1 ;")
        return next(numbers)

    def visit(decisions: list[int]) -> int:
        if len(decisions) < len(order):
            x = order[len(decisions)]
            parts = [visit([*decisions, literal]) for literal in rng.sample([x, -x], 2)]
            number = clause(decisions)
            steps.extend(f"del id {part} ;" for part in parts if part)
            return number
        true = frozenset(x for x in decisions if x > 0)
        text = " ".join(map(name, decisions))
        if true not in solutions or (best and program.cost(true) >= best[-1]):
            return clause(decisions)
        if program.objective is not None:
            best.append(program.cost(true))
            steps.append(f"soli {text} ;")
            next(numbers)
        elif program.preserved is not None:
            steps.append(f"solx {text} ;")
            next(numbers)
        else:
            steps.append(f"sol {text} ;")
        return 0  # nothing to delete

    last = visit([])
    if program.objective is not None:
        bound = best[-1] if best else "INF"
        ending = f"BOUNDS {bound} : {last} {bound}"
    elif program.preserved is not None:
        ending = f"ENUMERATION_COMPLETE {len(solutions)} : {last}"
    elif solutions:
        del steps[next(n for n, step in enumerate(steps) if step.startswith("sol")) + 1 :]
        ending = "SAT"
    else:
        ending = f"UNSAT : {last}"
    return [*steps, "output NONE ;", f"conclusion {ending} ;", END]


def check_truth(program: Program, proved: pseudo_boolean.Proved) -> None:
    """Fails if what is proved is not so."""
    solutions = program.solutions()
    found = [frozenset(int(x[1:]) for x in one) for one in proved.solutions]
    assert set(found) <= set(solutions)
    if proved.conclusion == "NONE":
        return
    if proved.conclusion == "SAT":
        assert found
    elif proved.conclusion == "UNSAT":
        assert not solutions
    elif proved.conclusion == "ENUMERATION_COMPLETE":
        assert len(found) == len(solutions)
        assert set(found) == set(solutions)
    elif proved.conclusion == "ENUMERATION_PARTIAL":
        assert len(set(found)) == len(found)
    else:
        values = [program.cost(true) for true in solutions]
        if proved.low is None:
            assert not values
        else:
            assert all(value >= proved.low for value in values)
        if proved.high is not None:
            assert min(values) <= proved.high


any_program = programs() | programs(objective=True) | programs(preserved=True)
seeds = st.integers(0, 2**32)


@given(any_program, seeds)
def test_right_proofs_are_accepted(program: Program, seed: int) -> None:
    proved = pseudo_boolean.check(program.lines(), proof_of(program, random.Random(seed)))
    check_truth(program, proved)
    solutions = program.solutions()
    if program.objective is not None:
        best = min(map(program.cost, solutions), default=None)
        assert (proved.low, proved.high) == (best, best)
        assert str(proved) == ("no solution" if best is None else f"the minimum is {best}")
    elif program.preserved is not None:
        assert len(proved.solutions) == len(solutions)
        assert proved.conclusion == "ENUMERATION_COMPLETE"
    else:
        assert str(proved) == ("a solution exists" if solutions else "no solution")


def damaged(steps: list[str], rng: random.Random) -> list[str]:
    """The proof with one thing changed."""
    place = rng.randrange(len(steps))
    line = steps[place]
    kind = rng.choice(["remove", "flip", "number", "repeat", "swap", "solution"])
    if kind == "remove":
        return steps[:place] + steps[place + 1 :]
    if kind == "repeat":
        return [*steps[:place], line, *steps[place:]]
    if kind == "swap":
        other = rng.randrange(len(steps))
        changed = [*steps]
        changed[place], changed[other] = changed[other], line
        return changed
    if kind == "solution":
        line = line.replace("rup", "solx", 1).replace("1 ", "").replace(">= ", "")
    else:
        pattern = r"~?x" if kind == "flip" else r"-?\b[0-9]+\b"
        spots = list(re.finditer(pattern, line))
        if spots:
            spot = rng.choice(spots)
            new = "~x" if spot[0] == "x" else "x"
            if kind == "number":
                new = str(int(spot[0]) + rng.choice([-2, -1, 1, 2]))
            line = line[: spot.start()] + new + line[spot.end() :]
    return [*steps[:place], line, *steps[place + 1 :]]


@given(any_program, seeds)
def test_no_damaged_proof_proves_what_is_false(program: Program, seed: int) -> None:
    rng = random.Random(seed)
    proof = proof_of(program, rng)
    for _ in range(20):
        worse = damaged(proof, rng)
        try:
            proved = pseudo_boolean.check(program.lines(), worse)
        except pseudo_boolean.Refused:
            continue
        check_truth(program, proved)


@given(any_program, seeds)
def test_a_proof_ends_with_its_last_line(program: Program, seed: int) -> None:
    rng = random.Random(seed)
    proof = proof_of(program, rng)
    for length in rng.sample(range(len(proof)), 5):
        with pytest.raises(pseudo_boolean.Refused, match="line "):
            pseudo_boolean.check(program.lines(), proof[:length])
    with pytest.raises(pseudo_boolean.Refused, match="incomplete"):
        pseudo_boolean.check(program.lines(), proof[:-1])


def refused(program: Program, proof: Sequence[str]) -> bool:
    try:
        pseudo_boolean.check(program.lines(), proof)
    except pseudo_boolean.Refused:
        return True
    return False


def ended(steps: Sequence[str], conclusion: str) -> list[str]:
    """These steps with another end."""
    kept = [step for step in steps if not step.startswith(("output", "conclusion", "end"))]
    return [*kept, "output NONE ;", f"conclusion {conclusion} ;", END]


def assignment(true: frozenset[int], variables: int) -> str:
    return " ".join(name(x if x in true else -x) for x in range(1, variables + 1))


@given(programs(preserved=True), seeds)
def test_solutions_too_many_and_too_few(program: Program, seed: int) -> None:
    rng = random.Random(seed)
    proof = proof_of(program, rng)
    logged = [place for place, step in enumerate(proof) if step.startswith("solx")]
    for number in (len(logged) - 1, len(logged) + 1):
        assert refused(program, ended(proof, f"ENUMERATION_COMPLETE {number}"))
    solutions = program.solutions()
    for values in product([0, 1], repeat=program.variables):
        true = frozenset(x for x, value in enumerate(values, start=1) if value)
        extra = f"solx {assignment(true, program.variables)} ;"
        assert refused(program, ended([*proof, extra], f"ENUMERATION_PARTIAL {len(logged) + 1}"))
        steps = ended([HEADER, extra], "ENUMERATION_PARTIAL 1")
        assert refused(program, steps) == (true not in solutions)
    if logged:
        place = rng.choice(logged)
        less = [*proof[:place], *proof[place + 1 :]]
        assert refused(program, ended(less, f"ENUMERATION_COMPLETE {len(logged) - 1}"))
        number = logged.index(place) + 1
        part = ended(proof[: place + 1], f"ENUMERATION_PARTIAL {number}")
        assert str(pseudo_boolean.check(program.lines(), part)).startswith(f"at least {number} sol")
        assert refused(program, ended(part, f"ENUMERATION_PARTIAL {number + 1}"))
        assert refused(program, ended(proof, "UNSAT"))


@given(programs(objective=True), seeds)
def test_bounds(program: Program, seed: int) -> None:
    proof = proof_of(program, random.Random(seed))
    solutions = program.solutions()
    if not solutions:
        return
    true = min(solutions, key=program.cost)
    best = program.cost(true)
    for low, high in [(best + 1, best), (best, best - 1), ("INF", "INF"), (best + 1, best + 1)]:
        assert refused(program, ended(proof, f"BOUNDS {low} {high}"))
    wide = pseudo_boolean.check(program.lines(), ended(proof, f"BOUNDS {best - 2} {best + 2}"))
    assert str(wide) == f"the minimum is between {best - 2} and {best + 2}"
    least = sum(min(0, cost) for cost in program.objective or [])
    alone = f"BOUNDS {least} {best} : {assignment(true, program.variables)}"
    proved = pseudo_boolean.check(program.lines(), ended([HEADER], alone))
    assert (proved.low, proved.high) == (least, best)
    open_end = pseudo_boolean.check(program.lines(), ended(proof, f"BOUNDS {best} INF"))
    assert str(open_end).startswith(f"the minimum is at least {best}; whether")
    assert refused(program, ended(proof, "UNSAT"))


# -- propagation and cutting planes ----------------------------------------------------------------

LITERALS = {name(x): x for x in range(-9, 10) if x}


def inequality(terms: Sequence[tuple[int, int]], side: int) -> Inequality:
    (one,) = pseudo_boolean._constraint(f"{written(terms)}>= {side}".split(), LITERALS.__getitem__)
    return one


def negated(one: Inequality) -> Inequality:
    side = sum(one.terms.values()) - one.degree + 1
    return Inequality({-x: factor for x, factor in one.terms.items()}, side)


def propagated(sums: Sequence[Inequality], assumed: Sequence[int]) -> set[int] | None:
    """The literals that follow by unit propagation; None for a contradiction."""
    true, before = set(assumed), -1
    while len(true) > before:
        before = len(true)
        for terms, degree in sums:
            slack = sum(factor for x, factor in terms.items() if -x not in true) - degree
            if slack < 0 or any(-x in true for x in true):
                return None
            true |= {x for x, factor in terms.items() if factor > slack and -x not in true}
    return None if any(-x in true for x in true) else true


@given(seeds)
def test_propagation_needs_no_order(seed: int) -> None:
    """What is kept from one step to the next makes no difference."""
    rng = random.Random(seed)
    variables = rng.randint(1, 7)
    propagation, sums = Propagation(variables), [Inequality({}, 0)]
    assumed: list[int] = []
    for _ in range(80):
        size = rng.randint(1, variables)
        chosen = [x * rng.choice([1, -1]) for x in rng.sample(range(1, variables + 1), size)]
        factors = [rng.choice([1, 1, 1, 2, 5]) for _ in chosen]
        side = rng.choice([1, 1, 1, sum(factors) // 2, sum(factors)])
        one = inequality(list(zip(factors, chosen, strict=True)), side)
        step = rng.random()
        if step < 0.4:
            sums.append(one)
            propagation.add(one)
        elif step < 0.5:
            expected = propagated([*sums, negated(one)], []) is None
            assert propagation.follows(one) == expected
            assert pseudo_boolean._refutes(one, sums) == expected
        else:
            assumed = assumed[: rng.randint(0, len(assumed))]
            assumed += [x for x in chosen if x not in assumed and -x not in assumed]
            true = propagated(sums, assumed)
            assert propagation.assume(assumed) == (true is not None)
            assert true is None or set(propagation.trail) == true


@given(seeds)
def test_deleted_inequalities_imply_nothing_new(seed: int) -> None:
    rng = random.Random(seed)
    variables = 6
    propagation = Propagation(variables)
    live = []
    for _ in range(60):
        chosen = rng.sample([x for x in range(-variables, variables + 1) if x], 3)
        one = inequality([(rng.choice([1, 1, 2]), x) for x in chosen], rng.choice([2, 2, 3]))
        propagation.back_to(0)
        if rng.random() < 0.5:
            live.append((one, propagation.add(one)))
        elif live:
            propagation.delete(live.pop(rng.randrange(len(live)))[1])
        if not propagation.contradiction:
            known = [Inequality({x: 1}, 1) for x in propagation.trail]
            true = propagated([*(one for one, _ in live), *known], chosen[:2])
            assert propagation.assume(chosen[:2]) == (true is not None)


@given(programs(), seeds)
def test_cutting_planes_are_sound(program: Program, seed: int) -> None:
    """Whatever the operations, all solutions satisfy the result."""
    rng = random.Random(seed)
    checker = pseudo_boolean._Checker(pseudo_boolean.read_opb(program.lines()))
    for _ in range(8):
        words = [str(rng.randint(1, checker.last))]
        for _ in range(rng.randint(1, 5)):
            x = name(rng.randint(1, program.variables) * rng.choice([1, -1]))
            words += rng.choice(
                [
                    [str(-rng.randint(1, checker.last)), "+"],
                    [str(rng.randint(0, 4)), "*"],
                    [str(rng.randint(1, 4)), "d"],
                    ["s"],
                    [x, str(rng.randint(1, 3)), "*", "+"],
                    [x.removeprefix("~"), "w"],
                ]
            )
        checker.polish(words)
        terms, side = checker.inequality("-1")
        for true in program.solutions():
            assert amount([(factor, x) for x, factor in terms.items()], true) >= side


@pytest.mark.parametrize(
    ("words", "terms", "degree"),
    [
        ("1", {1: 2, 2: 1, -3: 1}, 2),
        ("1 2 *", {1: 4, 2: 2, -3: 2}, 4),
        ("1 2 d", {1: 1, 2: 1, -3: 1}, 1),
        ("1 3 d", {1: 1, 2: 1, -3: 1}, 1),
        ("1 0 *", {}, 0),
        ("1 2 +", {2: 2}, 0),
        ("1 x3 +", {1: 2, 2: 1}, 1),
        ("1 x1 w", {2: 1, -3: 1}, 0),
        ("1 x3 w", {1: 2, 2: 1}, 1),
        ("1 3 * -1 + s", {1: 4, 2: 4, -3: 2}, 4),
    ],
)
def test_cutting_planes(words: str, terms: dict[int, int], degree: int) -> None:
    lines = ["2 x1 1 x2 1 ~x3 >= 2 ;", "2 ~x1 1 x2 1 x3 >= 1 ;"]
    checker = pseudo_boolean._Checker(pseudo_boolean.read_opb(lines))
    checker.polish(words.split())
    assert checker.inequality("3") == (terms, degree)


@given(seeds)
def test_implied_inequalities_are_implied(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(20):
        one, two = (
            inequality(
                [(rng.randint(1, 4), x * rng.choice([1, 1, -1])) for x in rng.sample([1, 2, 3], 2)],
                rng.randint(0, 5),
            )
            for _ in range(2)
        )
        if pseudo_boolean._implies(one, two):
            for values in product([0, 1], repeat=3):
                true = frozenset(x for x, value in enumerate(values, start=1) if value)
                totals = [
                    amount([(a, x) for x, a in each.terms.items()], true) for each in (one, two)
                ]
                assert totals[0] < one.degree or totals[1] >= two.degree


@pytest.mark.parametrize(
    ("one", "two", "implies"),
    [
        ("2 x1 1 x2 >= 2", "2 x1 1 x2 >= 2", True),
        ("2 x1 1 x2 >= 2", "2 x1 3 x2 1 x3 >= 1", True),
        ("2 x1 1 x2 >= 2", "1 x1 >= 1", True),
        ("5 x1 1 x2 >= 5", "3 x1 1 x2 >= 3", True),
        ("2 x1 1 x2 >= 2", "2 x1 >= 2", False),
        ("2 x1 1 x2 >= 2", "1 x1 1 x2 >= 2", False),
        ("2 x1 1 x2 >= 2", "1 ~x1 >= 1", False),
        ("2 x1 1 x2 >= 2", "1 ~x1 >= 0", True),
        ("1 x1 >= 2", "1 x3 >= 1", True),
    ],
)
def test_implications(one: str, two: str, implies: bool) -> None:
    pair = (pseudo_boolean._constraint(x.split(), LITERALS.__getitem__)[0] for x in (one, two))
    assert pseudo_boolean._implies(*pair) == implies


# -- DRAT ----------------------------------------------------------------------------------------


def cnf(clauses: Clauses, variables: int) -> list[str]:
    lines = ["c a comment", f"p cnf {variables} {len(clauses)}"]
    return [*lines, *(" ".join(map(str, [*clause, 0])) for clause in clauses)]


@st.composite
def formulas(draw: st.DrawFn) -> tuple[int, Clauses]:
    """Clauses over few variables, many of them without a solution."""
    variables = draw(st.integers(1, 5))
    literals = st.integers(1, variables).flatmap(lambda x: st.sampled_from([x, -x]))
    return variables, draw(st.lists(st.lists(literals, min_size=1, max_size=3), max_size=25))


def satisfiable(variables: int, clauses: Clauses) -> bool:
    return any(
        all(any((abs(x) in true) == (x > 0) for x in clause) for clause in clauses)
        for values in product([0, 1], repeat=variables)
        for true in [{x for x, value in enumerate(values, start=1) if value}]
    )


def drat_of(variables: int, rng: random.Random) -> list[str]:
    """Tries all values; deletes the clauses of branches once both are done."""
    steps = ["c dlx proof"]
    order = rng.sample(range(1, variables + 1), variables)

    def visit(decisions: list[int]) -> str:
        text = " ".join(map(str, [*(-x for x in decisions), 0]))
        parts = []
        if len(decisions) < variables:
            x = order[len(decisions)]
            parts = [visit([*decisions, literal]) for literal in rng.sample([x, -x], 2)]
        steps.append(text)
        steps.extend(f"d {part}" for part in parts)
        return text

    visit([])
    return steps


@given(formulas(), seeds)
def test_drat(formula: tuple[int, Clauses], seed: int) -> None:
    variables, clauses = formula
    rng = random.Random(seed)
    lines, proof = cnf(clauses, variables), drat_of(variables, rng)
    if satisfiable(variables, clauses):
        with pytest.raises(drat.Refused, match="does not follow"):
            drat.check(lines, proof)
    else:
        assert str(drat.check(lines, proof)) == "no solution"
        whole = proof.index("0")
        with pytest.raises(drat.Refused, match="incomplete"):
            drat.check(lines, proof[:whole])
    for _ in range(20):
        place = rng.randrange(len(proof))
        words = proof[place].split()
        if rng.random() < 0.5 and words[0] != "c":
            spot = rng.randrange(len(words))
            words[spot] = str(-int(words[spot])) if words[spot] != "d" else "1"
            worse = [*proof[:place], " ".join(words), *proof[place + 1 :]]
        else:
            worse = [*proof[:place], *proof[place + 1 :]]
        try:
            drat.check(lines, worse)
        except drat.Refused:
            continue
        assert not satisfiable(variables, clauses)


ALL_FOUR = [[1, 2], [-1, 2], [1, -2], [-1, -2]]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (["2 0", "0"], None),
        (["c", "2 0 0"], None),
        (["d 3 1 0", "d 1 0", "2", "0", "0"], None),  # of clauses that are not there
        (["2 0", "d 1 2 0", "d -2 1 0", "0"], None),  # what followed remains
        (["d 2 1 0", "2 0", "0"], "line 2: the clause 2 0 does not follow"),
        (["0"], "line 1: the clause 0 does not follow"),
        (["2 0", ""], "line 2: the proof is incomplete"),
        (["2 0", "1"], "line 2: the proof is incomplete"),
        ([], "line 0: the proof is incomplete"),
        (["4 0"], "line 1: the formula has no variable 4"),
        (["x 0"], "line 1: 'x' is not a clause"),
    ],
)
def test_drat_by_hand(steps: list[str], message: str | None) -> None:
    if message is None:
        assert drat.check(cnf(ALL_FOUR, 3), steps) is not None
        return
    with pytest.raises(drat.Refused, match=message):
        drat.check(cnf(ALL_FOUR, 3), steps)


def test_steps_that_do_not_follow() -> None:
    """The clause 3 is RAT: no other has -3."""
    with pytest.raises(drat.Refused, match="RUP; other steps of DRAT are not supported"):
        drat.check(cnf(ALL_FOUR, 3), ["3 0"])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 2 0"], "no line p cnf"),
        (["p cnf 2 2", "1 2 0"], "promises 2 clauses, but there are 1"),
        (["p cnf 2 1", "1 3 0"], "line 2: the formula has no variable 3"),
        (["p cnf 2 1", "1 y 0"], "line 2: '1 y' is not a clause"),
        (["p cnf 2"], "line 1: expected one line"),
        (["p cnf 2 1", "1 2 0", "p cnf 2 1"], "line 3: expected one line"),
    ],
)
def test_wrong_clauses(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        drat.check(lines, ["0"])


# -- proofs by hand --------------------------------------------------------------------------------

THREE = ["preserved: x1 x2 ;", "1 x1 1 x2", "= 1 ;  1 x2 1 x3 >= 1 ;"]
"""Solutions: x1 and x3; x2, and x3 or not."""
MINIMUM = ["min: 2 x1 -3 x2 ;", "1 x1 1 x2 >= 1 ;"]
COSTS = ["min: 1 x1 1 x2 ;", "preserved: x1 x2 ;", "1 x1 1 x2 >= 1 ;"]
HOLES = ["1 x1 1 x2 1 x3 >= 2 ;", "1 ~x1 1 ~x2 1 ~x3 >= 2 ;"]


@pytest.mark.parametrize(
    ("formula", "steps", "shown"),
    [
        (THREE, ["f 3 ;", "output NONE ;", "conclusion NONE ;"], "nothing is proved"),
        (THREE, ["solx x1 ~x2 ;", "solx x2 x3 ;", "rup 1 x1 >= 1 ;", "rup", ">= 1 ;",
                 "output NONE ;", "conclusion ENUMERATION_COMPLETE 2 : 7 ;"],
         "exactly 2 solutions"),
        (THREE, ["solx x1 x3 x9 ;", "output NONE ;", "conclusion ENUMERATION_PARTIAL 1 ;"],
         "at least 1 solution; whether these are all is not proved"),
        (THREE, ["sol x1 ;", "output NONE ;", "conclusion SAT ;"], "a solution exists"),
        (THREE, ["output NONE ;", "conclusion SAT : x1 ~x2 x3 ;"], "a solution exists"),
        (HOLES, ["pol 1 2 + ;", "output NONE ;", "conclusion UNSAT : -1 ;"], "no solution"),
        (HOLES, ["pol 1 2 + ; output NONE ; conclusion UNSAT ;"], "no solution"),
        (MINIMUM, ["soli ~x1 x2 : -3 ;", "rup >= 1 : 2 ~ ;", "output NONE ;",
                   "conclusion BOUNDS -3 : 3 -3 : x2 ~x1 ;"], "the minimum is -3"),
        (MINIMUM, ["output NONE ;", "conclusion BOUNDS -3 INF;"],
         "the minimum is at least -3; whether there is a solution is not proved"),
    ],
)  # fmt: skip
def test_what_is_shown(formula: list[str], steps: list[str], shown: str) -> None:
    proof = ["", "% a comment", HEADER, "% another ;", *steps, END, "anything"]
    assert str(pseudo_boolean.check(formula, proof)) == shown


@pytest.mark.parametrize(
    ("formula", "steps", "message"),
    [
        (THREE, ["f 2 ;"], "line 2: the formula has 3 inequalities, not 2"),
        (THREE, ["rup 1 x1 >= 1 ;"], "line 2: 1 x1 >= 1 does not follow by unit propagation$"),
        (THREE, ["rup 1 ~x1 1 x3 >= 1 : 3 ~ ;"], "does not follow by .* of these inequalities"),
        (THREE, ["rup 1 x1 = 1 ;"], "an equation"),
        (THREE, ["rup 1 x1 x2 >= 1 ;"], "not pairs of a factor and a variable"),
        (THREE, ["rup 1 x1 < 1 ;"], "not a sum with >= or ="),
        (THREE, ["rup 1.5 x1 >= 1 ;"], "'1.5' is not an integer"),
        (THREE, ["rup 1 y1 >= 0 ;"], "the formula has no variable 'y1'"),
        (THREE, ["pol 1 2 ;"], "more than one inequality is left"),
        (THREE, ["pol 1 + ;"], "an operand is missing"),
        (THREE, ["pol 1 2 + 2 + * ;"], "a number or a variable is missing"),
        (THREE, ["pol 1 0 d ;"], "0 d: the number is too small"),
        (THREE, ["pol 1 -1 * ;"], "-1 [*]: the number is too small"),
        (THREE, ["pol 1 ~x1 w ;"], "w takes a variable"),
        (THREE, ["pol 4 ;"], "there is no inequality 4"),
        (THREE, ["pol 1 ;", "del id 4 ;", "pol 4 ;"], "line 4: there is no inequality 4, or not"),
        (THREE, ["deld 2 ;"], "inequality 2 is not one that pol or rup has added"),
        (THREE, ["solx x1 ;", "del id 4 ;"], "inequality 4 is not one that pol or rup has added"),
        (THREE, ["red 1 x1 >= 1 : x1 -> 1 ;"], "'red 1 x1 .*; expected is a step .f, pol, rup"),
        (THREE, ["output NONE ;", "rup >= 0 ;"], "'rup >= 0'; expected is conclusion"),
        (THREE, ["output NONE ;", "conclusion MAYBE ;"], "'MAYBE' is not a conclusion"),
        (THREE, ["output NONE ;", "conclusion UNSAT : 1 ;"], "inequality 1 is not a contradict"),
        (["1 x1 >= 1 ;"], ["output NONE ;", "conclusion UNSAT : 1 ;"], "is not a contradiction"),
        (THREE, ["output NONE ;", "conclusion UNSAT ;"], "of no number is not a contradiction"),
        (THREE, ["output NONE ;", "conclusion SAT ;"], "no solution is given"),
        (THREE, ["output NONE ;", "conclusion SAT : x2 ~x1 ;"], "variable x3 is not determined"),
        (THREE, ["output NONE ;", "conclusion BOUNDS 0 0 ;"], "bounds need the line min:"),
        (THREE, ["solx x2 ;"], "variable x3 is not determined"),
        (THREE, ["solx x1 x2 ;"], "unit propagation leads to a contradiction"),
        (THREE, ["solx x1 ~x2 ~x3 ;"], "this is not a solution: it violates inequality 3"),
        (THREE, ["solx x1 ~x1 ;"], "both true and false"),
        (THREE, ["solx x1 ;", "solx x1 ~x2 x3 ;"], "this solution has been logged before"),
        (THREE, ["soli x1 ;"], "soli needs the line min:"),
        (MINIMUM, ["solx x1 ;"], "solx needs the line preserved:"),
        (MINIMUM, ["soli x1 x2 : 1 ;"], "the objective is -1, not 1"),
        (MINIMUM, ["soli x1 x2 ;", "sol x1 ~x2 ;"], "the objective is 2, not below -1"),
        (MINIMUM, ["soli x1 x2 ;", "sol x1 x2 ;"], "the objective is -1, not below -1"),
        (COSTS, ["soli x1 x2 ;", "rup >= 1 ;"], "line 3: >= 1 does not follow"),
        (
            COSTS,
            ["soli x1 ~x2 ;", "rup >= 1 ;", "output NONE ;", "conclusion ENUMERATION_COMPLETE 0 ;"],
            "rests on a solution that was logged",
        ),
        (MINIMUM, ["output NONE ;", "conclusion BOUNDS -2 INF ;"], "does not imply the bound -2"),
        (MINIMUM, ["output NONE ;", "conclusion BOUNDS -3 -3 ;"], "no solution with an objective"),
    ],
)
def test_what_is_refused(formula: list[str], steps: list[str], message: str) -> None:
    with pytest.raises(pseudo_boolean.Refused, match=message):
        pseudo_boolean.check(formula, [HEADER, *steps, END])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["1 x1 >= 1"], "line 1: cut off: no ; ends '1 x1 >= 1'"),
        (["* ok", "1 x1 >= y ;"], "line 2: 'y' is not an integer"),
        (["1 1 >= 1 ;"], "line 1: '1' is not a variable"),
        (["min: 1 x1 ;", "min: 1 x1 ;"], "line 2: 'min: 1 x1' is not a sum"),
    ],
)
def test_wrong_formulas(lines: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pseudo_boolean.check(lines, [])


def test_another_header() -> None:
    with pytest.raises(pseudo_boolean.Refused, match="line 1: 'pseudo-Boolean proof version 2"):
        pseudo_boolean.check([], ["pseudo-Boolean proof version 2.0"])
    with pytest.raises(pseudo_boolean.Refused, match="incomplete"):
        pseudo_boolean.check([], [])


# -- proofs of searches ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("proofs")


@given(any_cases(max_options=8), seeds)
def test_damaged_proofs_of_searches(folder: Path, case: Case, seed: int) -> None:
    """What a damaged proof of `solutions` or `solve` still proves is true."""
    rng = random.Random(seed)
    problem, solutions = case.problem(), all_subsets(case)
    list(problem.solutions(proof=folder / "all.pbp"))
    formula = (folder / "all.opb").read_text().splitlines()
    proof = (folder / "all.pbp").read_text().splitlines()
    for _ in range(10):
        try:
            proved = pseudo_boolean.check(formula, damaged(proof, rng))
        except pseudo_boolean.Refused:
            continue
        found = {frozenset(int(x[1:]) - 1 for x in one) for one in proved.solutions}
        assert len(found) == len(proved.solutions)
        assert found <= solutions
        if proved.conclusion in ("UNSAT", "ENUMERATION_COMPLETE"):
            assert found == solutions
    problem.solve(proof=folder / "none.drat")
    formula = (folder / "none.cnf").read_text().splitlines()
    proof = (folder / "none.drat").read_text().splitlines()
    for _ in range(10):
        try:
            drat.check(formula, damaged(proof, rng))
        except drat.Refused:
            continue
        assert not solutions


@pytest.mark.parametrize("checker", ["veripb", "drat-trim"])
def test_checkers_of_others(folder: Path, checker: str) -> None:
    """They accept what we do, where they are on the path."""
    if shutil.which(checker) is None:
        pytest.skip(f"needs {checker}")
    rng = random.Random(1)
    for _ in range(30):
        problem = small_multi_case(rng).problem()
        if checker == "veripb":
            problem.solve(proof=folder / "x.pbp")
            lines = [(folder / name).read_text().splitlines(True) for name in ("x.opb", "x.pbp")]
            (folder / "y.opb").write_text("".join(older_formula(lines[0])))
            (folder / "y.pbp").write_text("".join(older_proof(lines[1])))
            files = ["y.opb", "y.pbp"]
        else:
            files = ["x.cnf", "x.drat"]
            if problem.solve(proof=folder / "x.drat") is not None:
                continue
        run = subprocess.run([checker, *files], cwd=folder, capture_output=True, text=True)
        assert re.search("s VERIFIED|Verification succeeded", run.stdout), run.stdout


def test_older_proofs() -> None:
    """Rules of VeriPB 3.0 as those before had them."""
    proof = [HEADER, "% dlx proof", "f 2 ;", "solx x1 ~x2 ;", "rup 1 x1", ">= 1 : 1 ~ ; deld 4 ;"]
    proof += ["pol 1 2 + ;", "output NONE ;", "conclusion {} ;", END]

    def older(conclusion: str) -> list[str]:
        return "".join(older_proof((f"{x}\n".format(conclusion) for x in proof), "2 x1")).split(
            "\n"
        )

    assert older("UNSAT : 5") == [
        "pseudo-Boolean proof version 1.1",
        "f 2",
        "v x1 ~x2",
        "rup 1 x1 >= 1 ;",
        "del id 4",
        "pol 1 2 +",
        "c 5",
        "",
    ]
    assert older("ENUMERATION_COMPLETE 1 : 5")[-2] == "c 5"
    assert older("ENUMERATION_PARTIAL 1")[-2] == "pol 1 2 +"
    assert older("BOUNDS 2 : 5 2 : x1 ~x2")[-3:] == ["i 5 2 x1 >= 2 ;", "ov x1 ~x2", ""]
    assert older("SAT : x1 ~x2")[-2] == "ov x1 ~x2"
    assert list(older_formula(["min: 1 x1 ;", "preserved: x1 ;"])) == ["min: 1 x1 ;"]


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "x.cnf").write_text("\n".join(cnf(ALL_FOUR, 2)))
    (tmp_path / "x.drat").write_text("2 0\n0\n")
    with gzip.open(tmp_path / "y.drat.gz", "wt") as file:
        file.write("2 0\n0\n")
    packed = (tmp_path / "y.drat.gz").read_bytes()
    (tmp_path / "cut.drat.gz").write_bytes(packed[:20])
    (tmp_path / "x.opb").write_text("\n".join(HOLES))
    models.queens(4).dump(tmp_path / "x.dlx")
    models.queens(4).count(proof=tmp_path / "x.count")
    (tmp_path / "cut.count").write_text("dlx proof: count certificate 1\n")
    proof = [HEADER, "pol 1 2 + ;", "output NONE ;", "conclusion UNSAT : 3 ;", END]
    (tmp_path / "x.pbp").write_text("\n".join(proof))
    (tmp_path / "cut.pbp").write_text("\n".join(proof[:-1]))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "status", "out", "err"),
    [
        (["x.cnf", "x.drat"], 0, "no solution\n", ""),
        (["x.cnf", "y.drat.gz", "--quiet"], 0, "", ""),
        (["x.cnf", "cut.drat.gz"], 1, "", "cut.drat.gz: Compressed file ended"),
        (["x.opb", "x.pbp"], 0, "no solution\n", ""),
        (["x.dlx", "x.count"], 0, "exactly 2 solutions\n", ""),
        (["x.dlx", "cut.count"], 1, "", "cut.count: "),
        (["x.opb", "cut.pbp"], 1, "", "cut.pbp: line 4: the proof is incomplete: it ends without"),
        (["x.cnf", "x.pbp"], 2, "", "x.cnf: line "),
        (["x.cnf", "none.drat"], 2, "", "No such file or directory: 'none.drat'"),
        (["x.cnf", "x.opb"], 2, "", "x.opb: expected the suffix .drat, .pbp"),
        (["x.cnf"], 2, "", "usage: python -m dlx.check"),
        (["x.cnf", "x.drat", "--fast"], 2, "", "usage: python -m dlx.check"),
        (["--help"], 0, "usage: python -m dlx.check", ""),
    ],
)
def test_the_command(
    words: list[str],
    status: int,
    out: str,
    err: str,
    files: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(files)
    assert main(words) == status
    printed = capsys.readouterr()
    assert printed.out.startswith(out)
    assert bool(printed.out) == bool(out)
    assert err in printed.err
    assert printed.err.count("\n") == (1 if err and "usage" not in err else printed.err.count("\n"))


def test_a_copy_runs_by_itself(files: Path) -> None:
    """Without dlx, which the isolated interpreter does not find."""
    shutil.copytree(Path(drat.__file__).parent, files / "copy")
    for formula, proof in [("x.cnf", "x.drat"), ("x.opb", "x.pbp")]:
        command = [sys.executable, "-I", str(files / "copy"), formula, proof]
        run = subprocess.run(command, cwd=files, capture_output=True, text=True, check=True)
        assert run.stdout == "no solution\n"
