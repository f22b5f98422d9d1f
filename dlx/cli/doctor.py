"""`dlx doctor`: what is installed, and what is wrong with the installation."""

from __future__ import annotations

import platform
import re
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import new as new_hash
from importlib.metadata import (
    Distribution,
    DistributionFinder,
    MetadataPathFinder,
    PackagePath,
)
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

import dlx
from dlx.cli.commands import SOLVED
from dlx.cli.display import echo, echo_json
from dlx.cli.shared import json_option

__all__ = ["doctor", "examine"]

UNHEALTHY = 1  # the exit status if there are problems
DISTRIBUTION = "dlxkit"
PACKAGES = ("dlx", "sudoku")
NOT_FOR_USERS = ("test", "dev", "docs", "browser", "notebooks")  # extras of the developers
REQUIREMENT = re.compile(r"([\w.-]+).*;.*\bextra\s*==\s*[\"']([\w.-]+)[\"']")


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Print what is installed, and what is wrong with the installation.

    Versions, the compiled kernel, its instruction set, the extras, and other projects that install
    packages named dlx or sudoku. The exit status is 1 if there are problems.
    """
    facts = examine()
    if as_json:
        echo_json(facts)
    else:
        for line in _lines(facts):
            echo(line)
    return UNHEALTHY if facts["problems"] else SOLVED


def _lines(facts: dict[str, Any]) -> Iterator[str]:
    python, kernel, problems = facts["python"], facts["kernel"], facts["problems"]
    gil = "" if python["gil"] else ", without the GIL"
    yield f"dlxkit: {facts['version']}"
    yield f"folder: {facts['folder']}"
    yield f"Python: {python['implementation']} {python['version']}{gil}"
    yield f"system: {facts['system']} {facts['machine']}"
    compiler = f" by {kernel['compiler']}" if "compiler" in kernel else ""
    yield f"kernel: {kernel['state']}{compiler}"
    if "simd" in kernel:
        levels = ", ".join(kernel["simd_levels"])
        yield f"instruction set: {kernel['simd']} (this processor has {levels})"
    yield f"engines: {', '.join(facts['engines']) or 'none'}"
    for name, versions in facts["extras"].items():
        needs = (f"{one} {version or 'not installed'}" for one, version in versions.items())
        yield f"extra {name}: {', '.join(needs)}"
    for problem in problems:
        yield f"problem: {problem}"
    yield f"problems: {len(problems)}" if problems else "no problems"


def examine(path: list[str] | None = None) -> dict[str, Any]:
    """Facts about the installation, by name; "problems" lists what is wrong.

    `path` are the folders with distributions, by default those of `sys.path`.
    """
    installed = {_normal(one.name): one for one in reversed([*_distributions(path)])}
    own = installed.get(DISTRIBUTION)
    folder = Path(dlx.__file__).parent
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    problems: list[str] = []
    facts = {
        "version": dlx.__version__,
        "folder": str(folder.parent),
        "python": {
            "implementation": platform.python_implementation(),
            "version": platform.python_version(),
            "gil": gil,
        },
        "system": platform.system(),
        "machine": platform.machine(),
        "kernel": _kernel_facts(problems),
        "engines": _working_engines(problems),
        "extras": {} if own is None else _extras(own, installed),
    }
    problems += _other_packages(folder, own)
    problems += _clashes(installed.values())
    if own is not None and Path(str(own.locate_file("dlx"))).resolve() == folder.resolve():
        problems += _changed_files(own)
    return {**facts, "problems": problems}


def _kernel_facts(problems: list[str]) -> dict[str, Any]:
    try:
        info = dlx.kernel_info()
    except dlx.InvalidArgument as error:  # DLX_SIMD
        problems.append(str(error))
        return {"state": "unusable"}
    if info.missing:
        problems.append(
            f"there is no compiled kernel ({info.missing}), so searches are slow and some methods "
            "raise dlx.KernelMissing: install a wheel for this platform, or a C++20 compiler and "
            "then dlxkit from its source again, with 'pip install --force-reinstall'"
        )
        return {"state": "missing"}
    return {
        "state": "compiled",
        "compiler": info.compiler,
        "simd": info.simd,
        "simd_levels": info.simd_levels,
    }


def _working_engines(problems: list[str]) -> list[str]:
    """The engines that find the one solution of a small problem."""
    problem = dlx.Problem.from_options({"x": ["a", "c"], "y": ["b"], "z": ["a", "b"]})
    working = []
    with suppress(dlx.InvalidArgument):  # DLX_SIMD, reported before
        engines: Any = dlx.kernel_info().engines
        for engine in engines:
            if engine == "sat" and find_spec("pysat") is None:
                continue
            if engine == "auto" and dlx.kernel_info().missing:
                continue  # it is "python", with a warning
            try:
                found = problem.solve(engine=engine)
            except Exception as error:
                problems.append(
                    f"engine={engine!r} fails with {type(error).__name__}: {error}; "
                    + ("reinstall python-sat" if engine == "sat" else "reinstall dlxkit")
                )
            else:
                if found is not None and set(found) == {"x", "y"}:
                    working.append(engine)
                else:
                    problems.append(f"engine={engine!r} finds {found}, not ('x', 'y')")
    return working


def _other_packages(folder: Path, own: Distribution | None) -> Iterator[str]:
    """The problems of packages that are missing or come from another project."""
    for name in PACKAGES:
        spec = find_spec(name)
        if spec is None or spec.origin is None:
            yield f"there is no package {name}; reinstall dlxkit"
        elif Path(spec.origin).parent.parent.resolve() != folder.parent.resolve():
            yield (
                f"'import {name}' finds another project's package, {spec.origin}; dlx is in "
                f"{folder.parent}: uninstall or rename the other one"
            )
    if own is not None and own.version != dlx.__version__:
        yield (
            f"dlx {dlx.__version__} is imported from {folder}, but dlxkit {own.version} is "
            f"installed in {own.locate_file('')}: remove one of them, or check PYTHONPATH"
        )


def _clashes(installed: Iterable[Distribution]) -> Iterator[str]:
    """Other distributions with packages of our names: pip overwrites without a message."""
    for one in installed:
        names = sorted(_top_level(one).intersection(PACKAGES))
        if names and _normal(one.name) != DISTRIBUTION:
            yield (
                f"{one.name} {one.version} installs {' and '.join(names)}, too: run 'pip uninstall "
                f"{one.name}' and then reinstall dlxkit, or use an environment for each"
            )


def _changed_files(own: Distribution) -> Iterator[str]:
    """Files of ours that are missing or not as they were installed."""
    changed = [str(file) for file in own.files or () if _is_changed(file)]
    if changed:
        more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
        yield (
            f"files have changed since dlxkit was installed, perhaps by another project: "
            f"{', '.join(changed[:3])}{more}; run 'pip install --force-reinstall --no-deps' of it"
        )


def _is_changed(file: PackagePath) -> bool:
    if file.hash is None or file.parts[0] not in PACKAGES:
        return False
    try:
        content = Path(file.locate()).read_bytes()
    except OSError:
        return True
    digest = urlsafe_b64encode(new_hash(file.hash.mode, content).digest()).rstrip(b"=")
    return digest.decode() != file.hash.value


def _extras(
    own: Distribution, installed: dict[str, Distribution]
) -> dict[str, dict[str, str | None]]:
    """For each extra, the versions of what it needs; None if that is not installed."""
    extras: dict[str, dict[str, str | None]] = {}
    for requirement in own.requires or ():
        match = REQUIREMENT.match(requirement)
        if match is None or match[2] in NOT_FOR_USERS:
            continue
        found = installed.get(_normal(match[1]))
        version = None if found is None else found.version
        extras.setdefault(match[2], {})[match[1]] = version
    return {name: extras[name] for name in sorted(extras)}


def _distributions(path: list[str] | None) -> Iterator[Distribution]:
    """All installed distributions that have a name; a broken one has none.

    The finder is that of the standard library: with the package importlib_metadata there is
    another one, which raises errors instead, and leaves out absent files.
    """
    context = DistributionFinder.Context(path=sys.path if path is None else path)
    for one in MetadataPathFinder.find_distributions(context):
        if one.metadata["Name"]:
            yield one


def _top_level(one: Distribution) -> set[str]:
    """The names of the packages that a distribution installs."""
    listed = one.read_text("top_level.txt")
    if listed is not None:
        return set(listed.split())
    return {file.parts[0].removesuffix(".py") for file in one.files or ()}


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
