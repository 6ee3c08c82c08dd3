-- The database of a region: its objects, and all that grows with their number and with what is done to them. All times are judged by this
-- database's clock.
--
-- This file is the beginning, and later ones change what it made; packages/server/schema/region.sql is the sum of all. Its parts:
--
--    1  Objects and their bytes           6  Uploads in parts                11  Images by URL
--    2  Trash                             7  Events of objects               12  Fetches, and work on many objects
--    3  Buckets: gates, quotas, usage     8  Days of tables                  13  Live streams
--    4  Restores and lifecycle            9  Deliveries of events            14  Devices
--    5  Small objects                    10  Processing                      15  Figures and traces
--                                                                            16  The work queue


-- 1. Objects and their bytes. Every query on objects has bucket_id equality, so it touches one partition.

CREATE TABLE region.objects (
  bucket_id          bigint NOT NULL,
  key                text COLLATE "C" NOT NULL,
  -- Names the bytes: the engine object of this id, or (segment_count > 1) the rows of region.segments.
  blob_id            uuid NOT NULL,
  segment_count      integer NOT NULL DEFAULT 1,
  fsize              bigint NOT NULL,
  hash               text COLLATE "C" NOT NULL,
  mime_type          text NOT NULL,
  -- What the content looked like at upload; an empty type in a metadata change brings it back.
  detected_type      text NOT NULL,
  -- Units of 100 ns; strictly increasing per key, changed by content writes only.
  put_time           bigint NOT NULL,
  class              smallint NOT NULL DEFAULT 0 CHECK (class BETWEEN 0 AND 3),
  status             smallint NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 1),
  end_user           text,
  meta               jsonb,
  -- When it goes by itself (deleteAfterDays).
  expires_at         timestamptz,
  -- A restore is no job: whether an archived object can be read follows from these two times and this database's clock.
  restore_ready_at   timestamptz,
  restore_ends_at    timestamptz,
  -- Where the bytes lie now, the engine's cold tier or its standard one. The class says where they belong; while the
  -- two differ, a job moves them.
  cold               boolean NOT NULL DEFAULT false,
  -- Response headers of downloads, by lower-case name.
  headers            jsonb,
  -- When it goes to a colder class by itself.
  to_ia_at           timestamptz,
  to_archive_at      timestamptz,
  to_deep_archive_at timestamptz,
  -- From here on: what the S3 protocol shows of an object and its other ways in do not know. NULL costs no space.
  -- MD5 of the bytes (md5_parts = 0), or of the MD5s of its parts and how many they were.
  md5                bytea,
  md5_parts          smallint,
  -- The checksum that the client gave or asked for: {"algorithm", "value", "type"}.
  checksum           jsonb,
  -- Sizes and checksums of the parts it was uploaded in: [[size, checksum or null], …]; merging segments leaves them alone.
  part_list          jsonb,
  tags               jsonb,
  PRIMARY KEY (bucket_id, key),
  CONSTRAINT objects_restore CHECK ((restore_ready_at IS NULL) = (restore_ends_at IS NULL)),
  CONSTRAINT objects_md5 CHECK ((md5 IS NULL) = (md5_parts IS NULL))
) PARTITION BY HASH (bucket_id);

DO $$
BEGIN
  FOR part IN 0..31 LOOP
    EXECUTE format('CREATE TABLE region.objects_%s PARTITION OF region.objects FOR VALUES WITH (MODULUS 32, REMAINDER %s)',
                   lpad(part::text, 2, '0'), part);
  END LOOP;
END $$;

-- Blob ids are time-ordered, so inserts go to the right edge, and the sweep merges an hour of them with the engine's list.
CREATE INDEX objects_blob ON region.objects (blob_id);
-- Objects whose bytes are still to be moved; empty when all is done.
CREATE INDEX objects_misplaced ON region.objects (blob_id) WHERE cold <> (class >= 2);
CREATE INDEX objects_expires ON region.objects (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX objects_transition ON region.objects (LEAST(to_ia_at, to_archive_at, to_deep_archive_at))
  WHERE LEAST(to_ia_at, to_archive_at, to_deep_archive_at) IS NOT NULL;

-- Segments of blobs that were written in parts.
CREATE TABLE region.segments (
  blob_id    uuid NOT NULL,
  position   integer NOT NULL,
  segment_id uuid NOT NULL,
  size       bigint NOT NULL,
  PRIMARY KEY (blob_id, position)
);
CREATE INDEX segments_segment ON region.segments (segment_id);

CREATE FUNCTION region.put_time_now() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 10000000)::bigint
$$;
COMMENT ON FUNCTION region.put_time_now() IS 'The put time of now, in units of 100 ns.';

CREATE FUNCTION region.blob_time(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
$$;
COMMENT ON FUNCTION region.blob_time(uuid) IS
  'The time inside a blob''s id (UUID v7), for the rule that old ids may not be committed.';

CREATE FUNCTION region.s3_etag(md5 bytea, md5_parts smallint, hash text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN md5 IS NULL THEN md5(hash) || '-1'
    WHEN md5_parts = 0 THEN encode(md5, 'hex')
    ELSE encode(md5, 'hex') || '-' || md5_parts
  END
$$;
COMMENT ON FUNCTION region.s3_etag(bytea, smallint, text) IS
  'The ETag that S3 shows: the MD5 of the bytes, that of the parts with their number, or a value with a dash that no client takes for an MD5.';

-- How far the sweep has compared the engine with the rows: blobs with an older id need not be looked at again.
CREATE TABLE region.sweep_progress (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_through timestamptz NOT NULL
);
INSERT INTO region.sweep_progress (swept_through) VALUES (now() - interval '1 day');


-- 2. Trash: bytes that no object names any more, kept for the grace period

CREATE TABLE region.trash (
  trash_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blob_id       uuid NOT NULL,
  segment_count integer NOT NULL DEFAULT 1,
  reason        text NOT NULL CHECK (reason IN ('deleted', 'replaced', 'moved', 'refused')),
  trashed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Set once the collector has begun to remove the bytes: from then on there is no way back.
  collecting    boolean NOT NULL DEFAULT false,
  -- Where it was an object, the row it had, for undelete.
  object        jsonb
);
-- What was let go by one statement has one time: its rows are walked in their order without reading all of them each time.
CREATE INDEX trash_trashed_at ON region.trash (trashed_at, trash_id);
-- Of bytes that many objects shared, the trash has as many rows: what let them go last is found without reading all.
CREATE INDEX trash_blob ON region.trash (blob_id, trashed_at);
CREATE INDEX trash_refused ON region.trash (trash_id) WHERE reason = 'refused';
-- What a bucket has in the trash, in the order in which its owner sees it: by key, the latest first. A page of it is read
-- from the index alone, also of a key with many versions.
CREATE INDEX trash_object ON region.trash
  (((object ->> 'bucket_id')::bigint), ((object ->> 'key') COLLATE "C"), trashed_at DESC, trash_id DESC)
  WHERE object IS NOT NULL;
-- A key that was just deleted is not brought back by a mirror: asked before a missing file is fetched.
CREATE INDEX trash_deleted_key ON region.trash (((object ->> 'bucket_id')::bigint), ((object ->> 'key') COLLATE "C"), trashed_at)
  WHERE reason = 'deleted';

-- No statement can forget the trash: whatever replaces or removes a row's bytes, the row's own trigger keeps them.
-- (A common table expression could not: it sees the row as of the statement's start, not the one a race put there.)
CREATE FUNCTION region.keep_replaced_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO region.trash (blob_id, segment_count, reason, object)
      VALUES (OLD.blob_id, OLD.segment_count, 'deleted', to_jsonb(OLD));
  ELSIF NEW.put_time = OLD.put_time THEN
    INSERT INTO region.trash (blob_id, segment_count, reason) VALUES (OLD.blob_id, OLD.segment_count, 'moved');
  ELSE
    INSERT INTO region.trash (blob_id, segment_count, reason, object)
      VALUES (OLD.blob_id, OLD.segment_count, 'replaced', to_jsonb(OLD));
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_replaced_blob() IS
  'Puts the bytes of an object that is replaced or deleted into the trash, with the row that it had, for undelete.';
CREATE TRIGGER objects_replaced AFTER UPDATE ON region.objects
  FOR EACH ROW WHEN (OLD.blob_id IS DISTINCT FROM NEW.blob_id) EXECUTE FUNCTION region.keep_replaced_blob();
COMMENT ON TRIGGER objects_replaced ON region.objects IS 'No statement that gives an object other bytes can forget the old ones.';
CREATE TRIGGER objects_deleted AFTER DELETE ON region.objects FOR EACH ROW
  WHEN (current_setting('millpond.removal', true) IS DISTINCT FROM 'move') EXECUTE FUNCTION region.keep_replaced_blob();
COMMENT ON TRIGGER objects_deleted ON region.objects IS 'No statement that deletes an object can forget its bytes.';

-- A move takes its source away with the bytes in use under another key: nothing was deleted that could be brought back.
-- The bytes are looked at by the collector all the same, like any that a row has let go.
CREATE FUNCTION region.keep_moved_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.trash (blob_id, segment_count, reason) VALUES (OLD.blob_id, OLD.segment_count, 'moved');
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_moved_blob() IS
  'Puts the bytes of a moved object into the trash without its row: nothing was deleted that could be brought back, but the collector must look.';
CREATE TRIGGER objects_moved AFTER DELETE ON region.objects FOR EACH ROW
  WHEN (current_setting('millpond.removal', true) = 'move') EXECUTE FUNCTION region.keep_moved_blob();
COMMENT ON TRIGGER objects_moved ON region.objects IS
  'The same for a statement that says in the setting millpond.removal that it moves the object.';


-- 3. Buckets: gates, quotas, usage

-- Read by every commit. Creating a bucket: control row, then gate. Dropping: gate closing, check that it is empty.
CREATE TABLE region.bucket_gate (
  bucket_id       bigint PRIMARY KEY,
  state           text NOT NULL CHECK (state IN ('open', 'closing')),
  -- The quota, null where there is none, and what is left of it as of the last fold.
  quota_bytes     bigint,
  quota_objects   bigint,
  room_bytes      bigint,
  room_objects    bigint,
  closing_since   timestamptz,
  -- Which closing is the last: only whoever made it says that it lasts, or opens the gate again.
  closing_by      uuid,
  has_event_rules boolean NOT NULL DEFAULT false,
  -- What the parts of unfinished uploads take. A figure of its own: a part becomes a piece of an object without taking more,
  -- so a completion is judged without it.
  part_bytes      bigint NOT NULL DEFAULT 0
);
CREATE INDEX bucket_gate_closing ON region.bucket_gate (closing_since) WHERE state = 'closing';

CREATE FUNCTION region.forget_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM region.picture_styles WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.picture_rules WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.triggers WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.event_rules WHERE bucket_id = OLD.bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.forget_bucket() IS 'Deletes what an account has set up for a bucket: styles, rules of images, triggers and event rules.';
CREATE TRIGGER bucket_gate_forgets AFTER DELETE ON region.bucket_gate
  FOR EACH ROW EXECUTE FUNCTION region.forget_bucket();
COMMENT ON TRIGGER bucket_gate_forgets ON region.bucket_gate IS 'What an account has set up for a bucket goes with the bucket.';

-- One row for each change of what a bucket holds, written with the change and never updated, so that no two writers
-- meet. A job folds them into bucket_usage.
CREATE TABLE region.usage_deltas (
  bucket_id bigint NOT NULL,
  class     smallint NOT NULL,
  bytes     bigint NOT NULL,
  objects   integer NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000);

CREATE TABLE region.bucket_usage (
  bucket_id bigint NOT NULL,
  class     smallint NOT NULL,
  bytes     bigint NOT NULL,
  objects   bigint NOT NULL,
  PRIMARY KEY (bucket_id, class)
) WITH (fillfactor = 70);

-- A trigger, because only it sees the row that a race really replaced. What event rules select is noted here too, and not by
-- triggers of their own: those would cost a single put 5 % even if their condition is false, because PostgreSQL prepares it anew in
-- every statement. A commit has read the gate: if the bucket has no rules, it puts the bucket's number into the setting
-- millpond.bucket_without_events, and nothing is called here.
CREATE FUNCTION region.count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize, 1);
    IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM NEW.bucket_id::text THEN
      PERFORM region.note_change(NULL, NEW);
    END IF;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.usage_deltas VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1);
    IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM OLD.bucket_id::text THEN
      PERFORM region.note_change(OLD, NULL);
    END IF;
    RETURN NULL;
  ELSIF OLD.class <> NEW.class THEN
    INSERT INTO region.usage_deltas
      VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1), (NEW.bucket_id, NEW.class, NEW.fsize, 1);
  ELSIF OLD.fsize <> NEW.fsize THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize - OLD.fsize, 0);
  END IF;
  IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM NEW.bucket_id::text THEN
    PERFORM region.note_change(OLD, NEW);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_usage() IS
  'Writes what a change adds to or takes from its bucket as a row of its own, so that no two writers meet, and has the change noted for event rules.';
