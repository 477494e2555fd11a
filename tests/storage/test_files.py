"""Are files kept whole, once, and only for their owner?"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import subprocess
import sys
import threading
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import NotPermitted, StorageFull, StoredDataDamaged, TooLarge
from vademecum.storage import files
from vademecum.storage.files import BlobFolder

HELLO = hashlib.sha256(b"hello").hexdigest()

WRITE_FOR_EVER = """
import sys
import threading
from pathlib import Path
from vademecum.storage.files import BlobFolder
class Endless:
    def read(self, size):
        print("writing", flush=True)
        return b"x" * 1000
BlobFolder(Path(sys.argv[1])).put_file(Endless(), 10**12)
"""

WRITE_TOO_MUCH = """
import resource, signal, sys
from pathlib import Path
from vademecum.model.errors import StorageFull
from vademecum.storage.files import BlobFolder
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
try:
    BlobFolder(Path(sys.argv[1])).put(b"x" * 3_000_000)
except StorageFull:
    print("full")
"""


class Interrupted(BytesIO):
    """A stream whose sender does something in the middle of it, or goes away."""

    def __init__(self, content: bytes, action: object) -> None:
        super().__init__(content)
        self.action = action

    def read(self, size: int | None = -1, /) -> bytes:
        piece = super().read(size)
        if not piece and callable(self.action):
            self.action()
        return piece


@pytest.fixture
def blobs(tmp_path: Path) -> BlobFolder:
    return BlobFolder(tmp_path / "blobs")


def kept(folder: Path) -> list[str]:
    """Every file under the folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_content_is_kept_under_its_hash(tmp_path: Path, blobs: BlobFolder) -> None:
    assert blobs.put(b"hello") == HELLO
    assert blobs.put_file(BytesIO(b"hello"), 5) == (HELLO, 5)
    assert blobs.put(b"") == hashlib.sha256(b"").hexdigest()
    with blobs.open(HELLO) as stream:
        assert stream.read() == b"hello"
    assert f"{HELLO[:2]}/{HELLO}" in kept(tmp_path / "blobs")
    assert len(kept(tmp_path / "blobs")) == 2


