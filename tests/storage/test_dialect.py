"""Do both databases open lists alike, and do statements reach each driver unharmed?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.storage.samples import SPACE, a_document, add
from vademecum.model.search import Filters
from vademecum.ports.storage import Storage
from vademecum.storage.dialect import POSTGRES, SQLITE, Dialect, for_psycopg
from vademecum.storage.postgres_connection import read_back, spelt


@pytest.mark.parametrize(
    ("shared", "for_driver"),
    [
        ("SELECT :a, :b_2", "SELECT %(a)s, %(b_2)s"),
        ("SELECT ':a', 'it''s :b', :c", "SELECT ':a', 'it''s :b', %(c)s"),
        ("SELECT 5 % 2, '%'", "SELECT 5 %% 2, '%%'"),
        ("SELECT a::text, :b", "SELECT a::text, %(b)s"),
        ("WHERE a = :a OR :a = ''", "WHERE a = %(a)s OR %(a)s = ''"),
    ],
)
def test_parameters_are_named_as_psycopg_wants_them(shared: str, for_driver: str) -> None:
    assert for_psycopg(shared) == for_driver


@pytest.mark.parametrize("dialect", [SQLITE, POSTGRES])
def test_a_list_is_opened_by_a_constant_statement(dialect: Dialect) -> None:
    assert dialect.list_rows("spaces") == dialect.list_rows("spaces", "value TEXT")
    assert ":spaces" in dialect.list_rows("spaces")


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_what_is_spelt_without_nul_is_read_back(text: str) -> None:
    assert "\0" not in spelt(text)
    assert read_back(spelt(text)) == text


@given(st.text(alphabet="\0\x1a01a"), st.text(alphabet="\0\x1a01a"))
def test_two_texts_are_never_spelt_alike(one: str, other: str) -> None:
    assert (spelt(one) == spelt(other)) == (one == other)


@pytest.mark.parametrize("text", ["'", '"', "\\", "日本", "a b", "%", ":x", "\n", "\u2028", "{}", ""])
def test_values_of_a_list_arrive_as_they_are(storage: Storage, text: str) -> None:
    document = a_document(text)
    add(storage, document)
    with storage.read() as tx:
        assert tx.items.find_all([(SPACE, text), (SPACE, "other")]) == {(SPACE, text): document.item}


def test_a_long_list_is_no_problem(storage: Storage) -> None:
    add(storage, a_document())
    keys = [(SPACE, f"{number}") for number in range(50_000)]
    with storage.read() as tx:
        assert list(tx.items.find_all([*keys, (SPACE, "item-1")])) == [(SPACE, "item-1")]


def test_a_value_with_nul_finds_nothing_else(storage: Storage) -> None:
    add(storage, a_document(tags=("a",)))
    with storage.read() as tx:
        assert tx.items.matching([SPACE], Filters(tags=("a\0b",))) == frozenset()
        assert tx.items.matching([SPACE], Filters(tags=("a",))) == {(SPACE, "item-1")}
