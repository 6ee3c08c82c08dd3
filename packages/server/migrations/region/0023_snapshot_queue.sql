-- Snapshots that wait are few, and each waits for a bounded time.

ALTER TABLE region.live_snaps
  -- Since when it waits, by this clock; taken_at is that of whoever asked for it.
  ADD COLUMN asked_at timestamptz NOT NULL DEFAULT now();
UPDATE region.live_snaps SET asked_at = taken_at WHERE code IN (1, 2);
CREATE INDEX live_snaps_waiting_stream ON region.live_snaps (ns_id, stream_id) WHERE code IN (1, 2);

-- A picture that replaces the one before replaces its row, too: of each such file there is one.
CREATE INDEX live_snaps_overwritten ON region.live_snaps (ns_id, stream_id, fname) WHERE code = 0 AND is_overwritten;
DELETE FROM region.live_snaps WHERE snap_id IN (
  SELECT snap_id FROM (
    SELECT snap_id, row_number() OVER (PARTITION BY ns_id, stream_id, bucket, fname ORDER BY taken_at DESC, snap_id) AS age
    FROM region.live_snaps WHERE code = 0 AND is_overwritten
  ) AS known WHERE age > 1
);
