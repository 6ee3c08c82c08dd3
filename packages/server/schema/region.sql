-- What the migrations make, to be read: `npm run schema` writes this file, and nothing runs it. Why it is so is in
-- packages/server/migrations. Left out are partitions that only time makes, such as those of a day.

CREATE TABLE region.bucket_gate (
  bucket_id       bigint      NOT NULL,
  state           text        NOT NULL,
  quota_bytes     bigint,
  quota_objects   bigint,
  room_bytes      bigint,
  room_objects    bigint,
  closing_since   timestamptz,
  closing_by      uuid,
  has_event_rules boolean     NOT NULL DEFAULT false,
  part_bytes      bigint      NOT NULL DEFAULT 0,
  CONSTRAINT bucket_gate_pkey PRIMARY KEY (bucket_id),
  CONSTRAINT bucket_gate_state_check CHECK ((state = ANY (ARRAY['open'::text, 'closing'::text])))
);
CREATE INDEX bucket_gate_closing ON region.bucket_gate (closing_since) WHERE (state = 'closing'::text);
CREATE TRIGGER bucket_gate_forgets AFTER DELETE ON region.bucket_gate
  FOR EACH ROW
  EXECUTE FUNCTION region.forget_bucket();
COMMENT ON TRIGGER bucket_gate_forgets ON region.bucket_gate IS 'What an account has set up for a bucket goes with the bucket.';

CREATE TABLE region.bucket_usage (
  bucket_id bigint   NOT NULL,
  class     smallint NOT NULL,
  bytes     bigint   NOT NULL,
  objects   bigint   NOT NULL,
  CONSTRAINT bucket_usage_pkey PRIMARY KEY (bucket_id, class)
) WITH (fillfactor = 70);
CREATE TRIGGER bucket_usage_added AFTER INSERT ON region.bucket_usage
  REFERENCING NEW TABLE AS now_there
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_added ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
CREATE TRIGGER bucket_usage_changed AFTER UPDATE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_changed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';
CREATE TRIGGER bucket_usage_removed AFTER DELETE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.sum_usage();
COMMENT ON TRIGGER bucket_usage_removed ON region.bucket_usage IS 'Keeps the region''s usage the sum of that of its buckets.';

CREATE TABLE region.bulk (
  bulk_id    uuid        NOT NULL,
  uid        bigint      NOT NULL,
  kind       text        NOT NULL,
  bucket_id  bigint      NOT NULL,
  bucket     text        NOT NULL,
  prefix     text        COLLATE "C" NOT NULL,
  keys       text[],
  request    jsonb       NOT NULL,
  access_key text,
  limits     jsonb,
  address    text        NOT NULL,
  as_of      bigint      NOT NULL DEFAULT region.put_time_now(),
  state      text        NOT NULL DEFAULT 'waiting'::text,
  run        integer     NOT NULL DEFAULT 0,
  idle_runs  integer     NOT NULL DEFAULT 0,
  place      text        COLLATE "C" NOT NULL,
  done       bigint      NOT NULL DEFAULT 0,
  failed     bigint      NOT NULL DEFAULT 0,
  bytes      bigint      NOT NULL DEFAULT 0,
  expected   bigint,
  current    text,
  problems   jsonb       NOT NULL DEFAULT '[]'::jsonb,
  words      text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  begun_at   timestamptz,
  ended_at   timestamptz,
  CONSTRAINT bulk_pkey PRIMARY KEY (bulk_id)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX bulk_ended ON region.bulk (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX bulk_in_state ON region.bulk (uid, state, bulk_id);
CREATE INDEX bulk_of_account ON region.bulk (uid, bulk_id);
CREATE INDEX bulk_open ON region.bulk (state) WHERE (ended_at IS NULL);

CREATE TABLE region.class_usage (
  class   smallint NOT NULL,
  bytes   bigint   NOT NULL,
  objects bigint   NOT NULL,
  CONSTRAINT class_usage_pkey PRIMARY KEY (class)
) WITH (fillfactor = 20);

CREATE TABLE region.completed_uploads (
  request      bytea       NOT NULL,
  bucket_id    bigint      NOT NULL,
  key          text        COLLATE "C" NOT NULL,
  put_time     bigint      NOT NULL,
  answer       text,
  delivery_id  uuid,
  called_until timestamptz,
  expires_at   timestamptz NOT NULL,
  CONSTRAINT completed_uploads_pkey PRIMARY KEY (request),
  CONSTRAINT completed_uploads_check CHECK (((answer IS NULL) <> (delivery_id IS NULL))),
  CONSTRAINT completed_uploads_check1 CHECK (((called_until IS NULL) = (delivery_id IS NULL)))
);
CREATE INDEX completed_uploads_expires ON region.completed_uploads (expires_at);

CREATE TABLE region.deliveries (
  delivery_id  uuid        NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  kind         text        NOT NULL,
  uid          bigint      NOT NULL,
  access_key   text        COLLATE "C",
  urls         text[]      NOT NULL,
  host         text,
  content_type text        NOT NULL,
  body         bytea       NOT NULL,
  state        text        NOT NULL,
  subject      text        NOT NULL,
  reqid        text        NOT NULL,
  endpoint_id  bigint,
  entity       text,
  sequence     bigint,
  failed_at    timestamptz,
  CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id, created_at),
  CONSTRAINT deliveries_kind_check CHECK ((kind = ANY (ARRAY['callback'::text, 'notification'::text, 'live'::text, 'object'::text, 'test'::text]))),
  CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['unsent'::text, 'waiting'::text, 'delivered'::text, 'failed'::text])))
) PARTITION BY RANGE (created_at);
CREATE TABLE region.deliveries_default PARTITION OF region.deliveries DEFAULT;
CREATE INDEX deliveries_all_failed ON region.deliveries (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX deliveries_endpoint ON region.deliveries (endpoint_id, created_at) WHERE (endpoint_id IS NOT NULL);
CREATE INDEX deliveries_failed ON region.deliveries (uid, failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX deliveries_uid ON region.deliveries (uid, created_at);
CREATE INDEX deliveries_undelivered ON region.deliveries (uid, state, created_at) WHERE (state <> 'delivered'::text);

CREATE TABLE region.delivery_attempts (
  delivery_id     uuid        NOT NULL,
  attempt         integer     NOT NULL,
  begun_at        timestamptz NOT NULL DEFAULT now(),
  url             text        NOT NULL,
  status          integer,
  duration_ms     integer     NOT NULL,
  response        bytea,
  error           text,
  request_headers jsonb,
  answer_headers  jsonb,
  CONSTRAINT delivery_attempts_pkey PRIMARY KEY (delivery_id, attempt, begun_at)
) PARTITION BY RANGE (begun_at);
CREATE TABLE region.delivery_attempts_default PARTITION OF region.delivery_attempts DEFAULT;

CREATE TABLE region.delivery_endpoints (
  endpoint_id   bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  uid           bigint      NOT NULL,
  is_configured boolean     NOT NULL,
  name          text        COLLATE "C" NOT NULL,
  url           text,
  state         text        NOT NULL DEFAULT 'closed'::text,
  failing_since timestamptz,
  openings      integer     NOT NULL DEFAULT 0,
  probe_at      timestamptz,
  is_reviving   boolean     NOT NULL DEFAULT false,
  next_at       timestamptz,
  suspended_at  timestamptz,
  reason        text,
  retired_at    timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_endpoints_pkey PRIMARY KEY (endpoint_id),
  CONSTRAINT delivery_endpoints_uid_is_configured_name_key UNIQUE (uid, is_configured, name),
  CONSTRAINT delivery_endpoints_state_check CHECK ((state = ANY (ARRAY['closed'::text, 'open'::text, 'half-open'::text, 'suspended'::text])))
);
CREATE INDEX delivery_endpoints_next ON region.delivery_endpoints (next_at) WHERE (next_at IS NOT NULL);
CREATE INDEX delivery_endpoints_suspended ON region.delivery_endpoints (suspended_at) WHERE (state = 'suspended'::text);

CREATE TABLE region.delivery_lanes (
  lane_id     bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  endpoint_id bigint      NOT NULL,
  entity      text        COLLATE "C" NOT NULL,
  sequence    bigint      NOT NULL,
  told_at     timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_lanes_pkey PRIMARY KEY (endpoint_id, entity),
  CONSTRAINT delivery_lanes_lane_id_key UNIQUE (lane_id)
) WITH (fillfactor = 70);

CREATE TABLE region.delivery_minutes (
  endpoint_id bigint      NOT NULL,
  minute      timestamptz NOT NULL,
  ok          integer     NOT NULL,
  failed      integer     NOT NULL,
  CONSTRAINT delivery_minutes_pkey PRIMARY KEY (endpoint_id, minute)
) WITH (fillfactor = 70);
CREATE INDEX delivery_minutes_minute ON region.delivery_minutes (minute);

CREATE TABLE region.delivery_notices (
  notice_id   bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  at          timestamptz NOT NULL DEFAULT now(),
  endpoint_id bigint      NOT NULL,
  uid         bigint      NOT NULL,
  kind        text        NOT NULL,
  text        text        NOT NULL,
  CONSTRAINT delivery_notices_pkey PRIMARY KEY (notice_id),
  CONSTRAINT delivery_notices_kind_check CHECK ((kind = ANY (ARRAY['suspended'::text, 'resumed'::text])))
);

CREATE TABLE region.delivery_outcomes (
  endpoint_id  bigint      NOT NULL,
  last_success timestamptz,
  last_failure timestamptz,
  CONSTRAINT delivery_outcomes_pkey PRIMARY KEY (endpoint_id)
) WITH (fillfactor = 70);

CREATE TABLE region.delivery_queue (
  delivery_id uuid        NOT NULL,
  created_at  timestamptz NOT NULL,
  endpoint_id bigint      NOT NULL,
  uid         bigint      NOT NULL,
  lane_id     bigint,
  sequence    bigint      NOT NULL,
  size        integer     NOT NULL,
  state       text        NOT NULL DEFAULT 'due'::text,
  due_at      timestamptz NOT NULL DEFAULT now(),
  began_at    timestamptz NOT NULL DEFAULT now(),
  tries       integer     NOT NULL DEFAULT 0,
  refusals    integer     NOT NULL DEFAULT 0,
  attempts    integer     NOT NULL DEFAULT 0,
  fence       bigint      NOT NULL DEFAULT 0,
  is_test     boolean     NOT NULL DEFAULT false,
  CONSTRAINT delivery_queue_pkey PRIMARY KEY (delivery_id),
  CONSTRAINT delivery_queue_state_check CHECK ((state = ANY (ARRAY['due'::text, 'leased'::text, 'parked'::text, 'following'::text])))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_queue_due ON region.delivery_queue (due_at) WHERE (state = ANY (ARRAY['due'::text, 'leased'::text]));
CREATE INDEX delivery_queue_following ON region.delivery_queue (endpoint_id, delivery_id) WHERE (state = 'following'::text);
CREATE UNIQUE INDEX delivery_queue_lane ON region.delivery_queue (lane_id, sequence) WHERE (lane_id IS NOT NULL);
CREATE INDEX delivery_queue_parked ON region.delivery_queue (endpoint_id, delivery_id) WHERE (state = 'parked'::text);
CREATE INDEX delivery_queue_retries ON region.delivery_queue (endpoint_id, due_at) WHERE ((state = 'due'::text) AND (tries > 0));

CREATE TABLE region.device_channels (
  device_id bigint      NOT NULL,
  gbid      text        COLLATE "C" NOT NULL,
  name      text        NOT NULL,
  vendor    text        NOT NULL,
  is_on     boolean     NOT NULL,
  is_online boolean     NOT NULL,
  synced_at timestamptz NOT NULL,
  CONSTRAINT device_channels_pkey PRIMARY KEY (device_id, gbid),
  CONSTRAINT device_channels_device_id_fkey FOREIGN KEY (device_id) REFERENCES region.devices(device_id) ON DELETE CASCADE
);

CREATE TABLE region.device_media (
  device_id  bigint      NOT NULL,
  channel    text        COLLATE "C" NOT NULL,
  is_wanted  boolean     NOT NULL DEFAULT true,
  wanted_at  timestamptz NOT NULL DEFAULT now(),
  state      text        NOT NULL DEFAULT 'waiting'::text,
  reason     text        NOT NULL DEFAULT ''::text,
  dialog     jsonb,
  changed_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT device_media_pkey PRIMARY KEY (device_id, channel),
  CONSTRAINT device_media_device_id_fkey FOREIGN KEY (device_id) REFERENCES region.devices(device_id) ON DELETE CASCADE,
  CONSTRAINT device_media_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'inviting'::text, 'running'::text, 'failed'::text])))
);

