#!/bin/sh
# Makes the pictures of docs/techniques.md from the puzzles in techniques.tsv: sh examples/techniques.sh
set -eu
cd "$(dirname "$0")"
tab=$(printf '\t')
grep -v '^#' techniques.tsv | while IFS="$tab" read -r name puzzle; do
    file=$(printf '%s' "$name" | tr 'A-Z' 'a-z' | tr -cs 'a-z0-9' '-' | sed 's/-$//')
    printf '%s\n' "$puzzle" | sudoku hint --technique "$name" --svg "../docs/pictures/techniques/$file.svg" -
done
