-- Media of devices: which channels somebody wants to see, and what has become of it.

-- One row for each channel that is wanted, or whose end is still to be told to its device.
CREATE TABLE region.device_media (
  device_id  bigint NOT NULL REFERENCES region.devices ON DELETE CASCADE,
  -- Empty: the camera itself, by whichever of its channels is its own.
  channel    text COLLATE "C" NOT NULL,
  is_wanted  boolean NOT NULL DEFAULT true,
  -- When it was last asked for: who asks again need not wait for the next try.
  wanted_at  timestamptz NOT NULL DEFAULT now(),
  state      text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'inviting', 'running', 'failed')),
  reason     text NOT NULL DEFAULT '',
  -- The call that the device took, so that another process can end it.
  dialog     jsonb,
  changed_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (device_id, channel)
);

ALTER TABLE region.live_streams
  -- Of what the server itself shows when it publishes a device's media; null: nobody may publish it in a namespace of devices.
  ADD COLUMN feed_hash bytea;
