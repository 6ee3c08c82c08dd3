-- Bytes of small objects: first in the inbox, written by the commit of their object; later in packs, which are blobs of the
-- engine that hold many of them. A small blob's id says which slot of the inbox its bytes were put into.

-- A ring of tables, each emptied whole by TRUNCATE: rows are only ever added. One slot is open, others are being packed.
CREATE TABLE region.inbox (
  slot    smallint NOT NULL,
  blob_id uuid NOT NULL,
  bytes   bytea NOT NULL,
  PRIMARY KEY (slot, blob_id)
) PARTITION BY LIST (slot);

DO $$
BEGIN
  FOR part IN 0..7 LOOP
    -- Nothing in it is ever dead, and bytes that fit into a page are cheaper there than in chunks beside it.
    EXECUTE format('CREATE TABLE region.inbox_%s PARTITION OF region.inbox FOR VALUES IN (%s)
                    WITH (autovacuum_enabled = false, toast.autovacuum_enabled = false, toast_tuple_target = 8160)', part, part);
    -- What is packed soon is not worth compressing.
    EXECUTE format('ALTER TABLE region.inbox_%s ALTER COLUMN bytes SET STORAGE EXTERNAL', part);
  END LOOP;
END $$;

-- The slot that is open. A process that has not heard of a change may still write to the one before: a slot is emptied only
-- if all that is in it is packed.
CREATE TABLE region.inbox_turn (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  slot     smallint NOT NULL
);
INSERT INTO region.inbox_turn (slot) VALUES (0);

-- When all that is in a slot was packed. It is emptied some time later: TRUNCATE is seen by those too who began to read before
-- that, and would find the bytes nowhere (a dump, above all).
CREATE TABLE region.inbox_slots (
  slot      smallint PRIMARY KEY,
  packed_at timestamptz
);
INSERT INTO region.inbox_slots (slot) SELECT generate_series(0, 7);

CREATE TABLE region.packs (
  pack       integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The engine's blob.
  pack_id    uuid NOT NULL,
  size       integer NOT NULL,
  -- Of blobs that are still there.
  live_bytes integer NOT NULL,
  live_blobs integer NOT NULL
) WITH (fillfactor = 70);
CREATE UNIQUE INDEX packs_pack_id ON region.packs (pack_id);
-- Those with more than 30 % garbage, or nothing else: empty blobs have no bytes that could tell.
CREATE INDEX packs_holes ON region.packs (pack) WHERE live_bytes::bigint * 10 < size::bigint * 7 OR live_blobs = 0;
-- Those that had little to hold, and are joined when there are many.
CREATE INDEX packs_small ON region.packs (pack) WHERE size < 1048576;

-- Where in which pack the bytes of a small blob are.
CREATE TABLE region.packed (
  blob_id uuid PRIMARY KEY,
  pack    integer NOT NULL,
  at      integer NOT NULL,
  size    integer NOT NULL
);
CREATE INDEX packed_pack ON region.packed (pack);

CREATE FUNCTION region.blob_slot(id uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT get_byte(uuid_send(id), 7)::smallint
$$;
