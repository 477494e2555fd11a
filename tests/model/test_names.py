"""Does every title get a safe name, and are paths that climb refused?"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.names import (
    NAME_BYTES,
    clean_path,
    file_name,
    name_key,
    next_free_name,
    slug,
    split_suffix,
)

TITLES = st.text(max_size=400) | st.text(alphabet="海./\\: ?*CONaux\u0301\u200d👩\u202e\n-", max_size=120)


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("Tide Table", "Tide Table.md"),
        ("Part 1: the sea", "Part 1- the sea.md"),
        ("either/or", "either-or.md"),
        ("Why?", "Why-.md"),
        ("a // b", "a - b.md"),
        ("trailing space ", "trailing space.md"),
        ("two  spaces", "two  spaces.md"),
        ("...", "Untitled.md"),
        ("???", "Untitled.md"),
        ("", "Untitled.md"),
        ("\u200b\u200d", "Untitled.md"),
        ("🌊", "🌊.md"),
        ("!!!", "!!!.md"),
        (".gitignore", "gitignore.md"),
        ("wait...what", "wait...what.md"),
        ("CON", "CON_.md"),
        ("com1", "com1_.md"),
        ("nul.notes", "nul_.notes.md"),
        ("Console", "Console.md"),
        ("line\nbreak", "line break.md"),
        ("bell\x07", "bell.md"),
        ("gpj.\u202eexe", "gpj.exe.md"),
        ("灯台へ", "灯台へ.md"),
        ("か\u3099", "が.md"),
        ("C# in depth", "C# in depth.md"),
    ],
)
def test_a_title_becomes_this_file_name(title: str, expected: str) -> None:
    assert file_name(title) == expected


def test_a_long_chinese_title_is_cut_at_a_character_within_255_bytes() -> None:
    name = file_name("海" * 120)
    assert name == "海" * 84 + ".md"
    assert len(name.encode()) == 255


def test_titles_that_collide_after_cutting_get_a_number_within_255_bytes() -> None:
    first = file_name("x" * 300 + "a")
    second = next_free_name(file_name("x" * 300 + "b"), {name_key(first)})
    assert first == "x" * 252 + ".md"
    assert second == "x" * 250 + " 2.md"


def test_a_family_of_emoji_is_never_torn() -> None:
    family = "👨\u200d👩\u200d👧\u200d👦"
    assert file_name(family * 20) == family * 10 + ".md"


def test_a_number_stands_before_the_suffix() -> None:
    assert file_name("Plan", number=2) == "Plan 2.md"
    assert file_name("scan", ".pdf", 3) == "scan 3.pdf"


def test_a_suffix_that_leaves_no_room_is_refused() -> None:
    with pytest.raises(TooLarge):
        file_name("Plan", "." + "x" * 250)


@given(TITLES, st.none() | st.integers(2, 10**6))
def test_every_name_is_valid_and_visible(title: str, number: int | None) -> None:
    name = file_name(title, number=number)
    stem = name.removesuffix(".md")
    assert len(name.encode()) <= NAME_BYTES
    assert not set(name) & set('<>:"/\\|?*')
    assert not any(unicodedata.category(character) in ("Cc", "Cs") for character in name)
    assert stem == stem.strip()
    assert stem.strip(".") == stem
    assert any(unicodedata.category(character)[0] in "LNPS" for character in stem)
    assert unicodedata.is_normalized("NFC", name)
    assert stem.split(".")[0].strip().upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}


@given(TITLES)
def test_the_name_of_a_name_is_the_same_name(title: str) -> None:
    name = file_name(title)
    assert file_name(name.removesuffix(".md")) == name


@given(st.text(max_size=60))
def test_a_key_is_its_own_key(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Plan.md", "PLAN.MD"),
        ("\u304c", "\u304b\u3099"),
        ("\ud55c", "\u1112\u1161\u11ab"),
        ("STRASSE", "straße"),
    ],
)
def test_names_that_differ_in_case_or_composition_are_the_same(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


def test_full_width_letters_are_another_name() -> None:
    assert name_key("Ａ") != name_key("A")


def test_a_free_name_stays_as_wanted() -> None:
    assert next_free_name("Plan.md", {name_key("Other.md")}) == "Plan.md"


def test_the_first_number_is_two_and_case_does_not_free_a_name() -> None:
    assert next_free_name("plan.md", {name_key("Plan.md")}) == "plan 2.md"


@given(st.integers(1, 300))
def test_numbers_go_on_where_they_end(count: int) -> None:
    taken = {name_key("Plan.md")} | {name_key(f"Plan {number}.md") for number in range(2, count + 1)}
    assert next_free_name("Plan.md", taken) == f"Plan {count + 1}.md"


@given(st.sets(st.integers(2, 60)))
def test_a_free_name_is_never_taken(numbers: set[int]) -> None:
    taken = {name_key("写真.png")} | {name_key(f"写真 {number}.png") for number in numbers}
    name = next_free_name("写真.png", taken)
    assert name_key(name) not in taken
    assert name.startswith("写真 ")
    assert name.endswith(".png")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.md", ("a", ".md")),
        ("v1.2.md", ("v1.2", ".md")),
        ("README", ("README", "")),
        (".env", (".env", "")),
        ("ends.", ("ends.", "")),
        ("Dr. No and the sea", ("Dr. No and the sea", "")),
        ("写真.jpeg", ("写真", ".jpeg")),
    ],
)
def test_a_name_is_split_at_its_suffix(name: str, expected: tuple[str, str]) -> None:
    assert split_suffix(name) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tide Table", "tide-table"),
        ("tide-table", "tide-table"),
        ("  What's   new? ", "whats-new"),
        ("灯台へ 2", "灯台へ-2"),
        ("Café", "café"),
        ("हिन्दी", "हिन्दी"),
        ("ＡＢＣ", "abc"),
        ("🌊", ""),
        ("a--b__c", "a-b-c"),
    ],
)
def test_a_text_becomes_this_slug(text: str, expected: str) -> None:
    assert slug(text) == expected


@given(st.text(max_size=60))
def test_a_slug_is_its_own_slug(text: str) -> None:
    assert slug(slug(text)) == slug(text)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ()),
        (".", ()),
        ("Notes/a.md", ("Notes", "a.md")),
        ("Notes/", ("Notes",)),
        ("Notes\\a.md", ("Notes", "a.md")),
        ("wait..what/v1..2.md", ("wait..what", "v1..2.md")),
        ("100%25 sure.md", ("100%25 sure.md",)),
        ("海/A：計画.md", ("海", "A：計画.md")),
    ],
)
def test_an_honest_path_gives_its_names(path: str, expected: tuple[str, ...]) -> None:
    assert clean_path(path) == expected


PLAIN_CLIMBING = [
    r"../x",
    r"a/../../x",
    r"a/..",
    r"..",
    r"a\..\..\x",
    r"./x",
    r"a/./b",
    r"a/.../b",
    r"a//b",
    r"．．/x",
    r"‥/x",
]
ENCODED_CLIMBING = [
    "%2e%2e/x",
    "%2E%2E%2Fx",
    "a/%252e%252e/x",
    "..%2fx",
    "..%5cx",
    "%2fetc",
    "%25252e%25252e/x",
]
ABSOLUTE = [r"/etc/passwd", r"\windows", r"C:\x", r"c:/x", r"C:x", r"//server/share"]
BROKEN = [".. /x", "a/ /b", "a\x00b", "a%00b", "a\nb", "a\ud800"]


@pytest.mark.parametrize("path", [*PLAIN_CLIMBING, *ENCODED_CLIMBING, *ABSOLUTE, *BROKEN])
def test_a_path_that_climbs_or_hides_is_refused(path: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        clean_path(path)
    assert refused.value.field == "path"


@pytest.mark.parametrize(
    "path", ["海" * 86, "a/" * 2100, "x" * 2_000_000], ids=["one name", "many names", "endless"]
)
def test_an_overlong_path_is_refused(path: str) -> None:
    with pytest.raises(TooLarge):
        clean_path(path)


@given(st.text(max_size=60))
def test_accepted_paths_never_climb(path: str) -> None:
    try:
        parts = clean_path(path)
    except (InvalidInput, TooLarge):
        return
    assert all(part.strip(" .") and "/" not in part and "\\" not in part for part in parts)
