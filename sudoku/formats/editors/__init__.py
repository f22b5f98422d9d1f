"""The files and links of editors of puzzles: f-puzzles, SudokuPad, penpa+, and our own page."""