@given(st.binary(max_size=5000))
def test_every_content_comes_back(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    blobs = BlobFolder(tmp_path_factory.getbasetemp() / "every content")
    name, size = blobs.put_file(BytesIO(content), 5000)
    with blobs.open(name) as stream:
        assert (stream.read(), size) == (content, len(content))


def test_a_stream_longer_than_a_piece_is_kept_whole(blobs: BlobFolder) -> None:
    content = os.urandom(3 * 1024 * 1024 + 17)
    name, size = blobs.put_file(BytesIO(content), len(content))
    with blobs.open(name) as stream:
        assert (stream.read(), size) == (content, len(content))


def test_what_is_there_is_told_and_can_go(tmp_path: Path, blobs: BlobFolder) -> None:
    assert not blobs.has(HELLO)
    blobs.put(b"hello")
    assert blobs.has(HELLO)
    assert BlobFolder(tmp_path / "blobs").has(HELLO)
    blobs.remove(HELLO)
    blobs.remove(HELLO)
    assert not blobs.has(HELLO)
    with pytest.raises(StoredDataDamaged):
        blobs.open(HELLO)


@pytest.mark.parametrize(
    "name", ["", "../../etc/passwd", HELLO.upper(), f"{HELLO}/", f"{HELLO}\n", "a" * 10**6]
)
def test_what_is_no_hash_names_no_file(blobs: BlobFolder, name: str) -> None:
    for action in (blobs.open, blobs.has, blobs.remove):
        with pytest.raises(StoredDataDamaged):
            action(name)


def test_a_stream_over_the_limit_is_refused_without_a_trace(tmp_path: Path, blobs: BlobFolder) -> None:
    with pytest.raises(TooLarge) as refusal:
        blobs.put_file(BytesIO(b"hello!"), 5)
    assert (refusal.value.field, refusal.value.limit, refusal.value.unit) == ("file", 5, "bytes")
    assert kept(tmp_path) == []


def test_a_sender_who_goes_away_leaves_no_trace(tmp_path: Path, blobs: BlobFolder) -> None:
    def go_away() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        blobs.put_file(Interrupted(b"hello", go_away), 100)
    assert kept(tmp_path) == []


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_told_and_leaves_no_trace(
    tmp_path: Path, blobs: BlobFolder, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    def fail(_: int) -> None:
        raise OSError(number, "no room")

    monkeypatch.setattr(files, "make_durable", fail)
    with pytest.raises(StorageFull):
        blobs.put(b"hello")
    assert kept(tmp_path) == []
    monkeypatch.undo()
    assert blobs.put(b"hello") == HELLO


def test_a_file_that_may_not_grow_is_told_as_a_full_disk(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", WRITE_TOO_MUCH, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, "full\n"), done.stderr
    assert kept(tmp_path) == []


def test_another_failure_of_the_disk_is_not_called_full(
    blobs: BlobFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(files, "make_durable", fail)
    with pytest.raises(OSError, match="broken"):
        blobs.put(b"hello")


def test_what_a_kill_left_half_written_goes_at_the_next_start(tmp_path: Path) -> None:
    program = [sys.executable, "-c", WRITE_FOR_EVER, str(tmp_path)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert next(process.stdout) == "writing\n"
        beside = BlobFolder(tmp_path)
        assert len(kept(tmp_path)) == 1
        process.kill()
        process.stdout.read()
    assert len(kept(tmp_path)) == 1
    BlobFolder(tmp_path)
    assert kept(tmp_path) == []
    assert beside.put(b"hello") == HELLO


def test_a_start_beside_a_running_upload_leaves_it_alone(tmp_path: Path, blobs: BlobFolder) -> None:
    stream = Interrupted(b"hello", lambda: BlobFolder(tmp_path / "blobs"))
    assert blobs.put_file(stream, 100) == (HELLO, 5)
    assert blobs.has(HELLO)


def test_a_file_of_the_wrong_length_is_replaced(tmp_path: Path, blobs: BlobFolder) -> None:
    blobs.put(b"hello")
    (tmp_path / "blobs" / HELLO[:2] / HELLO).write_bytes(b"hel")
    blobs.put(b"hello")
    with blobs.open(HELLO) as stream:
        assert stream.read() == b"hello"


def test_only_their_owner_may_read_files(tmp_path: Path, blobs: BlobFolder) -> None:
    blobs.put(b"hello")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {0o600, 0o700}


def test_nobody_removes_while_somebody_stores_and_the_other_way_round(
    tmp_path: Path, blobs: BlobFolder
) -> None:
    beside = BlobFolder(tmp_path / "blobs")
    with blobs.storing(), beside.storing():
        for one in (blobs, beside):
            with one.removing() as is_alone:
                assert not is_alone
    with blobs.removing() as is_alone, beside.removing() as is_second:
        assert (is_alone, is_second) == (True, False)


def test_whoever_wants_to_store_waits_for_a_removal_to_end(blobs: BlobFolder) -> None:
    order: list[str] = []

    def store() -> None:
        with blobs.storing():
            order.append("stored")

    storing = threading.Thread(target=store)
    with blobs.removing():
        storing.start()
        blobs.remove(HELLO)
        order.append("removed")
    storing.join()
    assert order == ["removed", "stored"]


def test_all_files_are_named_and_nothing_else_in_the_folder(tmp_path: Path, blobs: BlobFolder) -> None:
    names = {blobs.put(bytes([number])) for number in range(20)}
    (tmp_path / "blobs" / HELLO[:2]).mkdir(exist_ok=True)
    (tmp_path / "blobs" / HELLO[:2] / "note.txt").write_text("a person's own", encoding="utf-8")
    with blobs.storing():
        assert sorted(blobs.names()) == sorted(names)


def test_a_file_that_cannot_be_removed_is_told(tmp_path: Path, blobs: BlobFolder) -> None:
    (tmp_path / "blobs" / HELLO[:2] / HELLO).mkdir(parents=True)
    with pytest.raises(NotPermitted, match=HELLO):
        blobs.remove(HELLO)
