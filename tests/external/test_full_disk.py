"""Does a full disk refuse clearly, lose nothing that was acknowledged and leave nothing half written?"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.external.product import CallFailedError, Client, Product
from tests.external.writers import Writer, check

_SIZE = "24m"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of a few megabytes in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    as_root = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    owner = f"uid={os.geteuid()},gid={os.getegid()}"
    options = f"size={_SIZE},{owner}"
    subprocess.run([*as_root, "mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
    yield folder
    subprocess.run([*as_root, "umount", str(folder)], check=True)


def test_a_full_disk_loses_nothing_and_writing_goes_on_when_there_is_room(small_disk: Path) -> None:
    product = Product(small_disk / "data", {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"})
    key = product.key()
    ballast = small_disk / "ballast"
    product.start()
    try:
        writers = [Writer(product.client(key), seed=place) for place in range(3)]
        threads = [threading.Thread(target=writer.run) for writer in writers]
        for thread in threads:
            thread.start()
        _fill(ballast, small_disk)
        while not all(writer.refused for writer in writers):
            assert any(thread.is_alive() for thread in threads)
        for writer in writers:
            writer.stop()
        for thread in threads:
            thread.join()
        notes = [note for writer in writers for note in writer.notes]
        assert check(product, key, notes) == []
        ballast.unlink()
        assert product.call(key, "save_note", id=_ID, authoredContent="room again")["replayed"] is False
        product.stop(signal.SIGKILL)
        product.start()
        assert check(product, key, notes) == []
    finally:
        product.stop(signal.SIGKILL)
    assert product.command("doctor").returncode == 0


_ID = "6f1c0a52-9a3e-4f0e-8f5e-2d5b3c1a7e90"


def _fill(ballast: Path, disk: Path) -> None:
    """Leave about a megabyte, which the writers then use up."""
    with ballast.open("wb", buffering=0) as filling, suppress(OSError):  # they write at the same time
        while shutil.disk_usage(disk).free > 1024 * 1024:
            filling.write(b"\0" * 65_536)


def test_a_server_that_cannot_write_at_all_says_so(small_disk: Path) -> None:
    _fill(small_disk / "ballast", small_disk)
    _fill_to_the_last_byte(small_disk / "rest")
    product = Product(small_disk / "data")
    done = product.command("keys", "create", "--name", "x", "--face", "library", "--tier", "edit")
    assert done.returncode == 1
    assert "STORAGE_FULL" in done.stderr


def _fill_to_the_last_byte(path: Path) -> None:
    with path.open("wb", buffering=0) as rest, suppress(OSError):
        while rest.write(b"\0" * 4096):
            pass


def test_reading_goes_on_while_the_disk_is_full(small_disk: Path) -> None:
    product = Product(small_disk / "data", {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"})
    key = product.key()
    with product, product.client(key) as client:
        _fill(small_disk / "ballast", small_disk)
        code = _save_until_refused(client)
        assert code == "STORAGE_FULL"
        assert client.call("get_quota")["limits"]["itemCount"] > 0


def _save_until_refused(client: Client) -> str:
    for number in range(2000):
        try:
            client.call(
                "save_note", id=f"00000000-0000-4000-8000-{number:012}", authoredContent=_words(number)
            )
        except CallFailedError as failed:
            return failed.code
    return "never refused"


def _words(number: int) -> str:
    chance = random.Random(number)
    return " ".join(f"{chance.getrandbits(64):x}" for _ in range(1200))
