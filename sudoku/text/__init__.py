"""Reading puzzles from text."""
