"""How is a file attached to a note of the vault?"""

from __future__ import annotations

import binascii
import io
import re
from contextlib import nullcontext
from dataclasses import dataclass, replace

from vademecum.library.attachment_references import reference_to, with_reference
from vademecum.library.attachments import Placement
from vademecum.library.changing import begin_change
from vademecum.library.context import Library
from vademecum.library.drafts import refuse_while_edited
from vademecum.library.file_kinds import is_media, may_be_attached
from vademecum.library.importing import Incoming, first_hash_of, state_of
from vademecum.library.indexing import PreparedIndex, prepare
from vademecum.library.naming import free_file_name
from vademecum.library.note_blocks import keep_blocks, without_data
from vademecum.library.notes import PlacedNote, note_at
from vademecum.library.places import Tree, is_note, item_at, tree_of
from vademecum.library.reading import zone_of
from vademecum.library.reading_files import read_file, read_note
from vademecum.library.saving import check_room
from vademecum.library.writing import Write, add_document, replace_document
from vademecum.model.access import Caller, Tier, require
from vademecum.model.errors import Busy, InvalidInput, NotFound, TooLarge, VersionConflict
from vademecum.model.ids import new_id
from vademecum.model.items import Birth, State, new_document
from vademecum.model.names import file_name, split_suffix
from vademecum.model.revisions import Action, Change
from vademecum.model.times import moment
from vademecum.model.versions import version_token
from vademecum.ports.places import StoredBlock
from vademecum.ports.storage import Transaction

LARGEST_ATTACHMENT = 20 * 1024 * 1024  # bytes, decoded (decisions, Vault)
PANEL_MOST = 500  # files
TOOL = "add_attachment"
_TRIES = 5
_ENCODED_MOST = (LARGEST_ATTACHMENT + 2) // 3 * 4  # characters of base64
_NOT_IN_LINKS = re.compile(r"[\[\]#^|`]+")
_KINDS = "an image, a video, audio, a PDF or a text (txt, md, csv, tsv, json, log)"


@dataclass(frozen=True, slots=True)
class AttachRequest:
    """What is to be attached to the note at `path`: content as base64 under a file name, or a file that is in
    the vault. Without a placement images, videos and audio go to the end of the text, all else into the
    panel. `version` is what the caller read of the note, if anything.
    """

    path: str
    data: str | None = None
    filename: str | None = None
    file: str | None = None
    placement: Placement | None = None
    version: str | None = None


@dataclass(frozen=True, slots=True)
class Attached:
    """Where an attachment lies and how the note's text names it, empty in the panel; `copied` tells that it
    was stored anew. `version` is given for the panel alone, where the caller knew the version before.
    """

    path: str
    reference: str
    placement: Placement
    copied: bool
    version: str | None


