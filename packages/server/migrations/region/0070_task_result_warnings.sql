-- Warnings about a result are given with its copies too. Servers of the version before leave them empty.
ALTER TABLE region.task_results ADD COLUMN warnings text[];
