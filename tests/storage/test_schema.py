"""Do both databases have the same tables, with the space in every key of its content?"""

from __future__ import annotations

from dataclasses import replace

from tests.databases import PostgresDatabases, SqliteDatabases
from tests.storage import opening
from tests.storage.schema import Table, schema_of

# People and the installation have no space; everything else is a space's content.
WITHOUT_SPACE = {
    "account",
    "agent_key",
    "credit",
    "index_number",
    "installation",
    "released_file",
    "schema_migration",
    "space",
}

# What each database needs of its own to search; the migration that makes them marks them so.
SEARCH_OF_ONE = {"chunk_fts", "index_change", "index_number", "chunk_posting", "chunk_vector"}


def content(schema: dict[str, Table]) -> dict[str, Table]:
    """Tables of a space's content. The tables in which FTS5 keeps its postings have their own keys."""
    return {
        name: table
        for name, table in schema.items()
        if name not in WITHOUT_SPACE and not name.startswith("chunk_fts")
    }


def test_both_databases_have_the_same_tables(
    sqlite_source: SqliteDatabases, postgres_source: PostgresDatabases
) -> None:
    schemas = []
    for source in (sqlite_source, postgres_source):
        schema = schema_of(source.fresh(opening.migrate))
        source.discard()
        shared = {
            name: table
            for name, table in schema.items()
            if name not in SEARCH_OF_ONE and not name.startswith("chunk_fts")
        }
        schemas.append(shared)
    assert schemas[0] == schemas[1]
    assert {"account", "space", "item", "revision", "change", "text", "link", "job", "audit"} <= set(
        schemas[0]
    )


def test_every_key_of_a_spaces_content_leads_with_the_space(library_url: str) -> None:
    leading = {
        name: {table.primary[0], *table.unique} for name, table in content(schema_of(library_url)).items()
    }
    assert leading == {name: {"space_id"} for name in leading}
    assert len(leading) > 15


def test_references_between_content_stay_within_the_space(library_url: str) -> None:
    tables = content(schema_of(library_url))
    leaving = [
        (name, mine, target, theirs)
        for name, table in tables.items()
        for mine, target, theirs in table.foreign
        if target in tables and (mine[0], theirs[0]) != ("space_id", "space_id")
    ]
    assert leaving == []
    outside = {target for table in tables.values() for _, target, _ in table.foreign} - set(tables)
    assert outside == {"account", "space"}


def test_people_and_installation_do_not_lead_with_a_space(library_url: str) -> None:
    schema = schema_of(library_url)
    leading = {name for name, table in schema.items() if table.primary[:1] == ("space_id",)}
    assert leading & WITHOUT_SPACE == {"space"}
    assert set(schema) >= WITHOUT_SPACE - SEARCH_OF_ONE


def test_a_difference_between_the_schemas_would_be_seen(library_url: str) -> None:
    schema = schema_of(library_url)
    item = schema["item"]
    assert ("title", "text", True) in item.columns
    assert ("trashed_at", "text", False) in item.columns
    assert item.primary == ("space_id", "item_id")
    assert (("space_id", "folder_id"), "folder", ("space_id", "folder_id")) in item.foreign
    assert schema["folder"].unique == {"space_id"}
    assert schema["job"].indexes == {"job_waiting", "job_queue", "job_running", "job_by_subject"}
    assert replace(item, columns=item.columns[1:]) != item
