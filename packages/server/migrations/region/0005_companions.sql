-- Copies, moves, per-object lifecycle, and finding what can be brought back.

-- When an object goes to a colder class by itself.
ALTER TABLE region.objects
  ADD COLUMN to_ia_at           timestamptz,
  ADD COLUMN to_archive_at      timestamptz,
  ADD COLUMN to_deep_archive_at timestamptz;
CREATE INDEX objects_transition ON region.objects (LEAST(to_ia_at, to_archive_at, to_deep_archive_at))
  WHERE LEAST(to_ia_at, to_archive_at, to_deep_archive_at) IS NOT NULL;

-- The midnight after so many days, as deleteAfterDays of an upload counts them.
CREATE FUNCTION region.midnight_after(days integer) RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT to_timestamp(ceil(extract(epoch FROM clock_timestamp()) / 86400 + days) * 86400)
$$;

-- A move takes its source away with the bytes in use under another key: nothing was deleted that could be brought back.
-- The bytes are looked at by the collector all the same, like any that a row has let go.
CREATE FUNCTION region.keep_moved_blob() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.trash (blob_id, segment_count, reason) VALUES (OLD.blob_id, OLD.segment_count, 'moved');
  RETURN NULL;
END $$;
DROP TRIGGER objects_deleted ON region.objects;
CREATE TRIGGER objects_deleted AFTER DELETE ON region.objects FOR EACH ROW
  WHEN (current_setting('millpond.removal', true) IS DISTINCT FROM 'move') EXECUTE FUNCTION region.keep_replaced_blob();
CREATE TRIGGER objects_moved AFTER DELETE ON region.objects FOR EACH ROW
  WHEN (current_setting('millpond.removal', true) = 'move') EXECUTE FUNCTION region.keep_moved_blob();

-- What a bucket has in the trash, by key and time.
CREATE INDEX trash_object ON region.trash
  (((object ->> 'bucket_id')::bigint), ((object ->> 'key') COLLATE "C"), trashed_at) WHERE object IS NOT NULL;
