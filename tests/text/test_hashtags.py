"""Are tags in running text taken whole, and only where a tag is meant?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.tags import tag_key
from vademecum.text.links import find_tags


@pytest.mark.parametrize(
    ("body", "tags"),
    [
        ("a #sea b", ["sea"]),
        ("#sea", ["sea"]),
        ("#Sea and #sea, #harbour.", ["Sea", "harbour"]),
        ("#work/deep-sea_2 x", ["work/deep-sea_2"]),
        ("#work/", ["work"]),
        ("#rock'n'roll, #l\u2019été!", ["rock'n'roll", "l\u2019été"]),
        ("#cafe\u0301 #हिन्दी #ไทย", ["cafe\u0301", "हिन्दी", "ไทย"]),
        ("読書。#海の本、#ＡＢＣ　#가나", ["海の本", "ＡＢＣ", "가나"]),
        ("「#海」（#港）", ["海", "港"]),
        ("(#a) [#b] *#c* |#d| >#e", ["a", "b", "c", "d", "e"]),
        ("#2024 #y2024 #1-2 #3d", ["y2024", "3d"]),
        ("#🌊 #a❤\ufe0f", ["🌊", "a❤\ufe0f"]),
        ("#a1b2c3 #fff #b2b #12345678", ["fff", "b2b"]),
        ("# Heading #one\n## Two ##\n", ["one"]),
        ("#tag not heading\n# Real\n", ["tag"]),
        (
            "- [ ] task #todo\n> quote #q\n\n| #cell | x |\n|---|---|\n| #other | y |\n",
            ["todo", "q", "cell", "other"],
        ),
        ("x" + "#", []),
        ("#" + "x" * 101, []),
        ("#" + "x" * 100, ["x" * 100]),
        ("##double #", []),
    ],
)
def test_tags_are_taken_whole(body: str, tags: list[str]) -> None:
    assert find_tags(body) == tags


@pytest.mark.parametrize(
    "body",
    [
        "`#no`",
        "```\n#no\n```",
        "~~~\n#no\n~~~",
        "x\n\n    #no",
        "$$\n#no\n$$",
        "---\na: #no\n---\n",
        "https://example.org/a#no",
        "https://example.org/#/no/#no",
        "www.example.org/#no",
        "[x](a.md#no) [#no](b.md) <https://e.org/#no>",
        "[x](#no)",
        "[[Home#no]] [[#no]] ![[a#no|#no]]",
        "a#no &#123; &#x1f; C#",
        r"\#no",
        '<a href="#no">x</a>',
        "color:#no",
        "issue #12 and #3",
    ],
)
def test_what_is_no_tag(body: str) -> None:
    assert find_tags(body) == []


@given(st.text(alphabet="#a海/-_'1 \n`[](]).:\u0301", max_size=60))
def test_every_tag_stands_in_the_text_behind_a_hash(body: str) -> None:
    tags = find_tags(body)
    assert len({tag_key(tag) for tag in tags}) == len(tags)
    for tag in tags:
        assert tag == tag.strip("/ #")
        assert "#" + tag.split("/")[0] in body


@pytest.mark.parametrize("piece", ["#a", "#", "# ", " #a", "www.", "a://", "#a'", "#" + "x" * 300])
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    body = piece * (200_000 // len(piece)) + "\n\n#last\n"
    assert find_tags(body)[-1] == "last"
