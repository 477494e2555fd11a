-- Everything that is kept, apart from what search needs.
--
-- Tables of a space's content lead with space_id in every key, so that a space is the unit of sharding; tables
-- of people and of the installation have none. Times are ISO texts in UTC, flags are 0 or 1, lists are JSON.
-- TEXT compares byte by byte on both databases; BYTES and WITHOUT ROWID are written for each by the migrator.
-- A key above 200 characters stands as its beginning and a digest, and whole in a column beside it.

CREATE TABLE account (
    account_id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    is_owner INTEGER NOT NULL,
    password_hash TEXT,
    zone TEXT NOT NULL
);

CREATE TABLE space (
    space_id TEXT NOT NULL PRIMARY KEY,
    slug TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    personal_of TEXT UNIQUE REFERENCES account (account_id),
    archived_at TEXT
);

CREATE TABLE space_member (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    account_id TEXT NOT NULL REFERENCES account (account_id),
    role TEXT NOT NULL,
    PRIMARY KEY (space_id, account_id)
) WITHOUT ROWID;

CREATE INDEX space_member_by_account ON space_member (account_id);

-- The spaces of a key are values without a foreign key: a key whose only space is gone must reach nothing,
-- not what a key without spaces reaches.
CREATE TABLE agent_key (
    key_id TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (account_id),
    tool_set TEXT NOT NULL,
    tier TEXT NOT NULL,
    name TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    shown TEXT NOT NULL,
    spaces TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    revoked_at TEXT,
    last_used_at TEXT,
    session_id TEXT
);

CREATE INDEX agent_key_by_account ON agent_key (account_id);

CREATE TABLE credit (
    account_id TEXT NOT NULL REFERENCES account (account_id),
    month TEXT NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (account_id, month)
) WITHOUT ROWID;

