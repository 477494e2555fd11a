"""How much memory does a server hold that has many notes and nothing to do?"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from benchmarks.product import DEFAULT_MODEL_ONLY, Product
from benchmarks.report import Part, Target
from benchmarks.vault import write_vault

_NOTES, _QUICK = 10_000, 500
_SETTLE = 10.0  # seconds after the start, until models are loaded and the first search is answered
_MOST_MIB = 350.0


def run(*, quick: bool) -> Part:
    """The memory of a server that was restarted over a library with all its vectors and waits."""
    part = Part("memory", "Memory: idle after a restart")
    part.columns = ("items", "vectors", "before the first search MiB", "after it MiB")
    count = _QUICK if quick else _NOTES
    with tempfile.TemporaryDirectory() as folder, Product(DEFAULT_MODEL_ONLY) as product:
        write_vault(Path(folder), count, long_share=0.0)
        product.command("import", folder)
        client = product.client()
        took = product.wait_for_jobs(client)
        client.close()
        product.restart()
        time.sleep(_SETTLE)
        idle = product.server.resident_mib()
        client = product.client()
        client.tool("search_hub", query="a first question", limit=5)
        time.sleep(1)
        searched = product.server.resident_mib()
        part.rows.append((count, product.vectors(), idle, searched))
    part.targets.append(
        Target(f"memory at {count:,} items", max(idle, searched), _MOST_MIB, at_least=False, unit=" MiB")
    )
    part.notes.append(f"the vectors followed the import within {took:.0f} s")
    part.notes.append("memory is the proportional set size of the server and all it started")
    return part
