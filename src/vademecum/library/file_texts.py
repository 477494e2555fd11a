"""What stands in the file of an item on disk?"""

from __future__ import annotations

from datetime import UTC

from vademecum.library.importing import Incoming
from vademecum.library.places import is_note
from vademecum.library.reading_files import read_note
from vademecum.model.errors import InvalidInput, TooLarge
from vademecum.model.ids import content_hash
from vademecum.model.items import Kind, State, body_of
from vademecum.model.tags import distinct_tags
from vademecum.text.frontmatter import NewValue, set_properties
from vademecum.text.frontmatter_block import join
from vademecum.text.markdown_lines import line_end_of
from vademecum.text.properties import parse

_MARK = "\ufeff"  # byte order mark


def note_text(state: State, created_at: str) -> str:
    """The Markdown file of an item: its own frontmatter block and body, byte for byte, with the managed keys
    in which the item differs from what the file would say by itself (operations, Data folder).

    `created` is written for what is no note: a note's own time is that of its saving or of its file. A
    header that cannot be changed without touching more is left as it is; the item keeps what it says.
    """
    block, body = state.frontmatter, body_of(state.layers, state.kind)
    if not is_note(state.file_name):
        return body
    bare = join(block, body)
    changes = _changes(state, _said(state, bare), created_at)
    if not changes:
        return bare
    mark = _MARK if not block and body.startswith(_MARK) else ""
    rest = body.removeprefix(mark)
    try:
        changed = set_properties(block, changes, line_end_of(rest))
    except (InvalidInput, TooLarge):
        return bare
    return mark + join(changed, rest)


def said_by(state: State, created_at: str) -> Incoming:
    """How the item's Markdown file reads, by which an edit of the file is told from what stood there."""
    return _said(state, note_text(state, created_at))


def content_hash_of(state: State, created_at: str) -> str | None:
    """The hash of the item's file, None where it has neither text nor stored file."""
    if has_text_file(state):
        return content_hash(note_text(state, created_at))
    return state.blob


def has_text_file(state: State) -> bool:
    """Whether the item's file is Markdown of ours; else it is the stored file, byte for byte."""
    return is_note(state.file_name) or state.blob is None


def _said(state: State, text: str) -> Incoming:
    return read_note(state.file_name, text.encode(), 0.0, UTC)[0]


def _changes(state: State, said: Incoming, created_at: str) -> dict[str, NewValue | None]:
    properties = parse(said.frontmatter)
    changes: dict[str, NewValue | None] = {}
    if state.title != said.title:
        changes["title"] = state.title
    if state.tags not in (said.tags, distinct_tags(properties.tags)):
        key = "tag" if properties.find("tag") and not properties.find("tags") else "tags"
        changes[key] = list(state.tags) or None
    if state.kind is not Kind.NOTE and properties.created is None:
        changes["created"] = created_at
    for key, is_set, is_said in (
        ("pinned", state.pinned, said.pinned),
        ("archived", state.archived, said.archived),
    ):
        if is_set != is_said:
            changes[key] = True if is_set else None
    if state.source_url is not None and said.source_url != state.source_url:
        changes["source"] = state.source_url
    return changes
