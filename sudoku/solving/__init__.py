"""Solving through `dlx`: one puzzle, many, a stream of lines."""
