-- The postings of the full-text table, one row for each place of each token, for doctor.

-- only: sqlite
CREATE VIRTUAL TABLE chunk_fts_place USING fts5vocab('chunk_fts', 'instance');
-- end
