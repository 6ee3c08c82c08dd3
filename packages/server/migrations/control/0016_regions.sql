-- The regions that share this database, as their gateways told it.
CREATE TABLE control.regions (
  region  text COLLATE "C" PRIMARY KEY,
  -- Public host names by role; none if the region has not configured any.
  hosts   jsonb NOT NULL,
  told_at timestamptz NOT NULL DEFAULT now()
);

-- A bucket's record is made here first, possibly by another region; its own region then opens the gate.
ALTER TABLE control.buckets ADD COLUMN awaits_gate boolean NOT NULL DEFAULT false;

-- Where buckets are created if nobody says where; null: in the region that is asked.
ALTER TABLE control.accounts ADD COLUMN default_region text;
