-- Workers of tasks: what each has for them, as it said last. A row outlives its process, so that a restart of all workers refuses
-- no task; it is forgotten after a day.
CREATE TABLE region.task_workers (
  process    uuid PRIMARY KEY,
  host       text NOT NULL,
  pid        integer NOT NULL,
  -- The engines that it has: files, images, media. Null until it knows.
  engines    text[],
  -- What is missing for each of the others: {"media": {"problem": …, "remedy": …}}.
  missing    jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at    timestamptz NOT NULL DEFAULT now(),
  -- Set when it stops in its own time.
  ended_at   timestamptz
);

-- The job of a task or of a fetch, for those who ask what it waits for.
CREATE INDEX jobs_subject ON queue.jobs ((coalesce(data ->> 'taskId', data ->> 'fetchId'))) WHERE data ?| '{taskId,fetchId}';
