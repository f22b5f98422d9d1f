"""Cells, layouts with their houses and rules, grids, candidates, and the exact cover model."""
