"""The files of programs that solve Sudoku: HoDoKu, OpenSudoku, SadMan Sudoku, SumoCue."""
