"""Techniques for every layout, one module for each family.

A technique is a generator of `Deduction`s of a `Position`; a decorator registers it with its name
and its difficulty, and `sudoku.hinting.registry` has the order. `chains` use the links of `graph`;
`forcing` nets are written by `nets` from what `propagation` follows.
"""
