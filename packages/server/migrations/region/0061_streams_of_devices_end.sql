-- Streams that `start` of a device made end with the device. One that is online stays until it is told to be offline and its
-- last recording has arrived; it keeps its namespace from nothing.
ALTER TABLE region.live_streams ADD COLUMN is_ending boolean NOT NULL DEFAULT false;
CREATE INDEX live_streams_ending ON region.live_streams (changed_at) WHERE is_ending;
