"""What does the library ask of the place where everything is kept?"""

from __future__ import annotations

import builtins
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from vademecum.model.access import AgentKey
from vademecum.model.items import (
    Account,
    Blob,
    CaptureState,
    Document,
    IndexState,
    Item,
    Role,
    Space,
    State,
)
from vademecum.model.jobs import Job, JobKind
from vademecum.model.revisions import Action, Change, HistoryEntry, Revision
from vademecum.model.search import Filters
from vademecum.ports.index import Index
from vademecum.ports.places import Blocks, Drafts, Folders, Mirror, Places, Written

ItemKey = tuple[str, str]  # space id, item id


@dataclass(frozen=True, slots=True)
class ItemName:
    """One name under which links reach an item: `origin` is title, file, alias or past, best first."""

    key: str  # model.names.name_key of the text
    text: str
    origin: str


@dataclass(frozen=True, slots=True)
class NewItem:
    """An item to be stored, with the identity of its address and, where it is new, its names."""

    document: Document
    source_key: str | None
    names: Sequence[ItemName]


@dataclass(frozen=True, slots=True)
class StoredLink:
    """A link as it stands in an item's body or frontmatter; whether it resolves is asked at reading.

    `target_key` is the key of the name or vault path, empty for an address outside the library.
    """

    ordinal: int
    kind: str
    target: str
    target_key: str
    heading: str | None
    display: str | None
    relation: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """What was done through a face: by whom, with which tool, to what; `outcome` is ok or a code."""

    space_id: str
    audit_id: str
    at: str
    account_id: str
    actor_kind: str
    credential_id: str | None
    client_name: str | None
    session_id: str | None
    tool: str
    item_id: str | None
    change_id: str | None
    outcome: str


@dataclass(frozen=True, slots=True)
class ImportedFile:
    """What an import made of a file: `source` names the root that was imported, `path` the file within it."""

    space_id: str
    source: str
    path: str
    content_hash: str
    item_id: str
    item_version: int


class Items(Protocol):
    """Items as they stand now. Every method takes the space; unknown is None or empty, never an error."""

    def find(self, space_id: str, item_id: str) -> Item | None: ...
    def hold(self, space_id: str, item_id: str) -> Item | None:
        """As `find`, and until the transaction ends no other writes the item or its index: to be asked first
        by whoever writes there without beginning a change.
        """

    def load(self, space_id: str, item_id: str) -> Document | None: ...
    def load_all(self, keys: Sequence[ItemKey]) -> Iterator[Document]:
        """Those of the items that there are, in no order, their texts read one after another; until the last
        is given nothing else may be asked. Raises StoredDataDamaged as `load` does.
        """

    def find_all(self, keys: Sequence[ItemKey]) -> dict[ItemKey, Item]: ...
    def add(self, document: Document, source_key: str | None) -> bool:
        """False, and nothing done, when the id is taken."""

    def add_all(self, space_id: str, new: Sequence[NewItem]) -> None:
        """Add items of new ids with their names, all by few statements."""

    def replace(self, document: Document, source_key: str | None, expected_version: int) -> bool:
        """Compare and set in one statement; False, and nothing done, when the version is another by now.

        What belongs to the item's birth, and the states of capture and index, stay as they are.
        """

    def replace_texts(self, space_id: str, items: Sequence[NewItem]) -> bool:
        """The next versions of items that differ in their texts alone, with the state of their index, all by
        few statements. False when one of them has another version by now: the transaction is to be given up.
        """

    def set_capture(self, space_id: str, item_id: str, state: CaptureState, reason: str | None) -> None: ...
    def set_index(
        self, space_id: str, item_id: str, version: int, state: IndexState, reason: str | None
    ) -> None:
        """Only while the item still has that version."""

    def list_recent(
        self, spaces: Sequence[str], filters: Filters, limit: int, before: tuple[str, str] | None = None
    ) -> list[Item]:
        """User documents out of the trash, newest first by (created_at, item_id), from before `before` on."""

    def matching(self, spaces: Sequence[str], filters: Filters) -> frozenset[ItemKey]:
        """All user documents out of the trash that pass the filters, apart from `layer`."""

    def every_id(self, space_id: str) -> list[str]: ...
    def trashed(self, spaces: Sequence[str], limit: int) -> list[Item]: ...
    def trashed_before(self, spaces: Sequence[str], at: str, limit: int) -> list[Item]:
        """What went into the trash before the stamp `at`, oldest first."""

    def with_source(self, spaces: Sequence[str], source_key: str) -> list[Item]: ...
    def named(self, spaces: Sequence[str], key: str) -> list[tuple[Item, str]]:
        """Items out of the trash that bear the name, with its origin: title, file, alias, then past ones."""

    def set_names(self, space_id: str, item_id: str, names: Sequence[ItemName]) -> None:
        """Replace all names of the item; past titles are given again by the library."""

    def names(self, space_id: str, item_id: str) -> list[ItemName]: ...
    def taken_file_keys(self, space_id: str, folder_id: str | None, prefix: str) -> frozenset[str]:
        """Keys of file names in the folder, trash apart, that begin with `prefix`."""

    def purge(self, space_id: str, item_id: str) -> None:
        """Remove the item with its revisions, names, links and tags, and the texts that nothing else uses;
        files that nothing else in the space uses are released.
        """

    def counts(self, spaces: Sequence[str]) -> dict[str, int]:
        """items, trashed, then one count a kind (`kind.note` …) and index state (`index.keyword` …)."""

    def text_bytes(self, spaces: Sequence[str]) -> int: ...
    def broken_texts(self, space_id: str) -> list[str]:
        """Ids of items whose stored texts are missing or whose content does not match its hash."""


