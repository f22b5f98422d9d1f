"""The toroidal matrix, and what can be done to it: the steps that `dlx.links` is made of.

Each file has one idea and builds on the one before it:

================  ===============================================================================
`nodes.py`        what is linked: the entries of options, and the headers of items
`torus.py`        how they are linked: rings in both directions, and whether all links are right
`covering.py`     taking items and options out, and putting them back: the dance
`coloring.py`     colors, and what it means to take an option
`choosing.py`     which item comes next: the hook for heuristics
`decisions.py`    the stack of the options that are being tried
`positions.py`    where a search stands, so that it can go on elsewhere
`steps.py`        what a search says that it does
================  ===============================================================================

Algorithm X itself is in `dlx/links.py`, and what multiplicities add is in `dlx/multiple.py`.
"""
