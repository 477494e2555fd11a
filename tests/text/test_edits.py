"""Does an edit change what it names and nothing else?"""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from vademecum.model.errors import Ambiguous, InvalidInput, TooLarge
from vademecum.text.edits import Edit, append, find_section, prepend, replace_section, replace_text
from vademecum.text.markdown import headings

TEXTS = st.text(alphabet="ab海\r\n #", max_size=40)


def test_a_passage_is_replaced() -> None:
    assert replace_text("one two\r\nthree", "two\r\n", "2 ") == Edit("one 2 three", 1)
    assert replace_text("one two", "two", "") == Edit("one ", 1)
    assert replace_text("a-a-a", "a", "b", every=True) == Edit("b-b-b", 3)
    assert replace_text("\ufeff海", "海", "\\1") == Edit("\ufeff\\1", 1)


@pytest.mark.parametrize(
    ("text", "old"), [("one\r\ntwo", "one\ntwo"), ("one", "One"), ("", "x"), ("が", "か\u3099")]
)
def test_a_passage_that_is_not_there_exactly_is_refused(text: str, old: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        replace_text(text, old, "new")
    assert (refused.value.field, refused.value.data["count"]) == ("old_string", 0)


@pytest.mark.parametrize(("text", "old", "count"), [("a-a", "a", 2), ("a a a", "a", 3), ("aaa", "aa", 2)])
def test_a_passage_that_stands_more_than_once_is_refused(text: str, old: str, count: int) -> None:
    with pytest.raises(Ambiguous) as refused:
        replace_text(text, old, "new")
    assert refused.value.data["count"] == count


def test_an_empty_passage_is_refused() -> None:
    with pytest.raises(InvalidInput) as refused:
        replace_text("text", "", "new", every=True)
    assert refused.value.field == "old_string"


def test_a_result_beyond_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        replace_text("a" * 100_000, "a", "b" * 1_000, every=True)


@given(TEXTS, TEXTS, TEXTS, TEXTS)
def test_all_around_a_replaced_passage_stays(before: str, old: str, new: str, after: str) -> None:
    text = before + old + after
    assume(old and text.find(old) == len(before) and text.find(old, len(before) + 1) < 0)
    assert replace_text(text, old, new) == Edit(before + new + after, 1)


NOTE = (
    "intro\r\n\r\n# 灯台\r\n\r\nold\r\n\r\n## Inner 🌊 | <b>x</b>\r\n\r\ninner\r\n\r\n"
    "# Same\r\none\r\n# Same\r\ntwo\r\n```\r\n# No\r\n```\r\n# Last\r\nend"
)


@pytest.mark.parametrize("heading", ["灯台", "# 灯台", "  灯台 ", "#  灯台"])
def test_a_section_is_replaced_with_what_stands_below_it(heading: str) -> None:
    changed = replace_section(NOTE, heading, "\nnew\nlines\n\n")
    assert changed == NOTE.replace(
        "\r\n\r\nold\r\n\r\n## Inner 🌊 | <b>x</b>\r\n\r\ninner\r\n\r\n", "\r\n\r\nnew\r\nlines\r\n\r\n"
    )


@pytest.mark.parametrize("heading", ["Inner 🌊 | <b>x</b>", "## inner 🌊 | x", "INNER 🌊 | <B>X</B>"])
def test_a_heading_is_found_by_its_text_with_or_without_marks(heading: str) -> None:
    section = find_section(NOTE, heading)
    assert NOTE[section.start : section.end] == "\r\ninner\r\n\r\n"


def test_the_last_section_keeps_how_the_file_ends() -> None:
    assert replace_section(NOTE, "Last", "x\n") == NOTE.removesuffix("end") + "\r\nx"
    assert replace_section("# A\nx\n", "A", "y") == "# A\n\ny\n"
    assert replace_section("# A", "A", "y") == "# A\n\ny"
    assert replace_section("# A\nx\n\n# B\n", "A", "") == "# A\n\n# B\n"
    assert replace_section("# A\nx", "A", "") == "# A\n"


def test_a_repeated_heading_in_the_content_is_left_out() -> None:
    assert replace_section("# A\nx\n# B\n", "A", "# A\n\ny") == "# A\n\ny\n\n# B\n"
    assert replace_section("# A\nx\n# B\n", "A", "## a ##\ny") == "# A\n\ny\n\n# B\n"
    assert replace_section("# A\nx\n", "A", "## Other\ny") == "# A\n\n## Other\ny\n"


def test_a_heading_that_stands_twice_is_refused_with_its_places() -> None:
    with pytest.raises(Ambiguous) as refused:
        replace_section(NOTE, "same", "new")
    assert refused.value.data["candidates"] == ["# Same (line 11)", "# Same (line 13)"]


@pytest.mark.parametrize("heading", ["Missing", "## 灯台", "", "No"])
def test_a_missing_heading_is_refused_with_those_that_stand_there(heading: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        replace_section(NOTE, heading, "new")
    shown = ["# 灯台", "## Inner 🌊 | <b>x</b>", "# Same", "# Same", "# Last"]
    assert refused.value.data["candidates"] == shown


SECTIONS = st.lists(
    st.tuples(
        st.sampled_from(["#", "##", "###"]), st.sampled_from(["one", "two", "`x`\n", "- a\n  - b", ""])
    ),
    min_size=1,
    max_size=6,
)


@given(
    SECTIONS,
    st.integers(0, 5),
    st.sampled_from(["new", "new\nlines", "- x", "```\n# no\n```", ""]),
    st.booleans(),
)
def test_all_outside_a_replaced_section_stays(
    sections: list[tuple[str, str]], chosen: int, content: str, windows: bool
) -> None:
    line_end = "\r\n" if windows else "\n"
    text = "".join(f"{marks} H{place}\n\n{body}\n\n" for place, (marks, body) in enumerate(sections))
    text = text.replace("\n", line_end)
    heading = f"H{chosen % len(sections)}"
    section = find_section(text, heading)
    changed = replace_section(text, heading, content)
    assert changed.startswith(text[: section.start])
    assert changed.endswith(text[section.end :])
    middle = changed[section.start : len(changed) - len(text[section.end :])]
    assert middle.strip() == content.replace("\n", line_end)
    assert "\n" not in changed.replace("\r\n", "") if windows else "\r" not in changed
    kept = [one.text for one in headings(text) if not section.start <= one.start < section.end]
    assert [one.text for one in headings(changed)] == kept


@pytest.mark.parametrize(
    ("text", "content", "expected"),
    [
        ("a\n", "b", "a\n\nb"),
        ("a \r\n\r\n\r\n", "b\nc\n", "a\r\n\r\nb\r\nc\r\n"),
        ("", "b\n", "b\n"),
        ("\ufeff", "b", "\ufeffb"),
        ("a\n", "", "a\n"),
    ],
)
def test_content_is_appended_after_a_blank_line(text: str, content: str, expected: str) -> None:
    assert append(text, content) == expected


@pytest.mark.parametrize(
    ("text", "content", "expected"),
    [
        ("a\n", "b", "b\n\na\n"),
        ("\ufeffa\r\nc\r\n", "b\n", "\ufeffb\r\n\r\na\r\nc\r\n"),
        ("", "b\n", "b\n"),
        ("a\n", "", "a\n"),
    ],
)
def test_content_is_prepended_before_a_blank_line(text: str, content: str, expected: str) -> None:
    assert prepend(text, content) == expected
