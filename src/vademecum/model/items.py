"""What is an item, and what are the texts that it is made of?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal

TITLE_LIMIT = 500
EXCERPT_LENGTH = 400
TOOL_TEXT_LIMIT = 2 * 1024 * 1024  # characters of a text that a tool may send (decisions, All three)
IMPORT_TEXT_LIMIT = 32 * 1024 * 1024


class Kind(StrEnum):
    """The kinds of things that are kept (design 3)."""

    NOTE = "note"
    ARTICLE = "article"
    THREAD = "thread"
    VIDEO = "video"
    PDF = "pdf"
    IMAGE = "image"
    CONVERSATION = "conversation"
    SHEET = "sheet"
    FILE = "file"


class ItemClass(StrEnum):
    """Who an item is for; the last two have no folder and no library or vault tool shows them."""

    USER_DOCUMENT = "user-doc"
    AGENT_MEMORY = "agent-memory"
    PROFILE = "profile"


class Layer(StrEnum):
    """The texts of an item (design 3); `provenance` is the name that tools use for each."""

    AUTHORED = "authored"
    EXTRACTED = "extracted"
    SUMMARY = "summary"
    RECOGNIZED = "recognized"

    @property
    def provenance(self) -> str:
        return _PROVENANCE[self]


_PROVENANCE = {
    Layer.AUTHORED: "authored",
    Layer.EXTRACTED: "clipped",
    Layer.SUMMARY: "ai_summary",
    Layer.RECOGNIZED: "ocr",
}
PROVENANCES = (*_PROVENANCE.values(), "any")


def layer_of(provenance: str) -> Layer | None:
    """The layer that a provenance names, None for `any`."""
    return next((layer for layer, name in _PROVENANCE.items() if name == provenance), None)


class CaptureState(StrEnum):
    """How far a capture has come; a note is ready at once (decisions, Library)."""

    READY = "ready"
    QUEUED = "queued"
    PROCESSING = "processing"
    BLOCKED = "blocked"
    FAILED = "failed"


class IndexState(StrEnum):
    """How far an item can be found (cases S19): `keyword` means that vectors are still missing."""

    QUEUED = "queued"
    KEYWORD = "keyword"
    INDEXED = "indexed"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Layers:
    """The texts of an item, byte for byte as they came; None where there is no such layer."""

    authored: str | None = None
    extracted: str | None = None
    summary: str | None = None
    recognized: str | None = None

    def present(self) -> dict[Layer, str]:
        """The layers that exist, in the order of the enumeration."""
        texts = (self.authored, self.extracted, self.summary, self.recognized)
        return {layer: text for layer, text in zip(Layer, texts, strict=True) if text is not None}


NO_LAYERS = Layers()


_BODY = (Layer.AUTHORED, Layer.EXTRACTED, Layer.RECOGNIZED)
_BODY_OF_FILE = (Layer.EXTRACTED, Layer.AUTHORED, Layer.RECOGNIZED)


def first_of_body(present: Iterable[Layer], kind: Kind) -> Layer | None:
    """Which layer is the body: authored where there is one, else extracted, else recognized (design 3).

    In sheets and files the extracted one goes first: a remark on them takes its place in no reading
    (decisions, Layers in search).
    """
    have = set(present)
    order = _BODY_OF_FILE if kind in (Kind.SHEET, Kind.FILE) else _BODY
    return next((layer for layer in order if layer in have), None)


def body_of(layers: Layers, kind: Kind) -> str:
    """The effective text, empty when there is none."""
    present = layers.present()
    layer = first_of_body(present, kind)
    return present[layer] if layer else ""


@dataclass(frozen=True, slots=True)
class State:
    """All of an item that a revision keeps: what a writer can change, and a revert brings back (design 5).

    `folder_id` is None at the top of the space. `frontmatter` is the verbatim block with its fences, empty
    when there is none. Tags stand in the order and spelling they were given. `panel` holds the ids of the
    files attached beside the text, in the order in which they were added.
    """

    title: str
    kind: Kind
    layers: Layers = NO_LAYERS
    tags: tuple[str, ...] = ()
    folder_id: str | None = None
    file_name: str = ""
    frontmatter: str = ""
    source_url: str | None = None
    blob: str | None = None  # the content hash of the file that the item is or came from
    pinned: bool = False
    archived: bool = False
    trashed: bool = False
    panel: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """An item as it stands now, without its texts. Times are stamps of `model.times`.

    `created_at` is the time of saving (an import's is the source's date); `content_edited_at` is that of
    the last change of a text. `first_hash` names the content of version 1, by which a replayed save is known.
    `unpaid` tells of a saved link that no credit was left for it, so that it is not enriched.
    `excerpt` is the beginning of the body, `summary` the text of that layer; `layers` names those present.
    """

    space_id: str
    item_id: str
    version: int
    kind: Kind
    title: str
    created_at: str
    updated_at: str
    content_edited_at: str
    tags: tuple[str, ...] = ()
    folder_id: str | None = None
    file_name: str = ""
    source_url: str | None = None
    blob: str | None = None
    pinned: bool = False
    archived: bool = False
    trashed_at: str | None = None
    item_class: ItemClass = ItemClass.USER_DOCUMENT
    capture_state: CaptureState = CaptureState.READY
    capture_reason: str | None = None
    index_state: IndexState = IndexState.QUEUED
    index_reason: str | None = None
    first_hash: str = ""
    unpaid: bool = False
    excerpt: str = ""
    summary: str | None = None
    layers: tuple[Layer, ...] = ()
    panel: tuple[str, ...] = ()

    @property
    def trashed(self) -> bool:
        return self.trashed_at is not None

    @property
    def body_layer(self) -> Layer | None:
        return first_of_body(self.layers, self.kind)


@dataclass(frozen=True, slots=True)
class Document:
    """An item with its texts and its verbatim frontmatter block."""

    item: Item
    layers: Layers
    frontmatter: str = ""

    @property
    def body(self) -> str:
        return body_of(self.layers, self.item.kind)

    @property
    def state(self) -> State:
        """What a revision keeps of it."""
        item = self.item
        return State(
            title=item.title,
            kind=item.kind,
            layers=self.layers,
            tags=item.tags,
            folder_id=item.folder_id,
            file_name=item.file_name,
            frontmatter=self.frontmatter,
            source_url=item.source_url,
            blob=item.blob,
            pinned=item.pinned,
            archived=item.archived,
            trashed=item.trashed,
            panel=item.panel,
        )

    def with_state(self, state: State, *, version: int, at: str, trashed_at: str | None) -> Document:
        """The document in another state, as version `version` written at `at` (a stamp)."""
        edited = at if state.layers != self.layers else self.item.content_edited_at
        item = replace(
            self.item,
            version=version,
            updated_at=at,
            content_edited_at=edited,
            trashed_at=trashed_at,
            kind=state.kind,
            title=state.title,
            tags=state.tags,
            folder_id=state.folder_id,
            file_name=state.file_name,
            source_url=state.source_url,
            blob=state.blob,
            pinned=state.pinned,
            archived=state.archived,
            panel=state.panel,
            excerpt=body_of(state.layers, state.kind)[:EXCERPT_LENGTH],
            summary=state.layers.summary,
            layers=tuple(state.layers.present()),
        )
        return Document(item, state.layers, state.frontmatter)


@dataclass(frozen=True, slots=True)
class Birth:
    """When and how an item comes into being; `first_hash` names the content by which a replay is known."""

    space_id: str
    item_id: str
    at: str
    first_hash: str
    capture_state: CaptureState = CaptureState.READY
    item_class: ItemClass = ItemClass.USER_DOCUMENT
    unpaid: bool = False


def new_document(birth: Birth, state: State) -> Document:
    """A new item in its first version."""
    item = Item(
        space_id=birth.space_id,
        item_id=birth.item_id,
        version=1,
        kind=state.kind,
        title=state.title,
        created_at=birth.at,
        updated_at=birth.at,
        content_edited_at=birth.at,
        item_class=birth.item_class,
        capture_state=birth.capture_state,
        first_hash=birth.first_hash,
        unpaid=birth.unpaid,
    )
    return Document(item, state.layers).with_state(state, version=1, at=birth.at, trashed_at=None)


SaveDecision = Literal["new", "replayed", "mismatched"]


def decide_save(existing: Item | None, content_hash: str) -> SaveDecision:
    """What a save under an id is: replay compares content only, with version 1 (decisions, Library)."""
    if existing is None:
        return "new"
    return "replayed" if existing.first_hash == content_hash else "mismatched"


@dataclass(frozen=True, slots=True)
class Space:
    """The container that a person owns or shares; `personal_of` is the account whose own it is."""

    space_id: str
    slug: str
    name: str
    created_at: str
    personal_of: str | None = None
    archived_at: str | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """A person. `zone` is an IANA name by which dates without a zone are read."""

    account_id: str
    name: str
    created_at: str
    is_owner: bool = False
    password_hash: str | None = field(default=None, repr=False)
    zone: str = "UTC"


class Role(StrEnum):
    """What a member may do in a space."""

    OWNER = "owner"
    EDITOR = "editor"
    READER = "reader"


@dataclass(frozen=True, slots=True)
class Folder:
    """A place in a space's tree; its id never changes, its name and parent may (design 5).

    One that was removed is found by its id alone, for the items in the trash that lay there.
    """

    space_id: str
    folder_id: str
    parent_id: str | None
    name: str
    created_at: str
    removed_at: str | None = None


@dataclass(frozen=True, slots=True)
class Blob:
    """A file's content in the blob store, named by its SHA-256."""

    content_hash: str
    size: int
    media_type: str