CREATE TRIGGER objects_usage_added AFTER INSERT ON region.objects
  FOR EACH ROW EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_usage_added ON region.objects IS 'Counts and notes a new object.';
CREATE TRIGGER objects_usage_removed AFTER DELETE ON region.objects
  FOR EACH ROW EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_usage_removed ON region.objects IS 'Counts and notes a deleted object.';
CREATE TRIGGER objects_changed AFTER UPDATE ON region.objects FOR EACH ROW
  WHEN (OLD.put_time <> NEW.put_time OR OLD.fsize <> NEW.fsize OR OLD.class <> NEW.class
        OR OLD.restore_ready_at IS DISTINCT FROM NEW.restore_ready_at
        OR OLD.restore_ends_at IS DISTINCT FROM NEW.restore_ends_at)
  EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_changed ON region.objects IS
  'Counts and notes an object with new content, another class or another state of its restore.';

-- What the whole region holds, by class: the sum of bucket_usage. Triggers keep it, whichever version folds; they add up each
-- statement at once, and only folding and counting anew change bucket_usage, which take turns.
CREATE TABLE region.class_usage (
  class   smallint PRIMARY KEY,
  bytes   bigint NOT NULL,
  objects bigint NOT NULL
) WITH (fillfactor = 20);

CREATE FUNCTION region.sum_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM now_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.class_usage AS u SELECT class, -sum(bytes), -sum(objects) FROM was_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSE
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM (
      SELECT class, bytes, objects FROM now_there UNION ALL SELECT class, -bytes, -objects FROM was_there) AS changed
    GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.sum_usage() IS 'Adds what a statement changed in the usage of buckets to the usage of the whole region.';
CREATE TRIGGER bucket_usage_added AFTER INSERT ON region.bucket_usage
  REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_added ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
CREATE TRIGGER bucket_usage_changed AFTER UPDATE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_changed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
CREATE TRIGGER bucket_usage_removed AFTER DELETE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_removed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';

-- Requests by day (UTC): signed calls and uploads, and downloads. Gateways add to it every few seconds.
CREATE TABLE region.request_counts (
  uid       bigint NOT NULL,
  day       date NOT NULL,
  bucket_id bigint NOT NULL,
  calls     bigint NOT NULL,
  downloads bigint NOT NULL,
  PRIMARY KEY (uid, day, bucket_id)
) WITH (fillfactor = 70);
CREATE INDEX request_counts_day ON region.request_counts (day);


-- 4. Restores of archived objects, and lifecycle

CREATE FUNCTION region.restore_status(storage_class smallint, ready_at timestamptz, ends_at timestamptz)
RETURNS smallint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (CASE
    WHEN storage_class < 2 THEN NULL
    WHEN ready_at IS NULL OR ends_at <= clock_timestamp() THEN 0
    WHEN ready_at > clock_timestamp() THEN 1
    ELSE 2
  END)::smallint
$$;
COMMENT ON FUNCTION region.restore_status(smallint, timestamptz, timestamptz) IS
  'Whether an archived object can be read: 0 frozen, 1 being restored, 2 restored; null for a class that is never frozen.';

-- Restores under way: one row for each, written with the restore and forgotten when it is ready. An index of the objects
-- themselves would make every put take one lock more.
CREATE TABLE region.restores (
  bucket_id bigint NOT NULL,
  ready_at  timestamptz NOT NULL
);
CREATE INDEX restores_bucket ON region.restores (bucket_id, ready_at);
CREATE INDEX restores_ready ON region.restores (ready_at);

CREATE FUNCTION region.midnight_after(days integer) RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT to_timestamp(ceil(extract(epoch FROM clock_timestamp()) / 86400 + days) * 86400)
$$;
COMMENT ON FUNCTION region.midnight_after(integer) IS 'The midnight (UTC) after so many days, as deleteAfterDays counts them.';

-- How far the walk of a bucket has come: the first key that it has not looked at, null between two walks.
CREATE TABLE region.lifecycle_walks (
  bucket_id bigint PRIMARY KEY,
  next_key  text COLLATE "C",
  begun_at  timestamptz NOT NULL,
  ended_at  timestamptz
);


-- 5. Small objects. Their bytes are first in the inbox, written by the commit of their object; later in packs, which are blobs of
-- the engine that hold many of them. A small blob's id says which slot of the inbox its bytes were put into.

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
COMMENT ON FUNCTION region.blob_slot(uuid) IS 'The slot of the inbox into which the bytes of a small blob were put: its id says so.';


-- 6. Uploads in parts. Parts are engine objects already; completing an upload writes only rows.

