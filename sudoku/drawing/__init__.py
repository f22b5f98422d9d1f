"""Grids as pictures: SVG for pages and notebooks, PNG and PDF for paper.

`frame` draws cells and the lines between them, `digits` what stands in them, `rules` cages,
thermometers and the like, `board` all of it together; `sheet` puts several on a page, `export`
makes other formats of it.
"""
