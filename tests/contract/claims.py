"""Which statements does the contract make, and which tests claim to hold them?"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.shape.tree import files

REQUIREMENTS = Path(__file__).with_name("requirements.toml")
_MARK = "pytest.mark.claims"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One statement, in a sentence, and where it was made."""

    id: str
    says: str
    source: str


def requirements() -> list[Requirement]:
    """Every statement of the file, in its order."""
    written = tomllib.loads(REQUIREMENTS.read_text(encoding="utf-8"))["requirement"]
    return [Requirement(**entry) for entry in written]


def claimed_in(source: str) -> Iterator[str]:
    """The ids that the tests of a module claim; the tests are read, not run, so that any selection will do.

    Raises ValueError for a mark that claims nothing, is no plain text, or does not stand on a test.
    """
    tree = ast.parse(source)
    counted = set()
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name.startswith("test_"):
            for decorator in function.decorator_list:
                if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == _MARK:
                    counted.add(id(decorator.func))
                    yield from _ids(decorator)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and ast.unparse(node) == _MARK and id(node) not in counted:
            raise ValueError(f"line {node.lineno}: claims stand on tests, with the ids that they claim")


def claimed() -> set[str]:
    """The ids that the tests of the project claim."""
    tests = [path for path in files("tests", suffix=".py") if path.name.startswith("test_")]
    return {found for path in tests for found in claimed_in(path.read_text(encoding="utf-8"))}


def _ids(mark: ast.Call) -> Iterator[str]:
    if not mark.args or mark.keywords:
        raise ValueError(f"line {mark.lineno}: a claim names ids")
    for argument in mark.args:
        match argument:
            case ast.Constant(value=str(found)):
                yield found
            case _:
                raise ValueError(f"line {argument.lineno}: an id is written as it is")
