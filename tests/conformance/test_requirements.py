"""Does the HTTP stack let a server conform to both revisions of the protocol?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.conformance.serving import BEYOND, installed_at, serving_fixture
from tests.conformance.suite import baseline, required, run_suite, unscored
from tests.faces.installation import Installation, install

REVISIONS = ("2025-11-25", "2026-07-28")
WITHOUT_PUSH = Path(__file__).with_name("baseline_without_push.yml")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("fixture")
    installed = install(installed_at(folder), folder)
    yield installed
    installed.library.storage.close()


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_server_behind_guards_and_gate_meets_all_requirements_of_the_revision(
    installation: Installation, tmp_path: Path, revision: str
) -> None:
    with serving_fixture(installation, pushing=True) as url:
        found = run_suite(url, tmp_path, "--requirements", revision)
    assert (found.code, required(revision) - found.passed) == (0, set()), found.words
    # What the revision does not require passes too, except for the extension of tasks, which we do not serve.
    assert set(found.failed) <= unscored(revision, "extension"), found.words


@pytest.mark.parametrize("revision", REVISIONS)
def test_with_the_transport_of_the_product_only_what_needs_push_is_missing(
    installation: Installation, tmp_path: Path, revision: str
) -> None:
    with serving_fixture(installation, pushing=False) as url:
        words = ("--requirements", revision, "--expected-failures", str(WITHOUT_PUSH))
        found = run_suite(url, tmp_path, *words)
    assert found.code == 0, found.words
    expected = {scenario for scenario, _ in baseline(WITHOUT_PUSH)}
    assert required(revision) - found.passed <= expected
    assert found.passed >= required(revision) - expected


def test_the_gate_stands_before_the_fixture(installation: Installation) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": BEYOND}}
    with serving_fixture(installation, pushing=True) as url:
        answer = httpx2.post(url, json=call)
    assert (answer.status_code, answer.json()["error"]["data"]["code"]) == (403, "API_KEY_TIER_DENIED")