@dataclass(frozen=True, slots=True)
class _NewFile:
    """Content that is stored already, as it becomes an item."""

    item_id: str
    incoming: Incoming
    blocks: tuple[StoredBlock, ...] = ()


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is written, prepared outside the transaction: the note's next state, and the new file's first one,
    which lies under a name that was free.
    """

    note: PlacedNote
    item_id: str
    told: Attached
    state: State
    prepared: PreparedIndex
    new: tuple[State, PreparedIndex] | None


class _Overtaken(Exception):
    """The name that was free is taken by now; the transaction must leave no trace."""


def add_attachment(library: Library, caller: Caller, request: AttachRequest) -> Attached:
    """Attach a file to a note, new content beside it under a name that is free there.

    The panel is no part of the text; a reference in the text makes it another one, so that who read it before
    has to read it again (contracts 3.5). Raises TierDenied, NotFound, InvalidInput, TooLarge (20 MB),
    StorageFull, NotPermitted and BeingEdited with nothing written.
    """
    require(caller, Tier.EDIT)
    content = _content(request)
    with library.storage.read() as tx:
        _note(library, tx, caller, request.path)
    with library.blobs.storing() if content is not None else nullcontext():
        new = _stored(library, caller, request.filename or "", content) if content is not None else None
        for _ in range(_TRIES):
            plan = _plan(library, caller, request, new)
            if plan.state == plan.note.document.state:
                return plan.told  # it is in the panel already
            try:
                return _carried_out(library, caller, plan, new)
            except (VersionConflict, _Overtaken):
                continue  # somebody else wrote meanwhile
    raise Busy


def _content(request: AttachRequest) -> bytes | None:
    """The bytes that were sent, None where a file of the vault is meant."""
    if (request.data is None) == (request.file is None):
        raise InvalidInput("data", "send either data with filename, or file")
    if request.data is None:
        return None
    if not may_be_attached(request.filename or ""):
        raise InvalidInput("filename", f"has to end as the name of {_KINDS}")
    if len(request.data) > _ENCODED_MOST:
        raise TooLarge("data", LARGEST_ATTACHMENT, "bytes")
    content = _decoded(request.data)
    if len(content) > LARGEST_ATTACHMENT:
        raise TooLarge("data", LARGEST_ATTACHMENT, "bytes")
    return content


def _decoded(data: str) -> bytes:
    """What the base64 stands for, which has its padding and nothing else beside its characters."""
    try:
        content = binascii.a2b_base64(data, strict_mode=True)
    except ValueError as error:
        raise InvalidInput("data", "is not base64; line breaks and a data: before it are none") from error
    if not content or len(data) % 4:
        raise InvalidInput("data", "may not be empty, and its length is a multiple of four with its padding")
    return content


def _note(library: Library, tx: Transaction, caller: Caller, path: str) -> PlacedNote:
    note = note_at(tx, caller, path)
    refuse_while_edited(tx, note.item.space_id, [note.item.item_id], library.now())
    return note


def _stored(library: Library, caller: Caller, name: str, content: bytes) -> _NewFile:
    """The content as a file, or as a note where it is Markdown (decisions, Vault), under a safe name."""
    stem, suffix = split_suffix(name.replace("\\", "/").rpartition("/")[2])
    safe = file_name(_NOT_IN_LINKS.sub("-", stem), suffix=suffix)
    now = moment(library.now()).timestamp()
    if not is_note(safe):
        return _NewFile(new_id(), read_file(library, safe, io.BytesIO(content), now)[0])
    incoming, _ = read_note(safe, content, now, zone_of(caller))
    body, blocks = without_data(incoming.layers.authored or "")
    layers = replace(incoming.layers, authored=body)
    return _NewFile(new_id(), replace(incoming, layers=layers, created_at=None), blocks)


def _plan(library: Library, caller: Caller, request: AttachRequest, new: _NewFile | None) -> _Plan:
    with library.storage.read() as tx:
        note = _note(library, tx, caller, request.path)
        tree = tree_of(tx, note.item.space_id)
        item_id, folder_id, name = _target(tx, tree, note, request, new)
        placement = request.placement or (Placement.BODY if is_media(name) else Placement.PANEL)
        reference = ""
        if placement is Placement.BODY:
            reference = reference_to(tx, tree, note.item, item_id, (folder_id, name))
    state = _next(note, item_id, placement, reference)
    was_current = request.version == version_token(note.item.item_id, note.item.version)
    version = request.version if was_current and placement is Placement.PANEL else None
    told = Attached(tree.path_of(folder_id, name), reference, placement, new is not None, version)
    file_state = _file_state(new, folder_id, name) if new is not None else None
    return _Plan(
        note,
        item_id,
        told,
        state,
        prepare(library, state),
        (file_state, prepare(library, file_state)) if file_state is not None else None,
    )


def _target(
    tx: Transaction, tree: Tree, note: PlacedNote, request: AttachRequest, new: _NewFile | None
) -> tuple[str, str | None, str]:
    """Id, folder and name of what is attached: in the note's folder, or where the file of the vault lies."""
    item = note.item
    if new is not None:
        name = free_file_name(tx, item.space_id, item.folder_id, new.incoming.file_name)
        return new.item_id, item.folder_id, name
    try:
        placed = item_at(tx, item.space_id, tree, request.file or "")
    except InvalidInput as refusal:
        raise InvalidInput(
            "file", f"{refusal.reason}; of a file outside the vault send the content as data with filename"
        ) from refusal
    if placed.item_id == item.item_id:
        raise InvalidInput("file", "is the note itself")
    return placed.item_id, placed.folder_id, placed.file_name


def _next(note: PlacedNote, item_id: str, placement: Placement, reference: str) -> State:
    """The note with the attachment."""
    state = note.document.state
    if placement is Placement.BODY:
        body = with_reference(note.document.body, note.document.frontmatter, reference)
        return replace(state, layers=replace(state.layers, authored=body))
    if item_id in state.panel:
        return state
    if len(state.panel) >= PANEL_MOST:
        raise TooLarge("placement", PANEL_MOST, "files in the panel")
    return replace(state, panel=(*state.panel, item_id))


def _file_state(new: _NewFile, folder_id: str | None, name: str) -> State:
    state = replace(state_of(new.incoming), folder_id=folder_id, file_name=name)
    return state if is_note(name) else replace(state, title=name)


def _carried_out(library: Library, caller: Caller, plan: _Plan, new: _NewFile | None) -> Attached:
    item = plan.note.item
    action = Action.UPDATE if plan.told.placement is Placement.BODY else Action.ATTACH
    with library.storage.write() as tx:
        check_room(library, tx, caller)
        refuse_while_edited(tx, item.space_id, [item.item_id], library.now())
        change = begin_change(library, tx, caller, item.space_id, TOOL)
        if new is not None and plan.new is not None:
            _add_file(tx, Write(caller, change, Action.CREATE, plan.new[1]), plan.new[0], new)
        elif not _is_there(tx, change, plan.item_id):
            raise NotFound(advice="List the files and use a path as it stands there.")
        write = Write(caller, change, action, plan.prepared)
        after = replace_document(tx, write, plan.note.document, plan.state).item
    if plan.told.version is None:
        return plan.told
    return replace(plan.told, version=version_token(after.item_id, after.version))


def _add_file(tx: Transaction, write: Write, state: State, new: _NewFile) -> None:
    change = write.change
    if free_file_name(tx, change.space_id, state.folder_id, state.file_name) != state.file_name:
        raise _Overtaken
    if new.incoming.blob is not None:
        tx.blobs.add(change.space_id, new.incoming.blob)
    birth = Birth(change.space_id, new.item_id, change.made_at, first_hash_of(state))
    document = new_document(birth, state)
    add_document(tx, write, document)
    keep_blocks(tx, document.item, document.body, new.blocks)


def _is_there(tx: Transaction, change: Change, item_id: str) -> bool:
    item = tx.items.find(change.space_id, item_id)
    return item is not None and not item.trashed
