-- Pictures by URL: the styles of buckets, and results that are kept.

CREATE TABLE region.picture_rules (
  bucket_id bigint PRIMARY KEY,
  -- Stands between a key and the name of a style.
  separator text NOT NULL,
  -- Which commands a URL may hold.
  allowed   text NOT NULL CHECK (allowed IN ('all', 'signed', 'styles'))
);

CREATE TABLE region.picture_styles (
  bucket_id  bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  command    text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket_id, name)
);

-- Results, by the bytes that they were made of and a hash of what was done with them: new content has a new blob, so that
-- what was made of the old is never found again.
CREATE TABLE region.pictures (
  source_blob uuid NOT NULL,
  work        bytea NOT NULL,
  -- Null: the source is the result as it is.
  blob_id     uuid,
  size        bigint NOT NULL,
  hash        text COLLATE "C" NOT NULL,
  mime_type   text NOT NULL,
  -- Written now and then, not at every use.
  used_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (source_blob, work)
);
CREATE INDEX pictures_blob ON region.pictures (blob_id);
CREATE INDEX pictures_used ON region.pictures (used_at);

-- Bytes of results that are no longer kept. Somebody may still read them, so they stay for minutes.
CREATE TABLE region.picture_leftovers (
  blob_id uuid PRIMARY KEY,
  left_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX picture_leftovers_left_at ON region.picture_leftovers (left_at);

-- Up to when the trash has been looked through for sources that are gone.
CREATE TABLE region.picture_progress (
  only_row       boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  purged_through timestamptz NOT NULL
);
INSERT INTO region.picture_progress (purged_through) VALUES (clock_timestamp());
