"""Compiles the kernel's sources for other systems by Zig, which brings their headers along.

usage: python .ci/cross_compile.py [--target TARGET ...] [FILE ...]

Each file becomes an object file, without optimization; nothing is linked. The files of
`dlx/cpp/python` include Python.h of the Python that runs this, and nanobind; both must be
installed, and so must the package `ziglang`. Linux and macOS agree about what `pyconfig.h` says and
the kernel uses. For Windows, `WINDOWS` says what differs: above all, `long` has 32 bits.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nanobind

KERNEL = Path(__file__).parents[1] / "dlx" / "cpp"
TARGETS = ("aarch64-linux-gnu", "aarch64-macos", "x86_64-windows-gnu")
# Without -Wconversion: in Clang it warns of changes of sign, too. Our builds with GCC have it.
FLAGS = "-std=c++20 -O0 -g0 -fno-sanitize=undefined -Wall -Wextra -Wpedantic -Wshadow"
LEVELS = {  # the processors of the files that are compiled for one instruction set each
    "v3.cpp": "x86_64_v3",
    "v4.cpp": "x86_64_v4+avx512vpopcntdq",
}
WINDOWS = """
#include <pyconfig.h>
#undef SIZEOF_LONG
#define SIZEOF_LONG 4
#undef SIZEOF_WCHAR_T
#define SIZEOF_WCHAR_T 2
#undef HAVE_SYS_SELECT_H
#undef HAVE_SYS_TIME_H
#undef HAVE_PTHREAD_H
#undef HAVE_PTHREAD_STUBS
#undef _POSIX_THREADS
#define NT_THREADS 1
#define MS_WINDOWS
#define MS_WIN64
"""


def sources(target: str) -> list[str]:
    """The files that CMakeLists.txt compiles for a target."""
    text = (KERNEL / "CMakeLists.txt").read_text("utf-8")
    listed = dict.fromkeys(re.findall(r"\b[\w/]+\.cpp\b", text))
    return [name for name in listed if target.startswith("x86_64") or name[-6:] not in LEVELS]


def command(target: str, name: str, folder: Path) -> list[str]:
    """The command that compiles a file."""
    words = [sys.executable, "-m", "ziglang", "c++", "-target", target, *FLAGS.split(), "-Werror"]
    words += ["-I", str(KERNEL), '-DDLX_COMPILER="zig"']
    if target.startswith("x86_64"):
        words += ["-DDLX_BITS_X86"]
        words += ["-DDLX_BITS_MOST_FIXED=0"] if name == "bits/plain.cpp" else []
    if name[-6:] in LEVELS:
        words += [f"-mcpu={LEVELS[name[-6:]]}"]
    if name.startswith("python/"):
        if "windows" in target:
            words += ["-include", str(folder / "windows.h")]
        words += ["-isystem", nanobind.include_dir(), "-isystem", sysconfig.get_path("include")]
    object_file = folder / f"{target}-{name.replace('/', '-')}.o"
    return [*words, "-c", "-o", str(object_file), str(KERNEL / name)]


def main() -> int:
    """Compiles the files; prints what the compiler says, and returns 1 if any fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--target", action="append", help=f"instead of {', '.join(TARGETS)}")
    parser.add_argument("files", nargs="*", help="such as bits/plain.cpp; all, if none is given")
    arguments = parser.parse_args()
    targets = arguments.target or TARGETS
    jobs = [
        (target, name)
        for target in targets
        for name in sources(target)
        if not arguments.files or name in arguments.files
    ]
    failed = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "windows.h").write_text(WINDOWS)

        def compile_one(job: tuple[str, str]) -> subprocess.CompletedProcess[str]:
            words = command(*job, folder)
            return subprocess.run(words, capture_output=True, text=True, check=False)

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for (target, name), done in zip(jobs, pool.map(compile_one, jobs), strict=True):
                if done.returncode:
                    failed += 1
                    print(f"{target}: {name}\n{done.stderr}", flush=True)
    print(f"{len(jobs) - failed} of {len(jobs)} files compiled for {', '.join(targets)}")
    return int(failed > 0 or not jobs)


if __name__ == "__main__":
    sys.exit(main())
