"""Fails on words and phrases that the style rules ban, in code, comments, docs and messages.

usage: python .ci/plain_words.py [FILE ...]     (default: every tracked file that holds prose)

The rules are in CONTRIBUTING.md, "Plain words". A line that must quote a banned word, such as a
title or somebody else's text, ends with the marker `plain-words: quoted`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

BANNED = {
    r"whoever|whomever|whosoever": "name the actor: the caller, a worker, the reader",
    r"nobody|no one|somebody|someone|anybody|anyone": "name the actor: the caller, another process",
    r"those who|they who|he who": "name the actor: callers that, readers that",
    r"so many|so much (?:time|memory|work)|as it is none|what is none|that is none": (
        "say the number's name (`count` solutions), or `not a ...`"
    ),
    r"(?:to be|is|was|are|can be) had\b(?! been)": "available",
    r"lest": "so that ... not",
    r"goes? home|lies? down|stands? for|is told|are told|was told|tells? how": (
        "shut down, means, is called with, receives, says"
    ),
    r"dearest": "most expensive",
    r"sooner done": "faster",
    r"hitherto|thereby|therein|wherein|whereof|thereof|henceforth|aforesaid": "today's words",
}
SUFFIXES = (".py", ".pyi", ".md", ".hpp", ".cpp", ".toml", ".js", ".html", ".sh", ".txt")
EXCLUDED = ("CHANGELOG.md", ".ci/plain_words.py")
MARKER = "plain-words: quoted"


def main(names: list[str]) -> int:
    """Prints each banned word with its place; returns 1 if there is one."""
    pattern = re.compile("|".join(rf"(\b(?:{words})\b)" for words in BANNED), re.IGNORECASE)
    advice = list(BANNED.values())
    if not names:
        listed = subprocess.run(["git", "ls-files", "-z"], capture_output=True, check=True)
        names = [name for name in listed.stdout.decode().split("\0") if name]
    found = 0
    for name in names:
        if not name.endswith(SUFFIXES) or name.startswith(EXCLUDED):
            continue
        for number, line in enumerate(Path(name).read_text("utf-8").splitlines(), start=1):
            if MARKER in line:
                continue
            for match in pattern.finditer(line):
                found += 1
                hint = advice[(match.lastindex or 1) - 1]
                print(f"{name}:{number}: {match[0]!r}: {hint}")
    if found:
        print(f"{found} banned words and phrases", file=sys.stderr)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
