-- Passwords, tokens, and the record of security-relevant acts.

ALTER TABLE control.accounts
  -- PHC string; null where nobody can log in with a password.
  ADD COLUMN password_hash   text,
  ADD COLUMN disabled_reason text,
  ADD COLUMN password_set_at timestamptz;
CREATE INDEX accounts_parent ON control.accounts (parent_uid, uid) WHERE parent_uid <> 0;

-- One family per log-in. Only hashes of tokens are stored.
CREATE TABLE control.token_families (
  family_id      uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  uid            bigint NOT NULL REFERENCES control.accounts,
  refresh_hash   bytea NOT NULL UNIQUE,
  expires_at     timestamptz NOT NULL,
  -- With rotation: the refresh token before, good a little longer for whoever did not get the answer.
  previous_hash  bytea,
  previous_until timestamptz,
  revoked_at     timestamptz,
  created_at     timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX token_families_previous ON control.token_families (previous_hash) WHERE previous_hash IS NOT NULL;
CREATE INDEX token_families_uid ON control.token_families (uid);
CREATE INDEX token_families_expires ON control.token_families (expires_at);

CREATE TABLE control.access_tokens (
  token_hash bytea PRIMARY KEY,
  family_id  uuid NOT NULL REFERENCES control.token_families ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_tokens_family ON control.access_tokens (family_id);
CREATE INDEX access_tokens_expires ON control.access_tokens (expires_at);

-- Who did what, from where, to what, with which request id. Rows are only ever added.
CREATE TABLE control.audit (
  audit_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  action     text NOT NULL,
  -- `ok`, or the name of the refusal.
  result     text NOT NULL,
  actor_uid  bigint,
  actor      text NOT NULL,
  address    text NOT NULL,
  target     text NOT NULL,
  reqid      text NOT NULL
);
CREATE INDEX audit_at ON control.audit (at);
CREATE INDEX audit_actor ON control.audit (actor_uid, at);
CREATE INDEX audit_target ON control.audit (target, at);

CREATE FUNCTION control.refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON control.audit
  FOR EACH STATEMENT EXECUTE FUNCTION control.refuse_audit_change();

-- The end of the 30th day from now: never less than 30 times 24 hours.
CREATE FUNCTION control.refresh_expiry() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT date_trunc('day', now() AT TIME ZONE 'UTC' + interval '31 days') AT TIME ZONE 'UTC'
$$;
