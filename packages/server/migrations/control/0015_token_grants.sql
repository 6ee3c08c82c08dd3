-- Log-ins by password as their account sees them: from where, when last renewed; the newest first.
ALTER TABLE control.token_families
  ADD COLUMN address    text,
  ADD COLUMN renewed_at timestamptz;
CREATE INDEX token_families_newest ON control.token_families (uid, created_at) WHERE revoked_at IS NULL;