CREATE TABLE region.device_registrations (
  device_id     bigint      NOT NULL,
  lease         text        COLLATE "C" NOT NULL,
  transport     text        NOT NULL,
  address       text        NOT NULL,
  port          integer     NOT NULL,
  registered_at timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  seen_at       timestamptz NOT NULL,
  CONSTRAINT device_registrations_pkey PRIMARY KEY (device_id),
  CONSTRAINT device_registrations_device_id_fkey FOREIGN KEY (device_id) REFERENCES region.devices(device_id) ON DELETE CASCADE,
  CONSTRAINT device_registrations_transport_check CHECK ((transport = ANY (ARRAY['udp'::text, 'tcp'::text])))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE region.devices (
  device_id       bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  ns_id           text        COLLATE "C" NOT NULL,
  gbid            text        COLLATE "C" NOT NULL,
  name            text        NOT NULL,
  description     text        NOT NULL,
  kind            smallint    NOT NULL,
  username        text        COLLATE "C" NOT NULL,
  sealed_password bytea       NOT NULL,
  master_key      text        NOT NULL,
  user_agent      text        NOT NULL DEFAULT ''::text,
  is_online       boolean     NOT NULL DEFAULT false,
  changed_at      timestamptz,
  registered_at   timestamptz,
  seen_at         timestamptz,
  is_catalog_due  boolean     NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  uid             bigint,
  CONSTRAINT devices_pkey PRIMARY KEY (device_id),
  CONSTRAINT devices_ns_id_gbid_key UNIQUE (ns_id, gbid),
  CONSTRAINT devices_ns_id_fkey FOREIGN KEY (ns_id) REFERENCES region.live_namespaces(ns_id),
  CONSTRAINT devices_kind_check CHECK ((kind = ANY (ARRAY[1, 2])))
);
CREATE INDEX devices_catalog_due ON region.devices (device_id) WHERE is_catalog_due;
CREATE INDEX devices_master_key ON region.devices (master_key);
CREATE UNIQUE INDEX devices_of_account ON region.devices (gbid, username, uid);
CREATE INDEX devices_online ON region.devices (ns_id, gbid) WHERE is_online;
CREATE TRIGGER device_uid BEFORE INSERT ON region.devices
  FOR EACH ROW
  EXECUTE FUNCTION region.device_uid();
COMMENT ON TRIGGER device_uid ON region.devices IS 'A device belongs to the account of its namespace, whatever the statement says that adds it.';

CREATE TABLE region.event_rules (
  bucket_id bigint NOT NULL,
  name      text   COLLATE "C" NOT NULL,
  uid       bigint NOT NULL,
  bucket    text   NOT NULL,
  url       text   NOT NULL,
  events    text[] NOT NULL,
  prefix    text   COLLATE "C" NOT NULL,
  suffix    text   COLLATE "C" NOT NULL,
  min_size  bigint NOT NULL,
  max_size  bigint,
  CONSTRAINT event_rules_pkey PRIMARY KEY (bucket_id, name)
);

CREATE TABLE region.fetches (
  fetch_id   uuid        NOT NULL,
  uid        bigint      NOT NULL,
  bucket_id  bigint      NOT NULL,
  request    jsonb       NOT NULL,
  state      text        NOT NULL DEFAULT 'waiting'::text,
  attempts   integer     NOT NULL DEFAULT 0,
  error      text,
  result     jsonb,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  failed_at  timestamptz,
  CONSTRAINT fetches_pkey PRIMARY KEY (fetch_id),
  CONSTRAINT fetches_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text])))
);
CREATE INDEX fetches_all_failed ON region.fetches (failed_at) WHERE (failed_at IS NOT NULL);
CREATE INDEX fetches_created ON region.fetches (created_at);
CREATE INDEX fetches_failed ON region.fetches (uid, failed_at) WHERE (failed_at IS NOT NULL);

CREATE TABLE region.figures_minutes (
  seconds integer     NOT NULL,
  at      timestamptz NOT NULL,
  process uuid        NOT NULL,
  covered integer     NOT NULL,
  counts  jsonb       NOT NULL,
  gauges  jsonb       NOT NULL,
  CONSTRAINT figures_minutes_pkey PRIMARY KEY (seconds, at, process)
);

CREATE TABLE region.figures_processes (
  process    uuid        NOT NULL,
  host       text        NOT NULL,
  pid        integer     NOT NULL,
  roles      text[]      NOT NULL,
  facts      jsonb       NOT NULL,
  sequence   bigint      NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT figures_processes_pkey PRIMARY KEY (process)
);

