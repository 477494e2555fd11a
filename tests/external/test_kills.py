"""Is every acknowledged write there, and none half there, after the server is killed at any moment?"""

from __future__ import annotations

import random
import signal
import threading
from pathlib import Path

from tests.external.product import Product
from tests.external.writers import Note, Writer, check

ROUNDS = 20
_WRITERS = 4
_WITH_MODEL = 4  # every fourth round embeds what is saved; the others write faster
_WITHOUT_MODEL = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}


def test_twenty_kills_lose_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    product = Product(tmp_path / "data")
    key = product.key()
    chance = random.Random(7)
    notes: list[Note] = []
    try:
        for number in range(ROUNDS):
            product.extra = {} if number % _WITH_MODEL == 0 else _WITHOUT_MODEL
            product.start()
            assert check(product, key, notes[-100:]) == []
            writers = [
                Writer(product.client(key), seed=number * _WRITERS + place) for place in range(_WRITERS)
            ]
            threads = [threading.Thread(target=writer.run) for writer in writers]
            for thread in threads:
                thread.start()
            for writer in writers:
                assert writer.acknowledged.wait(60)
            # Now at any moment; the wait decides nothing but which.
            threading.Event().wait(chance.uniform(0.0, 1.0))
            product.stop(signal.SIGKILL)
            for thread in threads:
                thread.join()
            notes += [note for writer in writers for note in writer.notes]
        product.start()
        assert check(product, key, notes) == []
        assert sum(note.version > 0 for note in notes) > ROUNDS
    finally:
        product.stop(signal.SIGKILL)
    doctor = product.command("doctor")
    assert doctor.returncode == 0, doctor.stdout
