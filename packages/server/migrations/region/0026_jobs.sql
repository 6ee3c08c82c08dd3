-- The jobs of all queues, in a table of our own instead of pg-boss's. A job is deleted when it is done.
--   ready   to be taken, by the order of `tag` (its turn, see queue.take_turns)
--   delayed not before `until`; takes its turn then
--   retry   not before `until`, after a failure; keeps its turn
--   active  taken; its worker renews `until`, and who may settle it is told by `attempt`
--   failed  its retries are used up; it stays until somebody sends it again
CREATE TABLE queue.jobs (
  id         uuid PRIMARY KEY,
  queue      text COLLATE "C" NOT NULL,
  account    text COLLATE "C" NOT NULL,
  data       jsonb NOT NULL,
  state      text COLLATE "C" NOT NULL CHECK (state IN ('ready', 'delayed', 'retry', 'active', 'failed')),
  tag        bigint CHECK ((tag IS NULL) = (state = 'delayed')),
  until      timestamptz CHECK ((until IS NULL) = (state IN ('ready', 'failed'))),
  -- Counts the claims; no two attempts of a job have the same.
  attempt    integer NOT NULL DEFAULT 0,
  -- Attempts that failed. One that was handed back did not.
  failures   integer NOT NULL DEFAULT 0,
  reason     text,
  created_at timestamptz NOT NULL DEFAULT now(),
  started_at timestamptz,
  failed_at  timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000);

-- Each holds only what its reader looks for, so that a claim costs the same however much waits.
CREATE INDEX jobs_ready ON queue.jobs (queue, tag) WHERE state = 'ready';
CREATE INDEX jobs_until ON queue.jobs (queue, state, until) WHERE state IN ('delayed', 'retry', 'active');
CREATE INDEX jobs_failed ON queue.jobs (queue, failed_at) WHERE state = 'failed';

-- Moves jobs from the tables of versions that had pg-boss; returns how many. Servers of such a version may still run and
-- add to them: what their workers hold is left to them while they renew it, and what nobody renews is taken over, one
-- attempt further. Whoever then settles the old row finds none.
CREATE FUNCTION queue.carry_over(most integer) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  moved bigint;
  more bigint;
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN
    RETURN 0;
  END IF;
  WITH old AS MATERIALIZED (
    SELECT j.name, j.id FROM pgboss.job j
    WHERE j.state IN ('created', 'retry') OR (j.state = 'active' AND now() >
      coalesce(j.heartbeat_on, j.started_on) + make_interval(secs => coalesce(j.heartbeat_seconds, 10)))
    LIMIT most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM pgboss.job j USING old WHERE j.name = old.name AND j.id = old.id RETURNING j.*
  ), carried AS (
    SELECT *, CASE WHEN state = 'active' THEN now() ELSE start_after END AS due_at,
           CASE WHEN started_on IS NULL THEN 0 ELSE retry_count + 1 END AS attempt
    FROM gone
  )
  INSERT INTO queue.jobs (id, queue, account, data, state, tag, until, attempt, failures, reason, created_at, failed_at)
  SELECT id, name, '', coalesce(data, '{}'), 'ready', -priority, NULL::timestamptz, attempt, attempt, NULL, created_on, NULL::timestamptz
  FROM carried WHERE name <> 'dead-letter' AND due_at <= now()
  UNION ALL
  SELECT id, name, '', coalesce(data, '{}'), 'retry', -priority, due_at, attempt, attempt, NULL, created_on, NULL::timestamptz
  FROM carried WHERE name <> 'dead-letter' AND due_at > now()
  UNION ALL
  SELECT id, source_name, '', coalesce(data, '{}'), 'failed', 0, NULL, source_retry_count + 1, source_retry_count + 1,
         coalesce(source_output ->> 'message', source_output #>> '{value,message}', ''), source_created_on, created_on
  FROM carried WHERE name = 'dead-letter';
  GET DIAGNOSTICS moved = ROW_COUNT;

  WITH old AS MATERIALIZED (
    SELECT d.id FROM queue.delayed d LIMIT most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM queue.delayed d USING old WHERE d.id = old.id RETURNING d.*
  )
  INSERT INTO queue.jobs (id, queue, account, data, state, until)
  SELECT id, queue, account, data, 'delayed', due_at FROM gone;
  GET DIAGNOSTICS more = ROW_COUNT;
  RETURN moved + more;
END $$;

-- Where no such version ever ran, nothing of it is needed.
DO $$
BEGIN
  IF to_regclass('pgboss.job') IS NULL THEN
    DROP TABLE queue.delayed;
    DROP FUNCTION queue.with_turns;
  END IF;
END $$;
