"""Can any document stop, fill or crash the process that serves?"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.capture.pages import PARAGRAPH, page
from vademecum.capture.builtin import page_sandbox
from vademecum.model.errors import ExtractionFailed
from vademecum.sandbox.process import CRASHED, TOO_MUCH_MEMORY, TOO_SLOW, Sandbox, SandboxLimits
from vademecum.sandbox.worker import answer

QUESTION = {"address": "https://gazette.example/", "charset": None}
BODY = page("").encode()


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    found = page_sandbox()
    yield found
    found.close()


def process_of(sandbox: Sandbox) -> int:
    assert sandbox._worker is not None
    return sandbox._worker.process.pid


def test_one_process_answers_question_after_question(sandbox: Sandbox) -> None:
    first = sandbox.ask(QUESTION, BODY)
    process = process_of(sandbox)
    assert sandbox.ask(QUESTION, BODY) == first
    assert process_of(sandbox) == process != os.getpid()
    assert first["markdown"].startswith(PARAGRAPH)


def test_a_killed_process_is_replaced_by_another(sandbox: Sandbox) -> None:
    sandbox.ask(QUESTION, BODY)
    killed = process_of(sandbox)
    os.kill(killed, signal.SIGKILL)
    assert sandbox.ask(QUESTION, BODY)["outcome"] == "readable"
    assert process_of(sandbox) != killed


def test_a_document_that_takes_too_long_is_given_up_and_the_next_one_is_read() -> None:
    sandbox = page_sandbox(SandboxLimits(seconds=0.2))
    try:
        sandbox.ask(QUESTION, BODY)
        slow = b"<p>a paragraph of text that goes on and on</p>" * 60_000
        with pytest.raises(ExtractionFailed) as refused:
            sandbox.ask(QUESTION, slow)
        assert refused.value.reason == TOO_SLOW
        assert sandbox._worker is None
        assert sandbox.ask(QUESTION, BODY)["outcome"] == "readable"
    finally:
        sandbox.close()


def test_a_document_that_needs_too_much_memory_is_refused() -> None:
    sandbox = page_sandbox(SandboxLimits(memory_bytes=160 * 1024 * 1024))
    try:
        with pytest.raises(ExtractionFailed) as refused:
            sandbox.ask(QUESTION, b"<p>" + b"<i>word</i> " * 400_000)
        assert refused.value.reason in (TOO_MUCH_MEMORY, CRASHED)
    finally:
        sandbox.close()


def test_an_idle_process_ends_by_itself_and_the_next_question_starts_another() -> None:
    sandbox = page_sandbox(SandboxLimits(idle_seconds=0.1))
    try:
        sandbox.ask(QUESTION, BODY)
        assert sandbox._worker is not None
        assert sandbox._worker.process.wait(timeout=30) == 0
        assert sandbox.ask(QUESTION, BODY)["outcome"] == "readable"
    finally:
        sandbox.close()


def test_the_process_knows_no_secret_of_the_server(sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VADE_LLM_KEY", "sk-very-secret")
    given: list[dict[str, str]] = []
    start = subprocess.Popen

    def watched(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        given.append(options["env"])
        return start(*arguments, **options)

    monkeypatch.setattr("vademecum.sandbox.process.subprocess.Popen", watched)
    sandbox.ask(QUESTION, BODY)
    assert [set(names) for names in given] == [{"PATH", "PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "LANG"}]


def test_a_closed_sandbox_leaves_no_process(sandbox: Sandbox) -> None:
    sandbox.ask(QUESTION, BODY)
    process = sandbox._worker.process if sandbox._worker else None
    sandbox.close()
    sandbox.close()
    assert process is not None
    assert process.returncode is not None


def test_a_document_without_memory_left_is_told_as_such() -> None:
    def out_of_memory(told: dict[str, Any], body: bytes) -> dict[str, Any]:
        raise MemoryError

    assert answer(out_of_memory, b'{"address": "x"}\n<p>x</p>') == b'{"error": "memory"}'
