-- Files of purged items: whoever purges writes a row here in the same transaction, and it goes once the file has
-- gone or turned out to be in use. The store of files belongs to the whole installation, hence no space.
CREATE TABLE released_file (
    release_id TEXT NOT NULL PRIMARY KEY,
    content_hash TEXT NOT NULL
);

CREATE INDEX blob_by_hash ON blob (content_hash);
CREATE INDEX revision_by_blob ON revision (space_id, blob) WHERE blob IS NOT NULL;

-- What purges have left behind until now.
INSERT INTO released_file (release_id, content_hash)
SELECT blob.space_id || '/' || blob.content_hash, blob.content_hash FROM blob WHERE NOT EXISTS (
    SELECT 1 FROM revision WHERE revision.space_id = blob.space_id AND revision.blob = blob.content_hash);

DELETE FROM blob WHERE NOT EXISTS (
    SELECT 1 FROM revision WHERE revision.space_id = blob.space_id AND revision.blob = blob.content_hash);
