"""Cells, houses, layouts, grids and candidates."""
