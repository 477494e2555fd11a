"""Does the source keep the rules of the house?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.shape import code
from tests.shape.tree import ROOT, files

Rule = Callable[[str], Iterator[str]]

FORBIDDEN_NAMES = {"base", "common", "helper", "helpers", "manager", "misc", "util", "utils"}

EVERYTHING = ("src", "tests", "scripts", "benchmarks")

# Where each rule holds.
RULES: dict[Rule, tuple[str, ...]] = {
    code.too_long: ("src", "scripts", "benchmarks"),
    code.too_many_parameters: ("src", "scripts", "benchmarks"),
    code.no_opening_sentence: EVERYTHING,
    code.silenced: EVERYTHING,
    code.late_imports: ("src", "scripts", "benchmarks"),
    code.foreign_sql: ("src/vademecum/storage/sql",),
}

# The command line loads only the module that a command needs, so that the bridge starts at once.
LOADS_BY_NAME = ROOT / "src/vademecum/cli.py"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_keeps_the_rule(rule: Rule) -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {complaint}"
        for path in files(*RULES[rule], suffix=".py")
        for complaint in rule(path.read_text(encoding="utf-8"))
        if (rule, path) != (code.late_imports, LOADS_BY_NAME)
    ]
    assert broken == []


def test_no_module_is_named_after_nothing_in_particular() -> None:
    vague = [
        path for path in files(*EVERYTHING, suffix=".py") if FORBIDDEN_NAMES & {path.stem, path.parent.name}
    ]
    assert vague == []


def _function(lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (lines - 1)


VIOLATIONS: list[tuple[Rule, str, str]] = [
    (code.too_long, _function(40), _function(41)),
    (code.too_long, "async " + _function(40), "async " + _function(41)),
    (code.too_long, "x = 1\n" * 400, "x = 1\n" * 401),
    (code.too_many_parameters, "def f(a, b, c, d, e, *, f): ...", "def f(a, b, c, d, e, *, f, g): ..."),
    (code.too_many_parameters, "def f(self, b, c, d, e, f, g): ...", "def f(a, b, c, d, e, f, **g): ..."),
    (code.no_opening_sentence, '"""Who asks?"""', "x = 1"),
    (code.no_opening_sentence, '"""Who asks?\n\nMore. Here."""', '"""Who asks? And why?"""'),
    (code.silenced, "x = 1  # an integer", "x = 1  # type: " + "ignore[assignment]"),
    (code.silenced, "x = 1  # quiet", "x = 1  # no" + "qa: E501"),
    (code.silenced, "@pytest.mark.parametrize()", "@pytest.mark.ski" + "p"),
    (code.silenced, "pytest.fail()", "pytest.importor" + "skip('x')"),
    (code.silenced, "raise Refusal", "raise NotImplemented" + "Error"),
    (code.silenced, "# Today", "# TO" + "DO: today"),
    (code.late_imports, "import os", "def f():\n    import os"),
    (code.late_imports, "from os import path", "if True:\n    from os import path"),
    (
        code.late_imports,
        "try:\n    import extra\nexcept ImportError:\n    extra = None",
        "try:\n    import extra\nexcept OSError:\n    extra = None",
    ),
    (code.late_imports, "importlib.metadata.version()", "importlib.import_module('os')"),
    (code.foreign_sql, "x = 'SELECT a FROM b WHERE c = :d'", "x = 'SELECT a::text FROM b'"),
    (code.foreign_sql, "x = '100 %'", "x = 'SELECT a FROM b WHERE c LIKE \\'x%\\''"),
    (code.foreign_sql, "def f():\n    'SELECT what? FROM where?'", "x = f'UPDATE a SET b = ? {tail}'"),
    (code.foreign_sql, "x = 'why?'", "x = 'DELETE FROM a WHERE b = $1'"),
]


@pytest.mark.parametrize(("rule", "kept", "broken"), VIOLATIONS)
def test_a_rule_tells_a_violation_from_what_it_allows(rule: Rule, kept: str, broken: str) -> None:
    assert list(rule(kept)) == []
    assert list(rule(broken)) != []
