"""Fails where a file of the kernel includes what its folder may not: arrows point one way.

usage: python .ci/kernel_includes.py

A folder may include files of its own and of the folders before it in LAYERS. Only `python/` may
include headers of Python or nanobind.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

KERNEL = Path(__file__).parents[1] / "dlx" / "cpp"
LAYERS = (
    "core",
    "bits",
    "links",
    "propagation",
    "engines",
    "reduce",
    "symmetry",
    "estimate",
    "counting",
    "diagram",
    "relaxation",
    "minimum",
    "explain",
    "proofs",
    "batch",
    "python",
)
INCLUDE = re.compile(r'^#include [<"]([^>"]+)[>"]', re.MULTILINE)


def main() -> int:
    """Prints each include that is not allowed; returns 1 if there is one."""
    wrong = []
    for path in sorted([*KERNEL.rglob("*.hpp"), *KERNEL.rglob("*.cpp")]):
        folder = path.relative_to(KERNEL).parts[0]
        if folder not in LAYERS:
            wrong.append(f"{path}: the kernel has no folder {folder!r}")
            continue
        for included in INCLUDE.findall(path.read_text("utf-8")):
            target = included.split("/")[0]
            if target in LAYERS and LAYERS.index(target) > LAYERS.index(folder):
                wrong.append(f"{path}: {folder}/ may not include {included}")
            if folder != "python" and (target == "nanobind" or included == "Python.h"):
                wrong.append(f"{path}: only python/ may include {included}")
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
