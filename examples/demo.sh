#!/bin/sh
# Demonstrates both packages on the examples of the repository: `make demo` runs this.
set -eu
cd "$(dirname "$0")/.."

echo "== Three famous Sudokus, and one of 16 x 16"
head -n 6 examples/puzzles.txt | sudoku solve --grid -
grep -A 1 '# 16x16' examples/puzzles-other-sizes.txt | head -n 2 | sudoku solve --grid -

echo "== All puzzles of examples/, one solution per line"
sudoku solve examples/puzzles.txt examples/puzzles-other-sizes.txt

echo "== Six ways to solve the hardest of them"
sudoku compare 8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..

echo "== A killer explained: the first step, an interaction of a cage, innies and outies; its rating"
sudoku hint examples/killer-explained.json
sudoku hint --technique "cage-house interaction" examples/killer-explained.json
sudoku hint --technique "innies and outies" examples/killer-explained.json
sudoku rate --techniques examples/killer-explained.json

echo "== Pentominoes in a rectangle of 6 x 10: all 9356 tilings"
dlx make pentominoes 6 10 > "${TMPDIR:-/tmp}/pentominoes-6x10.dlx"
dlx info "${TMPDIR:-/tmp}/pentominoes-6x10.dlx"
dlx count "${TMPDIR:-/tmp}/pentominoes-6x10.dlx"