CREATE TABLE region.uploads (
  upload_id  uuid PRIMARY KEY,
  bucket_id  bigint NOT NULL,
  -- Null: the key is decided when the upload is completed.
  key        text COLLATE "C",
  class      smallint NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Uploads begun by S3: the object's description is given at the beginning. NULL: begun by our own protocol.
  s3         jsonb,
  begun_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX uploads_expires ON region.uploads (expires_at);
-- A drop looks for the uploads of its bucket.
CREATE INDEX uploads_bucket ON region.uploads (bucket_id);
CREATE INDEX uploads_s3 ON region.uploads (bucket_id, key, upload_id) WHERE s3 IS NOT NULL;

CREATE TABLE region.upload_parts (
  upload_id   uuid NOT NULL REFERENCES region.uploads,
  part_number integer NOT NULL CHECK (part_number BETWEEN 1 AND 10000),
  segment_id  uuid NOT NULL,
  size        bigint NOT NULL,
  etag        text COLLATE "C" NOT NULL,
  put_time    bigint NOT NULL,
  md5         bytea,
  checksum    text,
  PRIMARY KEY (upload_id, part_number)
);
CREATE INDEX upload_parts_segment ON region.upload_parts (segment_id);

CREATE FUNCTION region.keep_replaced_segment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.trash (blob_id, reason) VALUES (OLD.segment_id, 'refused');
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_replaced_segment() IS 'Puts the bytes of a part that was sent again into the trash.';
CREATE TRIGGER upload_parts_replaced AFTER UPDATE ON region.upload_parts
  FOR EACH ROW WHEN (OLD.segment_id IS DISTINCT FROM NEW.segment_id) EXECUTE FUNCTION region.keep_replaced_segment();
COMMENT ON TRIGGER upload_parts_replaced ON region.upload_parts IS 'A part that is sent again replaces the one before, whose bytes may not be forgotten.';

-- Blocks of the older form: at most 4 MiB each, written in chunks one after the other.
CREATE TABLE region.upload_blocks (
  block_id   uuid PRIMARY KEY,
  uid        bigint NOT NULL,
  block_size integer NOT NULL,
  -- Bytes so far.
  filled     integer NOT NULL,
  sha1       bytea NOT NULL,
  class      smallint NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The bucket whose quota its chunks count for.
  bucket_id  bigint
);
CREATE INDEX upload_blocks_expires ON region.upload_blocks (expires_at);

CREATE TABLE region.upload_chunks (
  block_id   uuid NOT NULL REFERENCES region.upload_blocks,
  at         integer NOT NULL,
  segment_id uuid NOT NULL,
  size       integer NOT NULL,
  PRIMARY KEY (block_id, at)
);
CREATE INDEX upload_chunks_segment ON region.upload_chunks (segment_id);

-- What the parts of unfinished uploads take counts for the quota of their bucket. Each statement that changes parts leaves one row,
-- never updated, and the job that folds usage adds them up at the gate.
CREATE TABLE region.part_deltas (
  bucket_id bigint NOT NULL,
  bytes     bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000);

CREATE FUNCTION region.count_parts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_added() IS 'Counts new parts of unfinished uploads for the quota of their bucket, one row for each bucket.';
CREATE TRIGGER upload_parts_count_added AFTER INSERT ON region.upload_parts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_added();
COMMENT ON TRIGGER upload_parts_count_added ON region.upload_parts IS 'No statement that adds parts can forget to count them.';

CREATE FUNCTION region.count_parts_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_removed() IS 'Takes removed parts of unfinished uploads off the quota of their bucket.';
CREATE TRIGGER upload_parts_count_removed AFTER DELETE ON region.upload_parts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_removed();
COMMENT ON TRIGGER upload_parts_count_removed ON region.upload_parts IS 'No statement that removes parts can forget to count them.';

CREATE FUNCTION region.count_parts_replaced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM (
    SELECT upload_id, size FROM added UNION ALL SELECT upload_id, -size FROM removed
  ) AS changed JOIN region.uploads USING (upload_id) GROUP BY bucket_id HAVING sum(size) <> 0;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_replaced() IS 'Counts by how much parts grew or shrank that were sent again.';
CREATE TRIGGER upload_parts_count_replaced AFTER UPDATE ON region.upload_parts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_replaced();
COMMENT ON TRIGGER upload_parts_count_replaced ON region.upload_parts IS 'No statement that replaces parts can forget to count the difference.';

CREATE FUNCTION region.count_chunks_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_chunks_added() IS 'Counts new chunks of blocks for the quota of the bucket that the block was begun for.';
CREATE TRIGGER upload_chunks_count_added AFTER INSERT ON region.upload_chunks
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_chunks_added();
COMMENT ON TRIGGER upload_chunks_count_added ON region.upload_chunks IS 'No statement that adds chunks can forget to count them.';

CREATE FUNCTION region.count_chunks_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_chunks_removed() IS 'Takes removed chunks of blocks off the quota of their bucket.';
CREATE TRIGGER upload_chunks_count_removed AFTER DELETE ON region.upload_chunks
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION region.count_chunks_removed();
COMMENT ON TRIGGER upload_chunks_count_removed ON region.upload_chunks IS 'No statement that removes chunks can forget to count them.';

-- What resumable uploads were answered, for whoever lost the answer and asks again. Kept for hours, then removed.
CREATE TABLE region.completed_uploads (
  -- SHA-256 over who asked, what the policy promised, and the whole request.
  request      bytea PRIMARY KEY,
  -- The object, and its version: of another one that answer says nothing.
  bucket_id    bigint NOT NULL,
  key          text COLLATE "C" NOT NULL,
  put_time     bigint NOT NULL,
  -- The answer as JSON; null where the receiver of a callback gave it, and the delivery's record has it.
  answer       text,
  delivery_id  uuid,
  -- Until then somebody is calling back; afterwards, if nothing is known of it, whoever was is gone.
  called_until timestamptz,
  expires_at   timestamptz NOT NULL,
  CHECK ((answer IS NULL) <> (delivery_id IS NULL)),
  CHECK ((called_until IS NULL) = (delivery_id IS NULL))
);
CREATE INDEX completed_uploads_expires ON region.completed_uploads (expires_at);


-- 7. Events of objects: the rules of a bucket, and what they select until deliveries are made of it

CREATE TABLE region.event_rules (
  bucket_id  bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  uid        bigint NOT NULL,
  -- The bucket's name, which events say and which never changes.
  bucket     text NOT NULL,
  url        text NOT NULL,
  -- 'created': by whichever way; 'created.copy': by this one.
  events     text[] NOT NULL,
  prefix     text COLLATE "C" NOT NULL,
  suffix     text COLLATE "C" NOT NULL,
  min_size   bigint NOT NULL,
  -- Null: as large as any.
  max_size   bigint,
  PRIMARY KEY (bucket_id, name)
);

-- One row for each change that a rule selects, written with the change. Rows of a key have the order of its changes: whoever
-- changes an object holds its lock until he commits. Tellers make deliveries of them, and delete them in the same transaction.
CREATE TABLE region.object_events (
  event_id  bigint GENERATED ALWAYS AS IDENTITY,
  bucket_id bigint NOT NULL,
  key       text COLLATE "C" NOT NULL,
  uid       bigint NOT NULL,
  bucket    text NOT NULL,
  -- Of the rules that selected it: their names and URLs.
  rules     text[] NOT NULL,
  urls      text[] NOT NULL,
  event     text NOT NULL,
  way       text,
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  object    jsonb NOT NULL,
  previous  jsonb,
  -- Of what the clock alone brings about (the end of a restore): not before this time, and only if it is still so then.
  due_at    timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX object_events_next ON region.object_events (event_id) WHERE due_at IS NULL;
CREATE INDEX object_events_due ON region.object_events (due_at) WHERE due_at IS NOT NULL;

CREATE FUNCTION region.event_facts(o region.objects) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'size', o.fsize, 'hash', o.hash, 'mimeType', o.mime_type, 'storageClass', o.class, 'putTime', o.put_time::text,
    'endUser', o.end_user, 'restoreReady', o.restore_ready_at, 'restoreEnds', o.restore_ends_at))
$$;
COMMENT ON FUNCTION region.event_facts(region.objects) IS 'What events say of an object, as JSON.';

