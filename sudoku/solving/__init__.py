"""Solving and counting with `dlx`: one puzzle or many; why a puzzle has no solution; deadlines."""