class Revisions(Protocol):
    """Changes and the states that they left."""

    def begin(self, change: Change) -> Change:
        """Store the change and return it with its sequence, one more than the space's last."""

    def add(self, item_id: str, version: int, action: Action, state: State, change: Change) -> None: ...
    def add_all(self, states: Mapping[str, tuple[int, State]], action: Action, change: Change) -> None:
        """A version and its state for each of the items, by id, that `Items` has stored with their texts."""

    def find(self, space_id: str, item_id: str, version: int) -> Revision | None: ...
    def of_change(self, space_id: str, change_id: str) -> builtins.list[Revision]: ...
    def gaps(self, space_id: str) -> builtins.list[str]:
        """Ids of items whose versions are not 1 … n with the last equal to the item's (for doctor)."""

    def list(self, space_id: str, item_id: str) -> builtins.list[HistoryEntry]:
        """Newest first, without texts: `find` reads those of one."""

    def change(self, space_id: str, change_id: str) -> Change | None: ...
    def last_sequence(self, space_id: str) -> int:
        """The sequence of the space's last change, 0 before the first."""

    def written_since(self, space_id: str, sequence: int) -> Written:
        """What changes after the one of that sequence wrote."""


class Links(Protocol):
    """Links out of items; targets resolve by name when read, so a ghost heals when its target appears."""

    def replace(self, space_id: str, item_id: str, links: Sequence[StoredLink]) -> None: ...
    def add_all(self, space_id: str, links: Mapping[str, Sequence[StoredLink]]) -> None:
        """The links of items, by id, that have none yet."""

    def replace_all(self, space_id: str, links: Mapping[str, Sequence[StoredLink]]) -> None:
        """As `replace` for each of the items, by id."""

    def out_of(self, space_id: str, item_id: str) -> list[StoredLink]: ...
    def into(self, space_id: str, keys: Sequence[str]) -> list[tuple[Item, StoredLink]]:
        """Links of items out of the trash whose target has one of the keys."""

    def unresolved(self, space_id: str) -> list[tuple[str, StoredLink]]:
        """Item id and link, for every link to a name that no item bears."""

    def count(self, space_id: str) -> int: ...


class Access(Protocol):
    """People, spaces, members and keys."""

    def add_account(self, account: Account) -> bool: ...
    def account(self, account_id: str) -> Account | None: ...
    def account_named(self, name: str) -> Account | None: ...
    def accounts(self) -> list[Account]:
        """Oldest first."""

    def set_password(self, account_id: str, password_hash: str | None) -> None: ...
    def add_space(self, space: Space) -> bool: ...
    def space(self, space_id: str) -> Space | None: ...
    def space_with_slug(self, slug: str) -> Space | None: ...
    def personal_space(self, account_id: str) -> Space | None: ...
    def spaces(self) -> list[Space]: ...
    def spaces_of(self, account_id: str) -> list[tuple[Space, Role]]: ...
    def set_archived(self, space_id: str, at: str | None) -> None: ...
    def purge_records(self, space_id: str, most: int) -> bool:
        """Remove the folders of a space whose items are gone, and up to `most` of its audit rows and as many
        changes; False when there were no more.
        """

    def purge_space(self, space_id: str) -> None:
        """Remove the space and every row of its content; its files are released."""

    def members(self, space_id: str) -> list[tuple[Account, Role]]: ...
    def set_member(self, space_id: str, account_id: str, role: Role) -> None: ...
    def remove_member(self, space_id: str, account_id: str) -> bool: ...
    def add_key(self, key: AgentKey) -> None: ...
    def key_with_hash(self, key_hash: str) -> AgentKey | None: ...
    def keys(self, account_id: str) -> list[AgentKey]: ...
    def replace_key(self, key: AgentKey) -> bool: ...
    def renew_key(self, key_id: str, key_hash: str, shown: str) -> bool: ...
    def use_key(self, key_id: str, at: str, new_session: str, gap_start: str) -> str:
        """Note a use and return the key's session in force: the one it has when its last use was at or after
        `gap_start`, else `new_session`, which becomes its session (decisions, All three). One statement.
        """


