"""What becomes of an item when its file was edited, and perhaps the item too?"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from vademecum.library.file_texts import has_text_file, said_by
from vademecum.library.importing import Incoming, state_of
from vademecum.library.note_blocks import completed
from vademecum.library.places import is_note
from vademecum.model.items import Document, Kind, State, body_of
from vademecum.model.names import file_name, split_suffix
from vademecum.model.tags import tag_key

_CONFLICT = re.compile(r" \(conflict \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\)\Z")


@dataclass(frozen=True, slots=True)
class Merged:
    """The item's next state, and what of the file found no place in it: both texts stay (design 2.1)."""

    state: State
    beside: State | None = None


def merge(document: Document, base: State, found: Incoming, *, is_renamed: bool, at: str) -> Merged:
    """The item with what the file changed since it showed the state `base`, field by field.

    Where file and item both changed the text, or the header, the item stays and the file's text becomes a
    note beside it, named after the time `at`. Where both gave another title or name the item's holds.
    """
    state = document.state
    if is_note(state.file_name) != is_note(found.file_name):
        return Merged(_another_kind(state, found))
    is_text = has_text_file(state)
    merged = _text(document, base, found, at) if is_text else _stored(state, base, found, at)
    is_renamed_here = (state.file_name, state.folder_id) != (base.file_name, base.folder_id)
    if is_renamed and not is_renamed_here:
        return replace(merged, state=replace(merged.state, file_name=found.file_name))
    return merged


def _another_kind(state: State, found: Incoming) -> State:
    return replace(
        state_of(found),
        folder_id=state.folder_id,
        panel=state.panel,
        pinned=state.pinned,
        archived=state.archived,
    )


def _text(document: Document, base: State, found: Incoming, at: str) -> Merged:
    state, created_at = document.state, document.item.created_at
    said = said_by(base, created_at)
    # A block whose data were left out shows what it showed.
    text = completed(found.layers.authored or "", said.layers.authored or "")
    if _clash((said.layers.authored or "", text), (body_of(base.layers, base.kind), document.body)) or _clash(
        (said.frontmatter, found.frontmatter), (base.frontmatter, state.frontmatter)
    ):
        return Merged(state, _beside(state, state_of(found), at))
    layers = replace(state.layers, authored=text) if text != (said.layers.authored or "") else state.layers
    is_title_free = state.title == base.title and found.title != said.title
    return Merged(
        replace(
            state,
            layers=layers,
            frontmatter=found.frontmatter if found.frontmatter != said.frontmatter else state.frontmatter,
            title=found.title if is_title_free else state.title,
            tags=_tags(state.tags, base.tags, said.tags, found.tags),
            pinned=found.pinned if found.pinned != said.pinned else state.pinned,
            archived=found.archived if found.archived != said.archived else state.archived,
            source_url=found.source_url if found.source_url != said.source_url else state.source_url,
        )
    )


def _clash(outside: tuple[str, str], here: tuple[str, str]) -> bool:
    """Whether both sides changed a text, each from its first to its second form, and not to the same."""
    return outside[0] != outside[1] and here[0] != here[1] and outside[1] != here[1]


def _tags(
    now: tuple[str, ...], shown: tuple[str, ...], before: tuple[str, ...], after: tuple[str, ...]
) -> tuple[str, ...]:
    """What the item has `now`, having had the tags `shown`, with what the file said `before` and `after`.

    The file gives order and spelling where nobody changed the tags here and it names no others.
    """
    gone = {tag_key(tag) for tag in before} - {tag_key(tag) for tag in after}
    have = {tag_key(tag) for tag in (*now, *before)}
    kept = [tag for tag in now if tag_key(tag) not in gone]
    tags = (*kept, *(tag for tag in after if tag_key(tag) not in have))
    is_as_told = now == shown and {tag_key(tag) for tag in tags} == {tag_key(tag) for tag in after}
    return after if is_as_told and before != after else tags


def _stored(state: State, base: State, found: Incoming, at: str) -> Merged:
    blob = found.blob.content_hash if found.blob else None
    follows = state.title == state.file_name  # the title of a file is its name until somebody gives it one
    state = replace(state, title=found.title) if follows and state.file_name == base.file_name else state
    if blob in (base.blob, state.blob):
        return Merged(state)
    if state.blob != base.blob:
        return Merged(state, _beside(state, state_of(found), at))
    layers = replace(state.layers, extracted=found.layers.extracted)
    if state.kind is Kind.SHEET and state.layers.extracted is None:
        layers = replace(layers, authored=None)  # the cells of a sheet that was made here, as they were
    return Merged(replace(state, blob=blob, layers=layers))


def is_conflict(title: str) -> bool:
    """Whether it is the title of what was put beside an item, as `merge` names it."""
    return _CONFLICT.search(title) is not None


def _beside(state: State, found: State, at: str) -> State:
    """What the file holds, as an item of its own in the same folder."""
    stem, suffix = split_suffix(state.file_name)
    told = f"(conflict {at[:10]} {at[11:19].replace(':', '.')})"
    return replace(
        found,
        title=f"{state.title} {told}",
        file_name=file_name(f"{stem[:150]} {told}", suffix or ".md"),
        folder_id=state.folder_id,
    )