CREATE TABLE region.inbox (
  slot    smallint NOT NULL,
  blob_id uuid     NOT NULL,
  bytes   bytea    NOT NULL,
  CONSTRAINT inbox_pkey PRIMARY KEY (slot, blob_id)
) PARTITION BY LIST (slot);
CREATE TABLE region.inbox_0 PARTITION OF region.inbox FOR VALUES IN ('0') WITH (autovacuum_enabled = false, toast_tuple_target = 8160, toast.autovacuum_enabled = false); -- ALTER COLUMN bytes SET STORAGE EXTERNAL
-- and so on, 8 in all, to
CREATE TABLE region.inbox_7 PARTITION OF region.inbox FOR VALUES IN ('7') WITH (autovacuum_enabled = false, toast_tuple_target = 8160, toast.autovacuum_enabled = false); -- ALTER COLUMN bytes SET STORAGE EXTERNAL

CREATE TABLE region.inbox_slots (
  slot      smallint    NOT NULL,
  packed_at timestamptz,
  CONSTRAINT inbox_slots_pkey PRIMARY KEY (slot)
);
-- 8 rows are in it from the beginning.

CREATE TABLE region.inbox_turn (
  only_row boolean  NOT NULL DEFAULT true,
  slot     smallint NOT NULL,
  CONSTRAINT inbox_turn_pkey PRIMARY KEY (only_row),
  CONSTRAINT inbox_turn_only_row_check CHECK (only_row)
);
-- One row is in it from the beginning.

CREATE TABLE region.lifecycle_walks (
  bucket_id bigint      NOT NULL,
  next_key  text        COLLATE "C",
  begun_at  timestamptz NOT NULL,
  ended_at  timestamptz,
  CONSTRAINT lifecycle_walks_pkey PRIMARY KEY (bucket_id)
);

CREATE TABLE region.live_leases (
  name         text        COLLATE "C" NOT NULL,
  owner        uuid        NOT NULL,
  taken_at     timestamptz NOT NULL,
  leased_until timestamptz NOT NULL,
  CONSTRAINT live_leases_pkey PRIMARY KEY (name)
);

CREATE TABLE region.live_minutes (
  ns_id     text        COLLATE "C" NOT NULL,
  stream_id text        COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  bitrate   bigint      NOT NULL,
  video     bigint      NOT NULL,
  audio     bigint      NOT NULL,
  CONSTRAINT live_minutes_pkey PRIMARY KEY (ns_id, stream_id, at)
) WITH (autovacuum_vacuum_scale_factor = 0.1);
CREATE INDEX live_minutes_at ON region.live_minutes (at);

CREATE TABLE region.live_namespaces (
  ns_id                text        COLLATE "C" NOT NULL,
  uid                  bigint      NOT NULL,
  name                 text        COLLATE "C" NOT NULL,
  description          text        NOT NULL,
  access_type          text        NOT NULL,
  callback             text        NOT NULL,
  offline_delay        integer     NOT NULL,
  url_type             smallint    NOT NULL,
  is_disabled          boolean     NOT NULL DEFAULT false,
  record_template_id   text        COLLATE "C",
  snapshot_template_id text        COLLATE "C",
  is_record_for_all    boolean     NOT NULL,
  is_snapshot_for_all  boolean     NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  tenant               bigint,
  CONSTRAINT live_namespaces_pkey PRIMARY KEY (ns_id),
  CONSTRAINT live_namespaces_uid_name_key UNIQUE (uid, name),
  CONSTRAINT live_namespaces_record_template_id_fkey FOREIGN KEY (record_template_id) REFERENCES region.live_templates(template_id),
  CONSTRAINT live_namespaces_snapshot_template_id_fkey FOREIGN KEY (snapshot_template_id) REFERENCES region.live_templates(template_id),
  CONSTRAINT live_namespaces_access_type_check CHECK ((access_type = ANY (ARRAY['rtmp'::text, 'gb28181'::text]))),
  CONSTRAINT live_namespaces_url_type_check CHECK ((url_type = ANY (ARRAY[1, 2])))
);
CREATE INDEX live_namespaces_record_template ON region.live_namespaces (record_template_id) WHERE (record_template_id IS NOT NULL);
CREATE INDEX live_namespaces_snapshot_template ON region.live_namespaces (snapshot_template_id) WHERE (snapshot_template_id IS NOT NULL);
CREATE INDEX live_namespaces_without_tenant ON region.live_namespaces (uid) WHERE (tenant IS NULL);

