-- What S3 sets on a bucket beyond our own calls.
ALTER TABLE control.buckets
  -- Lifecycle rules in S3's words, applied by its rules. A bucket has these or rows in lifecycle_rules, not both.
  ADD COLUMN s3_lifecycle        jsonb,
  -- The policy that made the bucket public, as it was written; null if our own call did. A private bucket has one only while
  -- its public access block takes the effect away.
  ADD COLUMN public_policy       text,
  -- Four switches; null if they were never set.
  ADD COLUMN public_access_block jsonb;
CREATE INDEX buckets_s3_lifecycle ON control.buckets (bucket_id) WHERE s3_lifecycle IS NOT NULL;
