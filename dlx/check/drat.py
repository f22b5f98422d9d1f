"""Checks proofs that clauses have no solution: the text form of DRAT, as far as its steps are RUP.

The formula is a DIMACS file. Each step of the proof is a clause, or the deletion of one::

    c dlx proof                 a comment
    -1 -4 0                     a clause that follows from those before it
    d -1 -4 0                   this clause is not needed any more
    0                           the empty clause: no assignment satisfies the formula

A clause follows by *reverse unit propagation* (RUP): if all of its literals are false, setting the
last literal of each clause whose others are false ends in a clause without any. DRAT also allows
steps that keep the formula satisfiable but do not follow from it (RAT); they are refused.

As drat-trim does, the checker ignores the deletion of a clause that is not there, and keeps what
followed from a deleted clause before its deletion; both is sound, since all steps follow from the
formula. The steps are checked one after another. Literals that a step shares with the beginning of
the step before are not propagated again, so proofs of a search that goes back one choice at a time
take little time.

Source: N. Wetzler, M. Heule and W. Hunt, "DRAT-trim: efficient checking and trimming using
expressive clausal proofs" (2014).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from .propagation import Clause, Inequality, Propagation, Sum

__all__ = ["Proved", "Refused", "check"]


class Refused(Exception):
    """The proof is wrong, or not complete; the message says where."""


class Proved(NamedTuple):
    """That there is no solution, by a proof of this number of clauses."""

    clauses: int

    def __str__(self) -> str:
        return "no solution"


def check(formula_lines: Iterable[str], proof_lines: Iterable[str]) -> Proved:
    """Checks that the proof shows that the formula has no solution.

    Raises `Refused` for a wrong or incomplete proof, `ValueError` for a wrong formula.

    >>> formula = ["p cnf 2 4", "1 2 0", "-1 2 0", "1 -2 0", "-1 -2 0"]
    >>> check(formula, ["2 0", "0"])
    Proved(clauses=2)
    >>> check(formula[:-1], ["2 0", "0"])
    Traceback (most recent call last):
        ...
    ValueError: the header promises 4 clauses, but there are 3
    """
    variables, clauses = read_cnf(formula_lines)
    propagation = Propagation(variables)
    stored: dict[frozenset[int], list[Clause | Sum | None]] = {}  # equal clauses, for deletions
    for clause in clauses:
        _add(clause, propagation, stored)
    steps = 0
    for line, deleted, clause in _steps(proof_lines, variables):
        if deleted:
            if same := stored.get(frozenset(clause)):
                propagation.delete(same.pop())
            continue
        steps += 1
        if propagation.assume([-literal for literal in clause]):
            text = " ".join(map(str, [*clause, 0]))
            raise Refused(
                f"line {line}: the clause {text} does not follow by unit propagation "
                "(RUP; other steps of DRAT are not supported)"
            )
        if not clause:
            break
        _add(clause, propagation, stored)
    return Proved(steps)


def _add(
    clause: Clause,
    propagation: Propagation,
    stored: dict[frozenset[int], list[Clause | Sum | None]],
) -> None:
    added = propagation.add(Inequality(dict.fromkeys(clause, 1), 1))
    stored.setdefault(frozenset(clause), []).append(added)


def read_cnf(lines: Iterable[str]) -> tuple[int, list[Clause]]:
    """The number of variables and the clauses of a DIMACS file."""
    header: list[str] = []
    clauses: list[Clause] = []
    words: list[str] = []
    for number, line in enumerate(lines, start=1):
        if line.startswith("p"):
            header = line.split()
            if header[:2] != ["p", "cnf"] or len(header) != 4 or clauses or words:
                raise ValueError(f"line {number}: expected one line p cnf VARIABLES CLAUSES")
        elif not line.startswith("c"):
            words += line.split()
            if words and not header:
                break
            while "0" in words:
                end = words.index("0")
                clauses.append(_clause(words[:end], number, int(header[2])))
                del words[: end + 1]
    if not header:
        raise ValueError("no line p cnf VARIABLES CLAUSES begins the file")
    if words or len(clauses) != int(header[3]):
        raise ValueError(f"the header promises {header[3]} clauses, but there are {len(clauses)}")
    return int(header[2]), clauses


def _clause(words: Sequence[str], line: int, variables: int) -> Clause:
    """The literals of a clause, each once, in their order."""
    try:
        literals = list(dict.fromkeys(map(int, words)))
    except ValueError:
        raise ValueError(f"line {line}: {' '.join(words)[:60]!r} is not a clause") from None
    for literal in literals:
        if not 0 < abs(literal) <= variables:
            raise ValueError(f"line {line}: the formula has no variable {abs(literal)}")
    return literals


def _steps(lines: Iterable[str], variables: int) -> Iterator[tuple[int, bool, Clause]]:
    """The steps of a proof: the line where each ends, whether it is a deletion, and the clause."""
    words: list[str] = []
    number = 0
    for number, line in enumerate(lines, start=1):
        if line.startswith("c"):
            continue
        words += line.split()
        while "0" in words:
            end = words.index("0")
            deleted = words[0] == "d"
            try:
                yield number, deleted, _clause(words[deleted:end], number, variables)
            except ValueError as error:
                raise Refused(str(error)) from None
            del words[: end + 1]
    raise Refused(f"line {number}: the proof is incomplete: it ends without the empty clause")
