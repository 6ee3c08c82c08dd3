-- What accounts set up for a bucket goes with it.

CREATE FUNCTION region.forget_bucket() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM region.picture_styles WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.picture_rules WHERE bucket_id = OLD.bucket_id;
  DELETE FROM region.triggers WHERE bucket_id = OLD.bucket_id;
  RETURN NULL;
END $$;
CREATE TRIGGER bucket_gate_forgets AFTER DELETE ON region.bucket_gate
FOR EACH ROW EXECUTE FUNCTION region.forget_bucket();

DELETE FROM region.picture_styles s WHERE NOT EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = s.bucket_id);
DELETE FROM region.picture_rules r WHERE NOT EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = r.bucket_id);
DELETE FROM region.triggers t WHERE NOT EXISTS (SELECT FROM region.bucket_gate g WHERE g.bucket_id = t.bucket_id);
