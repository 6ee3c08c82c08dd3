-- A closed account is disabled at once, and gone for good some time later.
ALTER TABLE control.accounts ADD COLUMN closed_at timestamptz;
CREATE INDEX accounts_closed ON control.accounts (closed_at) WHERE closed_at IS NOT NULL;
