"""Do the docs say what the program does?"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from scripts.generate_docs import DOCS, PAGES
from vademecum.cli import COMMANDS
from vademecum.model.errors import Refusal

ROOT = DOCS.parent
PAGES_OF_ALL = sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])
_LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")


def every_refusal(base: type[Refusal] = Refusal) -> list[type[Refusal]]:
    found = [base] if base is not Refusal else []
    return found + [deeper for kind in base.__subclasses__() for deeper in every_refusal(kind)]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("kind", every_refusal(), ids=lambda kind: kind.code)
def test_every_code_is_explained_in_troubleshooting(kind: type[Refusal]) -> None:
    assert f"`{kind.code}`" in (DOCS / "troubleshooting.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES_OF_ALL, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    targets = [target for target in _LINK.findall(page.read_text(encoding="utf-8")) if "//" not in target]
    missing = [target for target in targets if not (page.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("readme", ["README.md", "README.ja.md", "README.zh-CN.md"])
def test_each_readme_opens_with_the_two_commands_and_how_to_connect(readme: str) -> None:
    text = (ROOT / readme).read_text(encoding="utf-8")
    assert "make run" in text
    assert "make test" in text
    assert "vade keys create" in text
    assert "claude mcp add --transport http" in text


def test_every_argument_of_every_command_has_its_line_of_help() -> None:
    lines = (DOCS / "commands.md").read_text(encoding="utf-8").splitlines()
    bare = [
        line
        for line, following in pairwise(lines)
        if re.match(r"  \S", line)
        and not re.match(r"  \S.*?  +\S", line)
        and not following.startswith(" " * 10)
        and line.strip() != "ACTION"
    ]
    assert bare == []


def test_every_command_named_in_the_guide_exists() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES_OF_ALL)
    named = set(re.findall(r"`vade ([a-z]+)", text)) | set(re.findall(r"^vade ([a-z]+)", text, re.MULTILINE))
    assert named - set(COMMANDS) == set()
