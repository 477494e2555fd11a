"""How is a note shown as one Markdown text, and what does a text mean that is written back?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.text.frontmatter import (
    Properties,
    Property,
    Value,
    join,
    parse,
    set_properties,
    split,
    without,
)
from vademecum.text.frontmatter_block import inside
from vademecum.text.markdown_lines import LINE_END, line_end_of

# What the library keeps itself; a note's other keys are its own (decisions, Vault).
MANAGED_KEYS = ("title", "tags", "pinned", "archived", "created", "updated", "modified")
_TYPE, _NOTE = "type", "Note"
_MARK = "\ufeff"
_BLOCKS_KEPT = 4096  # of some hundred characters each


@dataclass(frozen=True, slots=True)
class Written:
    """What a text that was sent makes of a note: its frontmatter block and its body, and the managed keys
    that were sent and are not taken, as they were spelt.
    """

    frontmatter: str
    body: str
    ignored: tuple[str, ...] = ()


def shown(frontmatter: str, body: str) -> str:
    """The note as `read_note` gives it: a block with `type` and the note's own keys, then the body as it is.

    A block that cannot be read is shown verbatim (contracts 3.4.1, decisions, Vault).
    """
    return join(_shown_block(frontmatter, body), body)


def _shown_block(frontmatter: str, body: str) -> str:
    """The block without the managed keys and its byte-order mark, and with a type: `Note` if it has none."""
    if not frontmatter:
        line_end = line_end_of(body)
        return f"---{line_end}{_TYPE}: {_NOTE}{line_end}---{line_end}"
    return _own_block(frontmatter)


@lru_cache(maxsize=_BLOCKS_KEPT)
def _own_block(frontmatter: str) -> str:
    """Kept for the blocks seen last: a search by pattern shows thousands of notes again and again."""
    block = frontmatter.removeprefix(_MARK)
    try:
        block = set_properties(block, dict.fromkeys(MANAGED_KEYS))
        return block if _has_type(parse(block)) else set_properties(block, {_TYPE: _NOTE})
    except (InvalidInput, TooLarge):
        return frontmatter.removeprefix(_MARK)


def _has_type(properties: Properties) -> bool:
    found = properties.find(_TYPE)
    return found is not None and bool(found.value)


def new_note(markdown: str) -> Written:
    """What a text becomes as a new note: of the managed keys only `tags` stays (decisions, Vault). A block
    that cannot be read, or in which keys have no lines of their own, is kept as it is (cases A11).
    """
    sent = split(markdown)
    managed = [entry.key for entry in _managed(parse(sent.block)) if entry.key.casefold() != "tags"]
    try:
        block = without(sent.block, managed) if managed else sent.block
    except (InvalidInput, TooLarge):
        return Written(sent.block, sent.body)
    return Written(block, sent.body, tuple(dict.fromkeys(managed)))


def written(markdown: str, frontmatter: str, body: str) -> Written:
    """What the note of that frontmatter and body becomes when `markdown` is written in the place of what
    `shown` gave: without a block its frontmatter stays, an empty block takes its own keys away, managed keys
    stay as they are, and a `type: Note` that was only shown is not kept (contracts 3.4.2).

    Raises InvalidInput where one of the blocks cannot be read and they differ: what cannot be read is never
    changed (cases A11).
    """
    sent = split(markdown)
    if not sent.block or _same(sent.block, _shown_block(frontmatter, body)):
        return Written(frontmatter, sent.body)
    old, new = _readable(frontmatter, "of the note"), _readable(sent.block, "that was sent")
    managed = list(_managed(new))
    dropped: dict[str, None] = {entry.key: None for entry in managed}
    if not _has_type(old) and new.get(_TYPE) == _NOTE:
        dropped[_TYPE] = None
    own = sent.block.removeprefix(_MARK)
    own = set_properties(own, dropped) if dropped else own
    ignored = tuple(dict.fromkeys(entry.key for entry in managed))
    return Written(_with_managed(frontmatter, old, own), sent.body, ignored)


def _same(sent: str, before: str) -> bool:
    """Whether the blocks are alike but for the line end behind the closing fence, which a body brings."""
    return sent.removeprefix(_MARK).rstrip("\r\n") == before.rstrip("\r\n")


def _readable(block: str, whose: str) -> Properties:
    properties = parse(block)
    if properties.problem is not None:
        problem = properties.problem
        raise InvalidInput(
            "markdown",
            f"the frontmatter {whose} cannot be read (line {problem.line}: {problem.message}) and so is not"
            " changed; leave the block out to keep the note's frontmatter as it is",
        )
    return properties


def _with_managed(frontmatter: str, old: Properties, own: str) -> str:
    """The block of own keys with the lines of the managed ones of the old block, each before the key that it
    stood before; empty when there is nothing in it.
    """
    kept = list(_managed_lines(frontmatter, old))
    start, end = inside(own)
    if not own[start:end].strip() and not kept:
        return ""
    made = own
    for following, lines in reversed(kept):
        made = _inserted(made, following, lines)
    if _values(parse(made).entries) != _values((*parse(own).entries, *_managed(old))):
        raise InvalidInput(
            "markdown", "its frontmatter cannot stand together with the keys kept for the note"
        )
    return (_MARK if frontmatter.startswith(_MARK) else "") + made


def _values(entries: Iterable[Property]) -> dict[str, Value]:
    return {entry.key: entry.value for entry in entries}


def _managed(properties: Properties) -> Iterator[Property]:
    return (entry for entry in properties.entries if entry.key.casefold() in MANAGED_KEYS)


def _managed_lines(block: str, old: Properties) -> Iterator[tuple[tuple[str, ...], str]]:
    """The lines of each managed key of the block, and the keys that follow it there."""
    for entry in _managed(old):
        following = tuple(other.key for other in old.entries if other.start > entry.start)
        yield following, block[_line_start(block, entry.key_range[0]) : _line_end(block, entry.end)]


def _inserted(block: str, following: tuple[str, ...], lines: str) -> str:
    """The block with the lines before the first of the keys that it has, else at its end."""
    entries = {entry.key: entry for entry in parse(block).entries}
    anchor = next((entries[key] for key in following if key in entries), None)
    place = inside(block)[1] if anchor is None else _line_start(block, anchor.key_range[0])
    ending = "" if LINE_END.search(lines[-1:]) else line_end_of(block)
    return block[:place] + lines + ending + block[place:]


def _line_start(text: str, place: int) -> int:
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def _line_end(text: str, place: int) -> int:
    found = LINE_END.search(text, place)
    return found.end() if found else len(text)
