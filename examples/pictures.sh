#!/bin/sh
# Makes the pictures of docs/pictures.md and docs/symmetry.md with the commands shown there, those of
# docs/modelling.md and docs/algorithm-x.md with their examples, and the screenshots with
# screenshots.py: sh examples/pictures.sh
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$top/examples" examples
sed -n '/^```sh$/,/^```$/p' "$top/docs/pictures.md" "$top/docs/symmetry.md" | grep -v '^```' >commands.sh
sh -eu commands.sh >/dev/null
for page in modelling algorithm-x; do
    python -P -m doctest -o ELLIPSIS -o NORMALIZE_WHITESPACE "$top/docs/$page.md"
done
mv ./*.svg "$top/docs/pictures"
python -P "$top/examples/screenshots.py" "$top/docs/pictures"
