-- What a result lacks is said of its copies too. Servers of the version before leave it empty.
ALTER TABLE region.task_results ADD COLUMN warnings text[];
