-- When tasks were begun, and by whom. Times of items and their stages are in the items.
ALTER TABLE region.tasks
  -- By a worker, for the first time.
  ADD COLUMN begun_at timestamptz,
  -- That has it, or had it last.
  ADD COLUMN worker   text;
