-- What a command made of a content, so that it need not be made again, and who is about to make it.

-- The digest is over the content of the source and the command, written the one canonical way. The object may have
-- been changed or deleted since: whoever uses a row looks at it first.
CREATE TABLE region.task_results (
  uid       bigint NOT NULL,
  digest    bytea NOT NULL,
  bucket_id bigint NOT NULL,
  key       text COLLATE "C" NOT NULL,
  hash      text COLLATE "C" NOT NULL,
  mime_type text NOT NULL,
  made_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (uid, digest)
);
CREATE INDEX task_results_made_at ON region.task_results (made_at);

-- Taken when a task begins and let go when it ends. A row whose task no longer runs may be taken over.
CREATE TABLE region.task_works (
  uid      bigint NOT NULL,
  digest   bytea NOT NULL,
  task_id  text COLLATE "C" NOT NULL,
  id_time  timestamptz NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (uid, digest)
);
CREATE INDEX task_works_task ON region.task_works (task_id);
