"""Do the commands bring in, find, read, take back and check what a library holds?"""

from __future__ import annotations

import io
import sqlite3
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.commands.shell import Shell
from vademecum.app import open_app
from vademecum.importers.builtin import IMPORTERS
from vademecum.library.checking import Status
from vademecum.library.connecting import person
from vademecum.library.trash import delete_item
from vademecum.model.jobs import JobKind
from vademecum.settings import read_settings

NOWHERE = str(uuid.uuid4())


def bring_in(shell: Shell, notes: Path, *words: str) -> dict[str, Any]:
    (report,) = shell.ok("import", str(notes), *words)["imports"]
    found: dict[str, Any] = report
    return found


def find(shell: Shell, query: str) -> str:
    """The id of the one item that a search finds."""
    (result,) = shell.ok("search", query)["results"]
    found: str = result["id"]
    return found


def test_an_import_reports_numbers_that_add_up(shell: Shell, notes: Path) -> None:
    (notes / ".obsidian").mkdir()
    (notes / ".obsidian" / "app.json").write_text("{}")
    (notes / "nul.md").write_text("a\0b")
    report = bring_in(shell, notes)
    assert report == {
        "source": str(notes),
        "found": 4,
        "added": 3,
        "updated": 0,
        "unchanged": 0,
        "changed": 0,
        "edited-here": 0,
        "skipped": 1,
        "failed": 0,
        "skippedPaths": [{"path": ".obsidian", "reason": "settings of Obsidian", "files": 1}],
        "failedPaths": [],
        "warnings": [{"path": "nul.md", "warning": "holds the character NUL, first at 1"}],
    }
    again = bring_in(shell, notes)
    assert (again["unchanged"], again["added"], again["found"]) == (3, 0, 4)


def test_the_report_for_people_says_the_same(shell: Shell, notes: Path) -> None:
    ran = shell.run("import", str(notes))
    assert (ran.code, ran.messages) == (0, "")
    lines = ran.text.splitlines()
    assert lines[0] == f"{notes}: 2 files found"
    assert [line.split() for line in lines[1:]] == [["added", "2"], ["skipped", "0"], ["failed", "0"]]


@pytest.mark.parametrize("is_made", [False, True])
def test_a_trial_leaves_no_data_folder_and_says_what_it_was(shell: Shell, notes: Path, is_made: bool) -> None:
    if is_made:
        shell.data.mkdir()
    ran = shell.run("import", str(notes), "--dry-run")
    assert ran.code == 0
    lines = ran.text.splitlines()
    assert lines[1].split() == ["would", "be", "added", "2"]
    assert "trial" in lines[-1]
    assert "nothing was imported or changed" in lines[-1]
    told = shell.ok("import", str(notes), "--dry-run")
    assert (told["dryRun"], told["imports"][0]["added"]) == (True, 2)
    assert shell.refused(1, "import", "missing", "--dry-run")
    assert (shell.data.exists(), list(shell.data.rglob("*"))) == (is_made, [])
    assert shell.ok("import", str(notes))["dryRun"] is False


