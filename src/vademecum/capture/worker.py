"""What runs in the process apart in which pages of the outside world are parsed?"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

from vademecum.capture.page.reading import read_page
from vademecum.sandbox.worker import serve
from vademecum.text.decoding import decode_page


def answer(told: dict[str, Any], body: bytes) -> dict[str, Any]:
    """The page that the bytes hold, read; its address and charset are told."""
    return dataclasses.asdict(read_page(decode_page(body, told["charset"]), told["address"]))


if __name__ == "__main__":
    serve(answer, sys.argv[1:])