class Jobs(Protocol):
    """Durable work: rows written in the transaction that causes them (style 5.10)."""

    def add(self, job: Job) -> None:
        """A queued job of the same space, kind and subject is kept instead of a second one."""

    def add_all(self, jobs: Sequence[Job], *, again: bool = False) -> None:
        """The same for many; unless `again`, there was no job about their subjects before."""

    def claim(self, kinds: Sequence[JobKind], now: str, lease: str, until: str) -> Job | None:
        """A job whose lease ran out, else the due one of highest priority, the longest due first.

        It is held by `lease` from now on, and attempts has grown by one.
        """

    def queued(self, space_id: str, kind: JobKind, subjects: Sequence[str]) -> list[Job]:
        """The jobs of the kind that wait for a run about one of the subjects."""

    def renew(self, job: Job, until: str, done: int, total: int) -> bool:
        """False when the lease is lost."""

    def finish(self, job: Job) -> bool:
        """The work is done and the job's row goes; False when the lease is lost."""

    def retry(self, job: Job, run_at: str, reason: str) -> bool: ...
    def fail(self, job: Job, reason: str) -> bool: ...
    def pending(self, spaces: Sequence[str]) -> dict[str, int]:
        """Number of queued and running jobs by kind, and of failed ones under `failed`."""

    def next_due(self, kinds: Sequence[JobKind]) -> str | None: ...


class Audit(Protocol):
    """Who did what."""

    def add(self, entries: Sequence[AuditEntry]) -> None: ...
    def list(self, spaces: Sequence[str], limit: int) -> list[AuditEntry]: ...


class Imports(Protocol):
    """What was imported from where, so that running an import again changes nothing."""

    def known(self, space_id: str, source: str) -> dict[str, ImportedFile]: ...
    def add(self, imported: Sequence[ImportedFile]) -> None:
        """Keep files of which nothing is known."""

    def replace(self, imported: ImportedFile) -> None: ...


class Blobs(Protocol):
    """Which files a space refers to; their bytes are in the blob store."""

    def add(self, space_id: str, blob: Blob) -> None: ...
    def find(self, space_id: str, content_hash: str) -> Blob | None: ...
    def used_bytes(self, spaces: Sequence[str]) -> int: ...
    def list(self, space_id: str) -> list[Blob]: ...
    def named(self, hashes: Sequence[str]) -> frozenset[str]:
        """Those of the files that any space has."""

    def released(self, limit: int) -> Sequence[tuple[str, str]]:
        """What purges let go and nobody has looked at since: an id of each time, and the file's hash."""

    def forget_released(self, release_ids: Sequence[str]) -> None: ...


class Credits(Protocol):
    """What an account has spent in a month (`2026-11`)."""

    def used(self, account_id: str, month: str) -> int: ...
    def spend(self, account_id: str, month: str, amount: int, most: int | None) -> bool:
        """False, and nothing spent, when it would pass `most`. A negative amount gives back."""


class Installation(Protocol):
    """Small named facts of the whole installation, such as its id."""

    def get(self, name: str) -> str | None: ...
    def put(self, name: str, value: str) -> None: ...


class Transaction(Protocol):
    """One consistent view; in a writing one everything is kept, or nothing."""

    @property
    def items(self) -> Items: ...
    @property
    def revisions(self) -> Revisions: ...
    @property
    def folders(self) -> Folders: ...
    @property
    def places(self) -> Places: ...
    @property
    def drafts(self) -> Drafts: ...
    @property
    def blocks(self) -> Blocks: ...
    @property
    def mirror(self) -> Mirror: ...
    @property
    def links(self) -> Links: ...
    @property
    def access(self) -> Access: ...
    @property
    def jobs(self) -> Jobs: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def imports(self) -> Imports: ...
    @property
    def blobs(self) -> Blobs: ...
    @property
    def credits(self) -> Credits: ...
    @property
    def installation(self) -> Installation: ...
    @property
    def index(self) -> Index: ...


class Storage(Protocol):
    """Where everything is kept. Leaving a context normally commits durably; an exception rolls back."""

    def read(self) -> AbstractContextManager[Transaction]: ...
    def write(self) -> AbstractContextManager[Transaction]:
        """Raises StorageFull when the disk has no room, Busy when no turn came within the time limit."""

    @property
    def migrated(self) -> Sequence[str]:
        """The names of the schema steps that opening it took."""
        ...

    def change_mark(self) -> object | None:
        """A value that is given again only while nothing has been committed since, by whatever process.

        None where that cannot be told at once: it never waits.
        """

    def integrity_problems(self) -> list[str]:
        """What the database's own check finds wrong, empty when sound."""

    def close(self) -> None: ...
