-- Objects of one region. Every query on objects has bucket_id equality, so it touches one partition.

-- Read by every commit. Creating a bucket: control row, then gate. Dropping: gate closing, check that it is empty.
CREATE TABLE region.bucket_gate (
  bucket_id bigint PRIMARY KEY,
  state     text NOT NULL CHECK (state IN ('open', 'closing'))
);

CREATE TABLE region.objects (
  bucket_id     bigint NOT NULL,
  key           text COLLATE "C" NOT NULL,
  -- Names the bytes: the engine object of this id, or (segment_count > 1) the rows of region.segments.
  blob_id       uuid NOT NULL,
  segment_count integer NOT NULL DEFAULT 1,
  fsize         bigint NOT NULL,
  hash          text COLLATE "C" NOT NULL,
  mime_type     text NOT NULL,
  -- What the content looked like at upload; an empty type in a metadata change brings it back.
  detected_type text NOT NULL,
  -- Units of 100 ns; strictly increasing per key, changed by content writes only.
  put_time      bigint NOT NULL,
  class         smallint NOT NULL DEFAULT 0 CHECK (class BETWEEN 0 AND 3),
  status        smallint NOT NULL DEFAULT 0 CHECK (status BETWEEN 0 AND 1),
  end_user      text,
  meta          jsonb,
  PRIMARY KEY (bucket_id, key)
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

-- Segments of blobs that were written in parts.
CREATE TABLE region.segments (
  blob_id    uuid NOT NULL,
  position   integer NOT NULL,
  segment_id uuid NOT NULL,
  size       bigint NOT NULL,
  PRIMARY KEY (blob_id, position)
);
CREATE INDEX segments_segment ON region.segments (segment_id);

-- Bytes that no object names any more, kept for the grace period. Where it was an object, the row it had, for undelete.
CREATE TABLE region.trash (
  trash_id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  blob_id       uuid NOT NULL,
  segment_count integer NOT NULL DEFAULT 1,
  reason        text NOT NULL CHECK (reason IN ('deleted', 'replaced', 'moved', 'refused')),
  trashed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Set once the collector has begun to remove the bytes: from then on there is no way back.
  collecting    boolean NOT NULL DEFAULT false,
  object        jsonb
);
CREATE INDEX trash_trashed_at ON region.trash (trashed_at);
CREATE INDEX trash_blob ON region.trash (blob_id);
CREATE INDEX trash_refused ON region.trash (trash_id) WHERE reason = 'refused';

-- How far the sweep has compared the engine with the rows: blobs with an older id need not be looked at again.
CREATE TABLE region.sweep_progress (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  swept_through timestamptz NOT NULL
);
INSERT INTO region.sweep_progress (swept_through) VALUES (now() - interval '1 day');

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

CREATE TRIGGER objects_replaced AFTER UPDATE ON region.objects
  FOR EACH ROW WHEN (OLD.blob_id IS DISTINCT FROM NEW.blob_id) EXECUTE FUNCTION region.keep_replaced_blob();
CREATE TRIGGER objects_deleted AFTER DELETE ON region.objects
  FOR EACH ROW EXECUTE FUNCTION region.keep_replaced_blob();

-- The time inside a blob id (UUID v7), for the rule that old ids may not be committed.
CREATE FUNCTION region.blob_time(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
$$;

-- The put time of now, in units of 100 ns.
CREATE FUNCTION region.put_time_now() RETURNS bigint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 10000000)::bigint
$$;
