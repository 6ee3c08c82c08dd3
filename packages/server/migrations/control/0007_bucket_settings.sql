-- What an owner sets on a bucket. The quota is not here: it is kept where it is enforced, at the region's gate.
ALTER TABLE control.buckets
  ADD COLUMN cors_rules jsonb,
  ADD COLUMN tags       jsonb;

ALTER TABLE control.domains ADD COLUMN bound_at timestamptz NOT NULL DEFAULT now();

-- Of the rules whose prefix a key begins with, the longest applies; 0 days means never.
CREATE TABLE control.lifecycle_rules (
  bucket_id                  bigint NOT NULL REFERENCES control.buckets ON DELETE CASCADE,
  name                       text COLLATE "C" NOT NULL,
  prefix                     text COLLATE "C" NOT NULL,
  to_line_after_days         integer NOT NULL,
  to_archive_after_days      integer NOT NULL,
  to_deep_archive_after_days integer NOT NULL,
  delete_after_days          integer NOT NULL,
  created_at                 timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (bucket_id, name),
  UNIQUE (bucket_id, prefix)
);
