"""What does a note link to, and how are links made to follow what they point to?"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from vademecum.model.errors import InvalidInput
from vademecum.text.dendron import dendron_link, is_dendron, is_target
from vademecum.text.hashtags import find_tags
from vademecum.text.link_scan import Link, LinkKind, Notation, scan_links, wikilink
from vademecum.text.outline import read_outline
from vademecum.text.properties import Properties, Property, parse
from vademecum.text.yaml_nodes import Node
from vademecum.text.yaml_scalars import scalar_text

__all__ = ["Decide", "Link", "LinkKind", "Notation", "find_links", "find_tags", "links_of_properties"]
__all__ += ["can_name", "rewrite_links", "rewrite_property_links"]

Decide: TypeAlias = Callable[[Link], str | None]

_WIKI = re.compile(r"\[\[([^\[\]\r\n]{1,1000})\]\]")
_ENCODED_IN_ANGLES = re.compile(r"[<>`%#&\\\x00-\x1f\x7f]")
_ENCODED_PLAIN = re.compile(r"[\s<>%#&\\\x00-\x1f\x7f()\"'`\[\]|?:]")
_NO_PROPERTIES = Properties()
_NO_TITLES = ("title", "aliases", "alias")


def find_links(body: str, properties: Properties = _NO_PROPERTIES) -> list[Link]:
    """The links of a body in order: wikilinks, embeds, Markdown links and relation lines (design 5).

    None come from code, formulas or a leading header. A link definition counts where it stands. Bare
    addresses without brackets are no links. `properties` are those of the header that stands apart from the
    body: a note of Dendron's has its links the other way round.
    """
    return scan_links(body, read_outline(body), dendron_link if is_dendron(properties) else None)


def links_of_properties(properties: Properties) -> list[Link]:
    """All wikilinks in a header, quoted or not, placed in the block; titles and aliases hold none."""
    return [
        link
        for entry in _holders(properties)
        for node in entry.node.scalars()
        for link in _within(entry, node)
    ]


def rewrite_links(body: str, decide: Decide, properties: Properties = _NO_PROPERTIES) -> str:
    """The body with the target of each link replaced by what `decide` gives for it; None leaves it.

    Only targets change: heading, display, title and label stay, and so does code (cases A06). Raises
    InvalidInput when a wikilink cannot hold the new target.
    """
    edits = []
    for link in find_links(body, properties):
        target = decide(link)
        if target is not None and target != link.target:
            edits.append((link.target_start, link.target_end, _written(link, target)))
    return _spliced(body, edits)


def rewrite_property_links(block: str, decide: Decide) -> str:
    """The frontmatter block with the targets of its wikilinks replaced likewise, all else left as it is.

    `decide` gets links whose places are those within their value. A broken block is returned unchanged.
    Raises InvalidInput when a wikilink cannot hold the new target.
    """
    edits: set[tuple[int, int, str]] = set()
    for entry in _holders(parse(block)):
        offset = entry.start - entry.node.start
        for node in entry.node.scalars():
            start, end = offset + node.start, offset + node.end
            is_block = node.style in ("|", ">")
            old = block[start:end] if is_block else node.text or ""
            new = _with_targets(old, decide)
            if new != old and node.style != "*":
                edits.add((start, end, new if is_block else scalar_text(new, node.style, in_list=True)))
    return _spliced(block, edits)


def can_name(link: Link, target: str) -> bool:
    """Whether the link, as it is written, can hold the target."""
    try:
        return bool(_written(link, target))
    except InvalidInput:
        return False


def _with_targets(text: str, decide: Decide) -> str:
    """The text with the targets of its wikilinks replaced."""
    edits = []
    for found in _WIKI.finditer(text):
        link = wikilink(found[1], found.start(1))
        target = decide(link) if link is not None else None
        if link is not None and target is not None and target != link.target:
            edits.append((link.target_start, link.target_end, _wiki_target(link, target)))
    return _spliced(text, edits)


def _spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    place = 0
    for start, end, replacement in sorted(edits):
        pieces += [text[place:start], replacement]
        place = end
    return "".join([*pieces, text[place:]])


def _written(link: Link, target: str) -> str:
    if link.is_external:
        raise InvalidInput("target", "an address outside the library is not rewritten")
    if link.notation is Notation.LABEL_FIRST and not is_target(target):
        raise InvalidInput("target", "a link of a Dendron note cannot name this: it may hold no spaces")
    if link.notation in (Notation.WIKI, Notation.LABEL_FIRST):
        return _wiki_target(link, target)
    encoded = _ENCODED_IN_ANGLES if link.notation is Notation.ANGLE else _ENCODED_PLAIN
    return encoded.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), target)


def _wiki_target(link: Link, target: str) -> str:
    """The target as a wikilink holds it, which is as it is, read back with the heading that follows it."""
    inside = target + ("" if link.heading is None and link.block_id is None else "#x")
    again = wikilink(inside, 2)
    is_held = again is not None and again.target == target and not target.endswith("\\")
    if not is_held or re.search("[|`]", target) or not _WIKI.fullmatch(f"[[{inside}]]"):
        raise InvalidInput("target", "a wikilink cannot name this: it may not hold [ ] | # ` or a line break")
    return target


def _holders(properties: Properties) -> Iterator[Property]:
    return (entry for entry in properties.entries if entry.key.casefold() not in _NO_TITLES)


def _within(entry: Property, node: Node) -> Iterator[Link]:
    """The links in one scalar; where quoting hides their place, that of the scalar stands for it."""
    offset = entry.start - entry.node.start
    written = entry.written[node.start - entry.node.start : node.end - entry.node.start]
    meant, seen = list(_WIKI.finditer(node.text or "")), list(_WIKI.finditer(written))
    for index, found in enumerate(meant):
        link = wikilink(found[1], found.start(1))
        if link is None:
            continue
        if len(seen) == len(meant) and seen[index][0] == found[0]:
            shift = offset + node.start + seen[index].start() - found.start()
            yield _moved(link, shift)
        else:
            start, end = offset + node.start, offset + node.end
            yield replace(link, start=start, end=end, target_start=start, target_end=start)


def _moved(link: Link, shift: int) -> Link:
    return replace(
        link,
        start=link.start + shift,
        end=link.end + shift,
        target_start=link.target_start + shift,
        target_end=link.target_end + shift,
    )
