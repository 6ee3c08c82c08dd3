-- Of bytes that many objects shared, the trash has as many rows: what let them go last is found without reading all.
DROP INDEX region.trash_blob;
CREATE INDEX trash_blob ON region.trash (blob_id, trashed_at);

-- What was let go by one statement has one time: its rows are walked in their order without reading all of them each time.
DROP INDEX region.trash_trashed_at;
CREATE INDEX trash_trashed_at ON region.trash (trashed_at, trash_id);
