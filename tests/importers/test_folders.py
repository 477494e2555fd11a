"""Does everything in a folder come in, in its place, with a report whose numbers add up?"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.importers.vaults import bring_in, items, numbers, whole, write
from tests.library.home import Home, an_id
from vademecum.importers import markdown, tree
from vademecum.importers.plugin import Broken, Skipped, SourceFile
from vademecum.importers.run import Task, choose_importer, import_source
from vademecum.importers.tree import walk_tree
from vademecum.library import reading_files
from vademecum.library.checking import examine
from vademecum.library.history import revisions
from vademecum.library.importing import ImportRun
from vademecum.model.errors import InvalidInput, NotFound
from vademecum.model.items import IndexState, Kind, Layer
from vademecum.model.quota import Limits
from vademecum.model.revisions import Action, ActorKind
from vademecum.text.properties import Properties

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
CANVAS = {
    "nodes": [
        {"id": "1", "type": "text", "text": "A card about halyards", "x": 0},
        {"id": "2", "type": "file", "file": "Tea/Green.md"},
        {"id": "3", "type": "group", "label": "A group"},
        {"id": "4", "type": "link", "url": "https://example.org/"},
    ],
    "edges": [],
}


@pytest.fixture
def vault(root: Path) -> Path:
    """An Obsidian vault with everything that one usually holds."""
    return write(
        root,
        {
            ".obsidian/app.json": "{}",
            ".obsidian/plugins/x/main.js": "code",
            ".trash/Old.md": "gone",
            ".git/HEAD": "ref",
            "Index.md": "---\naliases: [Start]\ntags: [a/b]\n---\n[[Green]] ![[leaf.png]] [[Board.canvas]]",
            "Tea/Green.md": "# Green tea\n\nWater of 70 degrees. #tea/green\n",
            "Tea/Deep/er/Oolong.md": "See [[Start]] and [[Green tea]].",
            "attachments/leaf.png": PNG,
            "attachments/report.pdf": b"%PDF-1.4",
            "attachments/table.csv": "name,amount\nspinnaker,3\n",
            "Board.canvas": json.dumps(CANVAS),
            "All notes.base": 'filters:\n  and:\n    - file.hasTag("tea")\n',
            "Query.md": "```dataview\nTABLE file.name FROM #tea\n```\n",
            "Drawing.excalidraw.md": "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\nmast ^x\n",
            "Templates/Day.md": "---\ntags: []\n---\n# {{date}}\n",
        },
    )


def test_a_vault_comes_in_whole_with_every_file_in_its_place(home: Home, vault: Path) -> None:
    # A31
    report = bring_in(home, vault)
    assert (report.found, numbers(report)) == (15, {"added": 11, "skipped": 4})
    assert {(entry.path, entry.files) for entry in report.skipped} == {
        (".obsidian", 2),
        (".trash", 1),
        (".git", 1),
    }
    assert (report.failed, report.warnings) == ([], [])
    kinds = {place: item.kind for place, item in items(home).items()}
    assert kinds == {
        "Index.md": Kind.NOTE,
        "Tea/Green.md": Kind.NOTE,
        "Tea/Deep/er/Oolong.md": Kind.NOTE,
        "Query.md": Kind.NOTE,
        "Drawing.excalidraw.md": Kind.NOTE,
        "Templates/Day.md": Kind.NOTE,
        "attachments/leaf.png": Kind.IMAGE,
        "attachments/report.pdf": Kind.PDF,
        "attachments/table.csv": Kind.FILE,
        "Board.canvas": Kind.FILE,
        "All notes.base": Kind.FILE,
    }
    home.work_off()
    assert list(examine(home.library)) == []


def test_notes_are_found_linked_and_tagged_as_they_were(home: Home, vault: Path) -> None:
    bring_in(home, vault)
    home.work_off()
    assert home.found("Green tea")[0] == "Green tea"
    assert home.found("degrees", tags=["tea"]) == ["Green tea"]
    assert items(home)["Index.md"].tags == ("a/b",)
    with home.library.storage.read() as tx:
        assert tx.links.unresolved(home.owner.spaces[0]) == []


def test_files_are_kept_as_they_are_and_found_by_their_text(home: Home, vault: Path) -> None:
    bring_in(home, vault)
    assert home.found("spinnaker") == ["table.csv"]
    assert home.found("halyards") == ["Board.canvas"]
    canvas = whole(home, "Board.canvas")
    assert canvas.body == "A card about halyards\n\nTea/Green.md\n\nA group\n\nhttps://example.org/"
    for place in ("attachments/leaf.png", "Board.canvas", "All notes.base"):
        found = whole(home, place)
        with home.library.blobs.open(str(found.item.blob)) as stream:
            assert stream.read() == (vault / place).read_bytes()
    image = items(home)["attachments/leaf.png"]
    assert (image.layers, image.index_state, image.title) == ((), IndexState.SKIPPED, "leaf.png")
    assert items(home)["attachments/table.csv"].layers == (Layer.EXTRACTED,)


def test_an_import_is_told_from_other_writing_and_holds_together_by_its_session(
    home: Home, vault: Path
) -> None:
    bring_in(home, vault)
    made = [revisions(home.library, home.owner, item.item_id) for item in items(home).values()]
    assert all(len(of_item) == 1 for of_item in made)
    changes = [of_item[0].change for of_item in made]
    assert {change.actor_kind for change in changes} == {ActorKind.IMPORT}
    assert {change.tool for change in changes} == {"import"}
    assert {of_item[0].action for of_item in made} == {Action.CREATE}
    assert len({change.session_id for change in changes}) == 1
    assert None not in {change.session_id for change in changes}


def test_into_a_folder_of_the_library(home: Home, root: Path) -> None:
    write(root, {"a.md": "1", "sub/b.md": "2"})
    assert numbers(bring_in(home, root, into=("Imported", "2026"))) == {"added": 2}
    assert set(items(home)) == {"Imported/2026/a.md", "Imported/2026/sub/b.md"}


def test_a_single_file_is_imported_by_itself(home: Home, root: Path) -> None:
    write(root, {"a.md": "1", "b.md": "2"})
    assert numbers(bring_in(home, root / "a.md")) == {"added": 1}
    assert set(items(home)) == {"a.md"}
    assert numbers(bring_in(home, root / "a.md")) == {"unchanged": 1}


def test_an_empty_folder_is_an_import_of_nothing(sqlite_home: Home, root: Path) -> None:
    (root / "empty" / "deeper").mkdir(parents=True)
    report = bring_in(sqlite_home, root)
    assert (report.found, numbers(report)) == (0, {})


def test_a_vault_under_a_hidden_folder_is_imported(sqlite_home: Home, tmp_path: Path) -> None:
    # A31
    vault = write(tmp_path / ".hidden" / "vault", {"a.md": "1", ".hidden/b.md": "2", ".c.md": "3"})
    assert numbers(bring_in(sqlite_home, vault)) == {"added": 3}


def test_names_that_differ_in_case_or_composition_alone_get_a_number(home: Home, root: Path) -> None:
    # A24
    composed, apart = (unicodedata.normalize(form, "がぎ\u00e9.md") for form in ("NFC", "NFD"))
    write(root, {"Tea.md": "1", "tea.md": "2", composed: "3", apart: "4", "Dir/x.md": "5", "dir/x.md": "6"})
    assert numbers(bring_in(home, root)) == {"added": 6}
    found = items(home)
    assert len(found) == 6
    assert {place.casefold() for place in found} >= {"tea.md", "tea 2.md", "dir/x.md", "dir/x 2.md"}
    bodies = {place: whole(home, place).body for place in found}
    assert sorted(bodies.values()) == list("123456")
    assert numbers(bring_in(home, root)) == {"unchanged": 6}


def test_a_link_in_one_composition_finds_a_file_in_the_other(home: Home, root: Path) -> None:
    # A24
    apart = unicodedata.normalize("NFD", "プログラム.md")
    write(root, {apart: "text", "linker.md": "[[プログラム]]"})
    bring_in(home, root)
    with home.library.storage.read() as tx:
        assert tx.links.unresolved(home.owner.spaces[0]) == []


@pytest.mark.parametrize(
    "name",
    ["a?b:c.md", "a\nb.md", "\u202egpj.md", "CON.md", " .md", "...md", "x" * 250 + ".md", "a.b.md", "-.md"],
)
def test_every_name_that_a_disk_takes_is_taken(home: Home, root: Path, name: str) -> None:
    write(root, {name: "halyard", f"{name}.bin": b"\0"} if len(name) < 250 else {name: "halyard"})
    report = bring_in(home, root)
    assert report.failed == []
    assert home.found("halyard") == [items(home)[name].title]
    assert set(numbers(bring_in(home, root))) == {"unchanged"}


def test_names_that_are_no_utf_8_are_told_apart_and_lose_nothing(home: Home, root: Path) -> None:
    names = (b"caf\xe9.md", b"caf\xe8.md", b"\xff.bin", b"d\xe9/x.md")
    write(root, {os.fsdecode(name): f"text {number}" for number, name in enumerate(names)})
    report = bring_in(home, root)
    assert (numbers(report), report.failed) == ({"added": 4}, [])
    assert set(items(home)) == {"caf%E9.md", "caf%E8.md", "%FF.bin", "d%E9/x.md"}
    assert numbers(bring_in(home, root)) == {"unchanged": 4}


def test_symbolic_links_are_listed_and_never_followed(sqlite_home: Home, root: Path, tmp_path: Path) -> None:
    outside = write(tmp_path / "outside", {"secret.md": "secret"})
    write(root, {"a.md": "1"})
    (root / "folder").symlink_to(outside)
    (root / "file.md").symlink_to(outside / "secret.md")
    (root / "loop").symlink_to(root)
    (root / "nowhere.md").symlink_to(root / "missing")
    report = bring_in(sqlite_home, root)
    assert numbers(report) == {"added": 1, "skipped": 4}
    assert {entry.reason for entry in report.skipped} == {"symbolic link"}
    assert sqlite_home.listed(keyword="secret") == []


def test_what_is_no_ordinary_file_is_skipped(sqlite_home: Home, root: Path) -> None:
    os.mkfifo(root / "pipe.md")
    write(root, {"a.md": "1"})
    assert numbers(bring_in(sqlite_home, root)) == {"added": 1, "skipped": 1}


def test_one_broken_file_blocks_no_other(home: Home, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A13
    write(root, {f"{number:03}.md": f"note {number}" for number in range(200)})
    really = Path.read_bytes

    def read_bytes(self: Path) -> bytes:
        if self.name == "077.md":
            raise PermissionError(13, "Permission denied")
        return really(self)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    report = bring_in(home, root)
    assert numbers(report) == {"added": 199, "failed": 1}
    assert report.failed == [("077.md", "cannot be read: Permission denied")]
    monkeypatch.undo()
    assert numbers(bring_in(home, root)) == {"added": 1, "unchanged": 199}


def test_a_note_that_is_refused_blocks_no_other_of_its_batch(
    home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(root, {"a.md": "1", "b.md": "2", "c.md": "3"})
    really = reading_files.source_of

    def source(properties: Properties) -> str | None:
        return "not an address" if calls.pop() == 1 else really(properties)

    calls = [2, 1, 0]
    monkeypatch.setattr(reading_files, "source_of", source)
    report = bring_in(home, root)
    assert numbers(report) == {"added": 2, "failed": 1}
    assert [path for path, _ in report.failed] == ["b.md"]
    assert report.failed[0][1].startswith("INVALID_INPUT: ")


def test_a_folder_that_cannot_be_read_is_told_as_a_failure(
    sqlite_home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A33
    write(root, {"a.md": "1", "closed/b.md": "2", "z.md": "3"})
    really = Path.iterdir

    def iterdir(self: Path) -> Iterator[Path]:
        if self.name == "closed":
            raise PermissionError(13, "Permission denied")
        return really(self)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    report = bring_in(sqlite_home, root)
    assert numbers(report) == {"added": 2, "failed": 1}
    assert report.failed == [("closed/", "the folder cannot be read: Permission denied")]


def test_a_text_beyond_the_limit_is_told_and_not_read(
    sqlite_home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(markdown, "IMPORT_TEXT_LIMIT", 1000)
    monkeypatch.setattr(reading_files, "FILE_LIMIT", 1000)
    monkeypatch.setattr(markdown, "FILE_LIMIT", 1000)
    write(
        root, {"big.md": "x" * 1001, "big.bin": b"x" * 1001, "fits.md": "x" * 1000, "fits.bin": b"x" * 1000}
    )
    report = bring_in(sqlite_home, root)
    assert numbers(report) == {"added": 2, "failed": 2}
    assert {path for path, _ in report.failed} == {"big.md", "big.bin"}


def test_a_large_text_file_is_kept_but_not_searched(
    sqlite_home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading_files, "INDEXED_FILE_LIMIT", 100)
    write(root, {"log.txt": "halyard " * 100})
    report = bring_in(sqlite_home, root)
    item = items(sqlite_home)["log.txt"]
    assert (item.layers, item.index_state) == ((), IndexState.SKIPPED)
    ((path, warning),) = report.warnings
    assert (path, "longer than 100 bytes" in warning) == ("log.txt", True)
    assert (sqlite_home.found("halyard"), sqlite_home.found("log.txt")) == ([], ["log.txt"])


DATA = (
    "a.json",
    "b.yaml",
    "c.yml",
    "d.js",
    "e.css",
    "f.py",
    "g.base",
    "h.html",
    "i.log",
    "j.xml",
    "k.JSON",
    "l",
)
PROSE = ("a.txt", "b.org", "c.rst", "d.tex", "e.csv", "f.tsv", "g.TXT", "h.bib")


def test_prose_is_searched_and_programs_and_their_data_are_found_by_name(home: Home, root: Path) -> None:
    write(root, {f"Box/{name}": "zyzzyva" for name in (*DATA, *PROSE)})
    assert bring_in(home, root).warnings == []
    assert sorted(home.found("zyzzyva", limit=50)) == sorted(PROSE)
    assert [home.found(name) for name in DATA] == [[name] for name in DATA]
    assert {items(home)[f"Box/{name}"].index_state for name in DATA} == {IndexState.SKIPPED}


def test_a_text_file_in_another_encoding_is_searched_and_reported(sqlite_home: Home, root: Path) -> None:
    write(root, {"a.txt": "halyard schön".encode("cp1252"), "b.csv": "spinnaker\0", "c.txt": "mast"})
    report = bring_in(sqlite_home, root)
    assert [path for path, _ in report.warnings] == ["a.txt", "b.csv"]
    assert (sqlite_home.found("halyard"), sqlite_home.found("spinnaker")) == (["a.txt"], ["b.csv"])


def test_the_last_word_on_progress_comes_when_all_is_there(sqlite_home: Home, root: Path) -> None:
    write(root, {f"{number}.md": "x" for number in range(5)})
    there: list[int] = []
    run = ImportRun(sqlite_home.owner, sqlite_home.owner.spaces[0], str(root), an_id())
    task = Task(run, root, choose_importer(root, None))
    import_source(sqlite_home.library, task, lambda *_: there.append(len(items(sqlite_home))))
    assert there[-1] == 5


def test_a_large_note_is_read_in_windows(home: Home, root: Path) -> None:
    # A44
    text = "".join(f"Line {number} of a very long note.\n" for number in range(60_000))
    write(root, {"long.md": text + "zyzzyva"})
    bring_in(home, root)
    assert home.found("zyzzyva") == ["long"]
    assert whole(home, "long.md").body == text + "zyzzyva"


def test_folders_nested_beyond_64_are_listed(
    sqlite_home: Home, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = "/".join(["d"] * 63)
    write(root, {f"{deep}/near.md": "1", f"{deep}/d/d/far.md": "2"})
    report = bring_in(sqlite_home, root)
    assert numbers(report) == {"added": 1, "skipped": 1}
    monkeypatch.setattr(tree, "_DEEPEST", 1)
    assert numbers(bring_in(sqlite_home, root)) == {"skipped": 2}


@pytest.mark.parametrize(
    "content",
    [
        "not json",
        "[]",
        '{"nodes": 5}',
        '{"nodes": [5, null, "x"]}',
        '{"nodes": [{"text": {"a": 1}}]}',
        "[" * 100_000,
        '{"nodes": [{"text": "\\ud800 half"}]}',
        "",
        b"\xff\xfe\x00",
    ],
)
def test_a_canvas_of_any_form_is_kept(sqlite_home: Home, root: Path, content: str | bytes) -> None:
    write(root, {"Board.canvas": content, "a.md": "1"})
    report = bring_in(sqlite_home, root)
    assert (numbers(report), report.failed) == ({"added": 2}, [])
    is_read = items(sqlite_home)["Board.canvas"].layers != ()
    assert is_read == (report.warnings == [])


def test_an_import_stops_where_the_storage_is_full_and_says_so(home: Home, root: Path) -> None:
    small = home.with_ports(limits=Limits(storage_bytes=5))
    home.save("12345")
    write(root, {"a.md": "1", "b.md": "2"})
    report = bring_in(small, root)
    assert numbers(report) == {"failed": 2}
    assert {reason.partition(":")[0] for _, reason in report.failed} == {"STORAGE_FULL"}
    assert len(items(home)) == 1


def test_a_walk_gives_each_file_once_in_a_steady_order(root: Path) -> None:
    write(root, dict.fromkeys(("b.md", "a/z.md", "a.md", "a/b/c.md", ".trash/t.md", "é.md"), "x"))
    paths = [entry.path for entry in walk_tree(root)]
    assert paths == [".trash", "a/b/c.md", "a/z.md", "a.md", "b.md", "é.md"]
    assert [entry.path for entry in walk_tree(root)] == paths
    kinds = {type(entry) for entry in walk_tree(root)}
    assert kinds == {SourceFile, Skipped}
    assert Broken not in kinds


def test_a_source_that_is_not_there_or_of_an_unknown_format_is_refused(root: Path) -> None:
    with pytest.raises(NotFound):
        choose_importer(root / "missing", None)
    with pytest.raises(InvalidInput) as refused:
        choose_importer(root, "evernote")
    assert refused.value.field == "format"
    assert choose_importer(root, "markdown").name == "markdown"
