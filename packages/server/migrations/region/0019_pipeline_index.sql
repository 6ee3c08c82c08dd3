-- How many tasks of a pipeline run is counted at every submission and every end: by those that may, not by all that wait.
CREATE INDEX tasks_admitted ON region.tasks (uid, pipeline) WHERE code IN (1, 2) AND is_admitted AND pipeline IS NOT NULL;
