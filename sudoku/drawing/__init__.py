"""Pictures of grids: SVG for pages and notebooks, PNG and PDF for printing.

`frame` draws cells and the lines between them, `rules` cages, thermometers and the like, `board`
whole grids with their digits, and `steps` hints. `sheet` puts several pictures on a page, `export`
makes PNG and PDF files, and `figures` draws candidates in plain text.
"""
