-- Whether results of a trigger's tasks replace existing objects. Without it an object that is there stays, and is the result.
ALTER TABLE region.triggers ADD COLUMN is_forced boolean NOT NULL DEFAULT false;
