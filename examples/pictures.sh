#!/bin/sh
# Makes the pictures of docs/pictures.md, but for the screenshots of the page: sh examples/pictures.sh
set -eu
cd "$(dirname "$0")/../docs/pictures"
hard=4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......

dlx make pentominoes 6 10 | dlx solve --seed 4 --svg pentominoes.svg - >pentominoes.txt
dlx make queens 8 | dlx solve --svg queens.svg - >queens.txt
rm pentominoes.txt queens.txt
printf 'a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n' | dlx trace --html trace.html -
sudoku show $hard --solved --svg solved.svg
sudoku hint $hard --steps 15 --svg hint.svg >hint.txt
rm hint.txt
sudoku generate --layout hyper+diagonal --seed 1 >puzzle.txt
sudoku show --layout hyper+diagonal puzzle.txt --svg hyper-diagonal.svg
rm puzzle.txt
sudoku show --layout samurai "$(sudoku generate --layout samurai --seed 1)" --svg samurai.svg
