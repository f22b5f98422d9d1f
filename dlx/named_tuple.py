"""`NamedTuple` as of `typing`, for both packages, whose definition takes a third of the time.

That of `typing` compiles the annotation of each field, and the first compilation in a process takes
a millisecond by itself. Here annotations stay texts, as in any other class of a module with
`from __future__ import annotations`. Only modules that `import dlx` or `import sudoku` imports need
this. For type checkers there is no difference.

>>> class Point(NamedTuple):
...     x: int
...     y: int = 0
>>> Point(3)
Point(x=3, y=0)
>>> import inspect
>>> inspect.signature(Point)
<Signature (x: 'int', y: 'int' = 0)>
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:

    class _Definition(type):
        """Makes what a class statement with the base `NamedTuple` defines; `Generic` may follow."""

        def __new__(cls, name, bases, body):
            fields = body.get("__annotations__", {})
            defaults = [body.pop(field) for field in fields if field in body]
            module = body["__module__"]
            made = namedtuple(name, fields, defaults=defaults, module=module)  # noqa: PYI024
            made.__new__.__annotations__ = fields  # for `help` and `inspect.signature`
            if len(bases) > 1:
                return type(name, (made, *bases[1:]), {"__slots__": (), **body})
            for attribute, value in body.items():
                setattr(made, attribute, value)
            return made

    NamedTuple = type.__new__(_Definition, "NamedTuple", (), {})
