"""Diagrams in files: what is read is what was written, or one clear error."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
from bruteforce import Case
from hypothesis import given
from hypothesis import strategies as st
from internals import columns_of
from strategies import cases

import dlx
from dlx import Diagram, models
from dlx.analysis.diagram.build import ORDERS


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("diagrams") / "dominoes"
    models.dominoes(2, 4).diagram(order="narrow").save(path)
    return path.read_bytes()


def reading(path: Path, data: bytes) -> str:
    """What the error says about a file with these bytes."""
    path.write_bytes(data)
    with pytest.raises(dlx.FormatError) as caught:
        Diagram.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    return message


def sealed(data: bytes) -> bytes:
    """With a right checksum."""
    return data + hashlib.sha256(data).digest()


@given(case=cases(), order=st.sampled_from(ORDERS))
def test_a_round_trip(case: Case, order: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip"
    diagram = case.problem().diagram(order=order)
    diagram.save(path)
    other = Diagram.load(path)
    assert list(other) == list(diagram)
    assert other.variables == diagram.variables
    assert other.option_counts() == diagram.option_counts()
    assert other.nodes == diagram.nodes
    part = next(iter(diagram), ())[:1]
    assert list(other.restrict(part)) == list(diagram.restrict(part))
    other.save(path)
    assert list(Diagram.load(path)) == list(diagram)


NAMES = st.recursive(
    st.integers(10) | st.text(max_size=5) | st.just(True),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
    max_leaves=5,
)


@given(names=st.lists(NAMES, min_size=1, max_size=5, unique=True))
@pytest.mark.lengthy
def test_names_come_back(names: list[object], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "names"
    problem = dlx.Problem(["a"])
    for name in names:
        problem.add_option(["a"], name=name)
    problem.diagram().save(path)
    read = list(Diagram.load(path))
    assert read == [(name,) for name in names]
    assert [type(name) for (name,) in read] == [type(name) for name in names]


def test_the_format_is_as_documented(data: bytes) -> None:
    first, second, rest = data.split(b"\n", 2)
    assert first == b"dlx diagram 1"
    header = json.loads(second)
    diagram = models.dominoes(2, 4).diagram(order="narrow")
    assert header["nodes"] == diagram.nodes
    assert header["options"] == 10
    assert header["ordered"] is True
    assert len(rest) == 4 * (3 * diagram.nodes + 10) + 32
    assert sealed(data[:-32]) == data
    numbers = [int.from_bytes(rest[at : at + 4], "little") for at in range(0, len(rest) - 32, 4)]
    assert numbers[: diagram.nodes] == list(columns_of(diagram).option[2:])
    assert numbers[diagram.nodes : 2 * diagram.nodes] == list(columns_of(diagram).low[2:])


@pytest.mark.lengthy
def test_every_truncated_file_is_refused(data: bytes, tmp_path: Path) -> None:
    for length in range(len(data)):
        message = reading(tmp_path / "cut", data[:length])
        if length:
            assert "truncated" in message, length
        else:
            assert "not a diagram file" in message
    assert "instead of" in reading(tmp_path / "longer", data + b"\0")


@pytest.mark.lengthy
def test_every_changed_byte_is_noticed(data: bytes, tmp_path: Path) -> None:
    for place in range(len(data)):
        changed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
        reading(tmp_path / "changed", changed)


def test_another_version_is_named(data: bytes, tmp_path: Path) -> None:
    message = reading(tmp_path / "later", data.replace(b"diagram 1", b"diagram 2", 1))
    assert "version '2' of the format; only 1 can be read" in message
    assert "not a diagram file" in reading(tmp_path / "text", b"a b\na\nb\n")
    assert "not a diagram file" in reading(tmp_path / "noise", bytes(range(256)))


@pytest.mark.parametrize(
    ("header", "numbers"),
    [
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (1, 0, 1)),  # no such option
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 2, 1)),  # its own child
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 0, 9)),  # no such node
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False}, (0, 0, 0)),  # high is empty
        ({"nodes": 1, "root": 3, "options": 1, "ordered": False}, (0, 0, 1)),  # no such root
        ({"nodes": 1, "root": 2, "options": 1, "ordered": True}, (0, 0, 1, 5)),  # no such option
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False, "names": [{}]}, (0, 0, 1)),
        ({"nodes": 1, "root": 2, "options": 1, "ordered": False, "names": []}, (0, 0, 1)),
        ({"nodes": 1, "root": 2, "options": 2, "ordered": True}, (0, 0, 1, 0, 0)),
        ({"nodes": -1, "root": 0, "options": 1, "ordered": False}, ()),
        ({"nodes": 1.0, "root": 2, "options": 1, "ordered": False}, (0, 0, 1)),
        ({"nodes": 1}, (0, 0, 1)),
        ([], (0, 0, 1)),
    ],
)
def test_nonsense_with_a_right_checksum(
    header: object, numbers: tuple[int, ...], tmp_path: Path
) -> None:
    body = b"".join(number.to_bytes(4, "little") for number in numbers)
    data = sealed(b"dlx diagram 1\n" + json.dumps(header).encode() + b"\n" + body)
    assert "damaged" in reading(tmp_path / "nonsense", data)


def test_a_file_is_replaced_as_a_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "kept"
    dlx.Problem.from_options({"x": ["a"]}).diagram().save(path)
    before = path.read_bytes()
    strange = dlx.Problem.from_options({frozenset("x"): ["a"]}).diagram()
    with pytest.raises(dlx.FormatError, match="cannot be saved"):
        strange.save(path)
    assert path.read_bytes() == before
    models.dominoes(2, 2).diagram().save(path)
    assert Diagram.load(path).count() == 2
    assert os.listdir(tmp_path) == ["kept"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        Diagram.load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        models.dominoes(2, 2).diagram().save(tmp_path / "no" / "folder")
