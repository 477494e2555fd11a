"""Is a server started, counted with all it started, and ended?"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from benchmarks.processes import Server, answers, free_ports

_SERVE = """\
import http.server, sys
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), http.server.BaseHTTPRequestHandler).serve_forever()
"""
_CHILD = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {_SERVE!r}, sys.argv[1]])"


def _server(folder: Path, program: str, port: int) -> Server:
    return Server([sys.executable, "-c", program, str(port)], folder / "log", os.environ, folder)


def test_free_ports_are_different() -> None:
    assert len(set(free_ports(5))) == 5


def test_a_server_answers_until_it_is_stopped(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    server = _server(tmp_path, _SERVE, port)
    try:
        assert server.wait_until(lambda: answers(f"http://127.0.0.1:{port}/"), 60) >= 0
    finally:
        server.stop()
        server.stop()
    assert not answers(f"http://127.0.0.1:{port}/")


def test_what_a_server_started_is_counted_and_stopped_with_it(tmp_path: Path) -> None:
    (port,) = free_ports(1)
    server = _server(tmp_path, _CHILD, port)
    try:
        server.wait_until(lambda: answers(f"http://127.0.0.1:{port}/"), 60)
        assert server.cpu_seconds() > 0
        assert server.resident_mib() > 5
    finally:
        server.stop()
    assert not answers(f"http://127.0.0.1:{port}/")


def test_a_server_that_ends_is_told_with_what_it_said(tmp_path: Path) -> None:
    server = _server(tmp_path, "print('no room', flush=True); raise SystemExit(3)", 0)
    with pytest.raises(RuntimeError, match=r"(?s)ended with 3.*no room"):
        server.wait_until(lambda: False, 60)
