"""Names of items and options as JSON, and back: what files can hold of "any hashable value".

A name is a text, an integer, True, False, None, or a tuple of such, which is a list in JSON.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from dlx.errors import FormatError, quote

__all__ = ["name_as_json", "name_from_json"]


def name_as_json(name: Hashable) -> Any:
    """What `json.dumps` can write. Raises `FormatError` for a name that no file can hold.

    >>> name_as_json(("row", 3))
    ['row', 3]
    """
    if name is None or type(name) in (str, int, bool):
        return name
    if type(name) is tuple:
        return [name_as_json(part) for part in name]
    raise FormatError(
        f"the name {quote(name)} cannot be saved: names in files are texts, integers, "
        "True, False, None and tuples of such"
    )


def name_from_json(name: Any) -> Hashable:
    """The name that was written so. Raises `TypeError` if it is none.

    >>> name_from_json(["row", 3])
    ('row', 3)
    """
    if name is None or isinstance(name, str | int):
        return name
    if isinstance(name, list):
        return tuple(name_from_json(part) for part in name)
    raise TypeError
