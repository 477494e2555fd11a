"""Does doctor see every contradiction, and nothing where there is none?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.library.fakes import WordEmbedder
from tests.library.home import Home, an_id
from tests.storage.opening import change_rows
from vademecum.library.capturing import Captured, begin_capture, record_extraction
from vademecum.library.checking import Problem, Status, examine, queued_work, status
from vademecum.library.editing import update_note, update_tags
from vademecum.library.importing import ImportRun, Incoming, import_batch, plan
from vademecum.library.indexing import prepare
from vademecum.library.reindexing import reindex_item
from vademecum.library.saving import save_link
from vademecum.library.spaces import archive_space, create_space
from vademecum.library.trash import delete_item, restore
from vademecum.model.ids import content_hash
from vademecum.model.items import Kind, Layers
from vademecum.model.jobs import JobKind

HARD = (
    "\ufeff---\r\nnot: closed\n\n# [[Links]] `code`\n\n```\n# none\n```\n| [[a|b]] | 茶 |\n"
    + "長い文。" * 900
)


def damage(home: Home) -> list[tuple[str, str]]:
    return [(problem.code, problem.subject) for problem in examine(home.library) if problem.is_damage]


@pytest.fixture
def lived_in(home: Home) -> Home:
    """A library in which everything has happened that can happen to an item."""
    item_id = home.save(HARD, "Hard")
    update_note(home.library, home.owner, item_id, HARD * 2, 1, "Harder")
    update_tags(home.library, home.owner, item_id, ["a/b", "ｃ"], 2)
    trashed, restored = home.save("[[a]]", "trashed"), home.save("[[b]]", "restored")
    for one in (trashed, restored):
        delete_item(home.library, home.owner, one, 1)
    restore(home.library, home.owner, restored)
    home.save("", None)
    save_link(home.library, home.owner, an_id(), "https://example.org/queued")
    captured = an_id()
    save_link(home.library, home.owner, captured, "https://example.org/ready")
    while job := home.claim(JobKind.CAPTURE):
        if job.subject == captured:
            begin_capture(home.library, job)
            page = Captured("Page", "[a](b.md)", Kind.ARTICLE, b"<a>", "text/html")
            record_extraction(home.library, job, page)
    update_note(home.library, home.owner, captured, "[[mine]]", 2, None)
    run = ImportRun(home.owner, home.owner.spaces[0], "folder", an_id())
    block = "---\naliases: [other]\nsee: '[[Linked]]'\n---\n"
    note = Incoming("n.md", "h", ("x",), "n.md", "N", layers=Layers("x"), frontmatter=block, tags=("t",))
    text = Incoming("t.csv", "h", ("x",), "t.csv", "t.csv", Kind.FILE, Layers(extracted="a,b\n1,2"))
    import_batch(home.library, run, [plan(home.library, run, each, None) for each in (note, text)])
    return home


def test_a_library_that_was_only_used_is_sound(lived_in: Home) -> None:
    lived_in.work_off()
    assert list(examine(lived_in.library)) == []


def test_missing_vectors_and_waiting_jobs_are_no_damage(home: Home) -> None:
    home.with_ports(embedder=WordEmbedder(fails=True)).save(HARD, "Title")
    save_link(home.library, home.owner, an_id(), "https://example.org/")
    assert list(examine(home.library)) == []
    told = list(queued_work(home.library))
    assert {(problem.code, problem.subject, problem.is_damage) for problem in told} == {
        ("jobs", "embed", False),
        ("jobs", "capture", False),
    }


def test_a_failed_job_is_told(home: Home) -> None:
    save_link(home.library, home.owner, an_id(), "https://example.org/")
    job = home.claim()
    assert job is not None
    with home.library.storage.write() as tx:
        tx.jobs.fail(job, "reason")
    told = [(problem.subject, problem.is_damage) for problem in queued_work(home.library)]
    assert told == [("failed", False)]


def _altered_text(home: Home, item_id: str) -> None:
    """The stored text of the item says something else than its hash."""
    other = home.save("Something else altogether", "Other")
    one, two = (_hash(home, each) for each in (item_id, other))
    for column in ("content", "size", "encoding"):
        copied = f"(SELECT {column} FROM text WHERE hash = '{two}')"
        change_rows(home.url, f"UPDATE text SET {column} = {copied} WHERE hash = '{one}'")


def _hash(home: Home, item_id: str) -> str:
    return content_hash(home.read(item_id).body)


def _unreadable_text(home: Home, item_id: str) -> None:
    broken = "content = x'00ff00', encoding = 'zlib'"
    change_rows(home.url, f"UPDATE text SET {broken} WHERE hash = '{_hash(home, item_id)}'")


def _missing_text(home: Home, item_id: str) -> None:
    change_rows(home.url, f"DELETE FROM text WHERE hash = '{_hash(home, item_id)}'")


@pytest.mark.parametrize("harm", [_altered_text, _unreadable_text, _missing_text])
def test_a_harmed_text_is_seen_and_doctor_goes_on(home: Home, harm: Callable[[Home, str], None]) -> None:
    item_id = home.save("halyard " * 200, "Harmed")
    later = home.save("[[spinnaker]]", "Later")
    harm(home, item_id)
    change_rows(home.url, f"DELETE FROM link WHERE item_id = '{later}'")
    found = list(examine(home.library))
    assert all(problem.is_damage for problem in found)
    told = {(problem.code, problem.subject) for problem in found if problem.code != "database"}
    assert told == {("text", item_id), ("links", later)}


def test_a_lost_revision_is_seen(home: Home) -> None:
    item_id = home.save("One", "Title")
    update_note(home.library, home.owner, item_id, "Two", 1, None)
    home.save("Sound")
    change_rows(home.url, f"DELETE FROM revision WHERE item_id = '{item_id}' AND version = 1")
    assert damage(home) == [("revisions", item_id)]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE link SET target = 'Else' WHERE item_id = '{item_id}'",
        "UPDATE link SET end_offset = 3 WHERE item_id = '{item_id}'",
        "DELETE FROM link WHERE item_id = '{item_id}'",
    ],
)
def test_links_that_differ_from_the_text_are_seen_and_mended(home: Home, statement: str) -> None:
    item_id = home.save("See [[Target]].", "Title")
    home.save("See [[Target]] too.", "Sound")
    change_rows(home.url, statement.format(item_id=item_id))
    assert damage(home) == [("links", item_id)]
    reindex_item(home.library, home.owner.spaces[0], item_id)
    assert damage(home) == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE item_name SET key = 'else', text = 'Else' WHERE item_id = '{item_id}' AND origin = 'title'",
        "DELETE FROM item_name WHERE item_id = '{item_id}'",
    ],
)
def test_names_that_differ_from_the_item_are_seen_and_mended(home: Home, statement: str) -> None:
    item_id = home.save("Text", "Title")
    update_note(home.library, home.owner, item_id, "Text", 1, "New title")
    home.save("Text", "Sound")
    change_rows(home.url, statement.format(item_id=item_id))
    assert damage(home) == [("names", item_id)]
    reindex_item(home.library, home.owner.spaces[0], item_id)
    assert damage(home) == []


def _no_sections(home: Home, item_id: str) -> None:
    with home.library.storage.write() as tx:
        tx.index.replace(home.owner.spaces[0], item_id, 1, ())


def _other_text(home: Home, item_id: str) -> None:
    other = prepare(home.library, replace(home.read(item_id).state, layers=Layers("Another text")))
    with home.library.storage.write() as tx:
        tx.index.replace(home.owner.spaces[0], item_id, 1, other.chunks)


def _other_title(home: Home, item_id: str) -> None:
    other = prepare(home.library, replace(home.read(item_id).state, title="Another title"))
    with home.library.storage.write() as tx:
        tx.index.replace(home.owner.spaces[0], item_id, 1, other.chunks)


def _other_tokens(home: Home, item_id: str) -> None:
    """The drift that deleting by other tokens than were inserted leaves behind."""
    chunks = prepare(home.library, home.read(item_id).state).chunks
    drifted = [replace(chunk, body_tokens="other words") for chunk in chunks]
    with home.library.storage.write() as tx:
        tx.index.replace(home.owner.spaces[0], item_id, 1, drifted)


@pytest.mark.parametrize("drift", [_no_sections, _other_text, _other_title, _other_tokens])
def test_a_drift_between_index_and_text_is_seen_and_mended(
    home: Home, drift: Callable[[Home, str], None]
) -> None:
    item_id = home.save("halyard and sheet", "Title")
    home.save("halyard and sheet", "Sound")
    drift(home, item_id)
    assert set(damage(home)) == {("index", item_id)}
    reindex_item(home.library, home.owner.spaces[0], item_id)
    assert damage(home) == []
    assert sorted(home.found("halyard")) == ["Sound", "Title"]


def test_postings_that_were_lost_behind_our_back_are_seen(home: Home) -> None:
    item_id = home.save("halyard", "Title")
    home.library.storage.close()
    if home.url.startswith("sqlite"):
        change_rows(home.url, "INSERT INTO chunk_fts (chunk_fts) VALUES ('delete-all')")
    else:
        change_rows(home.url, "DELETE FROM chunk_posting")
    again = home.reopened()
    assert ("index", item_id) in damage(again)
    again.library.storage.close()


def test_a_file_that_is_gone_from_the_store_is_seen(home: Home) -> None:
    item_id = an_id()
    save_link(home.library, home.owner, item_id, "https://example.org/")
    job = home.claim()
    assert job is not None
    begin_capture(home.library, job)
    record_extraction(home.library, job, Captured("Page", "x", Kind.ARTICLE, b"<x>", "text/html"))
    blob = str(home.item(item_id).blob)
    home.library.blobs.remove(blob)
    assert damage(home) == [("blob", blob)]


def test_every_space_is_looked_at_archived_ones_too(home: Home) -> None:
    create_space(home.library, home.owner, "work", None)
    owner = home.owner_again()
    item_id = home.save("See [[Target]].", "Title", home.agent(of=owner, spaces=("work",)))
    archive_space(home.library, owner, "work")
    change_rows(home.url, f"DELETE FROM link WHERE item_id = '{item_id}'")
    assert damage(home) == [("links", item_id)]


def test_every_problem_says_what_to_do(home: Home) -> None:
    item_id = home.save("See [[Target]].", "Title")
    change_rows(home.url, f"DELETE FROM link WHERE item_id = '{item_id}'")
    (problem,) = examine(home.library)
    assert problem == Problem("links", item_id, problem.detail, "Run `vade reindex`.", is_damage=True)
    assert problem.detail


def test_the_status_counts_what_there_is(lived_in: Home) -> None:
    told = status(lived_in.library, lived_in.owner)
    kinds = {name: number for name, number in told.counts.items() if number}
    assert kinds == {
        "items": 7,
        "trashed": 1,
        "kind.note": 4,
        "kind.article": 2,
        "kind.file": 1,
        "index.keyword": told.counts["index.keyword"],
        "index.indexed": told.counts["index.indexed"],
    }
    assert told.jobs["embed"] == told.counts["index.keyword"] > 0
    lived_in.work_off()
    after = status(lived_in.library, lived_in.owner)
    assert after == Status(
        counts={**told.counts, "index.keyword": 0, "index.indexed": 7},
        index=after.index,
        jobs={**told.jobs, "embed": 0},
        vector_share={"words-1": 1.0},
        links=told.links,
        storage_bytes=told.storage_bytes,
    )
    assert after.index["vectors"] > told.index["vectors"]
