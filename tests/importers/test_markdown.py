"""What does a Markdown file say of itself, and is it kept byte for byte?"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.importers.vaults import as_file, bring_in, items, numbers, whole, write
from tests.library.home import Home
from vademecum.library.checking import examine
from vademecum.model.items import Kind, Layer

GBK = "绿茶和乌龙茶的泡法不一样，水温要看茶叶的种类，早上喝绿茶比较清爽。".encode("gbk")
TEXTS: dict[str, str | bytes] = {
    "plain.md": "# Title\n\ntext\n",
    "empty.md": "",
    "spaces.md": "  \n\n  text  \n\n",
    "crlf.md": "---\r\ntitle: A\r\n---\r\n# B\r\n\r\ntext\r\n",
    "mixed ends.md": "a\r\nb\nc\rd",
    "bom.md": "\ufeff---\ntitle: Marked\n---\n# Heading\n",
    "bom without header.md": "\ufeff# Heading\n",
    "closed at the end.md": "---\ntitle: Only a header\n---",
    "never closed.md": "---\ntitle: no header\n\ntext",
    "dots.md": "---\ntitle: x\n...\ntext\n---\n",
    "comments.md": "---\n# kept\ntitle:   'single'   # too\nother:\n  - \"x\"\n---\n\n\ntext",
    "nul.md": "a\0b\n# c\0d",
    "list.md": "- a\n  1. b\n     - [ ] c\n\n       ```\n       code\n       ```\n  - [x] d\n\ttab\n",
    "unicode.md": "e\u0301 \u30ab\u3099 \u202e \u200b 🙂‍↕️ 𠮷\n",
    "no line end.md": "x",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_kept_byte_for_byte(home: Home, root: Path, name: str) -> None:
    content = TEXTS[name]
    wanted = content.encode() if isinstance(content, str) else content
    write(root, {name: content})
    assert numbers(bring_in(home, root)) == {"added": 1}
    assert as_file(whole(home, name)) == wanted
    assert (root / name).read_bytes() == wanted


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("gbk.md", GBK, GBK.decode("gbk")),
        ("utf16.md", "# 茶\r\nÜber".encode("utf-16"), "# 茶\r\nÜber"),
        ("utf16be.md", b"\xfe\xff" + "# 茶".encode("utf-16-be"), "# 茶"),
        ("utf16 header.md", "---\ntitle: 茶\n---\nx".encode("utf-16"), "---\ntitle: 茶\n---\nx"),
        ("latin.md", "Ein schöner grüner Tee aus Österreich für alle, die ihn mögen.".encode("cp1252"), None),
        ("half.md", b"valid \xe8\x8c\xb6 and then \xff not", None),
    ],
)
def test_a_file_in_another_encoding_is_readable_and_reported(
    home: Home, root: Path, name: str, content: bytes, text: str | None
) -> None:
    write(root, {name: content})
    report = bring_in(home, root)
    assert numbers(report) == {"added": 1}
    assert [path for path, _ in report.warnings] == [name]
    found = as_file(whole(home, name)).decode()
    if text is not None:
        assert found == text
    assert "\ufffd" not in found or name == "half.md"


def test_nul_is_kept_and_reported_with_its_place(home: Home, root: Path) -> None:
    # A41
    write(root, {"a.md": "ab\0c", "b.md": "fine"})
    report = bring_in(home, root)
    assert report.warnings == [("a.md", "holds the character NUL, first at 2")]
    assert numbers(report) == {"added": 2}
    assert home.found("fine") == ["b"]


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("---\ntitle: Of the header\n---\n# Of the heading", "Of the header"),
        ("# Of the heading\n\ntext", "Of the heading"),
        ("\n\n# Of the heading #\n", "Of the heading"),
        ("text\n\n# Later heading", "File name"),
        ("## Second level", "File name"),
        ("---\ntitle:\n---\n# Of the heading", "Of the heading"),
        ("---\ntitle: null\n---\ntext", "File name"),
        ("---\ntitle: None\n---\ntext", "File name"),
        ('---\ntitle: "None"\n---\ntext', "None"),
        ("---\ntitle: 2024-03-01\n---\ntext", "2024-03-01"),
        ("---\ntitle: 007\n---\ntext", "007"),
        ("---\ntitle: yes\n---\ntext", "yes"),
        ("---\ntitle: 'It''s'\n---\n", "It's"),
        ("---\ntitle: >\n  folded\n  text\n---\n", "folded text"),
        ("---\ntitle: a: b\n---\n# Heading", "Heading"),
        ("```\n# code\n```", "File name"),
        ("", "File name"),
        ("# " + "x" * 700, "x" * 500),
    ],
)
def test_the_title_is_that_of_the_header_else_the_first_heading_else_the_file_name(
    sqlite_home: Home, root: Path, content: str, title: str
) -> None:
    # A10, A17
    write(root, {"File name.md": content})
    bring_in(sqlite_home, root)
    assert items(sqlite_home)["File name.md"].title == title


@pytest.mark.parametrize(
    ("content", "tags"),
    [
        ("---\ntags: [Tea, '#Garden/Moss', 3, true]\n---\n", ("Tea", "Garden/Moss", "3", "true")),
        ("---\ntags: tea, garden\n---\n", ("tea", "garden")),
        ("---\ntags: tea\n---\n", ("tea",)),
        ("---\ntags:\n  - tea\n  - TEA\n  - ＴＥＡ\n---\n#Tea #other", ("tea", "other")),
        ("---\ntags: null\n---\n", ()),
        ("---\nmeta:\n  tags: [nested]\n---\n", ("nested",)),
        (
            "#a-b/c text #日本語 `#code` https://x.example/#fragment\n\n```\n#fence\n```\n# Heading",
            ("a-b/c", "日本語"),
        ),
        ("- [-] odd box\n- [10:00] meeting\n> [!note] callout\n", ()),
        (f"---\ntags: [{', '.join(f't{n}' for n in range(30))}]\n---\n", tuple(f"t{n}" for n in range(30))),
    ],
)
def test_tags_are_those_of_the_header_then_those_of_the_text(
    sqlite_home: Home, root: Path, content: str, tags: tuple[str, ...]
) -> None:
    # A09, A10, A18, A42
    write(root, {"n.md": content})
    bring_in(sqlite_home, root)
    assert items(sqlite_home)["n.md"].tags == tags


@pytest.mark.parametrize(
    "header",
    [
        "title: a: b: c",
        'title: "it said "no" to me"',
        "title: *star",
        "path: C:\\new\\table",
        "a: [1, 2",
        "tags: [a, b]]",
        "\ttab: x",
        "a: b\na: c",
        "a: &x [*x]",
        "? {a: b}: c",
        "!!python/object/apply:os.system ['true']",
        "a: " + "[" * 5000,
        "&a [" + "*a, " * 1000 + "]",
    ],
)
def test_a_broken_header_costs_no_text_and_is_flagged_with_its_line(
    sqlite_home: Home, root: Path, header: str
) -> None:
    # A11
    content = f"---\n{header}\n---\n# Heading\n\nhalyard\n"
    write(root, {"n.md": content})
    report = bring_in(sqlite_home, root)
    assert numbers(report) == {"added": 1}
    found = whole(sqlite_home, "n.md")
    assert as_file(found) == content.encode()
    assert found.body == "# Heading\n\nhalyard\n"
    assert sqlite_home.found("halyard") == [found.item.title]
    assert all(path == "n.md" and "line" in warning for path, warning in report.warnings)


def test_a_header_that_says_a_key_twice_is_flagged(sqlite_home: Home, root: Path) -> None:
    write(root, {"n.md": "---\ntitle: one\ntitle: two\n---\n"})
    ((path, warning),) = bring_in(sqlite_home, root).warnings
    assert (path, "line 3" in warning) == ("n.md", True)
    assert items(sqlite_home)["n.md"].title == "two"


@pytest.mark.parametrize(
    ("created", "stamp"),
    [
        ("2020-05-04", "2020-05-04T00:00:00.000000Z"),
        ("2020-05-04T10:00:00+09:00", "2020-05-04T01:00:00.000000Z"),
        ("2020-05-04 10:00", "2020-05-04T10:00:00.000000Z"),
        ("nonsense", "2021-01-01T00:00:00.000000Z"),
        ("", "2021-01-01T00:00:00.000000Z"),
        ("0001-01-01T00:00:00+09:00", "2021-01-01T00:00:00.000000Z"),
        ("[2020-01-01]", "2021-01-01T00:00:00.000000Z"),
        ("1595961348801", "2020-07-28T18:35:48.000000Z"),
        ("1595961348", "2020-07-28T18:35:48.000000Z"),
        ("15959613488", "2021-01-01T00:00:00.000000Z"),
    ],
)
def test_the_time_of_saving_is_the_headers_else_the_files(
    sqlite_home: Home, root: Path, created: str, stamp: str
) -> None:
    write(root, {"n.md": f"---\ncreated: {created}\n---\n"})
    os.utime(root / "n.md", (1609459200, 1609459200))
    bring_in(sqlite_home, root)
    assert items(sqlite_home)["n.md"].created_at == stamp


def test_notes_of_one_time_are_listed_in_a_steady_order(home: Home, root: Path) -> None:
    """A cloned vault has one time for all."""
    write(root, {f"{number}.md": f"note {number}" for number in range(9)})
    for place in root.iterdir():
        os.utime(place, (1609459200, 1609459200))
    bring_in(home, root)
    first = home.listed()
    assert sorted(first) == [str(number) for number in range(9)]
    assert all(home.listed() == first for _ in range(3))
    assert home.listed(limit=4) == first[:4]


def test_a_date_without_a_zone_is_in_the_owners(sqlite_home: Home, root: Path) -> None:
    sqlite_home.installation.owner = replace(sqlite_home.owner, zone="Asia/Tokyo")
    write(root, {"n.md": "---\ncreated: 2020-05-04\n---\n"})
    bring_in(sqlite_home, root)
    assert items(sqlite_home)["n.md"].created_at == "2020-05-03T15:00:00.000000Z"


@pytest.mark.parametrize("seconds", [-1, 0, 2**40])
def test_a_file_whose_time_cannot_be_is_imported_all_the_same(
    sqlite_home: Home, root: Path, seconds: int
) -> None:
    write(root, {"n.md": "note", "f.txt": "file"})
    for name in ("n.md", "f.txt"):
        os.utime(root / name, (seconds, seconds))
    assert numbers(bring_in(sqlite_home, root)) == {"added": 2}


@pytest.mark.parametrize("key", ["source", "url"])
def test_the_address_in_the_header_is_where_the_note_came_from(
    sqlite_home: Home, root: Path, key: str
) -> None:
    write(root, {"n.md": f"---\n{key}: https://example.org/a\n---\n", "o.md": f"---\n{key}: my head\n---\n"})
    bring_in(sqlite_home, root)
    found = items(sqlite_home)
    assert (found["n.md"].source_url, found["o.md"].source_url) == ("https://example.org/a", None)
    assert sqlite_home.found("https://example.org/a")[0] == "n"


@pytest.mark.parametrize(
    "address",
    ["http://", "https://[::1", "https://user:pw@example.org/", "http://exa mple/", "https://\x7f/"],
)
def test_an_address_that_is_none_costs_nothing(sqlite_home: Home, root: Path, address: str) -> None:
    write(root, {"n.md": f"---\nsource: '{address}'\n---\ntext", "o.md": "text"})
    assert numbers(bring_in(sqlite_home, root)) == {"added": 2}
    assert items(sqlite_home)["n.md"].source_url is None


@pytest.mark.parametrize(
    "content",
    [
        '---\ntitle: "\\ud800x"\n---\ntext',
        '---\ntitle: "\\0x"\n---\ntext',
        "# a\0b\n",
        '---\ntags: ["\\ud800", "a\\0b"]\n---\n',
        '---\naliases: ["\\udfff"]\n---\n',
        '---\nsee: "[[\\ud800]]"\n---\n',
        "[[a\0b]] [x](y\0z.md)",
        "# " + "🙂" * 600,
        "---\ntitle: \u202eevil\n---\n",
    ],
)
def test_no_character_stops_an_import(home: Home, root: Path, content: str) -> None:
    write(root, {"a.md": "first", "m.md": content, "z.md": "last"})
    report = bring_in(home, root)
    assert numbers(report) == {"added": 3}, report.failed
    assert as_file(whole(home, "m.md")) == content.encode()


def test_links_of_a_dendron_vault_reach_their_notes(home: Home, root: Path) -> None:
    def note(title: str, body: str) -> str:
        times = "updated: 1595952505024\ncreated: 1595961348801"
        return f"---\nid: {title.lower()}0xm5\ntitle: {title}\ndesc: ''\n{times}\n---\n{body}"

    write(
        root,
        {
            "dendron.yml": "version: 5\n",
            "root.md": note("Root", "[[Everything on tea|drinks.tea]] and [[people.anna]]"),
            "drinks.tea.md": note("Tea", "- grown by [[Anna|people.anna#address]]"),
            "people.anna.md": note("Anna", "![[drinks.tea]]"),
        },
    )
    assert numbers(bring_in(home, root)) == {"added": 4}
    with home.library.storage.read() as tx:
        assert tx.links.unresolved(home.owner.spaces[0]) == []
        (link,) = tx.links.out_of(home.owner.spaces[0], items(home)["drinks.tea.md"].item_id)
    assert (link.relation, link.target, link.heading, link.display) == (
        "grown by",
        "people.anna",
        "address",
        "Anna",
    )
    assert items(home)["root.md"].created_at.startswith("2020-07-28")
    home.work_off()
    assert list(examine(home.library)) == []


def test_layers_kind_and_links_of_a_note(home: Home, root: Path) -> None:
    # A07
    block = "---\nrelated:\n  - '[[One]]'\n  - '[[Two]]'\n  - '[[Three|x]]'\naliases: [Tee]\n---\n"
    write(root, {"n.md": f"{block}See [[Four]] and ![[pic.png]].", "m.md": "[[tee]]"})
    bring_in(home, root)
    found = whole(home, "n.md")
    assert (found.item.kind, found.item.layers) == (Kind.NOTE, (Layer.AUTHORED,))
    with home.library.storage.read() as tx:
        out = [link.target for link in tx.links.out_of(found.item.space_id, found.item.item_id)]
        ghosts = [link.target for _, link in tx.links.unresolved(found.item.space_id)]
    assert out == ["One", "Two", "Three", "Four", "pic.png"]
    assert "tee" not in ghosts