def test_a_trial_looks_into_the_library_that_there_is(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    (notes / "new.md").write_text("mast", encoding="utf-8")
    told = bring_in(shell, notes, "--dry-run")
    assert (told["added"], told["unchanged"]) == (1, 2)
    assert shell.ok("search", "mast")["count"] == 0


def test_the_report_names_what_went_wrong_before_what_was_left_out(shell: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "vault"
    (folder / ".obsidian").mkdir(parents=True)
    (folder / ".obsidian" / "app.json").write_text("{}")
    (folder / "big.txt").write_bytes(b"x" * (2 * 1024 * 1024 + 1))
    (folder / "odd.txt").write_bytes("schön".encode("cp1252"))
    told = [line.split(":")[0].strip() for line in shell.run("import", str(folder)).text.splitlines()[4:]]
    assert told == ["big.txt", "odd.txt", ".obsidian"]


def test_the_formats_are_named_in_the_help(shell: Shell) -> None:
    text = shell.run("import", "--help").text
    assert [importer.name for importer in IMPORTERS if importer.name not in text] == []


def test_the_place_of_an_item_is_told(shell: Shell, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_in(shell, notes, "--into", "Old/Stuff")
    (one,) = shell.ok("search", "halyard")["results"]
    assert one["path"] == "Old/Stuff/rope.md"
    assert shell.ok("get", one["id"])["path"] == "Old/Stuff/rope.md"
    assert shell.run("get", one["id"]).messages == ""
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    ran = shell.run("get", one["id"])
    assert (ran.text, ran.messages) == ("The halyard jams.", "rope\nOld/Stuff/rope.md\n\n")


def test_changed_files_are_told_and_taken_with_update(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    (notes / "rope.md").write_text("spinnaker", encoding="utf-8")
    ran = shell.run("import", str(notes))
    assert (ran.code, "--update" in ran.messages) == (0, True)
    assert shell.ok("search", "spinnaker")["count"] == 0
    assert bring_in(shell, notes, "--dry-run", "--update")["updated"] == 1
    assert shell.ok("search", "spinnaker")["count"] == 0
    assert bring_in(shell, notes, "--update")["updated"] == 1
    assert shell.ok("search", "spinnaker")["count"] == 1


def test_an_import_with_a_failure_ends_with_1_and_keeps_the_rest(
    shell: Shell, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = Path.read_bytes

    def read_bytes(self: Path) -> bytes:
        if self.name == "tea.md":
            raise PermissionError(13, "Permission denied")
        return really(self)

    monkeypatch.setattr(Path, "read_bytes", read_bytes)
    ran = shell.run("import", str(notes), "--json")
    (report,) = ran.result["imports"]
    assert (ran.code, report["added"], report["failed"]) == (1, 1, 1)
    assert report["failedPaths"] == [{"path": "tea.md", "reason": "cannot be read: Permission denied"}]


def test_several_sources_go_into_a_folder_and_a_space(shell: Shell, notes: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.md"
    other.write_text("mast", encoding="utf-8")
    shell.ok("spaces", "create", "work")
    ran = shell.ok("import", str(notes), str(other), "--into", "Old/Stuff", "--space", "work")
    assert [report["added"] for report in ran["imports"]] == [2, 1]
    (item,) = shell.ok("search", "mast")["results"]
    assert item["title"] == "other"
    with closing(sqlite3.connect(shell.data / ".vade" / "library.db")) as database:
        assert {name for (name,) in database.execute("SELECT name FROM folder")} == {"Old", "Stuff"}


@pytest.mark.parametrize(
    "words",
    [
        ["missing"],
        ["{notes}", "missing"],
        ["{notes}", "--format", "evernote"],
        ["{notes}", "--space", "nowhere"],
        ["{notes}", "--into", "../up"],
        ["{notes}", "--account", "nobody"],
    ],
)
def test_an_import_that_cannot_be_imports_nothing(shell: Shell, notes: Path, words: list[str]) -> None:
    assert shell.refused(1, "import", *(word.format(notes=notes) for word in words))
    assert shell.ok("status")["items"]["items"] == 0


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (["import", "missing"], "Check the spelling"),
        (["import", ".", "--space", "nowhere"], "`vade spaces list`"),
        (["import", ".", "--account", "nobody"], "`vade accounts list`"),
        (["spaces", "archive", "nowhere"], "`vade spaces list`"),
        (["keys", "revoke", "nothing"], "`vade keys list`"),
        (["accounts", "reset-password", "nobody", "--password-stdin"], "`vade accounts list`"),
        (["get", NOWHERE], "Check the id"),
    ],
)
def test_advice_is_about_what_was_asked_for(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: list[str], advice: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("password of a person\n"))
    said = shell.refused(1, *words)
    assert "NOT_FOUND" in said
    assert advice in said
    assert ("the id" in said) == (advice == "Check the id")


def test_a_text_is_printed_byte_for_byte(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    for name, word in (("tea.md", "绿茶"), ("rope.md", "halyard")):
        ran = shell.run("get", find(shell, word))
        assert (ran.code, ran.out, ran.messages) == (0, (notes / name).read_bytes(), "")
    told = shell.ok("get", find(shell, "绿茶"))
    assert told["frontmatter"] + told["content"] == (notes / "tea.md").read_bytes().decode()
    assert (told["title"], told["kind"], told["version"], told["tags"]) == ("Green tea", "note", 1, ["tea"])


def test_a_search_shows_results_and_tells_how_it_was_ranked(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    told = shell.ok("search", "halyard", "jams")
    (one,) = told.pop("results")
    assert told == {"count": 1, "vectorSearchApplied": False, "rerankApplied": False}
    assert (one["title"], one["kind"], one["snippet"]) == ("rope", "note", "The halyard jams.")
    assert one["url"] == f"http://localhost:8484/i/{one['id']}"
    ran = shell.run("search", "halyard")
    assert (ran.text.splitlines()[:3], ran.code) == (["rope", "  rope.md", f"  {one['id']}"], 0)
    assert "words alone" in ran.messages
    nothing = shell.run("search", "zyzzyva")
    assert (nothing.code, nothing.out) == (0, b"")
    assert nothing.messages
    assert shell.ok("search", "halyard", "--tag", "tea")["count"] == 0
    assert shell.ok("search", "jams", "绿茶", "--limit", "1")["count"] == 1


@pytest.mark.parametrize("words", [["search", "  "], ["search", "x", "--limit", "0"], ["search", "x" * 2001]])
def test_a_search_that_cannot_be_is_refused(shell: Shell, words: list[str]) -> None:
    assert "INVALID_INPUT" in (said := shell.refused(1, *words)) or "TOO_LARGE" in said


def test_unknown_items_are_refused_by_every_command(shell: Shell) -> None:
    for item_id in (NOWHERE, "x"):
        for words in (["get"], ["history"], ["trash", "restore"], ["trash", "purge", "--yes"]):
            assert "NOT_FOUND" in shell.refused(1, *words, item_id)
        assert "NOT_FOUND" in shell.refused(1, "revert", item_id, "1")


def test_history_lists_every_version_and_revert_brings_one_back(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    item_id = find(shell, "halyard")
    (notes / "rope.md").write_text("spinnaker", encoding="utf-8")
    bring_in(shell, notes, "--update")
    assert "NOT_FOUND" in shell.refused(1, "revert", item_id, "3")
    assert shell.ok("revert", item_id, "1") == {"id": item_id, "version": 3}
    assert shell.run("get", item_id).text == "The halyard jams."
    told = shell.ok("history", item_id)["revisions"]
    short = [(one["version"], one["action"], one["actor"], one["tool"]) for one in told]
    assert short == [
        (3, "revert", "person", "revert"),
        (2, "update", "import", "import"),
        (1, "create", "import", "import"),
    ]
    lines = shell.run("history", item_id).text.splitlines()
    assert [line.split()[0] for line in lines] == ["3", "2", "1"]


def test_a_change_is_undone_by_the_id_that_the_history_shows(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    item_id = find(shell, "halyard")
    (notes / "rope.md").write_text("spinnaker", encoding="utf-8")
    bring_in(shell, notes, "--update")
    newest = shell.run("history", item_id).text.splitlines()[0].split()
    (change,) = (word for word in newest if word == shell.ok("history", item_id)["revisions"][0]["change"])
    told = shell.ok("undo", change)
    assert told["undone"] == [{"kind": "item", "id": item_id, "name": "rope", "undone": True, "reason": None}]
    assert shell.run("get", item_id).text == "The halyard jams."
    assert shell.ok("history", item_id)["revisions"][0]["change"] == told["change"]
    again = shell.run("undo", change)
    assert (again.code, again.text.splitlines()) == (
        0,
        [f"left: item 'rope' ({item_id}), because it was changed since", "nothing was taken back"],
    )
    assert "NOT_FOUND" in shell.refused(1, "undo", item_id)


@pytest.fixture
def trashed(shell: Shell, notes: Path) -> str:
    """The id of a note in the trash, which no command puts there."""
    bring_in(shell, notes)
    item_id = find(shell, "halyard")
    app = open_app(read_settings({"DATA": str(shell.data), "EMBEDDER": "off", "RERANKER": "off"}, {}))
    delete_item(app.library, person(app.library, None), item_id, 1)
    app.close()
    return item_id


def test_the_trash_is_listed_and_restored_from(shell: Shell, trashed: str) -> None:
    (one,) = shell.ok("trash", "list")["items"]
    assert (one["id"], one["title"]) == (trashed, "rope")
    assert shell.run("trash", "list").text.split()[0] == trashed
    assert shell.ok("trash", "restore", trashed) == {"restored": [trashed]}
    assert shell.ok("trash", "list") == {"items": []}
    assert find(shell, "halyard") == trashed


def test_purging_asks_and_without_a_terminal_needs_yes(shell: Shell, trashed: str) -> None:
    assert "--yes" in shell.refused(1, "trash", "purge")
    assert "--yes" in shell.refused(1, "trash", "purge", trashed)
    assert len(shell.ok("trash", "list")["items"]) == 1
    assert shell.ok("trash", "purge", "--yes") == {"purged": [trashed]}
    assert shell.ok("trash", "purge") == {"purged": []}
    assert "NOT_FOUND" in shell.refused(1, "history", trashed)


@pytest.mark.parametrize(("answer", "left"), [("y", 0), ("YES", 0), ("", 1), ("n", 1), ("yeah", 1)])
def test_at_a_terminal_the_answer_decides(
    shell: Shell, trashed: str, monkeypatch: pytest.MonkeyPatch, answer: str, left: int
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("builtins.input", lambda _: answer)
    assert shell.run("trash", "purge").code == left
    assert len(shell.ok("trash", "list")["items"]) == left


def test_the_status_counts_items_index_and_jobs(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    told = shell.ok("status")
    assert {name: number for name, number in told["items"].items() if number} == {
        "items": 2,
        "kind.note": 2,
        "index.keyword": 2,
    }
    assert (told["index"]["chunks"], told["links"], told["vectorShare"]) == (2, 0, {})
    assert (set(told["jobs"].values()), told["dataFolder"]) == ({0}, str(shell.data))
    rows = [line.rsplit(None, 1) for line in shell.run("status").text.splitlines()[:-1]]
    assert [(name.strip(), number) for name, number in rows] == [
        ("items", "2"),
        ("notes", "2"),
        ("items found by words", "2"),
        ("passages searched by words", "2"),
    ]
    assert shell.run("status").text.splitlines()[-1].split()[0] == "stored"


def test_the_status_tells_where_the_folder_on_disk_is(shell: Shell) -> None:
    shell.environment["VADE_MIRROR"] = "on"
    folder = str(shell.data / "library")
    assert shell.run("status").text.splitlines()[-1].split() == ["folder", "on", "disk", folder]
    assert shell.ok("status")["mirror"] == folder


def test_the_status_of_nothing_is_short(shell: Shell) -> None:
    assert [line.split() for line in shell.run("status").text.splitlines()] == [
        ["items", "0"],
        ["stored", "0", "bytes"],
    ]
    assert shell.ok("status")["mirror"] is None


@pytest.mark.parametrize("model", ["http://127.0.0.1:9/v1#model"])
def test_the_status_tells_how_far_meanings_are_read_in_plain_words(
    shell: Shell, notes: Path, model: str
) -> None:
    shell.environment["VADE_EMBEDDER"] = model
    bring_in(shell, notes)
    text = shell.run("status").text
    assert [word for word in ("chunk", "vector", "embed", "index", "job", model) if word in text] == []
    rows = dict(line.strip().rsplit(None, 1) for line in text.splitlines())
    assert rows["passages searched by meaning"] == "0%"
    assert rows["items waiting to be read for meaning"] == "2"


@pytest.mark.parametrize(
    ("amount", "text"), [(999, "999 bytes"), (1000, "1.0 kB"), (2_340_000, "2.3 MB"), (5 * 10**9, "5.0 GB")]
)
def test_what_is_stored_is_told_in_units(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, amount: int, text: str
) -> None:
    told = Status({"items": 0}, {}, {}, {}, 0, amount)
    monkeypatch.setattr("vademecum.commands.status.status", lambda *_: told)
    assert shell.run("status").text.splitlines()[-1].split(None, 1)[1] == text


def test_doctor_is_content_with_a_sound_library(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    told = shell.ok("doctor")
    assert (told["damage"], told["problems"]) == (0, [])
    ran = shell.run("doctor")
    assert (ran.code, ran.text, ran.messages) == (0, "All is well.\n", "")


@pytest.mark.parametrize("kind", JobKind)
def test_every_kind_of_work_that_waits_has_its_words(shell: Shell, notes: Path, kind: JobKind) -> None:
    shell.environment["VADE_EMBEDDER"] = "http://127.0.0.1:9/v1#model"
    bring_in(shell, notes)
    with closing(sqlite3.connect(shell.data / ".vade" / "library.db")) as database, database:
        database.execute("UPDATE job SET kind = ?", [kind])
    for command in ("doctor", "status"):
        assert any("waiting" in line and line.endswith("2") for line in shell.run(command).text.splitlines())


def test_doctor_shows_how_far_it_is(shell: Shell, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bring_in(shell, notes)
    monkeypatch.setattr("vademecum.commands.terminal._LINE_SECONDS", 0)
    ran = shell.run("doctor")
    assert ran.messages.splitlines() == ["Checking: 1 of 2", "Checking: 2 of 2"]
    assert ran.text == "All is well.\n"


def test_doctor_ends_with_1_for_damage_and_says_what_to_do(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    item_id = find(shell, "halyard")
    with closing(sqlite3.connect(shell.data / ".vade" / "library.db")) as database, database:
        database.execute("DELETE FROM item_name WHERE item_id = ?", [item_id])
    ran = shell.run("doctor", "--json")
    assert (ran.code, ran.result["damage"]) == (1, 1)
    (problem,) = ran.result["problems"]
    told = (problem["code"], problem["subject"], problem["advice"], problem["damage"])
    assert told == ("names", item_id, "Run `vade reindex`.", True)
    assert "DAMAGE names" in shell.run("doctor").text
    assert shell.ok("reindex") == {"items": 2, "reindexed": 2, "damaged": []}
    assert shell.run("doctor").code == 0


def test_reindexing_goes_on_past_a_text_that_cannot_be_read(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    item_id = find(shell, "halyard")
    with closing(sqlite3.connect(shell.data / ".vade" / "library.db")) as database, database:
        database.execute("UPDATE text SET size = 1 WHERE content = ?", [b"The halyard jams."])
    ran = shell.run("reindex", "--json")
    assert (ran.code, ran.result) == (1, {"items": 2, "reindexed": 1, "damaged": [item_id]})
    assert item_id in ran.messages
    assert "STORED_DATA_DAMAGED" in shell.refused(1, "get", item_id)
    assert shell.run("doctor").code == 1


def test_waiting_work_is_told_by_doctor_and_is_no_damage(shell: Shell, notes: Path) -> None:
    shell.environment["VADE_EMBEDDER"] = "http://127.0.0.1:9/v1#model"
    ran = shell.run("import", str(notes))
    assert ran.code == 0
    told = shell.run("doctor", "--json")
    assert (told.code, told.result["damage"]) == (0, 0)
    assert {(one["code"], one["subject"]) for one in told.result["problems"]} == {
        ("model", "models"),
        ("jobs", "embed"),
    }
    waiting = next(line for line in shell.run("doctor").text.splitlines() if "items" in line)
    assert waiting == "note   items waiting to be read for meaning: 2"
    assert "items waiting to be read for meaning" in shell.run("status").text
    assert shell.ok("search", "halyard")["count"] == 1


def test_vectors_can_be_dropped_to_be_made_anew(shell: Shell, notes: Path) -> None:
    shell.environment["VADE_EMBEDDER"] = "http://127.0.0.1:9/v1#model"
    bring_in(shell, notes)
    assert shell.ok("reindex", "--vectors")["reindexed"] == 2
    assert shell.ok("status")["jobs"]["embed"] == 2


def test_migrating_tells_what_it_did(shell: Shell) -> None:
    first = shell.ok("migrate")["applied"]
    assert len(first) >= 2
    assert shell.ok("migrate") == {"applied": [], "copy": None}
    assert shell.run("migrate").text == "The schema is the newest already.\n"


def test_a_library_of_a_newer_version_is_refused(shell: Shell, notes: Path) -> None:
    bring_in(shell, notes)
    with closing(sqlite3.connect(shell.data / ".vade" / "library.db")) as database, database:
        database.execute(
            "INSERT INTO schema_migration (number, name, checksum, applied_at) VALUES (9999, 'x', 'x', 'x')"
        )
    for words in (["status"], ["search", "x"], ["import", str(notes)], ["doctor"], ["migrate"]):
        assert "INCOMPATIBLE_LIBRARY" in shell.refused(1, *words)
