-- Where the missing files of a bucket come from: asked in this order, the first that has the file serves it.
CREATE TABLE control.mirror_sources (
  bucket_id bigint PRIMARY KEY REFERENCES control.buckets ON DELETE CASCADE,
  urls      text[] NOT NULL CHECK (cardinality(urls) > 0),
  -- What the sources are told in Host, where it isn't their own name.
  host      text
);
