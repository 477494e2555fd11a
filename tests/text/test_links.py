"""Are links found where they are meant, nowhere else, and rewritten without touching more?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vademecum.model.errors import InvalidInput
from vademecum.text.frontmatter import parse
from vademecum.text.links import (
    Link,
    LinkKind,
    find_links,
    links_of_properties,
    rewrite_links,
    rewrite_property_links,
)
from vademecum.text.markdown import code_ranges


def seen(link: Link) -> tuple[str, str, str | None, str | None, str | None]:
    return (link.kind.value, link.target, link.heading, link.block_id, link.display)


def found(body: str) -> list[tuple[str, str, str | None, str | None, str | None]]:
    return [seen(link) for link in find_links(body)]


def targets(body: str) -> list[str]:
    return [link.target for link in find_links(body)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[[Home]]", ("wikilink", "Home", None, None, None)),
        ("[[ Home |the house]]", ("wikilink", "Home", None, None, "the house")),
        ("[[Home#Door]]", ("wikilink", "Home", "Door", None, None)),
        ("[[Home#Door#Lock|key]]", ("wikilink", "Home", "Door#Lock", None, "key")),
        ("[[Home#^a1-b2]]", ("wikilink", "Home", None, "a1-b2", None)),
        ("[[a/b/Home#Door#^x1|y]]", ("wikilink", "a/b/Home", "Door", "x1", "y")),
        ("[[#Door]]", ("wikilink", "", "Door", None, None)),
        ("[[C# in depth]]", ("wikilink", "C# in depth", None, None, None)),
        ("[[C#]]", ("wikilink", "C#", None, None, None)),
        ("[[灯台へ#第一部|窓]]", ("wikilink", "灯台へ", "第一部", None, "窓")),
        ("![[pic.png|300]]", ("embed", "pic.png", None, None, "300")),
        ("![[Home#Door]]", ("embed", "Home", "Door", None, None)),
        ("[text](a/b.md)", ("markdown", "a/b.md", None, None, "text")),
        ("[text](a%20b.md#The%20door)", ("markdown", "a b.md", "The door", None, "text")),
        ("[text](<a b.md>)", ("markdown", "a b.md", None, None, "text")),
        ('[text](a.md "A title")', ("markdown", "a.md", None, None, "text")),
        ("[text](a_(b).md)", ("markdown", "a_(b).md", None, None, "text")),
        (r"[text](a\(b.md)", ("markdown", "a(b.md", None, None, "text")),
        ("[text](a&amp;b.md)", ("markdown", "a&b.md", None, None, "text")),
        ("[text](%E6%B5%B7.md)", ("markdown", "海.md", None, None, "text")),
        ("[text](%ff.md)", ("markdown", "%ff.md", None, None, "text")),
        ("[text](#door)", ("markdown", "", "door", None, "text")),
        ("[text](a.md#^x1)", ("markdown", "a.md", None, "x1", "text")),
        ("![alt](pic.png)", ("embed", "pic.png", None, None, "alt")),
        ("![](pic.png|500)", ("embed", "pic.png", None, None, None)),
        ("![alt](a/pic.png|640x480 'title')", ("embed", "a/pic.png", None, None, "alt")),
        ("![](<my pic.png|500>)", ("embed", "my pic.png", None, None, None)),
        ("![](a.pdf#page=2|500)", ("embed", "a.pdf", "page=2", None, None)),
        ("![](pic.png|wide)", ("embed", "pic.png|wide", None, None, None)),
        ("[text](pic.png|500)", ("markdown", "pic.png|500", None, None, "text")),
        ("[home]: a.md 'title'", ("markdown", "a.md", None, None, "home")),
        ("[a `b` c](d.md)", ("markdown", "d.md", None, None, "a `b` c")),
    ],
)
def test_one_link_is_read(body: str, expected: tuple[str, str, str | None, str | None, str | None]) -> None:
    assert found(body) == [expected]
    link = find_links(body)[0]
    assert body[link.start : link.end] == body.strip()
    assert not link.is_external


@pytest.mark.parametrize(
    ("body", "address"),
    [
        ("[x](https://example.org/a#b)", "https://example.org/a#b"),
        ("![x](http://example.org/p.png)", "http://example.org/p.png"),
        ("[x](mailto:a@example.org)", "mailto:a@example.org"),
        ("[x](//example.org/a)", "//example.org/a"),
        ("<https://example.org/?a=1&b=2>", "https://example.org/?a=1&b=2"),
        ("[x](https://example.org/?a=1&amp;b=%20)", "https://example.org/?a=1&b=%20"),
        ("[ref]: https://example.org/", "https://example.org/"),
    ],
)
def test_addresses_outside_are_told_apart(body: str, address: str) -> None:
    assert [(link.target, link.is_external, link.heading) for link in find_links(body)] == [
        (address, True, None)
    ]


@pytest.mark.parametrize(
    "body",
    [
        "no link",
        "[[]]",
        "[[ ]]",
        "[[|x]]",
        "[[a\nb]]",
        r"\[[Home]]",
        r"\[text](a.md)",
        "[text]()",
        "[text] (a.md)",
        "[text](two words.md)",
        "[x]",
        "- [ ] task",
        "- [x] task",
        "[[1, 2], [3, 4]]",
        "[^1]: a footnote",
        "https://example.org/bare",
        "a <b> c",
    ],
)
def test_what_is_no_link(body: str) -> None:
    assert find_links(body) == []


def test_links_come_in_order_with_their_places() -> None:
    body = "\ufeff海 [[A|x]] and ![[B]]\r\n\r\n[![alt](p.png)](C.md) <https://e.org>\r\n"
    links = find_links(body)
    assert [body[link.start : link.end] for link in links] == [
        "[[A|x]]",
        "![[B]]",
        "[![alt](p.png)](C.md)",
        "![alt](p.png)",
        "<https://e.org>",
    ]
    written = ["A", "B", "C.md", "p.png", "https://e.org"]
    assert [body[link.target_start : link.target_end] for link in links] == written


TABLE = "| a | b |\n|---|---|\n| [[Home|x]] | [[Home\\|x]] |\n| [[Home#Door|x]] | [[Home#Door\\|x]] |\n"


def test_both_spellings_in_a_table_reach_the_same_target() -> None:
    assert (
        found(TABLE)
        == [("wikilink", "Home", None, None, "x")] * 2 + [("wikilink", "Home", "Door", None, "x")] * 2
    )


def test_a_tick_in_one_cell_makes_no_code_of_the_next() -> None:
    assert targets("| a | b | c |\n|---|---|---|\n| ` | [[Home]] | ` |\n") == ["Home"]
    assert targets("| a | b |\n|---|---|\n| `[[No|x]]` | [[Home]] |\n") == ["Home"]


CODE = [
    "`[[No]]`",
    "`` [[No]] ` ``",
    "```\n[[No]] [x](no.md)\n```",
    "~~~md\n[[No]]\n```\n~~~",
    "para\n\n    [[No]]",
    "- item\n\n  ```\n  [[No]]\n  ```",
    "> ```\n> [[No]]\n> ```",
    "```\n[[No]]",
    "$$\n[[No]]\n$$",
    "<pre>\n[[No]]\n</pre>",
    "`[[No`]]",
    "[x](`no.md`)",
]
CLOSED = [code for code in CODE if code != "```\n[[No]]"]


@pytest.mark.parametrize("code", CODE)
def test_code_holds_no_link(code: str) -> None:
    assert targets(f"[[Before]]\n\n{code}\n") == ["Before"]


def test_double_brackets_of_a_shell_script_are_no_links() -> None:
    body = 'Run:\n\n```bash\nif [[ -f "$x" && $y == [[a]] ]]; then\n  [[ $a == b ]] && echo\nfi\n```\n'
    assert find_links(body) == []


def test_an_escaped_tick_opens_no_code() -> None:
    assert targets(r"\`[[Home]]\`") == ["Home"]
    assert targets("``` [[Home]] `` x") == ["Home"]


def test_comments_and_html_may_hold_links_of_the_author() -> None:
    assert targets("%%\n[[A]]\n%%\n\n<div>\n[[B]]\n</div>\n") == ["A", "B"]


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("- depends_on [[Home]]", "depends_on"),
        ("- author: [[Home]]", "author:"),
        ("* part of [[Home|x]] (since 2020)", "part of"),
        ("+ 作者 [[Home]]  ", "作者"),
        ("  - nested [[Home#Door]]", "nested"),
        ("- runs on v1.2 of [[Home]]", "runs on v1.2 of"),
        ("- 10:30 at [[Home]]", "10:30 at"),
        ("- friend's [[Home]]", "friend's"),
    ],
)
def test_a_list_item_of_label_and_link_is_a_relation(line: str, label: str) -> None:
    links = find_links(f"- first\n{line}\r\n")
    assert [(link.kind, link.target, link.relation) for link in links] == [(LinkKind.RELATION, "Home", label)]


@pytest.mark.parametrize(
    "line",
    [
        "- I met [[Home]] and [[Home]] there",
        "- see [[Home]] for more",
        "- [[Home]]",
        "- [ ] call [[Home]]",
        "- [x] done [[Home]]",
        "- [-] odd [[Home]]",
        "- [10:30-11:00] met [[Home]]",
        "- relation ![[Home]]",
        "- relation [text](Home)",
        "> [!note] see [[Home]]",
        "> - quoted [[Home]]",
        "1. first [[Home]]",
        "depends_on [[Home]]",
        "- glued[[Home]]",
        "- - doubled [[Home]]",
        "- two (words) [[Home]] (a) (b)",
        "- Still lost? See. [[Home]]",
        "- 道は？ [[Home]]",
        "- I met him. See [[Home]]",
        "- I met him.  [[Home]]",
        "- We met (at last!) near [[Home]]",
        '- She said "no." Then [[Home]]',
        "- It was **late**; then [[Home]]",
        "- Lost, then found [[Home]]",
        "- Well… perhaps [[Home]]",
        "- 彼に会った。次は [[Home]]",
        "- 见到他，去 [[Home]]",
        "- <b>bold</b> [[Home]]",
        "paragraph\n    - lazy [[Home]]",
        "- " + "x" * 101 + " [[Home]]",
    ],
)
def test_other_lines_hold_plain_links(line: str) -> None:
    links = find_links(f"{line}\n")
    assert links
    assert {link.target for link in links} == {"Home"}
    assert all(link.relation is None and link.kind is not LinkKind.RELATION for link in links)


_WORDS = st.from_regex(r"\A[a-z]{1,6}( [a-z]{1,6}){0,3}\Z")


@given(
    before=_WORDS, after=_WORDS, mark=st.sampled_from([". ", ", ", "; ", "! ", "? ", "… ", "。", "、", "！"])
)
def test_words_name_a_relation_and_sentences_do_not(before: str, after: str, mark: str) -> None:
    (relation,) = find_links(f"- {before} {after} [[Home]]")
    assert (relation.kind, relation.relation) == (LinkKind.RELATION, f"{before} {after}")
    (plain,) = find_links(f"- {before}{mark}{after} [[Home]]")
    assert (plain.kind, plain.relation) == (LinkKind.WIKILINK, None)


@given(st.integers(1, 99999), st.sampled_from(["", "x300"]))
def test_a_size_behind_a_picture_is_no_part_of_its_path(width: int, height: str) -> None:
    body = f"![alt](pic.png|{width}{height})"
    assert targets(body) == ["pic.png"]
    assert rewrite_links(body, lambda _: "new.png") == f"![alt](new.png|{width}{height})"


DENDRON = parse(
    "---\nid: 0xm5qzbdn6kbvs\ntitle: Tea\ndesc: ''\nupdated: 1595952505024\ncreated: 1595961348801\n---\n"
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("[[Green tea|drinks.tea.green]]", ("wikilink", "drinks.tea.green", None, None, "Green tea")),
        ("[[tea|drinks.tea#how-to]]", ("wikilink", "drinks.tea", "how-to", None, "tea")),
        ("[[茶|drinks.tea#^a1]]", ("wikilink", "drinks.tea", None, "a1", "茶")),
        ("| [[tea\\|drinks.tea]] |", ("wikilink", "drinks.tea", None, None, "tea")),
        ("[[drinks.tea]]", ("wikilink", "drinks.tea", None, None, None)),
        ("![[drinks.tea#how-to]]", ("embed", "drinks.tea", "how-to", None, None)),
        ("[[Anna|Anna Smith]]", ("wikilink", "Anna", None, None, "Anna Smith")),
        ("[[|drinks.tea]]", None),
    ],
)
def test_a_note_of_dendron_has_the_target_behind_the_pipe(
    body: str, expected: tuple[str, ...] | None
) -> None:
    assert [seen(link) for link in find_links(body, DENDRON)] == ([expected] if expected else [])


@pytest.mark.parametrize(
    "header",
    ["", "---\nid: 1\n---\n", "---\nid: a\ndesc: ''\nupdated: 2020-01-01\ncreated: 2020-01-01\n---\n"],
)
def test_every_other_note_has_it_before_the_pipe(header: str) -> None:
    assert [seen(link) for link in find_links("[[Home|drinks.tea]]", parse(header))] == [
        ("wikilink", "Home", None, None, "drinks.tea")
    ]


def test_a_link_of_dendron_is_rewritten_behind_its_pipe() -> None:
    body = "- part of [[the tea|drinks.tea#how]]\n"
    assert rewrite_links(body, lambda _: "tea.green", DENDRON) == "- part of [[the tea|tea.green#how]]\n"
    with pytest.raises(InvalidInput):
        rewrite_links(body, lambda _: "Green tea", DENDRON)


def test_a_link_within_the_note_is_no_relation() -> None:
    assert find_links("- see [[#Door]]\n")[0].kind is LinkKind.WIKILINK


def test_a_bullet_sentence_keeps_both_links() -> None:
    assert found("- I met [[Ann]] near [[Ben|him]] today\n") == [
        ("wikilink", "Ann", None, None, None),
        ("wikilink", "Ben", None, None, "him"),
    ]


HEADER = (
    "---\ntitle: '[[No]]'\nup: \"[[Home|x]]\"\nraw: [[Raw]]\nlist:\n  - '[[A''s]]'\n  - [[B]]\n"
    'flow: ["[[C]] and [[D#e]]", plain]\ntext: |\n  see [[E]]\nnested:\n  - a: "[[F]]"\n---\n'
)


def test_every_link_of_a_header_is_found_in_its_place() -> None:
    links = links_of_properties(parse(HEADER))
    assert [link.target for link in links] == ["Home", "Raw", "A's", "B", "C", "D", "E", "F"]
    places = {
        link.target: HEADER[link.target_start : link.target_end] for link in links if link.target != "A's"
    }
    assert all(target == written for target, written in places.items())
    assert links[0].display == "x"


def test_a_link_that_quoting_disguises_has_the_place_of_its_value() -> None:
    block = '---\na: "\\x5b[Home]]"\n---\n'
    link = links_of_properties(parse(block))[0]
    assert (link.target, block[link.start : link.end]) == ("Home", '"\\x5b[Home]]"')


def test_the_links_of_a_header_follow_a_rename() -> None:
    renamed = rewrite_property_links(
        HEADER, lambda link: {"Home": "H: 2", "Raw": "R, r", "E": "Ee"}.get(link.target)
    )
    changed = HEADER.replace("[[Home|x]]", "[[H: 2|x]]").replace("raw: [[Raw]]", 'raw: "[[R, r]]"')
    assert renamed == changed.replace("[[E]]", "[[Ee]]")
    broken = "---\na: [[X]]: y\n---\n"
    assert rewrite_property_links(broken, lambda _: "Y") == broken


def test_an_alias_is_rewritten_once() -> None:
    block = "---\na: &x ['[[Home]]']\nb: *x\nc: &y \"[[Home]]\"\nd: *y\n---\n"
    assert rewrite_property_links(block, lambda _: "Inn") == block.replace("Home", "Inn")


def test_a_rename_changes_targets_only() -> None:
    body = (
        "![[Old]] [[Old#Door|shown]] [[Old|Old]] `[[Old]]` [Old](Old.md#door) [x](<Old.md>)\r\n"
        "- made by [[Old]]\r\n\r\n| a |\r\n|---|\r\n| [[Old\\|x]] |\r\n\r\n```\r\n[[Old]]\r\n```\r\n"
    )
    names = {"Old": "New name", "Old.md": "New name (2).md"}
    assert rewrite_links(body, lambda link: names.get(link.target)) == (
        "![[New name]] [[New name#Door|shown]] [[New name|Old]] `[[Old]]` [Old](New%20name%20%282%29.md#door)"
        " [x](<New name (2).md>)\r\n- made by [[New name]]\r\n\r\n"
        "| a |\r\n|---|\r\n| [[New name\\|x]] |\r\n\r\n```\r\n[[Old]]\r\n```\r\n"
    )


@pytest.mark.parametrize("target", ["a|b", "a]b", "a[b", "a#b", "a\nb", " a", "", "a\\", "a`b"])
def test_a_name_that_a_wikilink_cannot_hold_is_refused(target: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        rewrite_links("[[Home]]", lambda _: target)
    assert refused.value.field == "target"


def test_a_name_with_a_hash_is_held_where_no_heading_follows() -> None:
    assert rewrite_links("[[Home|x]]", lambda _: "C#") == "[[C#|x]]"
    with pytest.raises(InvalidInput):
        rewrite_links("[[Home#Door]]", lambda _: "C#")


def test_an_address_outside_is_not_rewritten() -> None:
    with pytest.raises(InvalidInput):
        rewrite_links("[x](https://example.org)", lambda _: "Home")


PIECES = [
    *CODE,
    TABLE,
    "[[A]]",
    "![[B|x]]",
    "[t](c.md)",
    "[t](<d e.md>)",
    "- rel [[E]]",
    "prose `x` y",
    "# H [[F]]",
]
BODIES = st.lists(
    st.sampled_from([*PIECES, "> q [[G]]", "\\[[x]]", "`", "[[", "]]", "[", "](", "~~~"]), max_size=8
)
NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)


@given(BODIES, st.sampled_from(["\n", "\n\n", " ", "\r\n"]))
def test_links_never_meet_code(pieces: list[str], between: str) -> None:
    body = between.join(pieces)
    ranges = code_ranges(body)
    for link in find_links(body):
        assert not any(start < link.target_end and link.target_start < end for start, end in ranges)
        assert body[link.start : link.end].strip()


@given(st.lists(st.sampled_from(CLOSED), max_size=6), st.sampled_from(CODE))
def test_code_alone_has_no_links(pieces: list[str], last: str) -> None:
    assert find_links("\n\n".join([*pieces, last])) == []


@given(BODIES, st.sampled_from(["\n\n", "\r\n\r\n", " "]), NAMES)
def test_a_rewrite_reaches_every_link_and_nothing_else(pieces: list[str], between: str, name: str) -> None:
    body = between.join(pieces)
    before = find_links(body)
    try:
        changed = rewrite_links(body, lambda _: name)
    except InvalidInput:
        return
    after = find_links(changed)
    assert [link.target for link in after] == [name] * len(before)
    assert [(link.kind, link.heading, link.display) for link in after if link.notation == "wiki"] == [
        (link.kind, link.heading, link.display) for link in before if link.notation == "wiki"
    ]
    assert _without_targets(changed, after) == _without_targets(body, before)


def _without_targets(text: str, links: list[Link]) -> str:
    for link in sorted(links, key=lambda link: link.target_start, reverse=True):
        text = text[: link.target_start] + text[link.target_end :]
    return text


@given(st.text(alphabet="[]()|#^!\\`<>:a.md \n-*\"'", max_size=60))
def test_any_text_is_read(body: str) -> None:
    for link in find_links(body):
        assert 0 <= link.start < link.end <= len(body)
        assert link.start <= link.target_start <= link.target_end <= link.end
    assert rewrite_links(body, lambda _: None) == body


BRACKETS = ["[", "]", "[[", "![", "[a](", "[a](b ", '[a](b "', "[[a", "[a]: b\n", "[[a|", "- a [["]


@pytest.mark.parametrize("piece", [*BRACKETS, "`", "`` ` ", "\\", "<a:", "((("])
def test_hostile_text_is_read_to_its_end(piece: str) -> None:
    body = "x " + piece * (300_000 // len(piece)) + "\n\n[[Home]]\n"
    assert find_links(body)[-1].target == "Home"
