"""Which texts does the run on both sides demand to find in the history?"""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from benchmarks.sides.outside import copied_vault
from benchmarks.sides.record import LEFT_ALONE, Record


def _long_ago(record: Record) -> None:
    record.ready_since = time.monotonic() - 10 * LEFT_ALONE
    for one in record.written.values():
        one.touched -= 5 * LEFT_ALONE


def test_what_a_tool_acknowledged_is_owed_without_its_header() -> None:
    record = Record()
    record.acknowledged("create_note", "---\na: 1\n---\nwords\n")
    assert record.owed() == {"words\n": "create_note"}


def test_a_file_that_is_left_alone_is_owed() -> None:
    record = Record()
    record.wrote("茶.md", "\ufeff茶\r\n".encode())
    assert list(record.owed()) == ["茶\r\n"]


def test_a_file_written_over_at_once_is_owed_no_more() -> None:
    record = Record(ready_since=0.0)
    record.wrote("a.md", b"one")
    record.destroyed("a.md", b"one")
    assert (record.owed(), record.excused, record.removed) == ({}, 1, {"one"})


def test_a_file_written_over_after_it_was_left_alone_stays_owed() -> None:
    record = Record()
    record.wrote("a.md", b"one")
    _long_ago(record)
    record.destroyed("a.md", b"one")
    assert list(record.owed()) == ["one"]


def test_a_file_that_no_server_could_see_is_owed_no_more_once_it_is_gone() -> None:
    record = Record()
    record.wrote("a.md", b"one")
    _long_ago(record)
    record.ready_since = None
    record.destroyed("a.md", b"one")
    assert record.owed() == {}


def test_a_vault_is_copied_with_revisions_of_its_past(tmp_path: Path) -> None:
    source = tmp_path / "vault"
    source.mkdir()
    named = ["-c", "user.name=bench", "-c", "user.email=bench@localhost"]
    for number in range(12):
        (source / f"{number}.md").write_text("x")
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "more"]):
            subprocess.run(["git", "-C", str(source), *named, *words], check=True, capture_output=True)
    revisions = copied_vault(source, tmp_path / "copy")
    assert len(set(revisions)) == 4
    assert (tmp_path / "copy/11.md").exists()
