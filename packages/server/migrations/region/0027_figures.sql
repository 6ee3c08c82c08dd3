-- What operators are told all the time, at a cost that does not grow with what is stored.

-- What the whole region holds, by class: the sum of bucket_usage. Triggers keep it, because servers of the version before
-- fold too; they add up each statement at once, and only folding and counting anew change bucket_usage, which take turns.
CREATE TABLE region.class_usage (
  class   smallint PRIMARY KEY,
  bytes   bigint NOT NULL,
  objects bigint NOT NULL
) WITH (fillfactor = 20);

CREATE FUNCTION region.sum_usage() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM now_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO region.class_usage AS u SELECT class, -sum(bytes), -sum(objects) FROM was_there GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  ELSE
    INSERT INTO region.class_usage AS u SELECT class, sum(bytes), sum(objects) FROM (
      SELECT class, bytes, objects FROM now_there UNION ALL SELECT class, -bytes, -objects FROM was_there) AS changed
    GROUP BY class ORDER BY class
    ON CONFLICT (class) DO UPDATE SET bytes = u.bytes + excluded.bytes, objects = u.objects + excluded.objects;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER bucket_usage_added AFTER INSERT ON region.bucket_usage
  REFERENCING NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();
CREATE TRIGGER bucket_usage_changed AFTER UPDATE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there NEW TABLE AS now_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();
CREATE TRIGGER bucket_usage_removed AFTER DELETE ON region.bucket_usage
  REFERENCING OLD TABLE AS was_there FOR EACH STATEMENT EXECUTE FUNCTION region.sum_usage();

-- The triggers hold folding back until this commits.
INSERT INTO region.class_usage (class, bytes, objects)
SELECT class, sum(bytes), sum(objects) FROM region.bucket_usage GROUP BY class;

CREATE INDEX delivery_endpoints_suspended ON region.delivery_endpoints (suspended_at) WHERE state = 'suspended';
