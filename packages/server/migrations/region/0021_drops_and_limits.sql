-- Which closing of a bucket's gate is the last: only whoever made it says that it lasts, or opens the gate again.
ALTER TABLE region.bucket_gate ADD COLUMN closing_by uuid;

-- A drop looks for the uploads of its bucket.
CREATE INDEX uploads_bucket ON region.uploads (bucket_id);