CREATE TABLE region.live_records (
  record_id   uuid        NOT NULL,
  engine      text        COLLATE "C" NOT NULL,
  file        text        COLLATE "C" NOT NULL,
  ns_id       text        COLLATE "C" NOT NULL,
  stream_id   text        COLLATE "C" NOT NULL,
  record_type smallint    NOT NULL,
  template_id text        COLLATE "C" NOT NULL,
  code        smallint    NOT NULL DEFAULT 1,
  errmsg      text        NOT NULL DEFAULT ''::text,
  start_at    timestamptz NOT NULL,
  end_at      timestamptz NOT NULL,
  bucket      text        NOT NULL DEFAULT ''::text,
  fname       text        COLLATE "C" NOT NULL DEFAULT ''::text,
  head_bytes  integer     NOT NULL DEFAULT 0,
  tries       integer     NOT NULL DEFAULT 0,
  due_at      timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz,
  CONSTRAINT live_records_pkey PRIMARY KEY (record_id),
  CONSTRAINT live_records_engine_file_key UNIQUE (engine, file),
  CONSTRAINT live_records_code_check CHECK (((code >= 0) AND (code <= 3))),
  CONSTRAINT live_records_record_type_check CHECK ((record_type = ANY (ARRAY[1, 2])))
);
CREATE INDEX live_records_expires ON region.live_records (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX live_records_over ON region.live_records (start_at) WHERE (code = 3);
CREATE INDEX live_records_stream ON region.live_records (ns_id, stream_id, start_at) WHERE (code = 0);
CREATE INDEX live_records_waiting ON region.live_records (engine, due_at) WHERE (code = ANY (ARRAY[1, 2]));

CREATE TABLE region.live_sessions (
  engine    text        COLLATE "C" NOT NULL,
  boot      text        COLLATE "C" NOT NULL,
  client    text        COLLATE "C" NOT NULL,
  ns_id     text        COLLATE "C" NOT NULL,
  stream_id text        COLLATE "C" NOT NULL,
  address   text        NOT NULL,
  began_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at  timestamptz,
  CONSTRAINT live_sessions_pkey PRIMARY KEY (engine, boot, client)
);
CREATE INDEX live_sessions_ended ON region.live_sessions (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX live_sessions_open ON region.live_sessions (engine) WHERE (ended_at IS NULL);
CREATE INDEX live_sessions_stream ON region.live_sessions (ns_id, stream_id, began_at);

CREATE TABLE region.live_snaps (
  snap_id        uuid        NOT NULL,
  engine         text        COLLATE "C" NOT NULL,
  ns_id          text        COLLATE "C" NOT NULL,
  stream_id      text        COLLATE "C" NOT NULL,
  is_demanded    boolean     NOT NULL,
  is_overwritten boolean     NOT NULL,
  code           smallint    NOT NULL DEFAULT 1,
  errmsg         text        NOT NULL DEFAULT ''::text,
  taken_at       timestamptz NOT NULL,
  bucket         text        NOT NULL,
  fname          text        COLLATE "C" NOT NULL,
  storage_class  smallint    NOT NULL,
  expires_at     timestamptz,
  asked_at       timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT live_snaps_pkey PRIMARY KEY (snap_id),
  CONSTRAINT live_snaps_code_check CHECK (((code >= 0) AND (code <= 3)))
);
CREATE INDEX live_snaps_over ON region.live_snaps (taken_at) WHERE (code = ANY (ARRAY[0, 3]));
CREATE INDEX live_snaps_overwritten ON region.live_snaps (ns_id, stream_id, fname) WHERE ((code = 0) AND is_overwritten);
CREATE INDEX live_snaps_stream ON region.live_snaps (ns_id, stream_id, taken_at) WHERE (code = 0);
CREATE INDEX live_snaps_waiting ON region.live_snaps (engine, taken_at) WHERE (code = ANY (ARRAY[1, 2]));
CREATE INDEX live_snaps_waiting_stream ON region.live_snaps (ns_id, stream_id) WHERE (code = ANY (ARRAY[1, 2]));

CREATE TABLE region.live_streams (
  ns_id                text        COLLATE "C" NOT NULL,
  stream_id            text        COLLATE "C" NOT NULL,
  description          text        NOT NULL,
  sealed_key           bytea       NOT NULL,
  master_key           text        NOT NULL,
  record_template_id   text        COLLATE "C",
  snapshot_template_id text        COLLATE "C",
  is_disabled          boolean     NOT NULL DEFAULT false,
  is_online            boolean     NOT NULL DEFAULT false,
  changed_at           timestamptz,
  last_pushed_at       timestamptz,
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  gone_at              timestamptz,
  next_snap_at         timestamptz,
  feed_hash            bytea,
  is_ending            boolean     NOT NULL DEFAULT false,
  playable_at          timestamptz,
  CONSTRAINT live_streams_pkey PRIMARY KEY (ns_id, stream_id),
  CONSTRAINT live_streams_ns_id_fkey FOREIGN KEY (ns_id) REFERENCES region.live_namespaces(ns_id),
  CONSTRAINT live_streams_record_template_id_fkey FOREIGN KEY (record_template_id) REFERENCES region.live_templates(template_id),
  CONSTRAINT live_streams_snapshot_template_id_fkey FOREIGN KEY (snapshot_template_id) REFERENCES region.live_templates(template_id)
);
CREATE INDEX live_streams_ending ON region.live_streams (changed_at) WHERE is_ending;
CREATE INDEX live_streams_gone ON region.live_streams (gone_at) WHERE (is_online AND (gone_at IS NOT NULL));
CREATE INDEX live_streams_master_key ON region.live_streams (master_key);
CREATE INDEX live_streams_next_snap ON region.live_streams (next_snap_at) WHERE (next_snap_at IS NOT NULL);
CREATE INDEX live_streams_online ON region.live_streams (ns_id, stream_id) WHERE is_online;
CREATE INDEX live_streams_record_template ON region.live_streams (record_template_id) WHERE (record_template_id IS NOT NULL);
CREATE INDEX live_streams_snapshot_template ON region.live_streams (snapshot_template_id) WHERE (snapshot_template_id IS NOT NULL);
CREATE INDEX live_streams_starting ON region.live_streams (ns_id, stream_id) WHERE (is_online AND (playable_at IS NULL));

CREATE TABLE region.live_templates (
  template_id        text        COLLATE "C" NOT NULL,
  uid                bigint      NOT NULL,
  name               text        COLLATE "C" NOT NULL,
  description        text        NOT NULL,
  kind               smallint    NOT NULL,
  bucket             text        NOT NULL,
  delete_after_days  integer     NOT NULL,
  storage_class      smallint    NOT NULL,
  record_type        smallint    NOT NULL,
  record_formats     smallint    NOT NULL,
  snap_interval      integer     NOT NULL,
  jpg_overwrite      boolean     NOT NULL,
  jpg_sequence       boolean     NOT NULL,
  jpg_on_demand      boolean     NOT NULL,
  mp4_name           text        NOT NULL,
  jpg_overwrite_name text        NOT NULL,
  jpg_sequence_name  text        NOT NULL,
  jpg_on_demand_name text        NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT live_templates_pkey PRIMARY KEY (template_id),
  CONSTRAINT live_templates_uid_name_key UNIQUE (uid, name),
  CONSTRAINT live_templates_kind_check CHECK ((kind = ANY (ARRAY[0, 1]))),
  CONSTRAINT live_templates_record_type_check CHECK (((record_type >= 0) AND (record_type <= 2)))
);

CREATE TABLE region.migrations (
  file       text        NOT NULL,
  checksum   text        NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT migrations_pkey PRIMARY KEY (file)
);

CREATE TABLE region.object_events (
  event_id  bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  bucket_id bigint      NOT NULL,
  key       text        COLLATE "C" NOT NULL,
  uid       bigint      NOT NULL,
  bucket    text        NOT NULL,
  rules     text[]      NOT NULL,
  urls      text[]      NOT NULL,
  event     text        NOT NULL,
  way       text,
  at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  object    jsonb       NOT NULL,
  previous  jsonb,
  due_at    timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX object_events_due ON region.object_events (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX object_events_next ON region.object_events (event_id) WHERE (due_at IS NULL);

CREATE TABLE region.objects (
  bucket_id          bigint      NOT NULL,
  key                text        COLLATE "C" NOT NULL,
  blob_id            uuid        NOT NULL,
  segment_count      integer     NOT NULL DEFAULT 1,
  fsize              bigint      NOT NULL,
  hash               text        COLLATE "C" NOT NULL,
  mime_type          text        NOT NULL,
  detected_type      text        NOT NULL,
  put_time           bigint      NOT NULL,
  class              smallint    NOT NULL DEFAULT 0,
  status             smallint    NOT NULL DEFAULT 0,
  end_user           text,
  meta               jsonb,
  expires_at         timestamptz,
  restore_ready_at   timestamptz,
  restore_ends_at    timestamptz,
  cold               boolean     NOT NULL DEFAULT false,
  headers            jsonb,
  to_ia_at           timestamptz,
  to_archive_at      timestamptz,
  to_deep_archive_at timestamptz,
  md5                bytea,
  md5_parts          smallint,
  checksum           jsonb,
  part_list          jsonb,
  tags               jsonb,
  CONSTRAINT objects_pkey PRIMARY KEY (bucket_id, key),
  CONSTRAINT objects_class_check CHECK (((class >= 0) AND (class <= 3))),
  CONSTRAINT objects_md5 CHECK (((md5 IS NULL) = (md5_parts IS NULL))),
  CONSTRAINT objects_restore CHECK (((restore_ready_at IS NULL) = (restore_ends_at IS NULL))),
  CONSTRAINT objects_status_check CHECK (((status >= 0) AND (status <= 1)))
) PARTITION BY HASH (bucket_id);
CREATE TABLE region.objects_00 PARTITION OF region.objects FOR VALUES WITH (modulus 32, remainder 0);
-- and so on, 32 in all, to
CREATE TABLE region.objects_31 PARTITION OF region.objects FOR VALUES WITH (modulus 32, remainder 31);
CREATE INDEX objects_blob ON region.objects (blob_id);
CREATE INDEX objects_expires ON region.objects (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX objects_misplaced ON region.objects (blob_id) WHERE (cold <> (class >= 2));
CREATE INDEX objects_transition ON region.objects (LEAST(to_ia_at, to_archive_at, to_deep_archive_at)) WHERE (LEAST(to_ia_at, to_archive_at, to_deep_archive_at) IS NOT NULL);
CREATE TRIGGER objects_changed AFTER UPDATE ON region.objects
  FOR EACH ROW
  WHEN (((old.put_time <> new.put_time) OR (old.fsize <> new.fsize) OR (old.class <> new.class) OR (old.restore_ready_at IS DISTINCT FROM new.restore_ready_at) OR (old.restore_ends_at IS DISTINCT FROM new.restore_ends_at)))
  EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_changed ON region.objects IS 'Counts and notes an object with new content, another class or another state of its restore.';
CREATE TRIGGER objects_deleted AFTER DELETE ON region.objects
  FOR EACH ROW
  WHEN ((current_setting('millpond.removal'::text, true) IS DISTINCT FROM 'move'::text))
  EXECUTE FUNCTION region.keep_replaced_blob();
COMMENT ON TRIGGER objects_deleted ON region.objects IS 'No statement that deletes an object can forget its bytes.';
CREATE TRIGGER objects_moved AFTER DELETE ON region.objects
  FOR EACH ROW
  WHEN ((current_setting('millpond.removal'::text, true) = 'move'::text))
  EXECUTE FUNCTION region.keep_moved_blob();
COMMENT ON TRIGGER objects_moved ON region.objects IS 'The same for a statement that says in the setting millpond.removal that it moves the object.';
CREATE TRIGGER objects_replaced AFTER UPDATE ON region.objects
  FOR EACH ROW
  WHEN ((old.blob_id IS DISTINCT FROM new.blob_id))
  EXECUTE FUNCTION region.keep_replaced_blob();
COMMENT ON TRIGGER objects_replaced ON region.objects IS 'No statement that gives an object other bytes can forget the old ones.';
CREATE TRIGGER objects_usage_added AFTER INSERT ON region.objects
  FOR EACH ROW
  EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_usage_added ON region.objects IS 'Counts and notes a new object.';
CREATE TRIGGER objects_usage_removed AFTER DELETE ON region.objects
  FOR EACH ROW
  EXECUTE FUNCTION region.count_usage();
COMMENT ON TRIGGER objects_usage_removed ON region.objects IS 'Counts and notes a deleted object.';

CREATE TABLE region.packed (
  blob_id uuid    NOT NULL,
  pack    integer NOT NULL,
  at      integer NOT NULL,
  size    integer NOT NULL,
  CONSTRAINT packed_pkey PRIMARY KEY (blob_id)
);
CREATE INDEX packed_pack ON region.packed (pack);

CREATE TABLE region.packs (
  pack       integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  pack_id    uuid    NOT NULL,
  size       integer NOT NULL,
  live_bytes integer NOT NULL,
  live_blobs integer NOT NULL,
  CONSTRAINT packs_pkey PRIMARY KEY (pack)
) WITH (fillfactor = 70);
CREATE INDEX packs_holes ON region.packs (pack) WHERE ((((live_bytes)::bigint * 10) < ((size)::bigint * 7)) OR (live_blobs = 0));
CREATE UNIQUE INDEX packs_pack_id ON region.packs (pack_id);
CREATE INDEX packs_small ON region.packs (pack) WHERE (size < 1048576);

CREATE TABLE region.part_deltas (
  bucket_id bigint NOT NULL,
  bytes     bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000);

CREATE TABLE region.picture_leftovers (
  blob_id uuid        NOT NULL,
  left_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT picture_leftovers_pkey PRIMARY KEY (blob_id)
);
CREATE INDEX picture_leftovers_left_at ON region.picture_leftovers (left_at);

CREATE TABLE region.picture_progress (
  only_row       boolean     NOT NULL DEFAULT true,
  purged_through timestamptz NOT NULL,
  CONSTRAINT picture_progress_pkey PRIMARY KEY (only_row),
  CONSTRAINT picture_progress_only_row_check CHECK (only_row)
);
-- One row is in it from the beginning.

CREATE TABLE region.picture_rules (
  bucket_id bigint NOT NULL,
  separator text   NOT NULL,
  allowed   text   NOT NULL,
  CONSTRAINT picture_rules_pkey PRIMARY KEY (bucket_id),
  CONSTRAINT picture_rules_allowed_check CHECK ((allowed = ANY (ARRAY['all'::text, 'signed'::text, 'styles'::text])))
);

CREATE TABLE region.picture_styles (
  bucket_id  bigint      NOT NULL,
  name       text        COLLATE "C" NOT NULL,
  command    text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT picture_styles_pkey PRIMARY KEY (bucket_id, name)
);

CREATE TABLE region.pictures (
  source_blob uuid        NOT NULL,
  work        bytea       NOT NULL,
  blob_id     uuid,
  size        bigint      NOT NULL,
  hash        text        COLLATE "C" NOT NULL,
  mime_type   text        NOT NULL,
  used_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT pictures_pkey PRIMARY KEY (source_blob, work)
);
CREATE INDEX pictures_blob ON region.pictures (blob_id);
CREATE INDEX pictures_used ON region.pictures (used_at);

CREATE TABLE region.pipelines (
  uid         bigint      NOT NULL,
  name        text        COLLATE "C" NOT NULL,
  concurrency integer     NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pipelines_pkey PRIMARY KEY (uid, name),
  CONSTRAINT pipelines_concurrency_check CHECK (((concurrency >= 1) AND (concurrency <= 1000)))
);

CREATE TABLE region.request_counts (
  uid       bigint NOT NULL,
  day       date   NOT NULL,
  bucket_id bigint NOT NULL,
  calls     bigint NOT NULL,
  downloads bigint NOT NULL,
  CONSTRAINT request_counts_pkey PRIMARY KEY (uid, day, bucket_id)
) WITH (fillfactor = 70);
CREATE INDEX request_counts_day ON region.request_counts (day);

CREATE TABLE region.restores (
  bucket_id bigint      NOT NULL,
  ready_at  timestamptz NOT NULL
);
CREATE INDEX restores_bucket ON region.restores (bucket_id, ready_at);
CREATE INDEX restores_ready ON region.restores (ready_at);

CREATE TABLE region.segments (
  blob_id    uuid    NOT NULL,
  position   integer NOT NULL,
  segment_id uuid    NOT NULL,
  size       bigint  NOT NULL,
  CONSTRAINT segments_pkey PRIMARY KEY (blob_id, "position")
);
CREATE INDEX segments_segment ON region.segments (segment_id);

CREATE TABLE region.sweep_progress (
  only_row      boolean     NOT NULL DEFAULT true,
  swept_through timestamptz NOT NULL,
  CONSTRAINT sweep_progress_pkey PRIMARY KEY (only_row),
  CONSTRAINT sweep_progress_only_row_check CHECK (only_row)
);
-- One row is in it from the beginning.

CREATE TABLE region.task_results (
  uid       bigint      NOT NULL,
  digest    bytea       NOT NULL,
  bucket_id bigint      NOT NULL,
  key       text        COLLATE "C" NOT NULL,
  hash      text        COLLATE "C" NOT NULL,
  mime_type text        NOT NULL,
  made_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  warnings  text[],
  CONSTRAINT task_results_pkey PRIMARY KEY (uid, digest)
);
CREATE INDEX task_results_made_at ON region.task_results (made_at);

CREATE TABLE region.task_workers (
  process    uuid        NOT NULL,
  host       text        NOT NULL,
  pid        integer     NOT NULL,
  engines    text[],
  missing    jsonb       NOT NULL DEFAULT '{}'::jsonb,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now(),
  ended_at   timestamptz,
  CONSTRAINT task_workers_pkey PRIMARY KEY (process)
);

CREATE TABLE region.task_works (
  uid      bigint      NOT NULL,
  digest   bytea       NOT NULL,
  task_id  text        COLLATE "C" NOT NULL,
  id_time  timestamptz NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT task_works_pkey PRIMARY KEY (uid, digest)
);
CREATE INDEX task_works_task ON region.task_works (task_id);

CREATE TABLE region.tasks (
  task_id       text        COLLATE "C" NOT NULL,
  id_time       timestamptz NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  uid           bigint      NOT NULL,
  bucket_id     bigint      NOT NULL,
  input_bucket  text        NOT NULL,
  input_key     text        COLLATE "C" NOT NULL,
  blob_id       uuid        NOT NULL,
  segment_count integer     NOT NULL,
  fsize         bigint      NOT NULL,
  hash          text        COLLATE "C" NOT NULL,
  mime_type     text        NOT NULL,
  end_user      text,
  code          smallint    NOT NULL DEFAULT 1,
  items         jsonb       NOT NULL,
  is_idle       boolean     NOT NULL,
  pipeline      text        COLLATE "C",
  is_admitted   boolean     NOT NULL,
  is_forced     boolean     NOT NULL,
  notify_url    text,
  access_key    text        COLLATE "C",
  reqid         text        NOT NULL,
  task_from     text,
  attempt       integer     NOT NULL DEFAULT 0,
  silent_runs   integer     NOT NULL DEFAULT 0,
  leased_until  timestamptz,
  percent       real        NOT NULL DEFAULT 0,
  is_cancelled  boolean     NOT NULL DEFAULT false,
  finished_at   timestamptz,
  begun_at      timestamptz,
  worker        text,
  CONSTRAINT tasks_pkey PRIMARY KEY (task_id, id_time),
  CONSTRAINT tasks_code_check CHECK (((code >= 0) AND (code <= 3)))
) PARTITION BY RANGE (id_time);
CREATE TABLE region.tasks_default PARTITION OF region.tasks DEFAULT;
CREATE INDEX tasks_admitted ON region.tasks (uid, pipeline) WHERE ((code = ANY (ARRAY[1, 2])) AND is_admitted AND (pipeline IS NOT NULL));
CREATE INDEX tasks_all_failed ON region.tasks (finished_at) WHERE (code = 3);
CREATE INDEX tasks_failed ON region.tasks (uid, finished_at) WHERE (code = 3);
CREATE INDEX tasks_in_pipeline ON region.tasks (uid, pipeline, created_at) WHERE ((code = ANY (ARRAY[1, 2])) AND (pipeline IS NOT NULL));
CREATE INDEX tasks_input ON region.tasks (bucket_id, input_key);
CREATE INDEX tasks_open ON region.tasks (uid, code, created_at) WHERE (code = ANY (ARRAY[1, 2]));
CREATE INDEX tasks_pins ON region.tasks (blob_id) WHERE (code = ANY (ARRAY[1, 2]));
CREATE INDEX tasks_uid ON region.tasks (uid, created_at);

CREATE TABLE region.traces (
  trace_id bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  reqid    text        COLLATE "C" NOT NULL,
  at       timestamptz NOT NULL,
  uid      bigint,
  trace    text        NOT NULL,
  CONSTRAINT traces_pkey PRIMARY KEY (trace_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX traces_reqid ON region.traces (reqid);

CREATE TABLE region.trash (
  trash_id      bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
  blob_id       uuid        NOT NULL,
  segment_count integer     NOT NULL DEFAULT 1,
  reason        text        NOT NULL,
  trashed_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  collecting    boolean     NOT NULL DEFAULT false,
  object        jsonb,
  CONSTRAINT trash_pkey PRIMARY KEY (trash_id),
  CONSTRAINT trash_reason_check CHECK ((reason = ANY (ARRAY['deleted'::text, 'replaced'::text, 'moved'::text, 'refused'::text])))
);
CREATE INDEX trash_blob ON region.trash (blob_id, trashed_at);
CREATE INDEX trash_deleted_key ON region.trash ((((object ->> 'bucket_id'::text))::bigint), ((object ->> 'key'::text)) COLLATE "C", trashed_at) WHERE (reason = 'deleted'::text);
CREATE INDEX trash_object ON region.trash ((((object ->> 'bucket_id'::text))::bigint), ((object ->> 'key'::text)) COLLATE "C", trashed_at DESC, trash_id DESC) WHERE (object IS NOT NULL);
CREATE INDEX trash_refused ON region.trash (trash_id) WHERE (reason = 'refused'::text);
CREATE INDEX trash_trashed_at ON region.trash (trashed_at, trash_id);

CREATE TABLE region.triggers (
  trigger_id text        COLLATE "C" NOT NULL,
  uid        bigint      NOT NULL,
  bucket_id  bigint      NOT NULL,
  bucket     text        NOT NULL,
  prefix     text        COLLATE "C" NOT NULL,
  suffix     text        COLLATE "C" NOT NULL,
  workflow   text        COLLATE "C" NOT NULL,
  notify_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  is_forced  boolean     NOT NULL DEFAULT false,
  CONSTRAINT triggers_pkey PRIMARY KEY (trigger_id),
  CONSTRAINT triggers_uid_workflow_fkey FOREIGN KEY (uid, workflow) REFERENCES region.workflows(uid, name)
);
CREATE INDEX triggers_bucket ON region.triggers (bucket_id);
CREATE INDEX triggers_uid ON region.triggers (uid, trigger_id);

CREATE TABLE region.upload_blocks (
  block_id   uuid        NOT NULL,
  uid        bigint      NOT NULL,
  block_size integer     NOT NULL,
  filled     integer     NOT NULL,
  sha1       bytea       NOT NULL,
  class      smallint    NOT NULL,
  expires_at timestamptz NOT NULL,
  bucket_id  bigint,
  CONSTRAINT upload_blocks_pkey PRIMARY KEY (block_id)
);
CREATE INDEX upload_blocks_expires ON region.upload_blocks (expires_at);

CREATE TABLE region.upload_chunks (
  block_id   uuid    NOT NULL,
  at         integer NOT NULL,
  segment_id uuid    NOT NULL,
  size       integer NOT NULL,
  CONSTRAINT upload_chunks_pkey PRIMARY KEY (block_id, at),
  CONSTRAINT upload_chunks_block_id_fkey FOREIGN KEY (block_id) REFERENCES region.upload_blocks(block_id)
);
CREATE INDEX upload_chunks_segment ON region.upload_chunks (segment_id);
CREATE TRIGGER upload_chunks_count_added AFTER INSERT ON region.upload_chunks
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.count_chunks_added();
COMMENT ON TRIGGER upload_chunks_count_added ON region.upload_chunks IS 'No statement that adds chunks can forget to count them.';
CREATE TRIGGER upload_chunks_count_removed AFTER DELETE ON region.upload_chunks
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.count_chunks_removed();
COMMENT ON TRIGGER upload_chunks_count_removed ON region.upload_chunks IS 'No statement that removes chunks can forget to count them.';

CREATE TABLE region.upload_parts (
  upload_id   uuid    NOT NULL,
  part_number integer NOT NULL,
  segment_id  uuid    NOT NULL,
  size        bigint  NOT NULL,
  etag        text    COLLATE "C" NOT NULL,
  put_time    bigint  NOT NULL,
  md5         bytea,
  checksum    text,
  CONSTRAINT upload_parts_pkey PRIMARY KEY (upload_id, part_number),
  CONSTRAINT upload_parts_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES region.uploads(upload_id),
  CONSTRAINT upload_parts_part_number_check CHECK (((part_number >= 1) AND (part_number <= 10000)))
);
CREATE INDEX upload_parts_segment ON region.upload_parts (segment_id);
CREATE TRIGGER upload_parts_count_added AFTER INSERT ON region.upload_parts
  REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.count_parts_added();
COMMENT ON TRIGGER upload_parts_count_added ON region.upload_parts IS 'No statement that adds parts can forget to count them.';
CREATE TRIGGER upload_parts_count_removed AFTER DELETE ON region.upload_parts
  REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.count_parts_removed();
COMMENT ON TRIGGER upload_parts_count_removed ON region.upload_parts IS 'No statement that removes parts can forget to count them.';
CREATE TRIGGER upload_parts_count_replaced AFTER UPDATE ON region.upload_parts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT
  EXECUTE FUNCTION region.count_parts_replaced();
COMMENT ON TRIGGER upload_parts_count_replaced ON region.upload_parts IS 'No statement that replaces parts can forget to count the difference.';
CREATE TRIGGER upload_parts_replaced AFTER UPDATE ON region.upload_parts
  FOR EACH ROW
  WHEN ((old.segment_id IS DISTINCT FROM new.segment_id))
  EXECUTE FUNCTION region.keep_replaced_segment();
COMMENT ON TRIGGER upload_parts_replaced ON region.upload_parts IS 'A part that is sent again replaces the one before, whose bytes may not be forgotten.';

CREATE TABLE region.uploads (
  upload_id  uuid        NOT NULL,
  bucket_id  bigint      NOT NULL,
  key        text        COLLATE "C",
  class      smallint    NOT NULL,
  expires_at timestamptz NOT NULL,
  s3         jsonb,
  begun_at   timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT uploads_pkey PRIMARY KEY (upload_id)
);
CREATE INDEX uploads_bucket ON region.uploads (bucket_id);
CREATE INDEX uploads_expires ON region.uploads (expires_at);
CREATE INDEX uploads_s3 ON region.uploads (bucket_id, key, upload_id) WHERE (s3 IS NOT NULL);

CREATE TABLE region.usage_deltas (
  bucket_id bigint   NOT NULL,
  class     smallint NOT NULL,
  bytes     bigint   NOT NULL,
  objects   integer  NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000);

CREATE TABLE region.workflows (
  uid        bigint      NOT NULL,
  name       text        COLLATE "C" NOT NULL,
  commands   text        NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workflows_pkey PRIMARY KEY (uid, name)
);

CREATE TABLE queue.account_turns (
  queue    text   COLLATE "C" NOT NULL,
  account  text   COLLATE "C" NOT NULL,
  last_tag bigint NOT NULL,
  CONSTRAINT account_turns_pkey PRIMARY KEY (queue, account)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

CREATE TABLE queue.jobs (
  id         uuid        NOT NULL,
  queue      text        COLLATE "C" NOT NULL,
  account    text        COLLATE "C" NOT NULL,
  data       jsonb       NOT NULL,
  state      text        COLLATE "C" NOT NULL,
  tag        bigint,
  until      timestamptz,
  attempt    integer     NOT NULL DEFAULT 0,
  failures   integer     NOT NULL DEFAULT 0,
  reason     text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  failed_at  timestamptz,
  CONSTRAINT jobs_pkey PRIMARY KEY (id),
  CONSTRAINT jobs_check CHECK (((tag IS NULL) = (state = 'delayed'::text))),
  CONSTRAINT jobs_check1 CHECK (((until IS NULL) = (state = ANY (ARRAY['ready'::text, 'failed'::text])))),
  CONSTRAINT jobs_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'delayed'::text, 'retry'::text, 'active'::text, 'failed'::text])))
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);
CREATE INDEX jobs_all_failed ON queue.jobs (failed_at) WHERE (state = 'failed'::text);
CREATE INDEX jobs_failed ON queue.jobs (queue, failed_at) WHERE (state = 'failed'::text);
CREATE INDEX jobs_ready ON queue.jobs (queue, tag) WHERE (state = 'ready'::text);
CREATE INDEX jobs_subject ON queue.jobs (COALESCE((data ->> 'taskId'::text), (data ->> 'fetchId'::text))) WHERE (data ?| '{taskId,fetchId}'::text[]);
CREATE INDEX jobs_until ON queue.jobs (queue, state, until) WHERE (state = ANY (ARRAY['delayed'::text, 'retry'::text, 'active'::text]));

CREATE TABLE queue.periodic (
  name          text             COLLATE "C" NOT NULL,
  every_seconds double precision NOT NULL,
  next_due      timestamptz      NOT NULL DEFAULT now(),
  run           uuid,
  started_at    timestamptz,
  lease_until   timestamptz,
  last_ended_at timestamptz,
  last_error    text,
  CONSTRAINT periodic_pkey PRIMARY KEY (name),
  CONSTRAINT periodic_every_seconds_check CHECK ((every_seconds > (0)::double precision))
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE TABLE queue.virtual_time (
  queue text   COLLATE "C" NOT NULL,
  tag   bigint NOT NULL DEFAULT 0,
  CONSTRAINT virtual_time_pkey PRIMARY KEY (queue)
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE FUNCTION region.add_delivery(id uuid, of_kind text, of_uid bigint, with_key text, configured boolean, endpoint_name text, to_url text, of_type text, bytes bytea, of_entity text, about text, request_id text)
RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  endpoint bigint := region.delivery_endpoint(of_uid, configured, endpoint_name, to_url);
  lane bigint;
  number bigint := 1;
BEGIN
  IF of_entity IS NOT NULL THEN
    INSERT INTO region.delivery_lanes AS l (endpoint_id, entity, sequence) VALUES (endpoint, of_entity, 1)
    ON CONFLICT (endpoint_id, entity) DO UPDATE SET sequence = l.sequence + 1, told_at = now()
    RETURNING lane_id, sequence INTO lane, number;
  END IF;
  INSERT INTO region.deliveries (delivery_id, kind, uid, access_key, urls, content_type, body, state, subject, reqid,
                                 endpoint_id, entity, sequence)
  VALUES (id, of_kind, of_uid, with_key, ARRAY[to_url], of_type, bytes, 'waiting', about, request_id,
          endpoint, of_entity, number);
  INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size, is_test)
  VALUES (id, now(), endpoint, of_uid, lane, number, length(bytes), of_kind = 'test');
  RETURN number;
END $$;
COMMENT ON FUNCTION region.add_delivery(uuid,text,bigint,text,boolean,text,text,text,bytea,text,text,text) IS 'Adds an event in the transaction that caused it and returns its number among those of its entity; without an entity it stands alone.';

CREATE FUNCTION region.add_figures(a jsonb, b jsonb)
RETURNS jsonb
LANGUAGE sql
IMMUTABLE PARALLEL SAFE
AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, sum(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS added
$$;
COMMENT ON FUNCTION region.add_figures(jsonb,jsonb) IS 'Two sets of figures added up, name by name.';

CREATE FUNCTION region.blob_slot(id uuid)
RETURNS smallint
LANGUAGE sql
IMMUTABLE PARALLEL SAFE
AS $$
  SELECT get_byte(uuid_send(id), 7)::smallint
$$;
COMMENT ON FUNCTION region.blob_slot(uuid) IS 'The slot of the inbox into which the bytes of a small blob were put: its id says so.';

CREATE FUNCTION region.blob_time(id uuid)
RETURNS timestamptz
LANGUAGE sql
IMMUTABLE PARALLEL SAFE
AS $$
  SELECT to_timestamp(('x' || lpad(left(replace(id::text, '-', ''), 12), 16, '0'))::bit(64)::bigint / 1000.0)
$$;
COMMENT ON FUNCTION region.blob_time(uuid) IS 'The time inside a blob''s id (UUID v7), for the rule that old ids may not be committed.';

CREATE FUNCTION region.configure_endpoint(of_uid bigint, of_name text, to_url text)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  id bigint := region.delivery_endpoint(of_uid, true, of_name, to_url);
  known region.delivery_endpoints;
BEGIN
  SELECT * INTO known FROM region.delivery_endpoints WHERE endpoint_id = id FOR NO KEY UPDATE;
  IF known.url IS NOT DISTINCT FROM to_url THEN
    RETURN;
  END IF;
  UPDATE region.delivery_endpoints SET url = to_url, state = 'closed', suspended_at = NULL, reason = NULL,
    failing_since = NULL, openings = 0, probe_at = NULL, is_reviving = true, next_at = now()
  WHERE endpoint_id = id;
  IF known.state = 'suspended' THEN
    INSERT INTO region.delivery_notices (endpoint_id, uid, kind, text)
    VALUES (id, of_uid, 'resumed', 'its address was changed');
  END IF;
END $$;
COMMENT ON FUNCTION region.configure_endpoint(bigint,text,text) IS 'Gives a configured endpoint its address. What was learnt of the old address says nothing of the new one: what waits goes there.';

CREATE FUNCTION region.count_chunks_added()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_chunks_added() IS 'Counts new chunks of blocks for the quota of the bucket that the block was begun for.';

CREATE FUNCTION region.count_chunks_removed()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_chunks_removed() IS 'Takes removed chunks of blocks off the quota of their bucket.';

CREATE FUNCTION region.count_parts_added()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_added() IS 'Counts new parts of unfinished uploads for the quota of their bucket, one row for each bucket.';

CREATE FUNCTION region.count_parts_removed()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_removed() IS 'Takes removed parts of unfinished uploads off the quota of their bucket.';

CREATE FUNCTION region.count_parts_replaced()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM (
    SELECT upload_id, size FROM added UNION ALL SELECT upload_id, -size FROM removed
  ) AS changed JOIN region.uploads USING (upload_id) GROUP BY bucket_id HAVING sum(size) <> 0;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_parts_replaced() IS 'Counts by how much parts grew or shrank that were sent again.';

CREATE FUNCTION region.count_usage()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize, 1);
    IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM NEW.bucket_id::text THEN
      PERFORM region.note_change(NULL, NEW);
    END IF;
    RETURN NULL;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.usage_deltas VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1);
    IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM OLD.bucket_id::text THEN
      PERFORM region.note_change(OLD, NULL);
    END IF;
    RETURN NULL;
  ELSIF OLD.class <> NEW.class THEN
    INSERT INTO region.usage_deltas
      VALUES (OLD.bucket_id, OLD.class, -OLD.fsize, -1), (NEW.bucket_id, NEW.class, NEW.fsize, 1);
  ELSIF OLD.fsize <> NEW.fsize THEN
    INSERT INTO region.usage_deltas VALUES (NEW.bucket_id, NEW.class, NEW.fsize - OLD.fsize, 0);
  END IF;
  IF current_setting('millpond.bucket_without_events', true) IS DISTINCT FROM NEW.bucket_id::text THEN
    PERFORM region.note_change(OLD, NEW);
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.count_usage() IS 'Writes what a change adds to or takes from its bucket as a row of its own, so that no two writers meet, and has the change noted for event rules.';

CREATE FUNCTION region.delivery_endpoint(of_uid bigint, configured boolean, of_name text, to_url text)
RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  known region.delivery_endpoints;
BEGIN
  LOOP
    SELECT * INTO known FROM region.delivery_endpoints
    WHERE uid = of_uid AND is_configured = configured AND name = of_name;
    IF NOT FOUND THEN
      INSERT INTO region.delivery_endpoints (uid, is_configured, name, url)
      VALUES (of_uid, configured, of_name, CASE WHEN configured THEN to_url END) ON CONFLICT DO NOTHING;
      CONTINUE;
    END IF;
    EXIT WHEN known.retired_at IS NULL;
    -- Whoever forgets endpoints may take it away meanwhile: then nothing was marked, and it is looked for again.
    UPDATE region.delivery_endpoints SET retired_at = NULL WHERE endpoint_id = known.endpoint_id;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN known.endpoint_id;
END $$;
COMMENT ON FUNCTION region.delivery_endpoint(bigint,boolean,text,text) IS 'The id of the endpoint of that name, made where it is missing, and no longer retired.';

CREATE FUNCTION region.device_uid()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  NEW.uid := (SELECT uid FROM region.live_namespaces WHERE ns_id = NEW.ns_id);
  RETURN NEW;
END $$;
COMMENT ON FUNCTION region.device_uid() IS 'Writes whose a device is: the account of its namespace.';

CREATE FUNCTION region.drop_days(parent text, days integer)
RETURNS integer
LANGUAGE plpgsql
SET lock_timeout TO '2s'
AS $$
DECLARE
  day record;
  unfinished boolean;
  dropped integer := 0;
BEGIN
  FOR day IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('region.%I', parent)::regclass AND c.relname ~ '_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - days
    ORDER BY c.relname
  LOOP
    unfinished := false;
    IF parent = 'deliveries' THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE state = ''waiting'')', day.relname) INTO unfinished;
    END IF;
    CONTINUE WHEN unfinished;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', day.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  -- What fell into the default partition goes by itself, so many at a time.
  IF parent = 'deliveries' THEN
    DELETE FROM region.deliveries_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.deliveries_default
      WHERE created_at < now() - days * interval '1 day' AND state <> 'waiting' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  ELSIF parent = 'delivery_attempts' THEN
    DELETE FROM region.delivery_attempts_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.delivery_attempts_default
      WHERE begun_at < now() - days * interval '1 day' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN dropped;
END $$;
COMMENT ON FUNCTION region.drop_days(text,integer) IS 'Drops the partitions of a table that are older than so many days, but no day in which a delivery still waits; returns how many.';

CREATE FUNCTION region.drop_task_days(kept interval)
RETURNS integer
LANGUAGE plpgsql
SET lock_timeout TO '2s'
AS $$
DECLARE
  part    record;
  busy    boolean;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'region.tasks'::regclass AND c.relname ~ '^tasks_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (clock_timestamp() - kept) AT TIME ZONE 'UTC'
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE code IN (1, 2))', part.relname) INTO busy;
    CONTINUE WHEN busy;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', part.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  DELETE FROM region.tasks_default WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM region.tasks_default
    WHERE id_time < clock_timestamp() - kept AND code IN (0, 3) LIMIT 100000 FOR UPDATE SKIP LOCKED));
  RETURN dropped;
