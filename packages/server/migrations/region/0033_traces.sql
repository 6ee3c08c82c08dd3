-- What became of single requests: who made them, what was judged, which statements and engines they needed. Written in batches after
-- the answers; kept for a week, and no more than so many.
CREATE TABLE region.traces (
  -- In the order of writing: the oldest go first.
  trace_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reqid    text COLLATE "C" NOT NULL,
  at       timestamptz NOT NULL,
  -- Whose credential it was made with; null: with none that was proven.
  uid      bigint,
  -- JSON, as text: what users sent may be in it, with characters that no other type takes.
  trace    text NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX traces_reqid ON region.traces (reqid);
