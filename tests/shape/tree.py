"""Which files make up the project?"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@cache
def project_files() -> tuple[Path, ...]:
    """Every file that git keeps or would keep, in order."""
    # A checkout may belong to another user than the one who tests it, which git wants to be told is meant.
    listed = subprocess.run(
        [
            "git",
            "-c",
            f"safe.directory={ROOT}",
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    paths = (ROOT / name for name in listed.stdout.split("\0") if name)
    return tuple(sorted(path for path in paths if path.is_file()))


def files(*parts: str, suffix: str = "") -> Iterator[Path]:
    """The files below the named parts of the project, or all of them."""
    for path in project_files():
        relative = path.relative_to(ROOT)
        if path.name.endswith(suffix) and (not parts or any(relative.is_relative_to(part) for part in parts)):
            yield path


def text_of(path: Path) -> str | None:
    """The text of a file, or None where it holds none."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
