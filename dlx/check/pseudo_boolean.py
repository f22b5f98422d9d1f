"""Checks proofs about pseudo-Boolean constraints: the part of VeriPB's format 3.0 that dlx writes.

The formula is an OPB file: inequalities over 0/1 variables, perhaps an objective ("min:") and the
variables in which solutions differ ("preserved:"). ~x means 1 - x. Each inequality has a
number, from 1; an equation has two, for >= and for <=. The steps of a proof, each ended by ";",
give the next numbers to further inequalities::

    pseudo-Boolean proof version 3.0
    % dlx proof                         a comment
    f 3 ;                               the formula has three inequalities
    pol 1 2 3 * + x4 + 2 d s x5 w ;     a sum in reverse Polish notation: see below
    rup 1 ~x1 1 x2 >= 1 ;               follows by unit propagation
    rup 1 ~x1 1 x2 >= 1 : 3 -1 ~ ;      ... of these inequalities and the negation (~) alone
    del id 4 5 ;                        also "deld 4 5 ;": what a step has added is not needed now
    solx x1 ~x2 ;                       a solution; from here on, another one is sought
    soli x1 ~x2 ;                       a solution; from here on, a better one is sought
    sol x1 ~x2 ;                        a solution
    output NONE ;
    conclusion UNSAT : 7 ;              7 is a contradiction, such as 0 >= 1
    end pseudo-Boolean proof ;

Numbers below 0 count from the last one: -1 is the newest inequality. In "pol" a number is an
inequality, x4 and ~x4 are the inequalities x4 >= 0 and ~x4 >= 0; + adds two of them, * and d
multiply and divide by the number before (division rounds up), s saturates, and w takes out the
variable before it. Unit propagation sets each literal that an inequality forces, until nothing
changes; an inequality follows if its negation leads to a violated one (RUP).

The conclusions, and what is checked of them, beside that all steps follow:

NONE                            nothing is proved.
SAT : x1 ~x2                    the solution is one; without it, one was logged.
UNSAT : ID                      inequality ID is a contradiction, and no solution was logged.
ENUMERATION_COMPLETE n : ID     the same, and n different solutions were logged by solx.
ENUMERATION_PARTIAL n           n different solutions were logged by solx.
BOUNDS l : ID u : x1 ~x2        ID implies that the objective is l or more, and no solution logged
                                has less; a solution with u or less is given or was logged.
                                l = INF: there is no solution. u = INF: none need be known.

Where VeriPB deletes what followed from a deleted inequality, this checker keeps it; that is sound,
since all steps follow from the formula. Inequalities of the formula cannot be deleted. Literals
that a RUP step shares with the beginning of the step before are not propagated again, so proofs of
a search that goes back one choice at a time take little time.

Sources: S. Gocht and J. Nordstrom, "Certifying parity reasoning efficiently using pseudo-Boolean
proofs" (AAAI 2021); "VeriPB proof format overview", https://gitlab.com/MIAOresearch/software/VeriPB
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, NoReturn

from .propagation import Clause, Inequality, Propagation, Sum, Terms, saturated

__all__ = ["Formula", "Proved", "Refused", "check", "read_opb"]

VARIABLE = re.compile(r"~?[A-Za-z_][^~:@%]*").fullmatch
ID = "[^ :]+"
CONCLUSIONS = {
    "NONE": "",
    "SAT": "(?:: ?(?P<solution>.*))?",
    "UNSAT": f"(?:: (?P<number>{ID}))?",
    "ENUMERATION_COMPLETE": f"(?P<found>{ID})(?: : (?P<number>{ID}))?",
    "ENUMERATION_PARTIAL": f"(?P<found>{ID})",
    "BOUNDS": f"(?P<low>{ID})(?: : (?P<number>{ID}))? (?P<high>{ID})(?: : ?(?P<solution>.*))?",
}
"""What follows each conclusion."""
HEADER = "pseudo-Boolean proof version 3.0"
END = "end pseudo-Boolean proof"


class Refused(Exception):
    """The proof is wrong, or not complete; the message says where."""


class Proved(NamedTuple):
    """What a proof shows; as text, one line.

    `solutions` are those that the proof logs, each as the names of the variables that are 1, of
    the preserved ones if the formula says which these are. `low` and `high` are the bounds of the
    conclusion BOUNDS; `low` is None if there is no solution, `high` if no solution is known.

    >>> print(Proved("UNSAT"))
    no solution
    >>> print(Proved("BOUNDS", (), 5, 7))
    the minimum is between 5 and 7
    """

    conclusion: str
    solutions: tuple[tuple[str, ...], ...] = ()
    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        found = len(self.solutions)
        number = f"{found} solution{'' if found == 1 else 's'}"
        if self.conclusion == "NONE":
            return "nothing is proved"
        if self.conclusion == "SAT":
            return "a solution exists"
        if self.conclusion == "ENUMERATION_COMPLETE":
            return f"exactly {number}"
        if self.conclusion == "ENUMERATION_PARTIAL":
            return f"at least {number}; whether these are all is not proved"
        if self.conclusion == "UNSAT" or self.low is None:
            return "no solution"
        if self.high is None:
            return f"the minimum is at least {self.low}; whether there is a solution is not proved"
        if self.low == self.high:
            return f"the minimum is {self.low}"
        return f"the minimum is between {self.low} and {self.high}"


def check(formula_lines: Iterable[str], proof_lines: Iterable[str]) -> Proved:
    """Checks a proof about a formula; returns what it shows.

    Raises `Refused` for a wrong or incomplete proof, `ValueError` for a wrong formula.

    >>> formula = ["1 x1 1 x2 1 x3 >= 2 ;", "1 ~x1 1 ~x2 1 ~x3 >= 2 ;"]
    >>> begin = ["pseudo-Boolean proof version 3.0", "f 2 ;", "pol 1 2 + ;", "output NONE ;"]
    >>> print(check(formula, [*begin, "conclusion UNSAT : 3 ;", "end pseudo-Boolean proof ;"]))
    no solution
    >>> check(formula, [*begin, "conclusion UNSAT : 2 ;", "end pseudo-Boolean proof ;"])
    Traceback (most recent call last):
        ...
    dlx.check.pseudo_boolean.Refused: line 5: inequality 2 is not a contradiction
    """
    return _Checker(read_opb(formula_lines)).check(proof_lines)


# -- formulas ------------------------------------------------------------------------------------


class Formula:
    """The content of an OPB file."""

    def __init__(self) -> None:
        self.names: list[str] = []  # of the variables, by number - 1
        self.literals: dict[str, int] = {}  # the number of "x1" and of "~x1"
        self.inequalities: list[Inequality] = []
        self.objective: list[tuple[int, int]] | None = None  # factors and literals
        self.preserved: list[int] | None = None

    def literal(self, word: str) -> int:
        """The literal of this text; a new variable if there is none."""
        found = self.literals.get(word)
        if found is None:
            if not VARIABLE(word):
                raise ValueError(f"{word[:60]!r} is not a variable")
            name = word.removeprefix("~")
            self.names.append(name)
            self.literals |= {name: len(self.names), f"~{name}": -len(self.names)}
            found = self.literals[word]
        return found


def read_opb(lines: Iterable[str]) -> Formula:
    """Reads an OPB file. Raises `ValueError`, with the line, for what is not one."""
    formula = Formula()
    for line, words in _statements(lines, "*"):
        try:
            if words[0] == "min:" and formula.objective is None:
                formula.objective = _pairs(words[1:], formula.literal)
            elif words[0] == "preserved:" and formula.preserved is None:
                formula.preserved = sorted({abs(formula.literal(word)) for word in words[1:]})
            else:
                formula.inequalities += _constraint(words, formula.literal)
        except ValueError as error:
            raise ValueError(f"line {line}: {error}") from None
    return formula


def _statements(
    lines: Iterable[str], comment: str, start: int = 1
) -> Iterator[tuple[int, list[str]]]:
    """The statements that ";" ends: the line where each ends, and its words."""
    words: list[str] = []
    number = start - 1
    for number, line in enumerate(lines, start):
        *whole, rest = line.partition(comment)[0].split(";")
        for part in whole:
            words += part.split()
            yield number, words or [""]
            words = []
        words += rest.split()
    if words:
        raise ValueError(f"line {number}: cut off: no ; ends {' '.join(words)[:60]!r}")


def _integer(word: str) -> int:
    if word.lstrip("+-").isdigit() and word.isascii():
        return int(word)
    raise ValueError(f"{word[:60]!r} is not an integer")


def _pairs(words: Sequence[str], literal: Callable[[str], int]) -> list[tuple[int, int]]:
    """Factors and literals, which alternate."""
    if len(words) % 2:
        raise ValueError(f"{' '.join(words)[:60]!r} are not pairs of a factor and a variable")
    return [(_integer(a), literal(b)) for a, b in zip(words[::2], words[1::2], strict=True)]


def _constraint(words: Sequence[str], literal: Callable[[str], int]) -> list[Inequality]:
    """One inequality, or the two of an equation."""
    if len(words) < 2 or words[-2] not in (">=", "="):
        raise ValueError(f"{' '.join(words)[:60]!r} is not a sum with >= or = and a number")
    pairs, side = _pairs(words[:-2], literal), _integer(words[-1])
    found = [_normal(pairs, side)]
    if words[-2] == "=":
        found.append(_normal([(-factor, literal) for factor, literal in pairs], -side))
    return found


def _normal(pairs: Iterable[tuple[int, int]], degree: int) -> Inequality:
    """The inequality with each variable once, and with factors from 1 up."""
    factors: dict[int, int] = {}  # of the variables
    for factor, literal in pairs:
        if literal < 0:
            degree -= factor  # factor * ~x = factor - factor * x
            factor = -factor
        factors[abs(literal)] = factors.get(abs(literal), 0) + factor
    terms: Terms = {}
    for variable, factor in factors.items():
        if factor > 0:
            terms[variable] = factor
        elif factor < 0:
            terms[-variable] = -factor
            degree -= factor
    return Inequality(terms, degree)


# -- cutting planes --------------------------------------------------------------------------------


def _sum(one: Inequality, two: Inequality) -> Inequality:
    terms, degree = dict(one.terms), one.degree + two.degree
    for literal, factor in two.terms.items():
        against = terms.pop(-literal, 0)
        degree -= min(factor, against)  # x + ~x = 1
        if factor > against:
            terms[literal] = terms.get(literal, 0) + factor - against
        elif factor < against:
            terms[-literal] = against - factor
    return Inequality(terms, degree)


def _implies(one: Inequality, two: Inequality) -> bool:
    """Whether an inequality implies another, by weakening and saturation."""
    if one.contradicts() or two.degree <= 0:
        return True
    missing = 0  # what the second one may fall short of the first, in its terms
    for literal, factor in one.terms.items():
        other = two.terms.get(literal, 0)
        if other < two.degree:  # otherwise this literal alone satisfies the second one
            missing += max(0, factor - other)
    return one.degree - missing >= two.degree


def _refutes(one: Inequality, used: Sequence[Inequality]) -> bool:
    """Whether unit propagation of these inequalities alone refutes the negation of the first."""
    total = sum(one.terms.values())
    negation = Inequality({-x: factor for x, factor in one.terms.items()}, total - one.degree + 1)
    false: set[int] = set()
    before = -1
    while len(false) > before:
        before = len(false)
        for terms, degree in (negation, *used):
            slack = sum(factor for x, factor in terms.items() if x not in false) - degree
            if slack < 0:
                return True
            false.update(-x for x, factor in terms.items() if factor > slack and x not in false)
    return False


# -- proofs ----------------------------------------------------------------------------------------


class _Stored(NamedTuple):
    """An inequality that has a number."""

    one: Inequality | None  # None: the literals of `added`, at least one of which is true
    added: Clause | Sum | None


class _Checker:
    """The check of one proof."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        variables = len(formula.names)
        self.propagation = Propagation(variables)
        self.stored: dict[int, _Stored] = {}
        self.last = 0  # the newest number
        self.columns: list[list[tuple[int, int]]] = [[] for _ in range(variables + 1)]
        self.sides: list[int] = []  # of each inequality, over variables that are not negated
        for place, one in enumerate(formula.inequalities):
            self.add(one)
            for literal, factor in one.terms.items():
                self.columns[abs(literal)].append((place, factor if literal > 0 else -factor))
            self.sides.append(one.degree - sum(a for x, a in one.terms.items() if x < 0))
        self.kept = set(self.stored)  # not to be deleted
        every = range(1, variables + 1)
        self.preserved = [*every] if formula.preserved is None else formula.preserved
        self.excluded: dict[frozenset[int], None] = {}  # in order
        self.logged: list[frozenset[int]] = []
        self.values: list[int] = []  # of the objective, of the solutions logged
        self.improving: int | None = None  # better than this value
        self.rules = {
            "f": self.count,
            "pol": self.polish,
            "rup": self.unit_propagation,
            "del": self.delete,
            "deld": self.delete,
            "sol": self.solution,
            "solx": self.excluding,
            "soli": self.improve,
        }

    def check(self, lines: Iterable[str]) -> Proved:
        line, ending = 1, 0  # how many of the last three statements have come
        proved = Proved("NONE")
        source = iter(lines)
        for line, text in enumerate(source, start=1):
            bare = text.partition("%")[0].strip()
            if bare:
                if bare != HEADER:
                    raise Refused(f"line {line}: {bare[:60]!r}, not {HEADER!r}")
                break
        try:
            for number, words in _statements(source, "%", line + 1):
                line = number
                rule = words[0]
                if rule in self.rules and not ending:
                    self.rules[rule](words[1:])
                elif rule == "output" and not ending and words[1:] == ["NONE"]:
                    ending = 1
                elif rule == "conclusion" and ending == 1:
                    proved = self.conclusion(" ".join(words[1:]).replace(":", " : ").split())
                    ending = 2
                elif " ".join(words) == END and ending == 2:
                    return proved
                else:
                    self.unexpected(words, ending)
        except ValueError as error:
            raise Refused(f"line {line}: {error}") from None
        raise Refused(f"line {line}: the proof is incomplete: it ends without {END!r}")

    def unexpected(self, words: Sequence[str], ending: int) -> NoReturn:
        expected = [f"a step ({', '.join(self.rules)}) or output NONE", "conclusion", END][ending]
        raise ValueError(f"{' '.join(words)[:60]!r}; expected is {expected}")

    # -- inequalities

    def literal(self, word: str) -> int:
        found = self.formula.literals.get(word)
        if found is None:
            raise ValueError(f"the formula has no variable {word.removeprefix('~')[:60]!r}")
        return found

    def number(self, word: str) -> int:
        """The number of an inequality."""
        found = _integer(word)
        found += self.last + 1 if found < 0 else 0
        if found not in self.stored:
            raise ValueError(f"there is no inequality {word}, or not any more")
        return found

    def inequality(self, word: str) -> Inequality:
        one, added = self.stored[self.number(word)]
        if one is None:
            assert isinstance(added, list)
            return Inequality(dict.fromkeys(added, 1), 1)
        return one

    def add(self, one: Inequality) -> None:
        added = self.propagation.add(one)
        self.last += 1
        plain = isinstance(added, list) and one.degree == 1 and set(one.terms.values()) == {1}
        self.stored[self.last] = _Stored(None if plain else one, added)

    # -- steps

    def count(self, words: Sequence[str]) -> None:
        """`f`"""
        number = len(self.formula.inequalities)
        if words != [str(number)]:
            raise ValueError(f"the formula has {number} inequalities, not {' '.join(words)[:60]}")

    def polish(self, words: Sequence[str]) -> None:
        """`pol`"""
        stack: list[str | Inequality] = []
        for word in words:
            if word == "+":
                two, one = self.operand(stack), self.operand(stack)
                stack.append(_sum(one, two))
            elif word == "s":
                stack.append(saturated(self.operand(stack)))
            elif word in ("*", "d"):
                factor = _integer(self.plain(stack))
                (terms, degree) = self.operand(stack)
                if factor < (word == "d"):
                    raise ValueError(f"{factor} {word}: the number is too small")
                if word == "*":
                    terms = {x: a * factor for x, a in terms.items() if factor}
                    stack.append(Inequality(terms, degree * factor))
                else:
                    terms = {x: -(-a // factor) for x, a in terms.items()}
                    stack.append(Inequality(terms, -(-degree // factor)))
            elif word == "w":
                variable = self.literal(self.plain(stack))
                terms, degree = self.operand(stack)
                if variable < 0:
                    raise ValueError("w takes a variable, not its negation")
                terms = dict(terms)
                degree -= terms.pop(variable, 0) + terms.pop(-variable, 0)
                stack.append(Inequality(terms, degree))
            else:
                stack.append(word)
        result = self.operand(stack)
        if stack:
            raise ValueError("more than one inequality is left at the end")
        self.add(result)

    def operand(self, stack: list[str | Inequality]) -> Inequality:
        if not stack:
            raise ValueError("an operand is missing")
        top = stack.pop()
        if isinstance(top, Inequality):
            return top
        if top.lstrip("-").isdigit():
            return self.inequality(top)
        return Inequality({self.literal(top): 1}, 0)

    def plain(self, stack: list[str | Inequality]) -> str:
        top = stack.pop() if stack else ""
        if not isinstance(top, str):
            raise ValueError("a number or a variable is missing")
        return top

    def unit_propagation(self, words: Sequence[str]) -> None:
        """`rup`"""
        text, hinted, hints = " ".join(words).partition(":")
        found = _constraint(text.split(), self.literal)
        if len(found) > 1:
            raise ValueError("an equation; steps add one inequality each")
        if hinted:
            used = [self.inequality(word) for word in hints.split() if word != "~"]
            follows = _refutes(found[0], used)
        else:
            follows = self.propagation.follows(found[0])
        if not follows:
            by = " of these inequalities" if hinted else ""
            raise ValueError(f"{text.strip()[:200]} does not follow by unit propagation{by}")
        self.add(found[0])

    def delete(self, words: Sequence[str]) -> None:
        """`del id` and `deld`"""
        for word in words[words[:1] == ["id"] :]:
            number = self.number(word)
            if number in self.kept:
                raise ValueError(f"inequality {number} is not one that pol or rup has added")
            self.propagation.delete(self.stored.pop(number).added)

    # -- solutions

    def assignment(self, words: Sequence[str], propagate: bool) -> frozenset[int]:
        """The variables that are true in the assignment with these literals."""
        known = self.formula.literals  # any value of other variables will do
        literals = [self.literal(word) for word in words if word in known or not VARIABLE(word)]
        value = dict.fromkeys(literals, True)
        if any(-literal in value for literal in literals):
            raise ValueError("a variable is both true and false")
        every = range(1, len(self.formula.names) + 1)
        if len(value) < len(every) and propagate:
            if not self.propagation.assume(literals):
                raise ValueError(
                    "this is not a solution: unit propagation leads to a contradiction"
                )
            true = frozenset(x for x in self.propagation.trail if x > 0)
            free = [x for x in every if not self.propagation.value[x]]
        else:
            true = frozenset(x for x in value if x > 0)
            free = [x for x in every if x not in value and -x not in value]
        if free:
            raise ValueError(f"variable {self.formula.names[free[0] - 1]} is not determined")
        totals = [0] * len(self.sides)
        for variable in true:
            for place, factor in self.columns[variable]:
                totals[place] += factor
        for place, (total, side) in enumerate(zip(totals, self.sides, strict=True), start=1):
            if total < side:
                raise ValueError(f"this is not a solution: it violates inequality {place}")
        return true

    def objective(self, true: frozenset[int]) -> int:
        pairs = self.formula.objective or ()
        return sum(factor for factor, literal in pairs if (abs(literal) in true) == (literal > 0))

    def solution(self, words: Sequence[str]) -> frozenset[int]:
        """`sol`, and the beginning of the others"""
        text, valued, value = " ".join(words).partition(":")
        true = self.assignment(text.split(), propagate=True)
        found = self.objective(true)
        if valued and found != _integer(value.strip()):
            raise ValueError(f"the objective is {found}, not {value.strip()[:60]}")
        if true.intersection(self.preserved) in self.excluded:
            raise ValueError("this solution has been logged before")
        if self.improving is not None and found >= self.improving:
            raise ValueError(f"the objective is {found}, not below {self.improving}")
        self.logged.append(true.intersection(self.preserved))
        self.values.append(found)
        return true

    def excluding(self, words: Sequence[str]) -> None:
        """`solx`"""
        if self.formula.preserved is None:
            raise ValueError("solx needs the line preserved: in the formula")
        true = self.solution(words).intersection(self.preserved)
        self.excluded[true] = None
        self.add(Inequality({-x if x in true else x: 1 for x in self.preserved}, 1))
        self.kept.add(self.last)

    def improve(self, words: Sequence[str]) -> None:
        """`soli`"""
        if self.formula.objective is None:
            raise ValueError("soli needs the line min: in the formula")
        self.improving = self.objective(self.solution(words))
        negated = [(-factor, literal) for factor, literal in self.formula.objective]
        self.add(_normal(negated, 1 - self.improving))
        self.kept.add(self.last)

    # -- conclusions

    def conclusion(self, words: Sequence[str]) -> Proved:
        """`conclusion`"""
        kind, text = (words[0], " ".join(words[1:])) if words else ("", "")
        form = re.fullmatch(CONCLUSIONS.get(kind, "(?!)"), text)
        if form is None:
            raise ValueError(f"{' '.join(words)[:60]!r} is not a conclusion that is supported")
        part = form.groupdict()
        if kind == "SAT":
            if part["solution"] is not None:
                self.logged.append(self.assignment(part["solution"].split(), propagate=False))
            elif not self.logged:
                raise ValueError("no solution is given, and none was logged")
        elif kind == "UNSAT":
            self.no_more(part["number"], not self.logged)
        elif kind.startswith("ENUMERATION"):
            if _integer(part["found"]) != len(self.excluded):
                raise ValueError(
                    f"{len(self.excluded)} solutions were logged by solx, not {part['found']}"
                )
            if kind == "ENUMERATION_COMPLETE":
                self.no_more(part["number"], self.improving is None)
            self.logged = list(self.excluded)
        low, high = self.bounds(**part) if kind == "BOUNDS" else (None, None)
        names = (
            tuple(self.formula.names[x - 1] for x in sorted(true.intersection(self.preserved)))
            for true in self.logged
        )
        return Proved(kind, tuple(names), low, high)

    def no_more(self, word: str | None, every: bool) -> None:
        """Checks that there is a contradiction, and that `every` solution would lead to it."""
        if not every:
            raise ValueError("the contradiction rests on a solution that was logged")
        if not self.implied(word, Inequality({}, 1)):
            raise ValueError(f"inequality {word or 'of no number'} is not a contradiction")

    def implied(self, word: str | None, wanted: Inequality) -> bool:
        """Whether an inequality, by default any that is stored, implies the one wanted."""
        numbers = self.stored if word is None else [self.number(word)]
        return wanted.degree <= 0 or any(_implies(self.inequality(str(n)), wanted) for n in numbers)

    def bounds(
        self, low: str, high: str, number: str | None, solution: str | None
    ) -> tuple[int | None, int | None]:
        """The bounds of the conclusion `BOUNDS`; None for INF."""
        if self.formula.objective is None:
            raise ValueError("bounds need the line min: in the formula")
        if solution is not None:
            true = self.assignment(solution.split(), propagate=False)
            self.logged.append(true)
            self.values.append(self.objective(true))
        if low == "INF":
            self.no_more(number, not self.logged)
        else:
            if not self.implied(number, _normal(self.formula.objective, _integer(low))):
                raise ValueError(
                    f"inequality {number or 'of no number'} does not imply the bound {low}"
                )
            if any(value < _integer(low) for value in self.values):
                raise ValueError(f"a solution has the objective {min(self.values)}, below {low}")
        if high != "INF" and not any(value <= _integer(high) for value in self.values):
            raise ValueError(f"no solution with an objective of {high} or less was given or logged")
        return (None if low == "INF" else _integer(low), None if high == "INF" else _integer(high))
