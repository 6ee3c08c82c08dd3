-- What the parts of unfinished uploads take counts for the quota of their bucket. Each statement that changes parts leaves one row,
-- never updated, and the job that folds usage adds them up at the gate. They are a figure of their own there: a part becomes a
-- piece of an object without taking more, so a completion is judged without it.
ALTER TABLE region.bucket_gate ADD COLUMN part_bytes bigint NOT NULL DEFAULT 0;

CREATE TABLE region.part_deltas (
  bucket_id bigint NOT NULL,
  bytes     bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000,
        autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 1000000);

-- Null: begun by a server of the version before. Such blocks are gone after seven days.
ALTER TABLE region.upload_blocks ADD COLUMN bucket_id bigint;

CREATE FUNCTION region.count_parts_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
CREATE FUNCTION region.count_parts_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.uploads USING (upload_id) GROUP BY bucket_id;
  RETURN NULL;
END $$;
CREATE FUNCTION region.count_parts_replaced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM (
    SELECT upload_id, size FROM added UNION ALL SELECT upload_id, -size FROM removed
  ) AS changed JOIN region.uploads USING (upload_id) GROUP BY bucket_id HAVING sum(size) <> 0;
  RETURN NULL;
END $$;
CREATE TRIGGER upload_parts_count_added AFTER INSERT ON region.upload_parts
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_added();
CREATE TRIGGER upload_parts_count_removed AFTER DELETE ON region.upload_parts
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_removed();
CREATE TRIGGER upload_parts_count_replaced AFTER UPDATE ON region.upload_parts
  REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_parts_replaced();

CREATE FUNCTION region.count_chunks_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, sum(size) FROM added JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
CREATE FUNCTION region.count_chunks_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO region.part_deltas
  SELECT bucket_id, -sum(size) FROM removed JOIN region.upload_blocks USING (block_id)
  WHERE bucket_id IS NOT NULL GROUP BY bucket_id;
  RETURN NULL;
END $$;
CREATE TRIGGER upload_chunks_count_added AFTER INSERT ON region.upload_chunks
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION region.count_chunks_added();
CREATE TRIGGER upload_chunks_count_removed AFTER DELETE ON region.upload_chunks
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION region.count_chunks_removed();

-- The triggers hold writers back until this commits, so nothing is counted twice or not at all.
UPDATE region.bucket_gate g SET part_bytes = counted.bytes
FROM (SELECT bucket_id, sum(size)::bigint AS bytes FROM region.upload_parts JOIN region.uploads USING (upload_id) GROUP BY bucket_id) AS counted
WHERE g.bucket_id = counted.bucket_id;
