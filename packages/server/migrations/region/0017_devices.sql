-- Devices: cameras and platforms that register by SIP (GB/T 28181), and their channels.

CREATE TABLE region.devices (
  device_id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  ns_id           text COLLATE "C" NOT NULL REFERENCES region.live_namespaces,
  gbid            text COLLATE "C" NOT NULL,
  name            text NOT NULL,
  description     text NOT NULL,
  -- 1 camera, 2 platform.
  kind            smallint NOT NULL CHECK (kind IN (1, 2)),
  username        text COLLATE "C" NOT NULL,
  sealed_password bytea NOT NULL,
  master_key      text NOT NULL,
  user_agent      text NOT NULL DEFAULT '',
  -- What was told last, and when that became so.
  is_online       boolean NOT NULL DEFAULT false,
  changed_at      timestamptz,
  registered_at   timestamptz,
  -- As of its last registration's end; while it is registered, that row knows.
  seen_at         timestamptz,
  -- Somebody wants its channels listed anew; the owner of its port asks it.
  is_catalog_due  boolean NOT NULL DEFAULT false,
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (ns_id, gbid),
  -- A device says who it is by these two.
  UNIQUE (gbid, username)
);
CREATE INDEX devices_online ON region.devices (ns_id, gbid) WHERE is_online;
CREATE INDEX devices_catalog_due ON region.devices (device_id) WHERE is_catalog_due;
CREATE INDEX devices_master_key ON region.devices (master_key);

-- One row for each registration that holds. A keepalive changes seen_at alone, which is in no index: the new version of
-- the row finds room on the same page.
CREATE TABLE region.device_registrations (
  device_id     bigint PRIMARY KEY REFERENCES region.devices ON DELETE CASCADE,
  -- The lease under which it was taken: whoever has that speaks for it.
  lease         text COLLATE "C" NOT NULL,
  transport     text NOT NULL CHECK (transport IN ('udp', 'tcp')),
  address       text NOT NULL,
  port          integer NOT NULL,
  registered_at timestamptz NOT NULL,
  expires_at    timestamptz NOT NULL,
  seen_at       timestamptz NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE region.device_channels (
  device_id  bigint NOT NULL REFERENCES region.devices ON DELETE CASCADE,
  gbid       text COLLATE "C" NOT NULL,
  name       text NOT NULL,
  vendor     text NOT NULL,
  -- What the device said of it.
  is_on      boolean NOT NULL,
  -- What was told last: it is on, and its device is there.
  is_online  boolean NOT NULL,
  synced_at  timestamptz NOT NULL,
  PRIMARY KEY (device_id, gbid)
);
