"""What do tests of the commands share?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands.shell import Shell
from vademecum.storage import log_sync


@pytest.fixture(autouse=True)
def _no_wait_for_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a power cut would tell the difference, and no test here makes one."""
    monkeypatch.setattr(log_sync, "make_durable", lambda _: None)


@pytest.fixture
def shell(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    """The command line on an empty data folder."""
    return Shell(tmp_path / "data", capfdbinary, monkeypatch)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """A small folder of notes."""
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_bytes(
        "---\r\ntags: [tea]\r\n---\r\n# Green tea\r\n\r\nWater of 70°. 绿茶\r\n".encode()
    )
    (folder / "rope.md").write_text("The halyard jams.", encoding="utf-8")
    return folder
