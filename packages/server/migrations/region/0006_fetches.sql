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
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX fetches_created ON region.fetches (created_at);

-- A key that was just deleted is not brought back by a mirror: asked before a missing file is fetched.
CREATE INDEX trash_deleted_key ON region.trash (((object ->> 'bucket_id')::bigint), ((object ->> 'key') COLLATE "C"), trashed_at)
  WHERE reason = 'deleted';
