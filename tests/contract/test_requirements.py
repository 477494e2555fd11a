"""Is every statement of the contract held by a test, and every claim one of a statement?"""

from __future__ import annotations

import re

import pytest

from tests.contract.claims import claimed, claimed_in, requirements

# In pieces, so that this file claims nothing itself.
MARK = "@pytest.mark." + "claims"


def test_every_statement_is_claimed_by_a_test() -> None:
    unclaimed = claimed()
    assert [one.id for one in requirements() if one.id not in unclaimed] == []


def test_every_claim_is_one_of_a_statement() -> None:
    assert sorted(claimed() - {one.id for one in requirements()}) == []


def test_ids_are_unique_and_short_words() -> None:
    ids = [one.id for one in requirements()]
    assert (len(set(ids)), [one for one in ids if not re.fullmatch(r"[a-z-]+\.[a-z0-9-]+", one)]) == (
        len(ids),
        [],
    )


def test_every_statement_is_a_sentence_with_its_source() -> None:
    told = requirements()
    assert [one.id for one in told if not re.fullmatch(r"[A-Za-z].{10,}[^.]\.", one.says)] == []
    assert len({one.says for one in told}) == len(told)
    origin = re.compile(r"(contracts [23]\.\d+(\.\d+)?|decisions, [A-Z]\w+[ \w]*)( and .+)?")
    assert [one.id for one in told if not origin.fullmatch(one.source)] == []


def test_claims_are_found_on_tests_of_every_form() -> None:
    source = f'{MARK}("a.b", "c.d")\ndef test_x(): ...\n{MARK}("e.f")\n@other\nasync def test_y(): ...\n'
    assert sorted(claimed_in(source)) == ["a.b", "c.d", "e.f"]


@pytest.mark.parametrize(
    "source",
    [
        f"{MARK}()\ndef test_x(): ...",
        f"{MARK}\ndef test_x(): ...",
        f"{MARK}(NAME)\ndef test_x(): ...",
        f'{MARK}("a.b", reason="x")\ndef test_x(): ...',
        f'{MARK}("a.b")\ndef helper(): ...',
        f'pytestmark = {MARK[1:]}("a.b")',
    ],
)
def test_a_claim_that_nothing_can_hold_is_refused(source: str) -> None:
    with pytest.raises(ValueError, match=r"line \d"):
        list(claimed_in(source))
