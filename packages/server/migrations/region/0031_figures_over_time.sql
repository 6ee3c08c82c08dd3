-- What the region did and how it was, over time, so that operators can look back without a separate database of metrics.

-- Processes that write figures, by what each says of itself once a minute. One that ends takes its row with it.
CREATE TABLE region.figures_processes (
  process    uuid PRIMARY KEY,
  host       text NOT NULL,
  pid        integer NOT NULL,
  roles      text[] NOT NULL,
  -- What it says of the engines that only it can see: the sandbox, the SIP port, the archive classes.
  facts      jsonb NOT NULL,
  -- Of the figures it wrote last: a row that is sent again, because nobody knows whether it arrived, is added once.
  sequence   bigint NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now()
);

-- One row a minute and process; some minutes later one for all processes (process 0…0), and later one for ten minutes, and one
-- for an hour. Counts are differences and are added up; gauges are of the region, and the highest of a time is kept.
CREATE TABLE region.figures_minutes (
  -- How long the row's time is: 60, 600 or 3600.
  seconds integer NOT NULL,
  at      timestamptz NOT NULL,
  process uuid NOT NULL,
  -- For how much of that time there are figures.
  covered integer NOT NULL,
  counts  jsonb NOT NULL,
  gauges  jsonb NOT NULL,
  PRIMARY KEY (seconds, at, process)
);

CREATE FUNCTION region.add_figures(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, sum(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS added
$$;
CREATE FUNCTION region.higher_figures(a jsonb, b jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM (
    SELECT key, max(value::numeric) AS value
    FROM (SELECT * FROM jsonb_each_text(a) UNION ALL SELECT * FROM jsonb_each_text(b)) AS given GROUP BY key) AS compared
$$;
CREATE AGGREGATE region.sum_figures(jsonb) (SFUNC = region.add_figures, STYPE = jsonb, INITCOND = '{}');
CREATE AGGREGATE region.highest_figures(jsonb) (SFUNC = region.higher_figures, STYPE = jsonb, INITCOND = '{}');

-- Restores under way: one row for each, written with the restore and forgotten when it is ready. An index of the objects
-- themselves would make every put take one lock more. Restores that began before this table are not in it.
CREATE TABLE region.restores (
  bucket_id bigint NOT NULL,
  ready_at  timestamptz NOT NULL
);
CREATE INDEX restores_bucket ON region.restores (bucket_id, ready_at);
CREATE INDEX restores_ready ON region.restores (ready_at);

-- Tasks that are not finished, and those that failed: of an account, and of all.
CREATE INDEX tasks_open ON region.tasks (uid, code, created_at) WHERE code IN (1, 2);
CREATE INDEX tasks_failed ON region.tasks (uid, finished_at) WHERE code = 3;
CREATE INDEX tasks_all_failed ON region.tasks (finished_at) WHERE code = 3;

-- Since when nobody sends it any more; null again when it is sent again.
ALTER TABLE region.deliveries ADD COLUMN failed_at timestamptz;
UPDATE region.deliveries SET failed_at = created_at WHERE state = 'failed';
CREATE INDEX deliveries_failed ON region.deliveries (uid, failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX deliveries_all_failed ON region.deliveries (failed_at) WHERE failed_at IS NOT NULL;

ALTER TABLE region.fetches ADD COLUMN failed_at timestamptz;
UPDATE region.fetches SET failed_at = created_at WHERE state = 'failed';
CREATE INDEX fetches_failed ON region.fetches (uid, failed_at) WHERE failed_at IS NOT NULL;
CREATE INDEX fetches_all_failed ON region.fetches (failed_at) WHERE failed_at IS NOT NULL;

-- Jobs that were given up, of all queues.
CREATE INDEX jobs_all_failed ON queue.jobs (failed_at) WHERE state = 'failed';

-- What came in from the publishers of live streams, by minute, for an hour.
CREATE TABLE region.live_minutes (
  ns_id     text COLLATE "C" NOT NULL,
  stream_id text COLLATE "C" NOT NULL,
  at        timestamptz NOT NULL,
  -- Bits a second: all, and of these the video and the audio.
  bitrate   bigint NOT NULL,
  video     bigint NOT NULL,
  audio     bigint NOT NULL,
  PRIMARY KEY (ns_id, stream_id, at)
) WITH (autovacuum_vacuum_scale_factor = 0.1);
CREATE INDEX live_minutes_at ON region.live_minutes (at);
