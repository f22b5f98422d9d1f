"""The kernel's stubs name the parameters the kernel has: stubtest cannot look into nanobind."""

from __future__ import annotations

import ast
import re
from importlib import resources
from typing import Any

import pytest

from dlx import _kernel


def described() -> dict[str, list[str]]:
    """Function or Class.method -> names of its parameters, according to the stub."""
    tree = ast.parse((resources.files("dlx") / "_kernel.pyi").read_text(encoding="utf-8"))
    functions = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and node.name == "ChunkIterator":
            continue  # a type of C, which stubtest looks into
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef) and not part.decorator_list:
                prefix = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                functions[prefix + part.name] = [argument.arg for argument in part.args.args]
    return functions


@pytest.mark.parametrize(("name", "parameters"), described().items())
def test_parameters(name: str, parameters: list[str]) -> None:
    function: Any = _kernel
    for part in name.split("."):
        function = getattr(function, part)
    signatures = function.__nb_signature__
    assert len(signatures) == 1, "one stub cannot describe several overloads"
    written = re.sub(r"ndarray\[[^]]*\]", "ndarray", signatures[0][0])
    written = re.sub(r"\\\d+", "...", written)  # what a default is stands elsewhere
    header = ast.parse(f"{written}: ...").body[0]
    assert isinstance(header, ast.FunctionDef)
    assert [argument.arg for argument in header.args.args] == parameters
