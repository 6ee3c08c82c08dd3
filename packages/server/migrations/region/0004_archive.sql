-- Restores of archive objects, where the bytes of an object lie, and headers that its downloads carry.

-- A restore is no job: whether an object can be read follows from these two times and this database's clock.
ALTER TABLE region.objects
  ADD COLUMN restore_ready_at timestamptz,
  ADD COLUMN restore_ends_at timestamptz,
  -- Where the bytes lie now, the engine's cold tier or its standard one. The class says where they belong; while the
  -- two differ, a job moves them.
  ADD COLUMN cold boolean NOT NULL DEFAULT false,
  -- Response headers of downloads, by lower-case name.
  ADD COLUMN headers jsonb,
  ADD CONSTRAINT objects_restore CHECK ((restore_ready_at IS NULL) = (restore_ends_at IS NULL));
UPDATE region.objects SET cold = true WHERE class >= 2;

-- Objects whose bytes are still to be moved; empty when all is done.
CREATE INDEX objects_misplaced ON region.objects (blob_id) WHERE cold <> (class >= 2);

-- 0 frozen, 1 restoring, 2 restored; null for a class that is never frozen.
CREATE FUNCTION region.restore_status(storage_class smallint, ready_at timestamptz, ends_at timestamptz)
RETURNS smallint LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT (CASE
    WHEN storage_class < 2 THEN NULL
    WHEN ready_at IS NULL OR ends_at <= clock_timestamp() THEN 0
    WHEN ready_at > clock_timestamp() THEN 1
    ELSE 2
  END)::smallint
$$;
