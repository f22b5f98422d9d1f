#!/bin/sh
# Makes the pictures of docs/pictures.md with the commands shown there, and its screenshots with
# screenshots.py: sh examples/pictures.sh
set -eu
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ln -s "$top/examples" examples
sed -n '/^```sh$/,/^```$/p' "$top/docs/pictures.md" | grep -v '^```' >commands.sh
sh -eu commands.sh >/dev/null
mv ./*.svg "$top/docs/pictures"
python -P "$top/examples/screenshots.py" "$top/docs/pictures"
