-- What the work queue keeps beside pg-boss (whose own schema is made by the deploy step): turns of accounts, delayed
-- work, periodic work. All times are judged by this database's clock.

CREATE SCHEMA queue;

-- How far each queue has come: the highest tag a worker has taken. Written by workers, only read by enqueues.
CREATE TABLE queue.virtual_time (
  queue text COLLATE "C" PRIMARY KEY,
  tag   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 10, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The last tag handed to an account. A row no greater than its queue's virtual time says nothing and is deleted.
CREATE TABLE queue.account_turns (
  queue    text COLLATE "C" NOT NULL,
  account  text COLLATE "C" NOT NULL,
  last_tag bigint NOT NULL,
  PRIMARY KEY (queue, account)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Takes `jobs` consecutive tags for an account and returns the tag before the first of them.
-- Never waits: while another transaction of the account (or of one with the same hash) is open, tags are given out
-- twice instead. An account can so get as many jobs per tag as it has transactions open, but callers never block or
-- deadlock each other.
CREATE FUNCTION queue.take_turns(queue_name text, account_name text, jobs bigint, reached bigint) RETURNS bigint
LANGUAGE plpgsql AS $$
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

-- Gives every job of the array its priority: the negated tag of its account, so that accounts take turns.
CREATE FUNCTION queue.with_turns(jobs jsonb, queue_name text) RETURNS json
LANGUAGE plpgsql AS $$
DECLARE
  reached bigint := coalesce((SELECT v.tag FROM queue.virtual_time v WHERE v.queue = queue_name), 0);
  before jsonb := '{}';
  share record;
BEGIN
  IF jsonb_array_length(jobs) = 1 THEN
    RETURN json_build_array(jobs -> 0 || jsonb_build_object('priority',
      -least(1 + queue.take_turns(queue_name, coalesce(jobs -> 0 ->> 'account', ''), 1, reached), 2147483647)));
  END IF;
  FOR share IN
    SELECT coalesce(job ->> 'account', '') AS account, count(*) AS jobs
    FROM jsonb_array_elements(jobs) AS job GROUP BY 1
  LOOP
    before := before || jsonb_build_object(share.account,
      queue.take_turns(queue_name, share.account, share.jobs, reached));
  END LOOP;
  RETURN (
    SELECT json_agg(job || jsonb_build_object('priority', -least(tag, 2147483647)) ORDER BY position)
    FROM (
      SELECT job, position, (before ->> coalesce(job ->> 'account', ''))::bigint
             + row_number() OVER (PARTITION BY coalesce(job ->> 'account', '') ORDER BY position) AS tag
      FROM jsonb_array_elements(jobs) WITH ORDINALITY AS element (job, position)
    ) AS tagged
  );
END $$;

-- Work for later. It becomes a job of the same id when due; until then no poll of the jobs sees it.
CREATE TABLE queue.delayed (
  id      uuid PRIMARY KEY,
  queue   text COLLATE "C" NOT NULL,
  account text COLLATE "C" NOT NULL,
  data    jsonb NOT NULL,
  due_at  timestamptz NOT NULL
);
CREATE INDEX delayed_due ON queue.delayed (queue, due_at);

-- Periodic work. A run holds the row by `run` until lease_until; next_due moves only when a run has ended, so a run
-- whose process died is taken over as soon as its lease has run out.
CREATE TABLE queue.periodic (
  name          text COLLATE "C" PRIMARY KEY,
  every_seconds double precision NOT NULL CHECK (every_seconds > 0),
  next_due      timestamptz NOT NULL DEFAULT now(),
  run           uuid,
  started_at    timestamptz,
  lease_until   timestamptz,
  last_ended_at timestamptz,
  last_error    text
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
