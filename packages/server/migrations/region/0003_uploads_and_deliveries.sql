-- Resumable uploads, and the record of what we send to receivers.

-- An upload in parts. Its parts are engine objects already; completing it writes only rows.
CREATE TABLE region.uploads (
  upload_id  uuid PRIMARY KEY,
  bucket_id  bigint NOT NULL,
  -- Null: the key is decided when the upload is completed.
  key        text COLLATE "C",
  class      smallint NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX uploads_expires ON region.uploads (expires_at);

CREATE TABLE region.upload_parts (
  upload_id   uuid NOT NULL REFERENCES region.uploads,
  part_number integer NOT NULL CHECK (part_number BETWEEN 1 AND 10000),
  segment_id  uuid NOT NULL,
  size        bigint NOT NULL,
  etag        text COLLATE "C" NOT NULL,
  put_time    bigint NOT NULL,
  PRIMARY KEY (upload_id, part_number)
);
CREATE INDEX upload_parts_segment ON region.upload_parts (segment_id);

-- Blocks of the older form: at most 4 MiB each, written in chunks one after the other.
CREATE TABLE region.upload_blocks (
  block_id   uuid PRIMARY KEY,
  uid        bigint NOT NULL,
  block_size integer NOT NULL,
  -- Bytes so far.
  filled     integer NOT NULL,
  sha1       bytea NOT NULL,
  class      smallint NOT NULL,
  expires_at timestamptz NOT NULL
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

-- A part that is sent again replaces the one before; its bytes may not be forgotten.
CREATE FUNCTION region.keep_replaced_segment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.trash (blob_id, reason) VALUES (OLD.segment_id, 'refused');
  RETURN NULL;
END $$;
CREATE TRIGGER upload_parts_replaced AFTER UPDATE ON region.upload_parts
  FOR EACH ROW WHEN (OLD.segment_id IS DISTINCT FROM NEW.segment_id) EXECUTE FUNCTION region.keep_replaced_segment();

-- When an object goes by itself (deleteAfterDays).
ALTER TABLE region.objects ADD COLUMN expires_at timestamptz;
CREATE INDEX objects_expires ON region.objects (expires_at) WHERE expires_at IS NOT NULL;

-- What is sent to a receiver: its bytes are frozen here, with their cause. Partitioned by day, dropped whole.
CREATE TABLE region.deliveries (
  delivery_id  uuid NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  kind         text NOT NULL CHECK (kind IN ('callback', 'notification', 'live')),
  uid          bigint NOT NULL,
  -- The key whose secret signs it.
  access_key   text COLLATE "C" NOT NULL,
  urls         text[] NOT NULL,
  host         text,
  content_type text NOT NULL,
  body         bytea NOT NULL,
  -- unsent: committed, and nothing is known of what came after.
  state        text NOT NULL CHECK (state IN ('unsent', 'delivered', 'failed')),
  subject      text NOT NULL,
  reqid        text NOT NULL,
  PRIMARY KEY (delivery_id, created_at)
) PARTITION BY RANGE (created_at);
CREATE TABLE region.deliveries_default PARTITION OF region.deliveries DEFAULT;
CREATE INDEX deliveries_uid ON region.deliveries (uid, created_at);

CREATE TABLE region.delivery_attempts (
  delivery_id uuid NOT NULL,
  attempt     integer NOT NULL,
  begun_at    timestamptz NOT NULL DEFAULT now(),
  url         text NOT NULL,
  -- Null where no answer came.
  status      integer,
  duration_ms integer NOT NULL,
  -- The first 16 KiB of the answer.
  response    bytea,
  error       text,
  PRIMARY KEY (delivery_id, attempt, begun_at)
) PARTITION BY RANGE (begun_at);
CREATE TABLE region.delivery_attempts_default PARTITION OF region.delivery_attempts DEFAULT;

-- Makes the partitions of the next days, so that no row has to fall into the default one.
CREATE FUNCTION region.ensure_days(parent text, days integer) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first date := (now() AT TIME ZONE 'UTC')::date;
BEGIN
  FOR ahead IN 0..days LOOP
    EXECUTE format('CREATE TABLE IF NOT EXISTS region.%I PARTITION OF region.%I FOR VALUES FROM (%L) TO (%L)',
                   parent || to_char(first + ahead, '_YYYYMMDD'), parent,
                   (first + ahead)::text || ' 00:00+00', (first + ahead + 1)::text || ' 00:00+00');
  END LOOP;
END $$;
SELECT region.ensure_days('deliveries', 7), region.ensure_days('delivery_attempts', 7);
