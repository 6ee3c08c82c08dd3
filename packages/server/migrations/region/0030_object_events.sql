-- Events of objects: the rules of a bucket, and what they select until deliveries are made of it.

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
-- Every commit reads the gate anyway.
ALTER TABLE region.bucket_gate ADD COLUMN has_event_rules boolean NOT NULL DEFAULT false;

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

-- What events say of an object.
CREATE FUNCTION region.event_facts(o region.objects) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'size', o.fsize, 'hash', o.hash, 'mimeType', o.mime_type, 'storageClass', o.class, 'putTime', o.put_time::text,
    'endUser', o.end_user, 'restoreReady', o.restore_ready_at, 'restoreEnds', o.restore_ends_at))
$$;

-- What has become of an object: `was` is null where it was created, `o` where it was removed. The way is what the statement says
-- of itself in the setting millpond.way.
CREATE FUNCTION region.note_change(was region.objects, o region.objects) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  way text := nullif(current_setting('millpond.way', true), '');
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

-- In the trigger that counts usage: only a trigger sees the row that a race really replaced, no way of changing an object can
-- forget it, and this one is called for every put anyway. (Triggers of their own would cost a single put 5 % even if their
-- condition is false: PostgreSQL prepares it anew in every statement.) A commit has read the gate: if the bucket has no rules,
-- it puts the bucket's number into the setting, and nothing is called here.
CREATE OR REPLACE FUNCTION region.count_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize, 1);
    IF current_setting('millpond.way', true) IS DISTINCT FROM NEW.bucket_id::text THEN
      PERFORM region.note_change(NULL, NEW);
    END IF;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.usage_deltas VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1);
    IF current_setting('millpond.way', true) IS DISTINCT FROM OLD.bucket_id::text THEN
      PERFORM region.note_change(OLD, NULL);
    END IF;
    RETURN NULL;
  ELSIF OLD.class <> NEW.class THEN
    INSERT INTO region.usage_deltas
      VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1), (NEW.bucket_id, NEW.class, NEW.fsize, 1);
  ELSIF OLD.fsize <> NEW.fsize THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize - OLD.fsize, 0);
  END IF;
  IF current_setting('millpond.way', true) IS DISTINCT FROM NEW.bucket_id::text THEN
    PERFORM region.note_change(OLD, NEW);
  END IF;
  RETURN NULL;
END $$;
DROP TRIGGER objects_usage_changed ON region.objects;
CREATE TRIGGER objects_changed AFTER UPDATE ON region.objects FOR EACH ROW
  WHEN (OLD.put_time <> NEW.put_time OR OLD.fsize <> NEW.fsize OR OLD.class <> NEW.class
        OR OLD.restore_ready_at IS DISTINCT FROM NEW.restore_ready_at
        OR OLD.restore_ends_at IS DISTINCT FROM NEW.restore_ends_at)
  EXECUTE FUNCTION region.count_usage();

-- Every day's rows are already of a kind that the old condition allowed: they need not be read again.
ALTER TABLE region.deliveries DROP CONSTRAINT deliveries_kind_check,
  ADD CONSTRAINT deliveries_kind_check CHECK (kind IN ('callback', 'notification', 'live', 'object')) NOT VALID;

CREATE OR REPLACE FUNCTION region.forget_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM region.picture_styles WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.picture_rules WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.triggers WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.event_rules WHERE bucket_id = OLD.bucket_id;
  RETURN NULL;
END $$;