END $$;
COMMENT ON FUNCTION region.drop_task_days(interval) IS 'Drops the days of tasks that nobody asks about any more and in which nothing is unfinished; returns how many.';

CREATE FUNCTION region.ensure_days(parent text, days integer)
RETURNS void
LANGUAGE plpgsql
SET lock_timeout TO '2s'
AS $$
DECLARE
  day  date;
  name text;
BEGIN
  FOR ahead IN 0..days LOOP
    day := (now() AT TIME ZONE 'UTC')::date + ahead;
    name := parent || to_char(day, '_YYYYMMDD');
    CONTINUE WHEN to_regclass(format('region.%I', name)) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE IF NOT EXISTS region.%I PARTITION OF region.%I FOR VALUES FROM (%L) TO (%L)',
                     name, parent, day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
END $$;
COMMENT ON FUNCTION region.ensure_days(text,integer) IS 'Makes the partitions of a table for the next days, so that no row falls into the default one; a day whose rows lie there already gets none.';

CREATE FUNCTION region.event_facts(o region.objects)
RETURNS jsonb
LANGUAGE sql
STABLE PARALLEL SAFE
AS $$
  SELECT jsonb_strip_nulls(jsonb_build_object(
    'size', o.fsize, 'hash', o.hash, 'mimeType', o.mime_type, 'storageClass', o.class, 'putTime', o.put_time::text,
    'endUser', o.end_user, 'restoreReady', o.restore_ready_at, 'restoreEnds', o.restore_ends_at))
