"""Does the library's endpoint, served as a user serves it, conform in everything that it offers?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.injector import injecting
from tests.conformance.suite import baseline, run_suite
from tests.external.product import Product

BASELINE = Path(__file__).with_name("baseline.yml")
SCENARIOS = {
    "2025-11-25": ("server-initialize", "ping", "tools-list", "dns-rebinding-protection"),
    "2026-07-28": (
        "server-stateless",
        "tools-list",
        "dns-rebinding-protection",
        "http-header-validation",
        "caching",
        "server-sse-multiple-streams",
        "input-required-result-unsupported-methods",
    ),
}
CASES = [(revision, scenario) for revision, scenarios in SCENARIOS.items() for scenario in scenarios]


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The library's endpoint, opened with a full key to a client that has none."""
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
    product = Product(tmp_path_factory.mktemp("library") / "data", off)
    key = product.key()
    with product, injecting(product.port, key) as address:
        yield f"{address}/mcp"


@pytest.mark.parametrize(("revision", "scenario"), CASES)
def test_the_library_conforms_but_for_what_the_baseline_explains(
    url: str, tmp_path: Path, revision: str, scenario: str
) -> None:
    words = ("--scenario", scenario, "--spec-version", revision, "--expected-failures", str(BASELINE))
    found = run_suite(url, tmp_path, *words)
    assert (found.code, set(found.checks)) == (0, {scenario}), found.words
    assert any("SUCCESS" in statuses for statuses in found.checks[scenario].values())


def test_every_entry_of_the_baseline_is_of_a_scenario_that_is_run() -> None:
    assert {scenario for scenario, _ in baseline(BASELINE)} <= {scenario for _, scenario in CASES}