CREATE FUNCTION region.note_event(
  o region.objects, of_event text, of_way text, was jsonb, not_before timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.object_events (bucket_id, key, uid, bucket, rules, urls, event, way, object, previous, due_at)
  SELECT o.bucket_id, o.key, min(r.uid), min(r.bucket), array_agg(r.name ORDER BY r.name),
         array_agg(r.url ORDER BY r.name), of_event, of_way,
         region.event_facts(o), was, not_before
  FROM region.event_rules r
  WHERE r.bucket_id = o.bucket_id AND (of_event = ANY (r.events) OR of_event || '.' || of_way = ANY (r.events))
    AND starts_with(o.key, r.prefix) AND right(o.key, length(r.suffix)) = r.suffix
    AND o.fsize >= r.min_size AND (r.max_size IS NULL OR o.fsize <= r.max_size)
  HAVING count(*) > 0;
END $$;
COMMENT ON FUNCTION region.note_event(region.objects, text, text, jsonb, timestamptz) IS
  'Writes one row for an event of an object, with the rules that select it, if there are any.';

-- `was` is null where the object was created, `o` where it was removed. The way is what the statement says of itself in the setting
-- millpond.change_cause.
CREATE FUNCTION region.note_change(was region.objects, o region.objects) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  way text := nullif(current_setting('millpond.change_cause', true), '');
BEGIN
  PERFORM FROM region.bucket_gate WHERE bucket_id = coalesce(o.bucket_id, was.bucket_id) AND has_event_rules;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF was.key IS NULL THEN
    PERFORM region.note_event(o, 'created', coalesce(way, 'other'), NULL, NULL);
  ELSIF o.key IS NULL THEN
    IF way IN ('schedule', 'rule') THEN
      PERFORM region.note_event(was, 'expired', way, NULL, NULL);
    ELSE
      PERFORM region.note_event(was, 'deleted', CASE WHEN way = 'move' THEN way ELSE 'delete' END, NULL, NULL);
    END IF;
  ELSIF was.put_time <> o.put_time THEN
    PERFORM region.note_event(o, 'overwritten', coalesce(way, 'other'), region.event_facts(was), NULL);
  ELSIF was.class <> o.class THEN
    PERFORM region.note_event(o, 'classChanged', CASE WHEN way IN ('schedule', 'rule') THEN way ELSE 'chtype' END,
                              region.event_facts(was), NULL);
  ELSE
    IF o.restore_ready_at IS NOT NULL AND o.restore_ready_at IS DISTINCT FROM was.restore_ready_at THEN
      PERFORM region.note_event(o, 'restoring', NULL, NULL, NULL);
      PERFORM region.note_event(o, 'restored', NULL, NULL, o.restore_ready_at);
    END IF;
    IF o.restore_ends_at IS NOT NULL AND o.restore_ends_at IS DISTINCT FROM was.restore_ends_at THEN
      PERFORM region.note_event(o, 'frozen', NULL, NULL, o.restore_ends_at);
    END IF;
  END IF;
END $$;
COMMENT ON FUNCTION region.note_change(region.objects, region.objects) IS
  'Finds out what became of an object (created, overwritten, deleted, expired, in another class, restored) and notes it, if its bucket has event rules.';


-- 8. Days of tables. Who makes or drops a day needs its whole table for a moment, and behind who waits for that everybody waits: so he
-- comes again in an hour rather than wait for a backup, which holds every table until it ends.

CREATE FUNCTION region.ensure_days(parent text, days integer) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  day  date;
  name text;
BEGIN
  FOR ahead IN 0..days LOOP
    day := (now() AT TIME ZONE 'UTC')::date + ahead;
    name := parent || to_char(day, '_YYYYMMDD');
    CONTINUE WHEN to_regclass(format('region.%I', name)) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE IF NOT EXISTS region.%I PARTITION OF region.%I FOR VALUES FROM (%L) TO (%L)',
                     name, parent, day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION region.ensure_days(text, integer) IS
  'Makes the partitions of a table for the next days, so that no row falls into the default one; a day whose rows lie there already gets none.';

CREATE FUNCTION region.drop_days(parent text, days integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  day record;
  unfinished boolean;
  dropped integer := 0;
BEGIN
  FOR day IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('region.%I', parent)::regclass AND c.relname ~ '_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - days
    ORDER BY c.relname
  LOOP
    unfinished := false;
    IF parent = 'deliveries' THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE state = ''waiting'')', day.relname) INTO unfinished;
    END IF;
    CONTINUE WHEN unfinished;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', day.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  -- What fell into the default partition goes by itself, so many at a time.
  IF parent = 'deliveries' THEN
    DELETE FROM region.deliveries_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.deliveries_default
      WHERE created_at < now() - days * interval '1 day' AND state <> 'waiting' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  ELSIF parent = 'delivery_attempts' THEN
    DELETE FROM region.delivery_attempts_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.delivery_attempts_default
      WHERE begun_at < now() - days * interval '1 day' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION region.drop_days(text, integer) IS
  'Drops the partitions of a table that are older than so many days, but no day in which a delivery still waits; returns how many.';

CREATE FUNCTION region.drop_task_days(kept interval) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  part    record;
  busy    boolean;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'region.tasks'::regclass AND c.relname ~ '^tasks_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (clock_timestamp() - kept) AT TIME ZONE 'UTC'
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE code IN (1, 2))', part.relname) INTO busy;
    CONTINUE WHEN busy;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', part.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  DELETE FROM region.tasks_default WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM region.tasks_default
    WHERE id_time < clock_timestamp() - kept AND code IN (0, 3) LIMIT 100000 FOR UPDATE SKIP LOCKED));
  RETURN dropped;
END $$;
COMMENT ON FUNCTION region.drop_task_days(interval) IS
  'Drops the days of tasks that nobody asks about any more and in which nothing is unfinished; returns how many.';


-- 9. Deliveries of events: the record, what waits to be sent, the endpoints it goes to, and order per entity

