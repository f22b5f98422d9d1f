"""Names of items and options as JSON, and back: what files can hold of "any hashable value".

A name is a text, an integer, True, False, None, or a tuple of such, which is a list in JSON.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final

from dlx.errors import FormatError, quote

__all__ = ["name_as_json", "name_from_json"]


DEEPEST: Final = 100
"""How deep tuples in names may be nested, in files; deeper ones cannot be printed, nor compared."""


def name_as_json(name: Hashable, depth: int = 0) -> Any:
    """What `json.dumps` can write. Raises `FormatError` for a name that no file can hold.

    >>> name_as_json(("row", 3))
    ['row', 3]
    """
    if name is None or type(name) in (str, int, bool):
        return name
    if type(name) is tuple:
        if depth == DEEPEST:
            raise FormatError(
                f"a name has tuples nested more than {DEEPEST} deep, and cannot be saved"
            )
        return [name_as_json(part, depth + 1) for part in name]
    raise FormatError(
        f"the name {quote(name)} cannot be saved: names in files are texts, integers, "
        "True, False, None and tuples of such"
    )


def name_from_json(name: Any, depth: int = 0) -> Hashable:
    """The name that was written so. Raises `TypeError` if it is none.

    >>> name_from_json(["row", 3])
    ('row', 3)
    """
    if name is None or isinstance(name, str | int):
        return name
    if isinstance(name, list) and depth < DEEPEST:
        return tuple(name_from_json(part, depth + 1) for part in name)
    raise TypeError("a name is no text, integer, true, false, null, nor a short list of such")
