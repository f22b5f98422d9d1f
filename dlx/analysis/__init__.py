"""Analyses of a problem, one module or folder each: counting, minimum, diagram, explanation, ..."""
