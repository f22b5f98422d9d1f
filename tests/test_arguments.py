"""All public functions, constructors and methods with arguments of wrong types, and NumPy's."""

from __future__ import annotations

import inspect
import io
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from public_calls import PublicCall, public_calls

import dlx
import sudoku

CALLS = list(public_calls())
FILES = {"path", "source", "target"}
SUDOKU = re.compile(r"sudoku\.(layouts|rules|formats|Grid|Layout)\.")
"""Callables that raise errors of `sudoku` only; others leave some arguments to `dlx`."""
ANYTHING = re.compile(r"bool|Callable|OnError|Lost")
"""Types in `sudoku` that accept any object: it has a truth value, or is never called."""
LONG = {"dlx.Problem.estimate.probes"}
"""Numbers of which any is valid, and a large one takes a long time."""


class OwnError(Exception):
    """What the caller's objects raise."""


def _raise(*arguments: object, **keywords: object) -> None:
    raise OwnError


SPECIAL = "eq hash iter len str repr contains getitem bool index float int fspath call next enter"
METHODS = [f"__{name}__" for name in SPECIAL.split()] + ["keys", "read", "submit", "write"]
Hostile = type("Hostile", (), dict.fromkeys(METHODS, _raise))


def nested(kind: Callable[[list[Any]], Any]) -> Any:
    """A list or tuple that is nested too deeply for recursive functions."""
    value = kind([])
    for _ in range(3000):
        value = kind([value])
    return value


LARGE = (2**64, 10**5000)  # Python refuses to print the latter
WRONG: list[Callable[[], Any]] = [
    *(lambda value=value: value for value in (None, True, -1, 1.5, float("nan"), *LARGE)),
    *(lambda value=value: value for value in ("x", "\ud800", "\0", b"x", {1: 2}, {"x": object()})),
    *(lambda value=value: value for value in ([], [[1]], [None], [10**5000], [object()])),
    *(lambda value=value: value for value in (nested(tuple), nested(list), [nested(tuple)])),
    *(lambda value=value: value for value in (np.array(3), [np.array(3)], np.array([1.5]))),
    *(object, Hostile, lambda: [Hostile()], lambda: iter([1]), lambda: lambda *_: 1),
]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("call", CALLS, ids=[call.name for call in CALLS])
def test_wrong_values(call: PublicCall) -> None:
    """Each is taken, or refused by an exception of the tree, with a short message.

    In `sudoku`, `object()` is refused wherever it means nothing.
    """
    expected = sudoku.SudokuError if SUDOKU.match(f"{call.name}.") else dlx.DLXError
    try:
        call.call()
    except sudoku.MissingExtra as error:
        pytest.skip(str(error))
    bad = []
    for name, parameter in call.signature.parameters.items():
        where = f"{call.name}.{name}"
        if parameter.kind == parameter.VAR_KEYWORD:
            continue
        for make in WRONG:
            value = make()
            if where in LONG and isinstance(value, int) and value in LARGE:
                continue
            allowed = (OwnError, OSError) if name in FILES else OwnError
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    call.call(**{name: value})
                if type(value) is object and where.startswith("sudoku."):
                    assert ANYTHING.search(str(parameter.annotation)), where
            except expected as error:
                if len(str(error)) >= 300:
                    bad.append((where, type(value), error))
            except allowed:
                pass
            except Exception as error:
                bad.append((where, type(value), error))
    assert not bad


def with_numpy(value: Any, dtype: Callable[[int], Any]) -> Any:
    """The value with its integers as NumPy's, also those in lists, tuples and mappings."""
    if isinstance(value, int) and not isinstance(value, bool):
        return dtype(value) if value < 256 else np.int64(value)
    if isinstance(value, list | tuple):
        return type(value)(with_numpy(part, dtype) for part in value)
    if isinstance(value, dict):
        return {with_numpy(key, dtype): with_numpy(part, dtype) for key, part in value.items()}
    return value


def integers() -> list[tuple[PublicCall, str]]:
    """The parameters that are integers, or contain them, as far as their types say so."""
    return [
        (call, name)
        for call in CALLS
        for name, parameter in call.signature.parameters.items()
        if re.search(r"\b(int|Multiplicity|Cell|costs)\b", f"{name} {parameter.annotation}")
    ]


INTEGERS = integers()


def text_of(answer: Any) -> str:
    """An answer without its measured times, in full; NumPy's numbers differ from plain ones."""
    if isinstance(answer, dlx.Problem):
        file = io.StringIO()
        answer.dump(file, format="json")
        return file.getvalue()
    if isinstance(answer, dlx.Estimate):
        answer = answer._replace(seconds=0, rate=0)
    if isinstance(answer, sudoku.Layout):
        answer = (answer, answer.positions, answer.houses, answer.rules)
    return re.sub(r" at 0x\w+", "", repr(answer))


@pytest.mark.parametrize(
    ("call", "name"), INTEGERS, ids=[f"{call.name}.{name}" for call, name in INTEGERS]
)
def test_integers_of_numpy(call: PublicCall, name: str) -> None:
    parameter = call.signature.parameters[name]
    value = parameter.default
    if not isinstance(value, int) or isinstance(value, bool):
        value = call.example(name)

    def ask(value: Any) -> str:
        try:
            return text_of(call.call(**{name: value}))
        except dlx.SearchInterrupted as error:
            return str(error)

    expected = ask(value)
    for dtype in (np.int64, np.uint8):
        assert ask(with_numpy(value, dtype)) == expected


@pytest.mark.parametrize("call", [call for call in CALLS if "timeout" in call.signature.parameters])
def test_timeouts_of_numpy(call: PublicCall) -> None:
    for timeout in (np.float32(60), np.float64(60), np.int8(60)):
        call.call(timeout=timeout)


def test_every_integer_is_found() -> None:
    """The types of public functions are texts that name `int`."""
    found = {f"{call.name}.{name}" for call, name in INTEGERS}
    assert {"dlx.Problem.count.node_limit", "dlx.models.queens.n", "sudoku.generate.clues"} <= found
    assert len(found) > 100
    assert all(
        isinstance(parameter.annotation, str)
        for call in CALLS
        for parameter in call.signature.parameters.values()
        if parameter.annotation is not inspect.Parameter.empty
    )