CREATE TABLE installation (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- The counter of a space's changes; whoever raised it writes alone in the space until the commit.
CREATE TABLE space_sequence (
    space_id TEXT NOT NULL PRIMARY KEY REFERENCES space (space_id) ON DELETE CASCADE,
    last_sequence BIGINT NOT NULL
) WITHOUT ROWID;

CREATE TABLE change (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    change_id TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    account_id TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    credential_id TEXT,
    client_name TEXT,
    tool TEXT NOT NULL,
    session_id TEXT,
    made_at TEXT NOT NULL,
    PRIMARY KEY (space_id, change_id),
    UNIQUE (space_id, sequence)
);

CREATE TABLE folder (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    folder_id TEXT NOT NULL,
    parent_id TEXT,
    name TEXT NOT NULL,
    key TEXT NOT NULL,
    created_at TEXT NOT NULL,
    change_id TEXT NOT NULL,
    PRIMARY KEY (space_id, folder_id),
    FOREIGN KEY (space_id, parent_id) REFERENCES folder (space_id, folder_id),
    FOREIGN KEY (space_id, change_id) REFERENCES change (space_id, change_id)
);

CREATE UNIQUE INDEX folder_by_name ON folder (space_id, COALESCE(parent_id, ''), key);

CREATE TABLE text (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    hash TEXT NOT NULL,
    size BIGINT NOT NULL,
    encoding TEXT NOT NULL,
    content BYTES NOT NULL,
    PRIMARY KEY (space_id, hash)
);

CREATE INDEX text_by_size ON text (space_id, size);

CREATE TABLE item (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    item_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    item_class TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    folder_id TEXT,
    file_name TEXT NOT NULL,
    file_key TEXT NOT NULL,
    source_url TEXT,
    source_key TEXT,
    blob TEXT,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    content_edited_at TEXT NOT NULL,
    trashed_at TEXT,
    capture_state TEXT NOT NULL,
    capture_reason TEXT,
    index_state TEXT NOT NULL,
    index_reason TEXT,
    first_hash TEXT NOT NULL,
    excerpt TEXT NOT NULL,
    authored_hash TEXT,
    extracted_hash TEXT,
    summary_hash TEXT,
    recognized_hash TEXT,
    frontmatter_hash TEXT,
    PRIMARY KEY (space_id, item_id),
    FOREIGN KEY (space_id, folder_id) REFERENCES folder (space_id, folder_id)
);

CREATE INDEX item_by_age ON item (space_id, created_at, item_id, kind, archived)
    WHERE trashed_at IS NULL AND item_class = 'user-doc';
CREATE INDEX item_by_state ON item (space_id, item_class, trashed_at, kind, index_state);
CREATE INDEX item_by_file ON item (space_id, COALESCE(folder_id, ''), file_key) WHERE trashed_at IS NULL;
CREATE INDEX item_by_source ON item (space_id, source_key) WHERE source_key IS NOT NULL;
CREATE INDEX item_in_trash ON item (space_id, trashed_at) WHERE trashed_at IS NOT NULL;

-- Which items ever had which text: a text goes when the last of them is purged.
CREATE TABLE item_text (
    space_id TEXT NOT NULL,
    hash TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (space_id, hash, item_id),
    FOREIGN KEY (space_id, hash) REFERENCES text (space_id, hash) ON DELETE CASCADE,
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX item_text_by_item ON item_text (space_id, item_id);

CREATE TABLE item_tag (
    space_id TEXT NOT NULL,
    key TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (space_id, key, item_id),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX item_tag_by_item ON item_tag (space_id, item_id);

CREATE TABLE item_name (
    space_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    key TEXT NOT NULL,
    whole_key TEXT,
    text TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (space_id, item_id, ordinal),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX item_name_by_key ON item_name (space_id, key);

CREATE TABLE revision (
    space_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    action TEXT NOT NULL,
    change_id TEXT NOT NULL,
    title TEXT NOT NULL,
    kind TEXT NOT NULL,
    tags TEXT NOT NULL,
    folder_id TEXT,
    file_name TEXT NOT NULL,
    source_url TEXT,
    blob TEXT,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    trashed INTEGER NOT NULL,
    authored_hash TEXT,
    extracted_hash TEXT,
    summary_hash TEXT,
    recognized_hash TEXT,
    frontmatter_hash TEXT,
    PRIMARY KEY (space_id, item_id, version),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE,
    FOREIGN KEY (space_id, change_id) REFERENCES change (space_id, change_id)
);

CREATE INDEX revision_by_change ON revision (space_id, change_id);

CREATE TABLE link (
    space_id TEXT NOT NULL,
    item_id TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    target_key TEXT NOT NULL,
    whole_key TEXT,
    heading TEXT,
    display TEXT,
    relation TEXT,
    start_offset INTEGER NOT NULL,
    end_offset INTEGER NOT NULL,
    PRIMARY KEY (space_id, item_id, ordinal),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX link_by_target ON link (space_id, target_key) WHERE target_key <> '';

CREATE TABLE job (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    job_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    arguments TEXT NOT NULL,
    state TEXT NOT NULL,
    run_at TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    lease TEXT,
    lease_until TEXT,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    reason TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (space_id, job_id)
);

CREATE UNIQUE INDEX job_waiting ON job (space_id, kind, subject) WHERE state = 'queued';
CREATE INDEX job_queue ON job (kind, priority DESC, run_at, created_at, job_id) WHERE state = 'queued';
CREATE INDEX job_running ON job (lease_until) WHERE state = 'running';
CREATE INDEX job_by_subject ON job (space_id, subject);

CREATE TABLE audit (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    audit_id TEXT NOT NULL,
    at TEXT NOT NULL,
    account_id TEXT NOT NULL,
    actor_kind TEXT NOT NULL,
    credential_id TEXT,
    client_name TEXT,
    session_id TEXT,
    tool TEXT NOT NULL,
    item_id TEXT,
    change_id TEXT,
    outcome TEXT NOT NULL,
    PRIMARY KEY (space_id, audit_id)
);

CREATE INDEX audit_by_time ON audit (space_id, at, audit_id);

CREATE TABLE import_file (
    space_id TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    path_hash TEXT NOT NULL,
    source TEXT NOT NULL,
    path TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    item_id TEXT NOT NULL,
    item_version INTEGER NOT NULL,
    PRIMARY KEY (space_id, source_hash, path_hash),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id) ON DELETE CASCADE
) WITHOUT ROWID;

CREATE INDEX import_file_by_item ON import_file (space_id, item_id);

CREATE TABLE blob (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    content_hash TEXT NOT NULL,
    size BIGINT NOT NULL,
    media_type TEXT NOT NULL,
    PRIMARY KEY (space_id, content_hash)
) WITHOUT ROWID;

-- only: sqlite
-- SQLite takes an equal first column for ten rows, but one space may hold everything: what it would find by
-- counting a large library is told here.
ANALYZE;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('item', 'sqlite_autoindex_item_1', '100000 50000 1'),
    ('item', 'item_by_age', '100000 50000 1 1 1 1'),
    ('item', 'item_by_state', '100000 50000 50000 1000 500 100'),
    ('item', 'item_by_file', '100000 50000 1000 1'),
    ('item', 'item_by_source', '50000 25000 1'),
    ('item', 'item_in_trash', '1000 500 1'),
    ('text', 'sqlite_autoindex_text_1', '300000 150000 1'),
    ('text', 'text_by_size', '300000 150000 10'),
    ('item_text', 'item_text', '300000 150000 2 1'),
    ('item_text', 'item_text_by_item', '300000 150000 3'),
    ('item_tag', 'item_tag', '300000 150000 100 1'),
    ('item_tag', 'item_tag_by_item', '300000 150000 3'),
    ('item_name', 'item_name', '300000 150000 3 1'),
    ('item_name', 'item_name_by_key', '300000 150000 2'),
    ('revision', 'sqlite_autoindex_revision_1', '300000 150000 3 1'),
    ('revision', 'revision_by_change', '300000 150000 2'),
    ('link', 'link', '300000 150000 3 1'),
    ('link', 'link_by_target', '300000 150000 5'),
    ('job', 'sqlite_autoindex_job_1', '10000 5000 1'),
    ('job', 'job_waiting', '10000 5000 2000 1'),
    ('job', 'job_queue', '10000 3000 1000 2 1 1'),
    ('job', 'job_running', '10 1'),
    ('job', 'job_by_subject', '10000 5000 2'),
    ('audit', 'sqlite_autoindex_audit_1', '1000000 500000 1'),
    ('audit', 'audit_by_time', '1000000 500000 1 1'),
    ('import_file', 'import_file', '100000 50000 10000 1'),
    ('import_file', 'import_file_by_item', '100000 50000 2');
-- end
