-- What search needs: the sections of items as they are indexed, with their postings and their vectors.
--
-- Texts and tokens of a section lie packed in BYTES, so that they are kept exactly and a posting can be taken out
-- with the very tokens it was made of. A section never changes its tokens or its number: an edit makes a new one.

-- only: sqlite
CREATE TABLE index_number (
    name TEXT NOT NULL PRIMARY KEY,
    last_number BIGINT NOT NULL
) WITHOUT ROWID;

INSERT INTO index_number (name, last_number) VALUES ('chunk', 0), ('space', 0);
-- end

-- only: postgres
CREATE EXTENSION IF NOT EXISTS vector;

CREATE SEQUENCE chunk_number;

CREATE SEQUENCE space_number;
-- end

-- What is known of a space's index at once. Its code leads every token in the postings, so that a search of one
-- space neither sees nor counts those of another.
CREATE TABLE index_space (
    space_id TEXT NOT NULL PRIMARY KEY REFERENCES space (space_id) ON DELETE CASCADE,
    code TEXT NOT NULL,
    chunks BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    last_sequence BIGINT NOT NULL,
    changes_since BIGINT NOT NULL
) WITHOUT ROWID;

-- How many sections have all their vectors of a model.
CREATE TABLE index_model (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    model TEXT NOT NULL,
    complete BIGINT NOT NULL,
    PRIMARY KEY (space_id, model)
) WITHOUT ROWID;

-- Nothing removes a section but the index itself, which takes its postings out too.
CREATE TABLE chunk (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    item_id TEXT NOT NULL,
    item_version INTEGER NOT NULL,
    layer TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    start_offset INTEGER NOT NULL,
    page_from INTEGER,
    page_to INTEGER,
    script TEXT NOT NULL,
    tokenizer_version INTEGER NOT NULL,
    PRIMARY KEY (space_id, chunk_id),
    FOREIGN KEY (space_id, item_id) REFERENCES item (space_id, item_id)
) WITHOUT ROWID;

CREATE INDEX chunk_by_item ON chunk (space_id, item_id, layer, ordinal, chunk_id);

-- Apart from the above, because a search looks at thousands of sections and reads the words of a hundred.
CREATE TABLE chunk_content (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    heading_path TEXT NOT NULL,
    head_length INTEGER NOT NULL,
    text_encoding TEXT NOT NULL,
    text_size INTEGER NOT NULL,
    text_content BYTES NOT NULL,
    tokens_encoding TEXT NOT NULL,
    tokens_size INTEGER NOT NULL,
    tokens_content BYTES NOT NULL,
    PRIMARY KEY (space_id, chunk_id),
    FOREIGN KEY (space_id, chunk_id) REFERENCES chunk (space_id, chunk_id) ON DELETE CASCADE
);

CREATE TABLE chunk_complete (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    model TEXT NOT NULL,
    PRIMARY KEY (space_id, chunk_id, model),
    FOREIGN KEY (space_id, chunk_id) REFERENCES chunk (space_id, chunk_id) ON DELETE CASCADE
) WITHOUT ROWID;

-- only: sqlite
CREATE VIRTUAL TABLE chunk_fts USING fts5(head, body, content = '', tokenize = 'ascii');

CREATE TABLE chunk_vector (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    model TEXT NOT NULL,
    part INTEGER NOT NULL,
    sequence BIGINT NOT NULL,
    vector BYTES NOT NULL,
    PRIMARY KEY (space_id, chunk_id, model, part),
    FOREIGN KEY (space_id, chunk_id) REFERENCES chunk (space_id, chunk_id) ON DELETE CASCADE
) WITHOUT ROWID;

-- Which sections' vectors came or went with which change, so that what is held in memory can follow; number 0
-- stands for all of a model.
CREATE TABLE index_change (
    space_id TEXT NOT NULL REFERENCES space (space_id) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    chunk_id BIGINT NOT NULL,
    PRIMARY KEY (space_id, sequence, chunk_id)
) WITHOUT ROWID;
-- end

-- only: postgres
CREATE TABLE chunk_posting (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    postings tsvector NOT NULL,
    PRIMARY KEY (space_id, chunk_id),
    FOREIGN KEY (space_id, chunk_id) REFERENCES chunk (space_id, chunk_id) ON DELETE CASCADE
);

-- A search reads thousands of them, and to fetch each from elsewhere costs more than all the rest.
ALTER TABLE chunk_posting ALTER COLUMN postings SET STORAGE MAIN;

CREATE INDEX chunk_by_posting ON chunk_posting USING gin (postings);

-- The tokens as words of ASCII letters and digits, each as often as it stands in the section, in the head thrice.
CREATE FUNCTION ranked_words(postings tsvector) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT COALESCE(string_agg(
        repeat(
            'x' || encode(convert_to(posting.lexeme, 'UTF8'), 'hex') || ' ',
            CAST((SELECT SUM(CASE place.weight WHEN 'A' THEN 3 ELSE 1 END)
                FROM unnest(posting.weights) AS place (weight)) AS INTEGER)
        ), '' ORDER BY posting.lexeme), '')
    FROM unnest(postings) AS posting
$$;

-- An index of the extension pg_textsearch finds the best of many matches fastest, and everything works without it.
-- It is used where an administrator has created the extension in this database (docs/decisions/keyword-search.md).
CREATE FUNCTION add_ranked_index() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE chunk_posting ADD COLUMN IF NOT EXISTS
        words text GENERATED ALWAYS AS (ranked_words(postings)) STORED;
    CREATE INDEX IF NOT EXISTS chunk_by_rank ON chunk_posting USING bm25 (words) WITH (text_config = 'simple');
END
$$;

CREATE FUNCTION drop_ranked_index() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DROP INDEX IF EXISTS chunk_by_rank;
    ALTER TABLE chunk_posting DROP COLUMN IF EXISTS words;
END
$$;

DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'pg_textsearch') THEN
        PERFORM add_ranked_index();
    END IF;
END
$$;

-- The components are whole numbers of one byte, which a half-precision number holds exactly.
CREATE TABLE chunk_vector (
    space_id TEXT NOT NULL,
    chunk_id BIGINT NOT NULL,
    model TEXT NOT NULL,
    part INTEGER NOT NULL,
    vector halfvec NOT NULL,
    PRIMARY KEY (space_id, chunk_id, model, part),
    FOREIGN KEY (space_id, chunk_id) REFERENCES chunk (space_id, chunk_id) ON DELETE CASCADE
);

-- A graph over the windows of a large space, for searches that no filter narrows; without one every row is compared.
-- Building it takes minutes and keeps writers out, so an administrator does it (docs/decisions/vectors-in-memory.md).
CREATE FUNCTION vector_graph_name(space text, model text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT 'chunk_vector_graph_' || md5(space || ' ' || model)
$$;

CREATE FUNCTION add_vector_graph(space text, model text, dimension integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format(
        'CREATE INDEX IF NOT EXISTS %I ON chunk_vector USING hnsw ((CAST(vector AS halfvec(%s))) halfvec_cosine_ops)'
        ' WHERE space_id = %L AND model = %L AND part > 0 AND vector_dims(vector) = %s',
        vector_graph_name(space, model), dimension, space, model, dimension);
END
$$;

CREATE FUNCTION drop_vector_graph(space text, model text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('DROP INDEX IF EXISTS %I', vector_graph_name(space, model));
END
$$;
-- end
