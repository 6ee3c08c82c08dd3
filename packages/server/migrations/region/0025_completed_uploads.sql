-- What resumable uploads were answered, for whoever lost the answer and asks again. Kept for hours, then removed.
CREATE TABLE region.completed_uploads (
  -- SHA-256 over who asked, what the policy promised, and the whole request.
  request      bytea PRIMARY KEY,
  -- The object, and its version: of another one that answer says nothing.
  bucket_id    bigint NOT NULL,
  key          text COLLATE "C" NOT NULL,
  put_time     bigint NOT NULL,
  -- The answer as JSON; null where the receiver of a callback gave it, and the delivery's record has it.
  answer       text,
  delivery_id  uuid,
  -- Until then somebody is calling back; afterwards, if nothing is known of it, whoever was is gone.
  called_until timestamptz,
  expires_at   timestamptz NOT NULL,
  CHECK ((answer IS NULL) <> (delivery_id IS NULL)),
  CHECK ((called_until IS NULL) = (delivery_id IS NULL))
);
CREATE INDEX completed_uploads_expires ON region.completed_uploads (expires_at);
