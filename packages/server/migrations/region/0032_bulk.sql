-- Work on many objects of a bucket: all under a prefix, or those that were named.
CREATE TABLE region.bulk (
  bulk_id    uuid PRIMARY KEY,
  uid        bigint NOT NULL,
  kind       text NOT NULL,
  bucket_id  bigint NOT NULL,
  bucket     text NOT NULL,
  -- Of all keys it is about; named keys begin with it, too.
  prefix     text COLLATE "C" NOT NULL,
  -- Null: all under the prefix.
  keys       text[],
  -- What it is to do with them.
  request    jsonb NOT NULL,
  -- The key with limits that submitted it, its limits then, and from where.
  access_key text,
  limits     jsonb,
  address    text NOT NULL,
  -- What was put later is left alone.
  as_of      bigint NOT NULL DEFAULT region.put_time_now(),
  state      text NOT NULL DEFAULT 'waiting',
  -- Which run of a worker has it: an older one's writes are refused.
  run        integer NOT NULL DEFAULT 0,
  -- Runs that made no progress, one after the other.
  idle_runs  integer NOT NULL DEFAULT 0,
  -- Where it goes on: a key, or how many of the named keys are behind it.
  place      text COLLATE "C" NOT NULL,
  done       bigint NOT NULL DEFAULT 0,
  failed     bigint NOT NULL DEFAULT 0,
  bytes      bigint NOT NULL DEFAULT 0,
  -- How many it is about, if that is known.
  expected   bigint,
  current    text,
  problems   jsonb NOT NULL DEFAULT '[]',
  words      text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  begun_at   timestamptz,
  ended_at   timestamptz
-- Every page of objects updates its row, in place.
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
CREATE INDEX bulk_of_account ON region.bulk (uid, bulk_id);
CREATE INDEX bulk_in_state ON region.bulk (uid, state, bulk_id);
CREATE INDEX bulk_open ON region.bulk (state) WHERE ended_at IS NULL;
CREATE INDEX bulk_ended ON region.bulk (ended_at) WHERE ended_at IS NOT NULL;
