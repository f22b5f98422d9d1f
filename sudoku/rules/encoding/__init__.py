"""The general pieces that most rules are made of.

`relation` relates the digits of two cells, `choice` requires one of several sets of candidates,
`automaton` reads a line cell by cell, `linear` adds digits, and `totals` requires equal sums. Each
has a function that removes candidates and a function that adds items and options.
"""
