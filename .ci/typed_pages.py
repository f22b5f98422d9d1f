"""Type-checks the Python examples of docs/ and the README, a module for each page.

`python .ci/typed_pages.py FOLDER` writes the modules; mypy and pyright then check them. An example
that shows an exception is left out: it may be wrong on purpose. Before each example, a comment has
its line in the page. The pages know that their problems have solutions, so None is no error there.
"""

from __future__ import annotations

import doctest
import json
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent

PYRIGHT = {
    "reportOptionalIterable": False,
    "reportOptionalMemberAccess": False,
    "reportOptionalOperand": False,
    "reportUnusedExpression": False,
    "useLibraryCodeForTypes": False,
}
"""Rules of pyright that do not hold for pages; packages without types are not guessed at."""


def module_of(page: Path) -> str:
    """The examples of a page as a module; empty if it has none."""
    lines = ["from typing import Any", "_: Any = None  # the last value, as at a prompt"]
    for example in doctest.DocTestParser().get_examples(page.read_text("utf-8")):
        if example.exc_msg is None:
            lines += [f"# {page.relative_to(ROOT)}:{example.lineno + 1}", example.source]
    return "\n".join(lines) if len(lines) > 2 else ""


def main(folder: Path) -> None:
    """Writes the modules into a folder, which is made if it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.py"):
        old.unlink()
    (folder / "pyrightconfig.json").write_text(json.dumps(PYRIGHT), "utf-8")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        if text := module_of(page):
            name = page.relative_to(ROOT).with_suffix("").as_posix()
            module = name.lower().replace("/", "_").replace("-", "_")
            (folder / f"page_{module}.py").write_text(text, "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
