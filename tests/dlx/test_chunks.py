"""Iterators whose elements come in chunks, compiled and in Python."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import dlx
from dlx.core import portable


def numbered(base: Any) -> Any:
    """A class of iterators over the elements of lists, derived from that base."""

    class Chunked(base):  # type: ignore[misc]
        def __init__(self, chunks: list[list[Any]]) -> None:
            self.chunks = iter(chunks)

        def _refill(self) -> None:
            self._chunk = next(self.chunks)  # whose StopIteration ends the iterator

    return Chunked


@pytest.fixture(params=[dlx.ChunkIterator, portable.ChunkIterator])
def chunked(request: pytest.FixtureRequest) -> Any:
    return numbered(request.param)


@pytest.mark.parametrize("base", [dlx.ChunkIterator, portable.ChunkIterator])
@given(chunks=st.lists(st.lists(st.integers())))
def test_elements_come_in_order(base: Any, chunks: list[list[int]]) -> None:
    assert list(numbered(base)(chunks)) == list(chain.from_iterable(chunks))


def test_how_many_are_left(chunked: Any) -> None:
    elements = chunked([[1, 2, 3], [4]])
    assert isinstance(elements, Iterator)
    assert (elements._left, next(elements), elements._left) == (0, 1, 2)
    assert (elements._chunk, list(elements), elements._left) == ([1, 2, 3], [2, 3, 4], 0)
    assert next(elements, None) is None


def test_an_error_of_refill_is_raised_and_the_iterator_goes_on(chunked: Any) -> None:
    class Torn(chunked):  # type: ignore[misc]
        def _refill(self) -> None:
            super()._refill()
            if not self._chunk:
                raise KeyboardInterrupt

    elements = Torn([[1], [], [2]])
    assert next(elements) == 1
    with pytest.raises(KeyboardInterrupt):
        next(elements)
    assert list(elements) == [2]


def test_a_base_class_without_chunks() -> None:
    class Nothing(dlx.ChunkIterator[int]):
        pass

    with pytest.raises(AttributeError, match="_refill"):
        next(Nothing())
    with pytest.raises(TypeError, match="_chunk is a list"):
        Nothing()._chunk = ()  # type: ignore[assignment]
    with pytest.raises(TypeError, match="_chunk is a list"):
        del Nothing()._chunk


def test_each_element_goes_to_one_thread(chunked: Any) -> None:
    elements = chunked([list(range(20_000))])
    with ThreadPoolExecutor(4) as pool:
        found = list(chain.from_iterable(pool.map(list, [elements] * 4)))
    assert sorted(found) == list(range(20_000))


def test_cycles_are_collected() -> None:
    elements = numbered(dlx.ChunkIterator)([])
    elements._chunk = [elements]
    gone = weakref.ref(elements)
    del elements
    gc.collect()
    assert gone() is None
