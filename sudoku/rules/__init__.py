"""The rules of layouts besides houses, and `Rule`, the base class for others.

>>> import sudoku
>>> from sudoku.rules import Greater
>>> layout = sudoku.layouts.classic(2, 2).with_rules(Greater("r1c1", "r1c2"))
>>> sudoku.count("." * 16, layout=layout)
144
"""

import typing

if typing.TYPE_CHECKING:
    from sudoku.rules.catalogue import *  # noqa: F403

    __all__: list[str]
else:  # a classic Sudoku needs no rules, so all are imported when the first is accessed

    def __getattr__(name):
        from importlib import import_module

        catalogue = vars(import_module("sudoku.rules.catalogue"))
        found = {each: catalogue[each] for each in sorted(catalogue) if each[0] != "_"}
        globals().update(found, __all__=[*found])
        if name not in globals():
            raise AttributeError(f"module 'sudoku.rules' has no attribute {name!r}")
        return globals()[name]

    def __dir__():
        return sorted({*globals(), *__getattr__("__all__")})
