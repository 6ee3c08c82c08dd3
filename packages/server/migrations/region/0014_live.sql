-- Live: namespaces, what they record and photograph by, and their streams.

-- How recordings (kind 0) or snapshots (kind 1) are kept.
CREATE TABLE region.live_templates (
  template_id          text COLLATE "C" PRIMARY KEY,
  uid                  bigint NOT NULL,
  name                 text COLLATE "C" NOT NULL,
  description          text NOT NULL,
  kind                 smallint NOT NULL CHECK (kind IN (0, 1)),
  bucket               text NOT NULL,
  -- 0: for ever.
  delete_after_days    integer NOT NULL,
  storage_class        smallint NOT NULL,
  -- 0 none, 1 real-time, 2 on demand.
  record_type          smallint NOT NULL CHECK (record_type BETWEEN 0 AND 2),
  record_formats       smallint NOT NULL,
  -- Seconds; 0: none by the clock.
  snap_interval        integer NOT NULL,
  jpg_overwrite        boolean NOT NULL,
  jpg_sequence         boolean NOT NULL,
  jpg_on_demand        boolean NOT NULL,
  mp4_name             text NOT NULL,
  jpg_overwrite_name   text NOT NULL,
  jpg_sequence_name    text NOT NULL,
  jpg_on_demand_name   text NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (uid, name)
);

CREATE TABLE region.live_namespaces (
  ns_id                 text COLLATE "C" PRIMARY KEY,
  uid                   bigint NOT NULL,
  name                  text COLLATE "C" NOT NULL,
  description           text NOT NULL,
  access_type           text NOT NULL CHECK (access_type IN ('rtmp', 'gb28181')),
  -- As it was given, with a scheme or without; empty: events are told to nobody.
  callback              text NOT NULL,
  -- Seconds from the last session's end until a stream is told to be offline.
  offline_delay         integer NOT NULL,
  -- 1: publishing by the stream's key. 2: by tokens that end.
  url_type              smallint NOT NULL CHECK (url_type IN (1, 2)),
  is_disabled           boolean NOT NULL DEFAULT false,
  record_template_id    text COLLATE "C" REFERENCES region.live_templates,
  snapshot_template_id  text COLLATE "C" REFERENCES region.live_templates,
  -- The namespace's template goes before those of its streams.
  is_record_for_all     boolean NOT NULL,
  is_snapshot_for_all   boolean NOT NULL,
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  UNIQUE (uid, name)
);
CREATE INDEX live_namespaces_record_template ON region.live_namespaces (record_template_id)
  WHERE record_template_id IS NOT NULL;
CREATE INDEX live_namespaces_snapshot_template ON region.live_namespaces (snapshot_template_id)
  WHERE snapshot_template_id IS NOT NULL;

CREATE TABLE region.live_streams (
  ns_id                text COLLATE "C" NOT NULL REFERENCES region.live_namespaces,
  stream_id            text COLLATE "C" NOT NULL,
  description          text NOT NULL,
  -- Of the key that publishers show and that signs tokens.
  sealed_key           bytea NOT NULL,
  master_key           text NOT NULL,
  record_template_id   text COLLATE "C" REFERENCES region.live_templates,
  snapshot_template_id text COLLATE "C" REFERENCES region.live_templates,
  is_disabled          boolean NOT NULL DEFAULT false,
  -- What was told last, and when that became so.
  is_online            boolean NOT NULL DEFAULT false,
  changed_at           timestamptz,
  last_pushed_at       timestamptz,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (ns_id, stream_id)
);
CREATE INDEX live_streams_online ON region.live_streams (ns_id, stream_id) WHERE is_online;
CREATE INDEX live_streams_master_key ON region.live_streams (master_key);
CREATE INDEX live_streams_record_template ON region.live_streams (record_template_id)
  WHERE record_template_id IS NOT NULL;
CREATE INDEX live_streams_snapshot_template ON region.live_streams (snapshot_template_id)
  WHERE snapshot_template_id IS NOT NULL;