-- What is sent to a receiver: its bytes are frozen here, with their cause. Partitioned by day, dropped whole.
CREATE TABLE region.deliveries (
  delivery_id  uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  kind         text NOT NULL CHECK (kind IN ('callback', 'notification', 'live', 'object', 'test')),
  uid          bigint NOT NULL,
  -- The key whose secret signs it. Null: whichever root key of the account is its oldest enabled one when it is sent.
  access_key   text COLLATE "C",
  urls         text[] NOT NULL,
  host         text,
  content_type text NOT NULL,
  body         bytea NOT NULL,
  -- unsent: an upload callback that nobody sends by himself; committed, and nothing is known of what came after. waiting: it stands in
  -- the queue.
  state        text NOT NULL CHECK (state IN ('unsent', 'waiting', 'delivered', 'failed')),
  subject      text NOT NULL,
  reqid        text NOT NULL,
  endpoint_id  bigint,
  entity       text,
  sequence     bigint,
  -- Since when nobody sends it any more; null again when it is sent again.
  failed_at    timestamptz,
  PRIMARY KEY (delivery_id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE region.deliveries_default PARTITION OF region.deliveries DEFAULT;
CREATE INDEX deliveries_uid ON region.deliveries (uid, created_at);
-- What is delivered is most, and leaves this index.
CREATE INDEX deliveries_undelivered ON region.deliveries (uid, state, created_at) WHERE state <> 'delivered';
CREATE INDEX deliveries_endpoint ON region.deliveries (endpoint_id, created_at) WHERE endpoint_id IS NOT NULL;
CREATE INDEX deliveries_failed ON region.deliveries (uid, failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX deliveries_all_failed ON region.deliveries (failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE region.delivery_attempts (
  delivery_id     uuid NOT NULL,
  attempt         integer NOT NULL,
  begun_at        timestamptz NOT NULL DEFAULT now(),
  url             text NOT NULL,
  -- Null where no answer came.
  status          integer,
  duration_ms     integer NOT NULL,
  -- The first 16 KiB of the answer.
  response        bytea,
  error           text,
  -- The headers as they were sent; null where the attempt ended before it had any.
  request_headers jsonb,
  -- Some of those of the answer.
  answer_headers  jsonb,
  PRIMARY KEY (delivery_id, attempt, begun_at)
) PARTITION BY RANGE (begun_at);
CREATE TABLE region.delivery_attempts_default PARTITION OF region.delivery_attempts DEFAULT;

SELECT region.ensure_days('deliveries', 7), region.ensure_days('delivery_attempts', 7);

-- Where events go: a configured endpoint, or for URLs given per call the account with the URL's origin.
CREATE TABLE region.delivery_endpoints (
  endpoint_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid           bigint NOT NULL,
  is_configured boolean NOT NULL,
  -- The id of its configuration, or the origin.
  name          text COLLATE "C" NOT NULL,
  -- Of a configured one: its URL as it is now, wherever its events were first meant to go.
  url           text,
  state         text NOT NULL DEFAULT 'closed' CHECK (state IN ('closed', 'open', 'half-open', 'suspended')),
  -- Since when nothing but failures came from it.
  failing_since timestamptz,
  -- How often in a row it was found still failing; the waits between probes grow with it.
  openings      integer NOT NULL DEFAULT 0,
  probe_at      timestamptz,
  -- It came back, and what waits for a later try is being made due.
  is_reviving   boolean NOT NULL DEFAULT false,
  -- When a sender has to look at it; null: none of its events is parked.
  next_at       timestamptz,
  suspended_at  timestamptz,
  reason        text,
  -- Nothing was sent there for long; it goes a day later unless it is used again.
  retired_at    timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (uid, is_configured, name)
);
CREATE INDEX delivery_endpoints_next ON region.delivery_endpoints (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX delivery_endpoints_suspended ON region.delivery_endpoints (suspended_at) WHERE state = 'suspended';

-- The counter of an entity at its endpoint. Only those who add events lock it, until they commit: so numbers have no
-- gaps, and whoever sees a number has seen all before it.
CREATE TABLE region.delivery_lanes (
  lane_id     bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  endpoint_id bigint NOT NULL,
  entity      text COLLATE "C" NOT NULL,
  sequence    bigint NOT NULL,
  told_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint_id, entity)
) WITH (fillfactor = 70);

-- One row for each delivery that is not over. Senders find work by the partial indexes alone, which hold only what is
-- due or could be: neither what waits behind another nor the backlog of an endpoint that is away costs them anything.
CREATE TABLE region.delivery_queue (
  delivery_id uuid PRIMARY KEY,
  created_at  timestamptz NOT NULL,
  endpoint_id bigint NOT NULL,
  uid         bigint NOT NULL,
  -- Null: in no lane, or in none any more.
  lane_id     bigint,
  sequence    bigint NOT NULL,
  size        integer NOT NULL,
  -- due: from due_at on. leased: a sender has it until due_at. parked: until its endpoint has room or is back.
  -- following: until the one before it in its lane is over.
  state       text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'leased', 'parked', 'following')),
  due_at      timestamptz NOT NULL DEFAULT now(),
  -- From when its days are counted.
  began_at    timestamptz NOT NULL DEFAULT now(),
  -- Since then, for the waits; and those refused by the receiver while it held its lane.
  tries       integer NOT NULL DEFAULT 0,
  refusals    integer NOT NULL DEFAULT 0,
  -- All there ever were, for the record.
  attempts    integer NOT NULL DEFAULT 0,
  -- Grows with every lease: who settles must name it.
  fence       bigint NOT NULL DEFAULT 0,
  -- A test goes out whatever is thought of its endpoint, and once: whoever asks wants to see the answer.
  is_test     boolean NOT NULL DEFAULT false
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_queue_due ON region.delivery_queue (due_at) WHERE state IN ('due', 'leased');
CREATE INDEX delivery_queue_parked ON region.delivery_queue (endpoint_id, delivery_id) WHERE state = 'parked';
-- For the number that waits for an endpoint. Nothing that goes out at once is ever in it.
CREATE INDEX delivery_queue_following ON region.delivery_queue (endpoint_id, delivery_id) WHERE state = 'following';
CREATE INDEX delivery_queue_retries ON region.delivery_queue (endpoint_id, due_at) WHERE state = 'due' AND tries > 0;
CREATE UNIQUE INDEX delivery_queue_lane ON region.delivery_queue (lane_id, sequence) WHERE lane_id IS NOT NULL;

-- What the operator is told.
CREATE TABLE region.delivery_notices (
  notice_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT now(),
  endpoint_id bigint NOT NULL,
  uid         bigint NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('suspended', 'resumed')),
  text        text NOT NULL
);

-- How attempts at an endpoint ended. Apart from the endpoint's own row, which claims lock; senders add what they counted in a few
-- seconds.
CREATE TABLE region.delivery_outcomes (
  endpoint_id  bigint PRIMARY KEY,
  last_success timestamptz,
  last_failure timestamptz
) WITH (fillfactor = 70);
-- Kept for two hours.
CREATE TABLE region.delivery_minutes (
  endpoint_id bigint NOT NULL,
  minute      timestamptz NOT NULL,
  ok          integer NOT NULL,
  failed      integer NOT NULL,
  PRIMARY KEY (endpoint_id, minute)
) WITH (fillfactor = 70);
CREATE INDEX delivery_minutes_minute ON region.delivery_minutes (minute);

-- The address of a configured endpoint changes with its configuration alone. An event was meant for the address that its
-- cause had read, which may be an older one than is configured by the time the event is added.
CREATE FUNCTION region.delivery_endpoint(of_uid bigint, configured boolean, of_name text, to_url text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known region.delivery_endpoints;
BEGIN
  LOOP
    SELECT * INTO known FROM region.delivery_endpoints
    WHERE uid = of_uid AND is_configured = configured AND name = of_name;
    IF NOT FOUND THEN
      INSERT INTO region.delivery_endpoints (uid, is_configured, name, url)
      VALUES (of_uid, configured, of_name, CASE WHEN configured THEN to_url END) ON CONFLICT DO NOTHING;
      CONTINUE;
    END IF;
    EXIT WHEN known.retired_at IS NULL;
    -- Whoever forgets endpoints may take it away meanwhile: then nothing was marked, and it is looked for again.
    UPDATE region.delivery_endpoints SET retired_at = NULL WHERE endpoint_id = known.endpoint_id;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN known.endpoint_id;
END $$;
COMMENT ON FUNCTION region.delivery_endpoint(bigint, boolean, text, text) IS
  'The id of the endpoint of that name, made where it is missing, and no longer retired.';

-- What was learnt of the old address says nothing of the new one: what waits goes there, also where the old one was suspended.
CREATE FUNCTION region.configure_endpoint(of_uid bigint, of_name text, to_url text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  id bigint := region.delivery_endpoint(of_uid, true, of_name, to_url);
  known region.delivery_endpoints;
BEGIN
  SELECT * INTO known FROM region.delivery_endpoints WHERE endpoint_id = id FOR NO KEY UPDATE;
  IF known.url IS NOT DISTINCT FROM to_url THEN
    RETURN;
  END IF;
  UPDATE region.delivery_endpoints SET url = to_url, state = 'closed', suspended_at = NULL, reason = NULL,
    failing_since = NULL, openings = 0, probe_at = NULL, is_reviving = true, next_at = now()
  WHERE endpoint_id = id;
  IF known.state = 'suspended' THEN
    INSERT INTO region.delivery_notices (endpoint_id, uid, kind, text)
    VALUES (id, of_uid, 'resumed', 'its address was changed');
  END IF;
END $$;
COMMENT ON FUNCTION region.configure_endpoint(bigint, text, text) IS
  'Gives a configured endpoint its address. What was learnt of the old address says nothing of the new one: what waits goes there.';

CREATE FUNCTION region.add_delivery(
  id uuid, of_kind text, of_uid bigint, with_key text, configured boolean, endpoint_name text, to_url text,
  of_type text, bytes bytea, of_entity text, about text, request_id text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  endpoint bigint := region.delivery_endpoint(of_uid, configured, endpoint_name, to_url);
  lane bigint;
  number bigint := 1;
BEGIN
  IF of_entity IS NOT NULL THEN
    INSERT INTO region.delivery_lanes AS l (endpoint_id, entity, sequence) VALUES (endpoint, of_entity, 1)
    ON CONFLICT (endpoint_id, entity) DO UPDATE SET sequence = l.sequence + 1, told_at = now()
    RETURNING lane_id, sequence INTO lane, number;
  END IF;
  INSERT INTO region.deliveries (delivery_id, kind, uid, access_key, urls, content_type, body, state, subject, reqid,
                                 endpoint_id, entity, sequence)
  VALUES (id, of_kind, of_uid, with_key, ARRAY[to_url], of_type, bytes, 'waiting', about, request_id,
          endpoint, of_entity, number);
  INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size, is_test)
  VALUES (id, now(), endpoint, of_uid, lane, number, length(bytes), of_kind = 'test');
  RETURN number;
END $$;
COMMENT ON FUNCTION region.add_delivery(uuid, text, bigint, text, boolean, text, text, text, bytea, text, text, text) IS
  'Adds an event in the transaction that caused it and returns its number among those of its entity; without an entity it stands alone.';


-- 10. Processing: what accounts set up for it, the tasks, and their results

-- A queue of an account's own. The shared queue has no row: it has no cap.
CREATE TABLE region.pipelines (
  uid         bigint NOT NULL,
  name        text COLLATE "C" NOT NULL,
  concurrency integer NOT NULL CHECK (concurrency BETWEEN 1 AND 1000),
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uid, name)
);

CREATE TABLE region.workflows (
  uid        bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  commands   text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uid, name)
);

-- Uploads and fetches whose key matches start the workflow.
CREATE TABLE region.triggers (
  trigger_id text COLLATE "C" PRIMARY KEY,
  uid        bigint NOT NULL,
  bucket_id  bigint NOT NULL,
  bucket     text NOT NULL,
  prefix     text COLLATE "C" NOT NULL,
  suffix     text COLLATE "C" NOT NULL,
  workflow   text COLLATE "C" NOT NULL,
  notify_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Whether results of its tasks replace existing objects. Without it an object that is there stays, and is the result.
  is_forced  boolean NOT NULL DEFAULT false,
  FOREIGN KEY (uid, workflow) REFERENCES region.workflows (uid, name)
);
CREATE INDEX triggers_bucket ON region.triggers (bucket_id);
CREATE INDEX triggers_uid ON region.triggers (uid, trigger_id);

-- Partitioned by the time inside the id, so that a query by id touches one day; dropped whole when all is finished.
CREATE TABLE region.tasks (
  task_id       text COLLATE "C" NOT NULL,
  id_time       timestamptz NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  uid           bigint NOT NULL,
  -- The source as it was at the submission: an overwrite or delete meanwhile changes nothing here.
  bucket_id     bigint NOT NULL,
  input_bucket  text NOT NULL,
  input_key     text COLLATE "C" NOT NULL,
  blob_id       uuid NOT NULL,
  segment_count integer NOT NULL,
  fsize         bigint NOT NULL,
  hash          text COLLATE "C" NOT NULL,
  mime_type     text NOT NULL,
  end_user      text,
  -- 1 waiting, 2 processing, 0 done, 3 failed. A 2 whose lease has ended is a 1.
  code          smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  -- With the times of each and of its stages.
  items         jsonb NOT NULL,
  is_idle       boolean NOT NULL,
  -- Null: the shared queue.
  pipeline      text COLLATE "C",
  -- False while it waits for room in its pipeline: then there is no job for it.
  is_admitted   boolean NOT NULL,
  is_forced     boolean NOT NULL,
  notify_url    text,
  access_key    text COLLATE "C",
  reqid         text NOT NULL,
  task_from     text,
  -- Which run may write: each begins with one more.
  attempt       integer NOT NULL DEFAULT 0,
  -- Runs that have not said how they ended: the one under way, and those that took their worker down.
  silent_runs   integer NOT NULL DEFAULT 0,
  leased_until  timestamptz,
  percent       real NOT NULL DEFAULT 0,
  is_cancelled  boolean NOT NULL DEFAULT false,
  finished_at   timestamptz,
  -- By a worker, for the first time.
  begun_at      timestamptz,
  -- That has it, or had it last.
  worker        text,
  PRIMARY KEY (task_id, id_time)
) PARTITION BY RANGE (id_time);
CREATE TABLE region.tasks_default PARTITION OF region.tasks DEFAULT;
CREATE INDEX tasks_uid ON region.tasks (uid, created_at);
CREATE INDEX tasks_input ON region.tasks (bucket_id, input_key);
-- Bytes that a task still needs; the collector asks.
CREATE INDEX tasks_pins ON region.tasks (blob_id) WHERE code IN (1, 2);
CREATE INDEX tasks_in_pipeline ON region.tasks (uid, pipeline, created_at) WHERE code IN (1, 2) AND pipeline IS NOT NULL;
-- How many tasks of a pipeline run is counted at every submission and every end: by those that may, not by all that wait.
CREATE INDEX tasks_admitted ON region.tasks (uid, pipeline) WHERE code IN (1, 2) AND is_admitted AND pipeline IS NOT NULL;
-- Tasks that are not finished, and those that failed: of an account, and of all.
CREATE INDEX tasks_open ON region.tasks (uid, code, created_at) WHERE code IN (1, 2);
CREATE INDEX tasks_failed ON region.tasks (uid, finished_at) WHERE code = 3;
CREATE INDEX tasks_all_failed ON region.tasks (finished_at) WHERE code = 3;
SELECT region.ensure_days('tasks', 7);

-- What a command made of a content, so that it need not be made again. The digest is over the content of the source and the command,
-- written the one canonical way. The object may have been changed or deleted since: whoever uses a row looks at it first.
CREATE TABLE region.task_results (
  uid       bigint NOT NULL,
  digest    bytea NOT NULL,
  bucket_id bigint NOT NULL,
  key       text COLLATE "C" NOT NULL,
  hash      text COLLATE "C" NOT NULL,
  mime_type text NOT NULL,
  made_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- They are given with its copies too.
  warnings  text[],
  PRIMARY KEY (uid, digest)
);
CREATE INDEX task_results_made_at ON region.task_results (made_at);

-- Who is about to make it. Taken when a task begins and let go when it ends. A row whose task no longer runs may be taken over.
CREATE TABLE region.task_works (
  uid      bigint NOT NULL,
  digest   bytea NOT NULL,
  task_id  text COLLATE "C" NOT NULL,
  id_time  timestamptz NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (uid, digest)
);
CREATE INDEX task_works_task ON region.task_works (task_id);

-- Workers of tasks: what each has for them, as it said last. A row outlives its process, so that a restart of all workers refuses
-- no task; it is forgotten after a day.
CREATE TABLE region.task_workers (
  process    uuid PRIMARY KEY,
  host       text NOT NULL,
  pid        integer NOT NULL,
  -- The engines that it has: files, images, media. Null until it knows.
  engines    text[],
  -- What is missing for each of the others: {"media": {"problem": …, "remedy": …}}.
  missing    jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now(),
  -- Set when it stops in its own time.
  ended_at   timestamptz
);


-- 11. Images by URL: the styles of buckets, and results that are kept

CREATE TABLE region.picture_rules (
  bucket_id bigint PRIMARY KEY,
  -- Stands between a key and the name of a style.
  separator text NOT NULL,
  -- Which commands a URL may hold.
  allowed   text NOT NULL CHECK (allowed IN ('all', 'signed', 'styles'))
);

CREATE TABLE region.picture_styles (
  bucket_id  bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  command    text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket_id, name)
);

-- Results, by the bytes that they were made of and a hash of what was done with them: new content has a new blob, so that
-- what was made of the old is never found again.
CREATE TABLE region.pictures (
  source_blob uuid NOT NULL,
  work        bytea NOT NULL,
  -- Null: the source is the result as it is.
  blob_id     uuid,
  size        bigint NOT NULL,
  hash        text COLLATE "C" NOT NULL,
  mime_type   text NOT NULL,
  -- Written now and then, not at every use.
  used_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source_blob, work)
);
CREATE INDEX pictures_blob ON region.pictures (blob_id);
CREATE INDEX pictures_used ON region.pictures (used_at);

