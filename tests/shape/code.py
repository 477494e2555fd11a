"""What does the house ask of Python source, whatever it does?

Each rule takes the text of one file and gives what breaks it, so that it can be tried on samples.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

FUNCTION_LINES = 40
FILE_LINES = 400
PARAMETERS = 6

LOADERS = {"import_module", "__import__"}

Function = ast.FunctionDef | ast.AsyncFunctionDef

# Spelt in pieces, so that this file does not break its own rule.
SILENCERS = re.compile(
    "|".join(
        [
            r"#\s*type:\s*ign" + "ore",
            r"#\s*no" + "qa",
            r"pytest\.(?:skip|xfail|importor" + r"skip)",
            r"mark\.(?:skip|skipif|xf" + r"ail)\b",
            r"\bNotImplemented" + "Error",
            r"\b(?:TO" + r"DO|FIX" + r"ME|XX" + r"X)\b",
        ]
    )
)

# A value, a comparison with :name parameters, but neither ::cast nor a mark of one driver.
FOREIGN_SQL = {
    "a cast with two colons": re.compile(r"::"),
    "a per cent sign": re.compile(r"%"),
    "a question mark as parameter": re.compile(r"\?"),
    "a numbered parameter": re.compile(r"\$\d"),
}
STATEMENT = re.compile(
    r"^\s*(?:SELECT|INSERT\s+INTO|UPDATE|DELETE\s+FROM|WITH|CREATE|ALTER|DROP)\b|\b(?:FROM|WHERE)\s",
    re.IGNORECASE,
)


def too_long(source: str) -> Iterator[str]:
    """A file over its limit, and functions over theirs, counted from `def` to the last line."""
    lines = len(source.splitlines())
    if lines > FILE_LINES:
        yield f"the file has {lines} lines"
    for function in _functions(source):
        length = (function.end_lineno or function.lineno) - function.lineno + 1
        if length > FUNCTION_LINES:
            yield f"{function.name} has {length} lines"


def too_many_parameters(source: str) -> Iterator[str]:
    """Functions that take more than a reader can hold; the receiver of a method does not count."""
    for function in _functions(source):
        arguments = function.args
        names = [
            argument.arg for argument in [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        ]
        names += [argument.arg for argument in (arguments.vararg, arguments.kwarg) if argument]
        if names[:1] in (["self"], ["cls"]):
            names = names[1:]
        if len(names) > PARAMETERS:
            yield f"{function.name} takes {len(names)} parameters"


def no_opening_sentence(source: str) -> Iterator[str]:
    """Modules that do not say in one sentence what question they answer."""
    first = (ast.get_docstring(ast.parse(source)) or "").split("\n\n")[0]
    if not first:
        yield "no docstring"
    elif not first.endswith((".", "?")) or re.search(r"[.?!]\s+[A-Z]", first):
        yield f"not one sentence: {first}"


def silenced(source: str) -> Iterator[str]:
    """Checks that are switched off, tests that do not run, and work that is put off."""
    for number, line in enumerate(source.splitlines(), 1):
        if found := SILENCERS.search(line):
            yield f"line {number}: {found.group()}"


def late_imports(source: str) -> Iterator[str]:
    """Imports that are not at the top; one that may fail since it is of an extra stands in a `try` there."""
    tree = ast.parse(source)
    attempts = [
        statement for statement in tree.body if isinstance(statement, ast.Try) and _is_for_extras(statement)
    ]
    early = {id(node) for body in (tree.body, *(attempt.body for attempt in attempts)) for node in body}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and id(node) not in early:
            yield f"line {node.lineno}: an import that is not at the top"
        elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in LOADERS:
            yield f"line {node.lineno}: a module loaded by name"


def _is_for_extras(attempt: ast.Try) -> bool:
    return [handler.type and ast.unparse(handler.type) for handler in attempt.handlers] == ["ImportError"]


def foreign_sql(source: str) -> Iterator[str]:
    """What only one of the two databases would understand, or what is not a named parameter."""
    for number, statement in _statements(source):
        for name, pattern in FOREIGN_SQL.items():
            if pattern.search(statement):
                yield f"line {number}: {name}"


def _functions(source: str) -> Iterator[Function]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, Function):
            yield node


def _statements(source: str) -> Iterator[tuple[int, str]]:
    """The texts in a module that are SQL; docstrings are prose."""
    tree = ast.parse(source)
    prose = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | Function)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in prose and STATEMENT.search(text):
                yield node.lineno, text
