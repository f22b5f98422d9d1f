"""`python -m sudoku`."""

from sudoku.cli import main

if __name__ == "__main__":
    main(prog_name="sudoku")
