-- Live: who publishes, who looks after an engine, and what was recorded and photographed.

-- Of what one process at a time takes care. Whoever writes for it looks here in the same transaction.
CREATE TABLE region.live_leases (
  name         text COLLATE "C" PRIMARY KEY,
  owner        uuid NOT NULL,
  -- Since when this owner has it.
  taken_at     timestamptz NOT NULL,
  leased_until timestamptz NOT NULL
);

ALTER TABLE region.live_streams
  -- Since when nobody publishes it, while it is not told yet.
  ADD COLUMN gone_at      timestamptz,
  -- When it is photographed next.
  ADD COLUMN next_snap_at timestamptz;
CREATE INDEX live_streams_gone ON region.live_streams (gone_at) WHERE is_online AND gone_at IS NOT NULL;
CREATE INDEX live_streams_next_snap ON region.live_streams (next_snap_at) WHERE next_snap_at IS NOT NULL;

-- A publisher at an engine. Its number there is its own only as long as the engine's process (boot) lives.
CREATE TABLE region.live_sessions (
  engine    text COLLATE "C" NOT NULL,
  boot      text COLLATE "C" NOT NULL,
  client    text COLLATE "C" NOT NULL,
  ns_id     text COLLATE "C" NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  address   text NOT NULL,
  began_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at  timestamptz,
  PRIMARY KEY (engine, boot, client)
);
CREATE INDEX live_sessions_open ON region.live_sessions (engine) WHERE ended_at IS NULL;
CREATE INDEX live_sessions_stream ON region.live_sessions (ns_id, stream_id, began_at);
CREATE INDEX live_sessions_ended ON region.live_sessions (ended_at) WHERE ended_at IS NOT NULL;

-- Files that an engine recorded, and what became of them.
CREATE TABLE region.live_records (
  record_id   uuid PRIMARY KEY,
  engine      text COLLATE "C" NOT NULL,
  -- In the engine's folder; a file is taken up once, however often it is told.
  file        text COLLATE "C" NOT NULL,
  ns_id       text COLLATE "C" NOT NULL,
  stream_id   text COLLATE "C" NOT NULL,
  -- 1 real-time, 2 on demand.
  record_type smallint NOT NULL CHECK (record_type IN (1, 2)),
  template_id text COLLATE "C" NOT NULL,
  -- 1 waiting, 2 being processed, 0 done, 3 failed.
  code        smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  errmsg      text NOT NULL DEFAULT '',
  start_at    timestamptz NOT NULL,
  end_at      timestamptz NOT NULL,
  bucket      text NOT NULL DEFAULT '',
  fname       text COLLATE "C" NOT NULL DEFAULT '',
  -- How many bytes at the front of the file a player needs for each part of it.
  head_bytes  integer NOT NULL DEFAULT 0,
  tries       integer NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz,
  UNIQUE (engine, file)
);
CREATE INDEX live_records_waiting ON region.live_records (engine, due_at) WHERE code IN (1, 2);
CREATE INDEX live_records_stream ON region.live_records (ns_id, stream_id, start_at) WHERE code = 0;
CREATE INDEX live_records_over ON region.live_records (start_at) WHERE code = 3;
CREATE INDEX live_records_expires ON region.live_records (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE region.live_snaps (
  snap_id     uuid PRIMARY KEY,
  engine      text COLLATE "C" NOT NULL,
  ns_id       text COLLATE "C" NOT NULL,
  stream_id   text COLLATE "C" NOT NULL,
  is_demanded boolean NOT NULL,
  -- It replaces the one before under the same name.
  is_overwritten boolean NOT NULL,
  code        smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  errmsg      text NOT NULL DEFAULT '',
  taken_at    timestamptz NOT NULL,
  bucket      text NOT NULL,
  fname       text COLLATE "C" NOT NULL,
  storage_class smallint NOT NULL,
  expires_at  timestamptz
);
CREATE INDEX live_snaps_waiting ON region.live_snaps (engine, taken_at) WHERE code IN (1, 2);
CREATE INDEX live_snaps_stream ON region.live_snaps (ns_id, stream_id, taken_at) WHERE code = 0;
CREATE INDEX live_snaps_over ON region.live_snaps (taken_at) WHERE code IN (0, 3);
