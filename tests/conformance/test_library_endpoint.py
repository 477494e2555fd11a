"""Does the library's endpoint, served as a user serves it, conform in everything that it offers?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.injector import injecting
from tests.conformance.suite import GENERIC_CASES, baseline, conforms
from tests.external.product import Product

BASELINE = Path(__file__).with_name("baseline.yml")


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The library's endpoint, opened with a full key to a client that has none."""
    off = {"VADE_EMBEDDER": "off", "VADE_RERANKER": "off"}
    product = Product(tmp_path_factory.mktemp("library") / "data", off)
    key = product.key()
    with product, injecting(product.port, key) as address:
        yield f"{address}/mcp"


@pytest.mark.parametrize(("revision", "scenario"), GENERIC_CASES)
def test_the_library_conforms_but_for_what_the_baseline_explains(
    url: str, tmp_path: Path, revision: str, scenario: str
) -> None:
    conforms(url, tmp_path, BASELINE, (revision, scenario))


def test_every_entry_of_the_baseline_is_of_a_scenario_that_is_run() -> None:
    assert {scenario for scenario, _ in baseline(BASELINE)} <= {scenario for _, scenario in GENERIC_CASES}
