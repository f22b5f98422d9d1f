"""Symmetries of a problem: its automorphism group, its canonical form, and isomorphisms."""
