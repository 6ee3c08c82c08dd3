-- What receivers verify events with. Two are valid while one is being exchanged; the newest signs first.
CREATE TABLE control.webhook_secrets (
  secret_id     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid           bigint NOT NULL REFERENCES control.accounts,
  sealed_secret bytea NOT NULL,
  master_key    text NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  retires_at    timestamptz
);
CREATE INDEX webhook_secrets_uid ON control.webhook_secrets (uid);
CREATE INDEX webhook_secrets_master_key ON control.webhook_secrets (master_key);
-- The first one is made on demand, by whichever gateway comes first.
CREATE UNIQUE INDEX webhook_secrets_current ON control.webhook_secrets (uid) WHERE retires_at IS NULL;
