-- What is stored and asked for, by bucket; quotas; how far the lifecycle rules have been applied.

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

-- A trigger, because only it sees the row that a race really replaced.
CREATE FUNCTION region.count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize, 1);
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.usage_deltas VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1);
  ELSIF OLD.class = NEW.class THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize - OLD.fsize, 0);
  ELSE
    INSERT INTO region.usage_deltas
      VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1), (NEW.bucket_id, NEW.class, NEW.fsize, 1);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER objects_usage_added AFTER INSERT ON region.objects
  FOR EACH ROW EXECUTE FUNCTION region.count_usage();
CREATE TRIGGER objects_usage_removed AFTER DELETE ON region.objects
  FOR EACH ROW EXECUTE FUNCTION region.count_usage();
CREATE TRIGGER objects_usage_changed AFTER UPDATE ON region.objects
  FOR EACH ROW WHEN (OLD.fsize <> NEW.fsize OR OLD.class <> NEW.class) EXECUTE FUNCTION region.count_usage();

-- The triggers hold writers back until this commits, so nothing is counted twice or not at all.
INSERT INTO region.bucket_usage (bucket_id, class, bytes, objects)
SELECT bucket_id, class, sum(fsize), count(*) FROM region.objects GROUP BY bucket_id, class;

-- The quota of a bucket, null where there is none, and what is left of it as of the last fold. Every commit reads the
-- gate anyway.
ALTER TABLE region.bucket_gate
  ADD COLUMN quota_bytes   bigint,
  ADD COLUMN quota_objects bigint,
  ADD COLUMN room_bytes    bigint,
  ADD COLUMN room_objects  bigint,
  ADD COLUMN closing_since timestamptz;
UPDATE region.bucket_gate SET closing_since = now() WHERE state = 'closing';
CREATE INDEX bucket_gate_closing ON region.bucket_gate (closing_since) WHERE state = 'closing';

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

-- How far the walk of a bucket has come: the first key that it has not looked at, null between two walks.
CREATE TABLE region.lifecycle_walks (
  bucket_id bigint PRIMARY KEY,
  next_key  text COLLATE "C",
  begun_at  timestamptz NOT NULL,
  ended_at  timestamptz
);
