"""Do the folder on disk and a running server follow each other, and survive the server being killed?"""

from __future__ import annotations

import json
import random
import re
import signal
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.external.product import Product
from tests.external.writers import Writer

_OFF = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
_LONGEST = 30.0  # seconds; a busy machine is slow, and only what never comes is wrong
_KILLS = 5


def comes_true(said: Callable[[], bool]) -> bool:
    """Whether it does, within a time that only a fault exceeds."""
    end = time.monotonic() + _LONGEST
    while time.monotonic() < end:
        if said():
            return True
        threading.Event().wait(0.05)
    return said()


def parts(product: Product) -> dict[str, object]:
    """What the server says of its parts."""
    with urllib.request.urlopen(f"http://127.0.0.1:{product.port}/readyz", timeout=10) as answer:
        found: dict[str, object] = json.load(answer)
        return found


@pytest.fixture
def product(tmp_path: Path) -> Iterator[Product]:
    """A running server on an empty data folder."""
    with Product(tmp_path / "data", _OFF) as running:
        yield running


def test_each_side_sees_what_happens_on_the_other(product: Product) -> None:
    root, key = product.data / "library", product.key()
    assert comes_true(lambda: parts(product).get("mirror") == "ready")
    with product.client(key) as client:
        item_id = "7a0f6f0e-5d0c-4d6b-8a54-0f6c8b5d3c11"
        client.call("save_note", id=item_id, authoredContent="halyard", hubTitle="Rigging")
        place = root / "Notes/Rigging.md"
        assert comes_true(place.exists)
        assert place.read_bytes() == b"halyard"
        place.write_text("spinnaker")
        assert comes_true(lambda: client.call("search_hub", query="spinnaker")["count"] == 1)
        (root / "new").mkdir()
        (root / "new/From outside.md").write_text("mizzen")
        assert comes_true(lambda: client.call("search_hub", query="mizzen")["count"] == 1)
        place.rename(root / "new/Rigging.md")
        assert comes_true(lambda: client.call("get_item", id=item_id)["item"]["version"] == 3)
        (root / "new/Rigging.md").unlink()
        assert comes_true(lambda: client.call("search_hub", query="spinnaker")["count"] == 0)
    history = json.loads(product.command("history", item_id, "--json").stdout)
    assert "outside editor" in json.dumps(history)


def test_a_folder_that_is_switched_off_is_left_alone(tmp_path: Path) -> None:
    with Product(tmp_path / "data", {**_OFF, "VADE_MIRROR": "off"}) as running:
        running.call(
            running.key(), "save_note", id="7a0f6f0e-5d0c-4d6b-8a54-0f6c8b5d3c11", authoredContent="x"
        )
        assert "mirror" not in parts(running)
        assert not (running.data / "library").exists()


def test_kills_at_any_moment_leave_both_sides_alike(tmp_path: Path) -> None:
    product = Product(tmp_path / "data", _OFF)
    key, root, chance = product.key(), product.data / "library", random.Random(3)
    outside: dict[str, str] = {}
    try:
        for number in range(_KILLS):
            product.start()
            writer = Writer(product.client(key), seed=number)
            thread = threading.Thread(target=writer.run)
            thread.start()
            assert writer.acknowledged.wait(60)
            for one in range(20):
                path = f"out {number} {one}.md"
                outside[path] = f"outside{number}x{one}"
                root.mkdir(exist_ok=True)
                (root / path).write_text(outside[path])
                threading.Event().wait(chance.uniform(0.0, 0.05))
            product.stop(signal.SIGKILL)
            thread.join()
        product.start()
        assert comes_true(lambda: _is_well(product))
        assert sorted(path.name for path in root.rglob(".vade-*")) == []
        for path, text in outside.items():
            assert (root / path).read_text() == text
            assert product.call(key, "search_hub", query=text)["count"] == 1
    finally:
        product.stop(signal.SIGKILL)
    shown = [path.read_text() for path in (root / "Notes").glob("*.md")]
    names = re.findall(r"# Note (\S+)", "".join(shown))
    assert len(names) == len(set(names)) == len(shown)  # none twice, none half


def _is_well(product: Product) -> bool:
    """Whether doctor finds nothing, not even work under way, between folder and library."""
    found = json.loads(product.command("doctor", "--json").stdout)
    return not [problem for problem in found["problems"] if problem["code"] == "mirror"]
