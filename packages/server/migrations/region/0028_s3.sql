-- What the S3 protocol shows of an object and its other ways in do not know. NULL costs no space.
ALTER TABLE region.objects
  -- MD5 of the bytes (md5_parts = 0), or of the MD5s of its parts and how many they were.
  ADD COLUMN md5       bytea,
  ADD COLUMN md5_parts smallint,
  -- The checksum that the client gave or asked for: {"algorithm", "value", "type"}.
  ADD COLUMN checksum  jsonb,
  -- Sizes and checksums of the parts it was uploaded in: [[size, checksum or null], …]; merging segments leaves them alone.
  ADD COLUMN part_list jsonb,
  ADD COLUMN tags      jsonb,
  ADD CONSTRAINT objects_md5 CHECK ((md5 IS NULL) = (md5_parts IS NULL));

-- No client takes what has a dash for the MD5 of the content.
CREATE FUNCTION region.s3_etag(md5 bytea, md5_parts smallint, hash text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN md5 IS NULL THEN md5(hash) || '-1'
    WHEN md5_parts = 0 THEN encode(md5, 'hex')
    ELSE encode(md5, 'hex') || '-' || md5_parts
  END
$$;

-- Uploads in parts begun by S3: the object's description is given at the beginning. NULL: begun by our own protocol.
ALTER TABLE region.uploads
  ADD COLUMN s3       jsonb,
  ADD COLUMN begun_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX uploads_s3 ON region.uploads (bucket_id, key, upload_id) WHERE s3 IS NOT NULL;

ALTER TABLE region.upload_parts
  ADD COLUMN md5      bytea,
  ADD COLUMN checksum text;