$$;
COMMENT ON FUNCTION region.event_facts(region.objects) IS 'What events say of an object, as JSON.';

CREATE FUNCTION region.forget_bucket()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM region.picture_styles WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.picture_rules WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.triggers WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.event_rules WHERE bucket_id = OLD.bucket_id;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.forget_bucket() IS 'Deletes what an account has set up for a bucket: styles, rules of images, triggers and event rules.';

CREATE FUNCTION region.higher_figures(a jsonb, b jsonb)
RETURNS jsonb
LANGUAGE sql
IMMUTABLE PARALLEL SAFE
AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, max(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS compared
$$;
COMMENT ON FUNCTION region.higher_figures(jsonb,jsonb) IS 'The higher of two figures, name by name.';

CREATE FUNCTION region.keep_moved_blob()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.trash (blob_id, segment_count, reason) VALUES (OLD.blob_id, OLD.segment_count, 'moved');
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_moved_blob() IS 'Puts the bytes of a moved object into the trash without its row: nothing was deleted that could be brought back, but the collector must look.';

CREATE FUNCTION region.keep_replaced_blob()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO region.trash (blob_id, segment_count, reason, object)
      VALUES (OLD.blob_id, OLD.segment_count, 'deleted', to_jsonb(OLD));
  ELSIF NEW.put_time = OLD.put_time THEN
    INSERT INTO region.trash (blob_id, segment_count, reason) VALUES (OLD.blob_id, OLD.segment_count, 'moved');
  ELSE
    INSERT INTO region.trash (blob_id, segment_count, reason, object)
      VALUES (OLD.blob_id, OLD.segment_count, 'replaced', to_jsonb(OLD));
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_replaced_blob() IS 'Puts the bytes of an object that is replaced or deleted into the trash, with the row that it had, for undelete.';

CREATE FUNCTION region.keep_replaced_segment()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO region.trash (blob_id, reason) VALUES (OLD.segment_id, 'refused');
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.keep_replaced_segment() IS 'Puts the bytes of a part that was sent again into the trash.';

CREATE FUNCTION region.midnight_after(days integer)
RETURNS timestamptz
LANGUAGE sql
PARALLEL SAFE
AS $$
  SELECT to_timestamp(ceil(extract(epoch FROM clock_timestamp()) / 86400 + days) * 86400)
$$;
COMMENT ON FUNCTION region.midnight_after(integer) IS 'The midnight (UTC) after so many days, as deleteAfterDays counts them.';

CREATE FUNCTION region.note_change(was region.objects, o region.objects)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  way text := nullif(current_setting('millpond.change_cause', true), '');
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
COMMENT ON FUNCTION region.note_change(region.objects,region.objects) IS 'Finds out what became of an object (created, overwritten, deleted, expired, in another class, restored) and notes it, if its bucket has event rules.';

CREATE FUNCTION region.note_event(o region.objects, of_event text, of_way text, was jsonb, not_before timestamptz)
RETURNS void
LANGUAGE plpgsql
AS $$
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
COMMENT ON FUNCTION region.note_event(region.objects,text,text,jsonb,timestamptz) IS 'Writes one row for an event of an object, with the rules that select it, if there are any.';

CREATE FUNCTION region.put_time_now()
RETURNS bigint
LANGUAGE sql
PARALLEL SAFE
AS $$
  SELECT (extract(epoch FROM clock_timestamp()) * 10000000)::bigint
$$;
COMMENT ON FUNCTION region.put_time_now() IS 'The put time of now, in units of 100 ns.';

CREATE FUNCTION region.restore_status(storage_class smallint, ready_at timestamptz, ends_at timestamptz)
RETURNS smallint
LANGUAGE sql
PARALLEL SAFE
AS $$
  SELECT (CASE
    WHEN storage_class < 2 THEN NULL
    WHEN ready_at IS NULL OR ends_at <= clock_timestamp() THEN 0
    WHEN ready_at > clock_timestamp() THEN 1
    ELSE 2
  END)::smallint
$$;
COMMENT ON FUNCTION region.restore_status(smallint,timestamptz,timestamptz) IS 'Whether an archived object can be read: 0 frozen, 1 being restored, 2 restored; null for a class that is never frozen.';

CREATE FUNCTION region.s3_etag(md5 bytea, md5_parts smallint, hash text)
RETURNS text
LANGUAGE sql
IMMUTABLE PARALLEL SAFE
AS $$
  SELECT CASE
    WHEN md5 IS NULL THEN md5(hash) || '-1'
    WHEN md5_parts = 0 THEN encode(md5, 'hex')
    ELSE encode(md5, 'hex') || '-' || md5_parts
  END
$$;
COMMENT ON FUNCTION region.s3_etag(bytea,smallint,text) IS 'The ETag that S3 shows: the MD5 of the bytes, that of the parts with their number, or a value with a dash that no client takes for an MD5.';

CREATE FUNCTION region.sum_usage()
RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM now_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.class_usage AS u SELECT class, -sum(bytes), -sum(objects) FROM was_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSE
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM (
      SELECT class, bytes, objects FROM now_there UNION ALL SELECT class, -bytes, -objects FROM was_there) AS changed
    GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  END IF;
  RETURN NULL;
END $$;
COMMENT ON FUNCTION region.sum_usage() IS 'Adds what a statement changed in the usage of buckets to the usage of the whole region.';

CREATE AGGREGATE region.highest_figures(jsonb) (SFUNC = region.higher_figures, STYPE = jsonb, INITCOND = '{}');
COMMENT ON AGGREGATE region.highest_figures(jsonb) IS 'The highest gauges of many rows.';

CREATE AGGREGATE region.sum_figures(jsonb) (SFUNC = region.add_figures, STYPE = jsonb, INITCOND = '{}');
COMMENT ON AGGREGATE region.sum_figures(jsonb) IS 'Adds up counts of many rows.';

CREATE FUNCTION queue.take_turns(queue_name text, account_name text, jobs bigint, reached bigint)
RETURNS bigint
LANGUAGE plpgsql
AS $$
DECLARE
  -- 128 locks a queue, so that a batch for many accounts can't fill the server's lock table.
  is_alone boolean := pg_try_advisory_xact_lock(
    hashtextextended('queue.account_turns' || chr(31) || queue_name, hashtext(account_name) & 127));
  before bigint;
BEGIN
  SELECT greatest(max(t.last_tag), reached) INTO before
  FROM queue.account_turns t WHERE t.queue = queue_name AND t.account = account_name;
  IF is_alone THEN
    INSERT INTO queue.account_turns AS t (queue, account, last_tag) VALUES (queue_name, account_name, before + jobs)
    ON CONFLICT (queue, account) DO UPDATE SET last_tag = excluded.last_tag;
  END IF;
  RETURN before;
END $$;
COMMENT ON FUNCTION queue.take_turns(text,text,bigint,bigint) IS 'Takes consecutive turns of an account in a queue and returns the one before the first; it never waits, and rather gives out turns twice.';