-- Bytes of results that are no longer kept. Somebody may still read them, so they stay for minutes.
CREATE TABLE region.picture_leftovers (
  blob_id uuid PRIMARY KEY,
  left_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX picture_leftovers_left_at ON region.picture_leftovers (left_at);

-- Up to when the trash has been looked through for sources that are gone.
CREATE TABLE region.picture_progress (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  purged_through timestamptz NOT NULL
);
INSERT INTO region.picture_progress (purged_through) VALUES (clock_timestamp());


-- 12. Fetches, and work on many objects

-- Fetches that were asked for and are done in the background. What was asked never changes; a job does it.
CREATE TABLE region.fetches (
  fetch_id   uuid PRIMARY KEY,
  uid        bigint NOT NULL,
  bucket_id  bigint NOT NULL,
  request    jsonb NOT NULL,
  state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'done', 'failed')),
  -- How often the origins have been asked, whatever came of it.
  attempts   integer NOT NULL DEFAULT 0,
  -- Why the last of them failed.
  error      text,
  -- The object that was made.
  result     jsonb,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  failed_at  timestamptz
);
CREATE INDEX fetches_created ON region.fetches (created_at);
CREATE INDEX fetches_failed ON region.fetches (uid, failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX fetches_all_failed ON region.fetches (failed_at) WHERE failed_at IS NOT NULL;

-- Work on many objects of a bucket: all under a prefix, or those that were named.
CREATE TABLE region.bulk (
  bulk_id    uuid PRIMARY KEY,
  uid        bigint NOT NULL,
  kind       text NOT NULL,
  bucket_id  bigint NOT NULL,
  bucket     text NOT NULL,
  -- Of all keys it is about; named keys begin with it, too.
  prefix     text COLLATE "C" NOT NULL,
  -- Null: all under the prefix.
  keys       text[],
  -- What it is to do with them.
  request    jsonb NOT NULL,
  -- The key with limits that submitted it, its limits then, and from where.
  access_key text,
  limits     jsonb,
  address    text NOT NULL,
  -- What was put later is left alone.
  as_of      bigint NOT NULL DEFAULT region.put_time_now(),
  state      text NOT NULL DEFAULT 'waiting',
  -- Which run of a worker has it: an older one's writes are refused.
  run        integer NOT NULL DEFAULT 0,
  -- Runs that made no progress, one after the other.
  idle_runs  integer NOT NULL DEFAULT 0,
  -- Where it goes on: a key, or how many of the named keys are behind it.
  place      text COLLATE "C" NOT NULL,
  done       bigint NOT NULL DEFAULT 0,
  failed     bigint NOT NULL DEFAULT 0,
  bytes      bigint NOT NULL DEFAULT 0,
  -- How many it is about, if that is known.
  expected   bigint,
  current    text,
  problems   jsonb NOT NULL DEFAULT '[]',
  words      text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  begun_at   timestamptz,
  ended_at   timestamptz
-- Every page of objects updates its row, in place.
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX bulk_of_account ON region.bulk (uid, bulk_id);
CREATE INDEX bulk_in_state ON region.bulk (uid, state, bulk_id);
CREATE INDEX bulk_open ON region.bulk (state) WHERE ended_at IS NULL;
CREATE INDEX bulk_ended ON region.bulk (ended_at) WHERE ended_at IS NOT NULL;


-- 13. Live streams: namespaces, what they record and photograph by, who publishes, and what came of it

-- How recordings (kind 0) or snapshots (kind 1) are kept.
CREATE TABLE region.live_templates (
  template_id          text COLLATE "C" PRIMARY KEY,
  uid                  bigint NOT NULL,
  name                 text COLLATE "C" NOT NULL,
  description          text NOT NULL,
  kind                 smallint NOT NULL CHECK (kind IN (0, 1)),
  bucket               text NOT NULL,
  -- 0: for ever.
  delete_after_days    integer NOT NULL,
  storage_class        smallint NOT NULL,
  -- 0 none, 1 real-time, 2 on demand.
  record_type          smallint NOT NULL CHECK (record_type BETWEEN 0 AND 2),
  record_formats       smallint NOT NULL,
  -- Seconds; 0: none by the clock.
  snap_interval        integer NOT NULL,
  jpg_overwrite        boolean NOT NULL,
  jpg_sequence         boolean NOT NULL,
  jpg_on_demand        boolean NOT NULL,
  mp4_name             text NOT NULL,
  jpg_overwrite_name   text NOT NULL,
  jpg_sequence_name    text NOT NULL,
  jpg_on_demand_name   text NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (uid, name)
);

CREATE TABLE region.live_namespaces (
  ns_id                 text COLLATE "C" PRIMARY KEY,
  uid                   bigint NOT NULL,
  name                  text COLLATE "C" NOT NULL,
  description           text NOT NULL,
  access_type           text NOT NULL CHECK (access_type IN ('rtmp', 'gb28181')),
  -- As it was given, with a scheme or without; empty: events are told to nobody.
  callback              text NOT NULL,
  -- Seconds from the last session's end until a stream is told to be offline.
  offline_delay         integer NOT NULL,
  -- 1: publishing by the stream's key. 2: by tokens that end.
  url_type              smallint NOT NULL CHECK (url_type IN (1, 2)),
  is_disabled           boolean NOT NULL DEFAULT false,
  record_template_id    text COLLATE "C" REFERENCES region.live_templates,
  snapshot_template_id  text COLLATE "C" REFERENCES region.live_templates,
  -- The namespace's template goes before those of its streams.
  is_record_for_all     boolean NOT NULL,
  is_snapshot_for_all   boolean NOT NULL,
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  -- Turns and shares go by tenant: the parent of a child account, any other account itself. Accounts are in the control database, so
  -- a namespace keeps whose it is. Null: the account counts for itself until a worker has looked it up.
  tenant                bigint,
  UNIQUE (uid, name)
);
CREATE INDEX live_namespaces_record_template ON region.live_namespaces (record_template_id)
  WHERE record_template_id IS NOT NULL;
CREATE INDEX live_namespaces_snapshot_template ON region.live_namespaces (snapshot_template_id)
  WHERE snapshot_template_id IS NOT NULL;
CREATE INDEX live_namespaces_without_tenant ON region.live_namespaces (uid) WHERE tenant IS NULL;

CREATE TABLE region.live_streams (
  ns_id                text COLLATE "C" NOT NULL REFERENCES region.live_namespaces,
  stream_id            text COLLATE "C" NOT NULL,
  description          text NOT NULL,
  -- Of the key that publishers show and that signs tokens.
  sealed_key           bytea NOT NULL,
  master_key           text NOT NULL,
  record_template_id   text COLLATE "C" REFERENCES region.live_templates,
  snapshot_template_id text COLLATE "C" REFERENCES region.live_templates,
  is_disabled          boolean NOT NULL DEFAULT false,
  -- What was told last, and when that became so.
  is_online            boolean NOT NULL DEFAULT false,
  changed_at           timestamptz,
  last_pushed_at       timestamptz,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  -- Since when nobody publishes it, while it is not told yet.
  gone_at              timestamptz,
  -- When it is photographed next.
  next_snap_at         timestamptz,
  -- Of what the server itself shows when it publishes a device's media; null: nobody may publish it in a namespace of devices.
  feed_hash            bytea,
  -- Streams that `start` of a device made end with the device. One that is online stays until it is told to be offline and its
  -- last recording has arrived; it keeps its namespace from nothing.
  is_ending            boolean NOT NULL DEFAULT false,
  -- Since when a stream that is online has something to play: from its first segment on. Null while it starts.
  playable_at          timestamptz,
  PRIMARY KEY (ns_id, stream_id)
);
CREATE INDEX live_streams_online ON region.live_streams (ns_id, stream_id) WHERE is_online;
CREATE INDEX live_streams_starting ON region.live_streams (ns_id, stream_id) WHERE is_online AND playable_at IS NULL;
CREATE INDEX live_streams_gone ON region.live_streams (gone_at) WHERE is_online AND gone_at IS NOT NULL;
CREATE INDEX live_streams_ending ON region.live_streams (changed_at) WHERE is_ending;
CREATE INDEX live_streams_next_snap ON region.live_streams (next_snap_at) WHERE next_snap_at IS NOT NULL;
CREATE INDEX live_streams_master_key ON region.live_streams (master_key);
CREATE INDEX live_streams_record_template ON region.live_streams (record_template_id)
  WHERE record_template_id IS NOT NULL;
CREATE INDEX live_streams_snapshot_template ON region.live_streams (snapshot_template_id)
  WHERE snapshot_template_id IS NOT NULL;

-- Of what one process at a time takes care. Whoever writes for it looks here in the same transaction.
CREATE TABLE region.live_leases (
  name         text COLLATE "C" PRIMARY KEY,
  owner        uuid NOT NULL,
  -- Since when this owner has it.
  taken_at     timestamptz NOT NULL,
  leased_until timestamptz NOT NULL
);

-- A publisher at an engine. Its number there is its own only as long as the engine's process (boot) lives.
CREATE TABLE region.live_sessions (
  engine    text COLLATE "C" NOT NULL,
  boot      text COLLATE "C" NOT NULL,
  client    text COLLATE "C" NOT NULL,
  ns_id     text COLLATE "C" NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  address   text NOT NULL,
  began_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at  timestamptz,
  PRIMARY KEY (engine, boot, client)
);
CREATE INDEX live_sessions_open ON region.live_sessions (engine) WHERE ended_at IS NULL;
CREATE INDEX live_sessions_stream ON region.live_sessions (ns_id, stream_id, began_at);
CREATE INDEX live_sessions_ended ON region.live_sessions (ended_at) WHERE ended_at IS NOT NULL;

-- What came in from the publishers of live streams, by minute, for an hour.
CREATE TABLE region.live_minutes (
  ns_id     text COLLATE "C" NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  -- Bits a second: all, and of these the video and the audio.
  bitrate   bigint NOT NULL,
  video     bigint NOT NULL,
  audio     bigint NOT NULL,
  PRIMARY KEY (ns_id, stream_id, at)
) WITH (autovacuum_vacuum_scale_factor = 0.1);
CREATE INDEX live_minutes_at ON region.live_minutes (at);

-- Files that an engine recorded, and what became of them.
CREATE TABLE region.live_records (
  record_id   uuid PRIMARY KEY,
  engine      text COLLATE "C" NOT NULL,
  -- In the engine's folder; a file is taken up once, however often it is told.
  file        text COLLATE "C" NOT NULL,
  ns_id       text COLLATE "C" NOT NULL,
  stream_id   text COLLATE "C" NOT NULL,
  -- 1 real-time, 2 on demand.
  record_type smallint NOT NULL CHECK (record_type IN (1, 2)),
  template_id text COLLATE "C" NOT NULL,
  -- 1 waiting, 2 being processed, 0 done, 3 failed.
  code        smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  errmsg      text NOT NULL DEFAULT '',
  start_at    timestamptz NOT NULL,
  end_at      timestamptz NOT NULL,
  bucket      text NOT NULL DEFAULT '',
  fname       text COLLATE "C" NOT NULL DEFAULT '',
  -- How many bytes at the front of the file a player needs for each part of it.
  head_bytes  integer NOT NULL DEFAULT 0,
  tries       integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz,
  UNIQUE (engine, file)
);
CREATE INDEX live_records_waiting ON region.live_records (engine, due_at) WHERE code IN (1, 2);
CREATE INDEX live_records_stream ON region.live_records (ns_id, stream_id, start_at) WHERE code = 0;
CREATE INDEX live_records_over ON region.live_records (start_at) WHERE code = 3;
CREATE INDEX live_records_expires ON region.live_records (expires_at) WHERE expires_at IS NOT NULL;

-- Snapshots. Those that wait are few, and each waits for a bounded time.
CREATE TABLE region.live_snaps (
  snap_id        uuid PRIMARY KEY,
  engine         text COLLATE "C" NOT NULL,
  ns_id          text COLLATE "C" NOT NULL,
  stream_id      text COLLATE "C" NOT NULL,
  is_demanded    boolean NOT NULL,
  -- It replaces the one before under the same name.
  is_overwritten boolean NOT NULL,
  code           smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  errmsg         text NOT NULL DEFAULT '',
  taken_at       timestamptz NOT NULL,
  bucket         text NOT NULL,
  fname          text COLLATE "C" NOT NULL,
  storage_class  smallint NOT NULL,
  expires_at     timestamptz,
  -- Since when it waits, by this clock; taken_at is that of whoever asked for it.
  asked_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX live_snaps_waiting ON region.live_snaps (engine, taken_at) WHERE code IN (1, 2);
CREATE INDEX live_snaps_waiting_stream ON region.live_snaps (ns_id, stream_id) WHERE code IN (1, 2);
CREATE INDEX live_snaps_stream ON region.live_snaps (ns_id, stream_id, taken_at) WHERE code = 0;
-- A picture that replaces the one before replaces its row, too: of each such file there is one.
CREATE INDEX live_snaps_overwritten ON region.live_snaps (ns_id, stream_id, fname) WHERE code = 0 AND is_overwritten;
CREATE INDEX live_snaps_over ON region.live_snaps (taken_at) WHERE code IN (0, 3);


-- 14. Devices: cameras and platforms that register by SIP (GB/T 28181), their channels, and their media

CREATE TABLE region.devices (
  device_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ns_id           text COLLATE "C" NOT NULL REFERENCES region.live_namespaces,
  gbid            text COLLATE "C" NOT NULL,
  name            text NOT NULL,
  description     text NOT NULL,
  -- 1 camera, 2 platform.
  kind            smallint NOT NULL CHECK (kind IN (1, 2)),
  username        text COLLATE "C" NOT NULL,
  sealed_password bytea NOT NULL,
  master_key      text NOT NULL,
  user_agent      text NOT NULL DEFAULT '',
  -- What was told last, and when that became so.
  is_online       boolean NOT NULL DEFAULT false,
  changed_at      timestamptz,
  registered_at   timestamptz,
  -- As of its last registration's end; while it is registered, that row knows.
  seen_at         timestamptz,
  -- Somebody wants its channels listed anew; the owner of its port asks it.
  is_catalog_due  boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  uid             bigint,
  UNIQUE (ns_id, gbid)
);
-- Ids and user names of devices are an account's own business: whether another account has the same is none of it. A device
-- proves by its password which of them it is.
CREATE UNIQUE INDEX devices_of_account ON region.devices (gbid, username, uid);
CREATE INDEX devices_online ON region.devices (ns_id, gbid) WHERE is_online;
CREATE INDEX devices_catalog_due ON region.devices (device_id) WHERE is_catalog_due;
CREATE INDEX devices_master_key ON region.devices (master_key);

CREATE FUNCTION region.device_uid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.uid := (SELECT uid FROM region.live_namespaces WHERE ns_id = NEW.ns_id);
  RETURN NEW;
END $$;
COMMENT ON FUNCTION region.device_uid() IS 'Writes whose a device is: the account of its namespace.';
CREATE TRIGGER device_uid BEFORE INSERT ON region.devices FOR EACH ROW EXECUTE FUNCTION region.device_uid();
COMMENT ON TRIGGER device_uid ON region.devices IS 'A device belongs to the account of its namespace, whatever the statement says that adds it.';

-- One row for each registration that holds. A keepalive changes seen_at alone, which is in no index: the new version of
-- the row finds room on the same page.
CREATE TABLE region.device_registrations (
  device_id     bigint PRIMARY KEY REFERENCES region.devices ON DELETE CASCADE,
  -- The lease under which it was taken: whoever has that speaks for it.
  lease         text COLLATE "C" NOT NULL,
  transport     text NOT NULL CHECK (transport IN ('udp', 'tcp')),
  address       text NOT NULL,
  port          integer NOT NULL,
  registered_at timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  seen_at       timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE region.device_channels (
  device_id  bigint NOT NULL REFERENCES region.devices ON DELETE CASCADE,
  gbid       text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  vendor     text NOT NULL,
  -- What the device said of it.
  is_on      boolean NOT NULL,
  -- What was told last: it is on, and its device is there.
  is_online  boolean NOT NULL,
  synced_at  timestamptz NOT NULL,
  PRIMARY KEY (device_id, gbid)
);

-- One row for each channel that somebody wants to see, or whose end is still to be told to its device.
CREATE TABLE region.device_media (
  device_id  bigint NOT NULL REFERENCES region.devices ON DELETE CASCADE,
  -- Empty: the camera itself, by whichever of its channels is its own.
  channel    text COLLATE "C" NOT NULL,
  is_wanted  boolean NOT NULL DEFAULT true,
  -- When it was last asked for: who asks again need not wait for the next try.
  wanted_at  timestamptz NOT NULL DEFAULT now(),
  state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'inviting', 'running', 'failed')),
  reason     text NOT NULL DEFAULT '',
  -- The call that the device took, so that another process can end it.
  dialog     jsonb,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (device_id, channel)
);


-- 15. Figures and traces: what the region did and how it was, so that operators can look back without a separate database of metrics

-- Processes that write figures, by what each says of itself once a minute. One that ends takes its row with it.
CREATE TABLE region.figures_processes (
  process    uuid PRIMARY KEY,
  host       text NOT NULL,
  pid        integer NOT NULL,
  roles      text[] NOT NULL,
  -- What it says of the engines that only it can see: the sandbox, the SIP port, the archive classes.
  facts      jsonb NOT NULL,
  -- Of the figures it wrote last: a row that is sent again, because nobody knows whether it arrived, is added once.
  sequence   bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- One row a minute and process; some minutes later one for all processes (process 0…0), and later one for ten minutes, and one
-- for an hour. Counts are differences and are added up; gauges are of the region, and the highest of a time is kept.
CREATE TABLE region.figures_minutes (
  -- How long the row's time is: 60, 600 or 3600.
  seconds integer NOT NULL,
  at      timestamptz NOT NULL,
  process uuid NOT NULL,
  -- For how much of that time there are figures.
  covered integer NOT NULL,
  counts  jsonb NOT NULL,
  gauges  jsonb NOT NULL,
  PRIMARY KEY (seconds, at, process)
);

CREATE FUNCTION region.add_figures(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, sum(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS added
$$;
COMMENT ON FUNCTION region.add_figures(jsonb, jsonb) IS 'Two sets of figures added up, name by name.';
CREATE AGGREGATE region.sum_figures(jsonb) (SFUNC = region.add_figures, STYPE = jsonb, INITCOND = '{}');
COMMENT ON AGGREGATE region.sum_figures(jsonb) IS 'Adds up counts of many rows.';

CREATE FUNCTION region.higher_figures(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, max(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS compared
$$;
COMMENT ON FUNCTION region.higher_figures(jsonb, jsonb) IS 'The higher of two figures, name by name.';
CREATE AGGREGATE region.highest_figures(jsonb) (SFUNC = region.higher_figures, STYPE = jsonb, INITCOND = '{}');
COMMENT ON AGGREGATE region.highest_figures(jsonb) IS 'The highest gauges of many rows.';

-- What became of single requests: who made them, what was judged, which statements and engines they needed. Written in batches after
-- the answers; kept for a week, and no more than so many.
CREATE TABLE region.traces (
  -- In the order of writing: the oldest go first.
  trace_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reqid    text COLLATE "C" NOT NULL,
  at       timestamptz NOT NULL,
  -- Whose credential it was made with; null: with none that was proven.
  uid      bigint,
  -- JSON, as text: what users sent may be in it, with characters that no other type takes.
  trace    text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX traces_reqid ON region.traces (reqid);


-- 16. The work queue: jobs, turns of accounts, periodic work

CREATE SCHEMA queue;

-- The jobs of all queues. A job is deleted when it is done.
--   ready   to be taken, by the order of `tag` (its turn, see queue.take_turns)
--   delayed not before `until`; takes its turn then
--   retry   not before `until`, after a failure; keeps its turn
--   active  taken; its worker renews `until`, and who may settle it is told by `attempt`
--   failed  its retries are used up; it stays until somebody sends it again
CREATE TABLE queue.jobs (
  id         uuid PRIMARY KEY,
  queue      text COLLATE "C" NOT NULL,
  account    text COLLATE "C" NOT NULL,
  data       jsonb NOT NULL,
  state      text COLLATE "C" NOT NULL CHECK (state IN ('ready', 'delayed', 'retry', 'active', 'failed')),
  tag        bigint CHECK ((tag IS NULL) = (state = 'delayed')),
  until      timestamptz CHECK ((until IS NULL) = (state IN ('ready', 'failed'))),
  -- Counts the claims; no two attempts of a job have the same.
  attempt    integer NOT NULL DEFAULT 0,
  -- Attempts that failed. One that was handed back did not.
  failures   integer NOT NULL DEFAULT 0,
  reason     text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  failed_at  timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
-- Each holds only what its reader looks for, so that a claim costs the same however much waits.
CREATE INDEX jobs_ready ON queue.jobs (queue, tag) WHERE state = 'ready';
CREATE INDEX jobs_until ON queue.jobs (queue, state, until) WHERE state IN ('delayed', 'retry', 'active');
CREATE INDEX jobs_failed ON queue.jobs (queue, failed_at) WHERE state = 'failed';
-- Jobs that were given up, of all queues.
CREATE INDEX jobs_all_failed ON queue.jobs (failed_at) WHERE state = 'failed';
-- The job of a task or of a fetch, for those who ask what it waits for.
CREATE INDEX jobs_subject ON queue.jobs ((coalesce(data ->> 'taskId', data ->> 'fetchId'))) WHERE data ?| '{taskId,fetchId}';

-- How far each queue has come: the highest tag a worker has taken. Written by workers, only read by enqueues.
CREATE TABLE queue.virtual_time (
  queue text COLLATE "C" PRIMARY KEY,
  tag   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The last tag handed to an account. A row no greater than its queue's virtual time says nothing and is deleted.
CREATE TABLE queue.account_turns (
  queue    text COLLATE "C" NOT NULL,
  account  text COLLATE "C" NOT NULL,
  last_tag bigint NOT NULL,
  PRIMARY KEY (queue, account)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Takes `jobs` consecutive tags for an account and returns the tag before the first of them.
-- Never waits: while another transaction of the account (or of one with the same hash) is open, tags are given out
-- twice instead. An account can so get as many jobs per tag as it has transactions open, but callers never block or
-- deadlock each other.
CREATE FUNCTION queue.take_turns(queue_name text, account_name text, jobs bigint, reached bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  -- 128 locks a queue, so that a batch for many accounts can't fill the server's lock table.
  is_alone boolean := pg_try_advisory_xact_lock(
    hashtextextended('queue.account_turns' || chr(31) || queue_name, hashtext(account_name) & 127));
  before bigint;
BEGIN
  SELECT greatest(max(t.last_tag), reached) INTO before
  FROM queue.account_turns t WHERE t.queue = queue_name AND t.account = account_name;
  IF is_alone THEN
    INSERT INTO queue.account_turns AS t (queue, account, last_tag) VALUES (queue_name, account_name, before + jobs)
    ON CONFLICT (queue, account) DO UPDATE SET last_tag = excluded.last_tag;
  END IF;
  RETURN before;
END $$;
COMMENT ON FUNCTION queue.take_turns(text, text, bigint, bigint) IS
  'Takes consecutive turns of an account in a queue and returns the one before the first; it never waits, and rather gives out turns twice.';

-- Periodic work. A run holds the row by `run` until lease_until; next_due moves only when a run has ended, so a run
-- whose process died is taken over as soon as its lease has run out.
CREATE TABLE queue.periodic (
  name          text COLLATE "C" PRIMARY KEY,
  every_seconds double precision NOT NULL CHECK (every_seconds > 0),
  next_due      timestamptz NOT NULL DEFAULT now(),
  run           uuid,
  started_at    timestamptz,
  lease_until   timestamptz,
  last_ended_at timestamptz,
  last_error    text
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
