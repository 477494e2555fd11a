"""What does an open transaction offer, whichever database it is on?"""

from __future__ import annotations

from dataclasses import dataclass

from vademecum.ports.index import Index
from vademecum.storage.dialect import Database
from vademecum.storage.sql.access import AccessTable
from vademecum.storage.sql.audit import AuditTable
from vademecum.storage.sql.blobs import BlobTable
from vademecum.storage.sql.blocks import BlockTable
from vademecum.storage.sql.credits import CreditTable
from vademecum.storage.sql.drafts import DraftTable
from vademecum.storage.sql.folders import FolderTable
from vademecum.storage.sql.imports import ImportTable
from vademecum.storage.sql.installation import InstallationTable
from vademecum.storage.sql.item_lists import ItemLists
from vademecum.storage.sql.items import ItemTable
from vademecum.storage.sql.jobs import JobTable
from vademecum.storage.sql.links import LinkTable
from vademecum.storage.sql.mirror import MirrorTable
from vademecum.storage.sql.places import PlaceTable
from vademecum.storage.sql.revisions import RevisionTable


class ItemTables(ItemTable, ItemLists):
    """Everything about items."""

    def __init__(self, database: Database, index: Index) -> None:
        ItemTable.__init__(self, database, index)


@dataclass(frozen=True, slots=True)
class Tables:
    """The groups of tables over one connection, each by the name that the port gives it."""

    items: ItemTables
    revisions: RevisionTable
    folders: FolderTable
    places: PlaceTable
    drafts: DraftTable
    blocks: BlockTable
    mirror: MirrorTable
    links: LinkTable
    access: AccessTable
    jobs: JobTable
    audit: AuditTable
    imports: ImportTable
    blobs: BlobTable
    credits: CreditTable
    installation: InstallationTable
    index: Index


def tables(database: Database, index: Index) -> Tables:
    """All groups of tables over the connection, and its index beside them."""
    return Tables(
        items=ItemTables(database, index),
        revisions=RevisionTable(database),
        folders=FolderTable(database),
        places=PlaceTable(database),
        drafts=DraftTable(database),
        blocks=BlockTable(database),
        mirror=MirrorTable(database),
        links=LinkTable(database),
        access=AccessTable(database, index),
        jobs=JobTable(database),
        audit=AuditTable(database),
        imports=ImportTable(database),
        blobs=BlobTable(database),
        credits=CreditTable(database),
        installation=InstallationTable(database),
        index=index,
    )
