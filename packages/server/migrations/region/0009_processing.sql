-- Persistent processing: what accounts set up for it, and the tasks.

-- A queue of an account's own. The shared queue has no row: it has no cap.
CREATE TABLE region.pipelines (
  uid         bigint NOT NULL,
  name        text COLLATE "C" NOT NULL,
  concurrency integer NOT NULL CHECK (concurrency BETWEEN 1 AND 1000),
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uid, name)
);

CREATE TABLE region.workflows (
  uid        bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  commands   text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (uid, name)
);

-- Uploads and fetches whose key matches start the workflow.
CREATE TABLE region.triggers (
  trigger_id text COLLATE "C" PRIMARY KEY,
  uid        bigint NOT NULL,
  bucket_id  bigint NOT NULL,
  bucket     text NOT NULL,
  prefix     text COLLATE "C" NOT NULL,
  suffix     text COLLATE "C" NOT NULL,
  workflow   text COLLATE "C" NOT NULL,
  notify_url text,
  created_at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (uid, workflow) REFERENCES region.workflows (uid, name)
);
CREATE INDEX triggers_bucket ON region.triggers (bucket_id);
CREATE INDEX triggers_uid ON region.triggers (uid, trigger_id);

-- Partitioned by the time inside the id, so that a query by id touches one day; dropped whole when all is finished.
CREATE TABLE region.tasks (
  task_id       text COLLATE "C" NOT NULL,
  id_time       timestamptz NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  uid           bigint NOT NULL,
  -- The source as it was at the submission: an overwrite or delete meanwhile changes nothing here.
  bucket_id     bigint NOT NULL,
  input_bucket  text NOT NULL,
  input_key     text COLLATE "C" NOT NULL,
  blob_id       uuid NOT NULL,
  segment_count integer NOT NULL,
  fsize         bigint NOT NULL,
  hash          text COLLATE "C" NOT NULL,
  mime_type     text NOT NULL,
  end_user      text,
  -- 1 waiting, 2 processing, 0 done, 3 failed. A 2 whose lease has ended is a 1.
  code          smallint NOT NULL DEFAULT 1 CHECK (code BETWEEN 0 AND 3),
  items         jsonb NOT NULL,
  is_idle       boolean NOT NULL,
  -- Null: the shared queue.
  pipeline      text COLLATE "C",
  -- False while it waits for room in its pipeline: then there is no job for it.
  is_admitted   boolean NOT NULL,
  is_forced     boolean NOT NULL,
  notify_url    text,
  access_key    text COLLATE "C",
  reqid         text NOT NULL,
  task_from     text,
  -- Which run may write: each begins with one more.
  attempt       integer NOT NULL DEFAULT 0,
  -- Runs that have not said how they ended: the one under way, and those that took their worker down.
  silent_runs   integer NOT NULL DEFAULT 0,
  leased_until  timestamptz,
  percent       real NOT NULL DEFAULT 0,
  is_cancelled  boolean NOT NULL DEFAULT false,
  finished_at   timestamptz,
  PRIMARY KEY (task_id, id_time)
) PARTITION BY RANGE (id_time);
CREATE TABLE region.tasks_default PARTITION OF region.tasks DEFAULT;
CREATE INDEX tasks_uid ON region.tasks (uid, created_at);
CREATE INDEX tasks_input ON region.tasks (bucket_id, input_key);
-- Bytes that a task still needs; the collector asks.
CREATE INDEX tasks_pins ON region.tasks (blob_id) WHERE code IN (1, 2);
CREATE INDEX tasks_in_pipeline ON region.tasks (uid, pipeline, created_at) WHERE code IN (1, 2) AND pipeline IS NOT NULL;
SELECT region.ensure_days('tasks', 7);

-- Days that nobody asks about any more and in which nothing is unfinished.
CREATE FUNCTION region.drop_task_days(kept interval) RETURNS integer LANGUAGE plpgsql AS $$
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
    IF NOT busy THEN
      EXECUTE format('DROP TABLE region.%I', part.relname);
      dropped := dropped + 1;
    END IF;
  END LOOP;
  DELETE FROM region.tasks_default WHERE id_time < clock_timestamp() - kept AND code IN (0, 3);
  RETURN dropped;
END $$;
