-- Since when a stream that is online has something to play: from its first segment on. Null while it starts.
ALTER TABLE region.live_streams ADD COLUMN playable_at timestamptz;
UPDATE region.live_streams SET playable_at = changed_at WHERE is_online;
CREATE INDEX live_streams_starting ON region.live_streams (ns_id, stream_id) WHERE is_online AND playable_at IS NULL;
