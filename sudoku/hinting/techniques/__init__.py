"""Techniques for every layout, one module for each family.

A technique is a generator of `Deduction`s of a `Position`; `sudoku.hinting.registry` lists them in
order of difficulty. `chains` use the links of `graph`; `forcing` nets are written by `nets` from
what `propagation` follows.
"""
