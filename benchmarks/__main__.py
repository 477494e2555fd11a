"""Which measurements are made?

python -m benchmarks [--quick] [--results FILE] [PART …]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import both_sides, call_cost, classes, load, memory, peers, ranking, vault_speed
from benchmarks.environments import CACHE
from benchmarks.report import Part, machine, write_results

_PARTS: dict[str, Callable[..., Part]] = {
    "peers": peers.run,
    "classes": classes.run,
    "call-cost": call_cost.run,
    "memory": memory.run,
    "load": load.run,
    "ranking": ranking.run,
    "vault": vault_speed.run,
    "both-sides": both_sides.run,
}


def main() -> int:
    """Make the measurements asked for, print each as it ends, and keep all in one file of results.

    The result is 1 when a figure misses its target, except in a quick run, whose figures prove nothing.
    """
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure the product and its peers."
    )
    parser.add_argument("part", nargs="*", metavar="PART", help=f"of {', '.join(_PARTS)} (default: all)")
    parser.add_argument("--quick", action="store_true", help="small sizes, to see that everything runs")
    parser.add_argument(
        "--results", type=Path, default=CACHE / "results.json", help="where to keep the figures"
    )
    given = parser.parse_args()
    unknown = sorted(set(given.part) - set(_PARTS))
    if unknown:
        parser.error(f"no such part: {', '.join(unknown)}")
    print("Machine:", ", ".join(f"{name} {value}" for name, value in machine().items()), flush=True)
    done = []
    for name in given.part or _PARTS:
        began = time.monotonic()
        part = _PARTS[name](quick=given.quick)
        part.seconds = time.monotonic() - began
        print(part.text(), flush=True)
        done.append(part)
        write_results(given.results, done, quick=given.quick)
    short = [target.name for part in done for target in part.targets if not target.holds]
    print(f"\n{len(short)} figure(s) short of their target" + "".join(f"\n  {name}" for name in short))
    return 1 if short and not given.quick else 0


if __name__ == "__main__":
    sys.exit(main())
