-- What an agent beside the person, a live folder and an editor need.
--
-- The panel of an item is the list of ids of the files attached to it apart from its text, a part of its state.
ALTER TABLE item ADD COLUMN panel TEXT NOT NULL DEFAULT '[]';
ALTER TABLE revision ADD COLUMN panel TEXT NOT NULL DEFAULT '[]';

CREATE INDEX item_by_update ON item (space_id, updated_at, item_id)
    WHERE trashed_at IS NULL AND item_class = 'user-doc';

-- A folder that was taken away stays for the items in the trash that lay there; its name is free again.
ALTER TABLE folder ADD COLUMN removed_at TEXT;
DROP INDEX folder_by_name;
CREATE UNIQUE INDEX folder_by_name ON folder (space_id, COALESCE(parent_id, ''), key) WHERE removed_at IS NULL;

-- The history of a folder: what each change made of it.
CREATE TABLE folder_revision (
    space_id TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    action TEXT NOT NULL,
    parent_id TEXT,
    name TEXT NOT NULL,
    change_id TEXT NOT NULL,
    PRIMARY KEY (space_id, folder_id, number),
    FOREIGN KEY (space_id, folder_id) REFERENCES folder (space_id, folder_id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, change_id) REFERENCES change (space_id, change_id)
) WITHOUT ROWID;

CREATE INDEX folder_revision_by_change ON folder_revision (space_id, change_id);

INSERT INTO folder_revision (space_id, folder_id, number, action, parent_id, name, change_id)
SELECT space_id, folder_id, 1, 'create', parent_id, name, change_id FROM folder;

-- The data of what Markdown cannot express. A row holds from that version of its item on, until a later one.
CREATE TABLE block (
    space_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    block_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (space_id, item_id, block_id, version),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

-- The text that a person has not saved yet: of an item, or of a new note, which has no item.
CREATE TABLE draft (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    draft_id TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES account (account_id),
    item_id TEXT,
    base_version INTEGER,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    changed_at TEXT NOT NULL,
    PRIMARY KEY (space_id, draft_id, account_id),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX draft_by_item ON draft (space_id, item_id) WHERE item_id IS NOT NULL;

-- What stands on disk of a space's folder, as it was last written or read: paths may be longer than an index
-- entry, so their hash is the key.
CREATE TABLE mirror_file (
    space_id TEXT NOT NULL,
    path_hash TEXT NOT NULL,
    path TEXT NOT NULL,
    item_id TEXT NOT NULL,
    item_version INTEGER NOT NULL,
    content_hash TEXT NOT NULL,
    size BIGINT NOT NULL,
    modified_nanoseconds BIGINT NOT NULL,
    file_number TEXT NOT NULL,
    PRIMARY KEY (space_id, path_hash),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX mirror_file_by_item ON mirror_file (space_id, item_id);

CREATE TABLE mirror_folder (
    space_id TEXT NOT NULL,
    folder_id TEXT NOT NULL,
    path TEXT NOT NULL,
    file_number TEXT NOT NULL,
    PRIMARY KEY (space_id, folder_id),
    FOREIGN KEY (space_id, folder_id) REFERENCES folder (space_id, folder_id) ON DELETE CASCADE
) WITHOUT ROWID;
