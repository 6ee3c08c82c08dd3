-- Sessions of the console. A row is a session that may be used; ending one deletes it.
CREATE TABLE control.sessions (
  session_id   uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  -- Only the hash of the cookie is kept.
  cookie_hash  bytea NOT NULL UNIQUE CHECK (octet_length(cookie_hash) = 32),
  uid          bigint NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  -- The session has the rights of this key only; null: those of the account.
  access_key   text COLLATE "C" REFERENCES control.access_keys ON DELETE CASCADE,
  how          text NOT NULL CHECK (how IN ('password', 'oidc')),
  -- Who signed in: an e-mail.
  name         text NOT NULL,
  is_operator  boolean NOT NULL,
  address      text NOT NULL,
  agent        text NOT NULL,
  begun_at     timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  -- When it ends unless it is used.
  idle_until   timestamptz NOT NULL,
  -- When it ends anyway.
  ends_at      timestamptz NOT NULL,
  CHECK (idle_until <= ends_at)
);
CREATE INDEX sessions_uid ON control.sessions (uid, begun_at);
CREATE INDEX sessions_access_key ON control.sessions (access_key) WHERE access_key IS NOT NULL;
CREATE INDEX sessions_idle_until ON control.sessions (idle_until);

-- By triggers, so that no way to change an account, of this version or of another, leaves a session behind.
CREATE FUNCTION control.end_sessions_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM control.sessions WHERE uid = NEW.uid;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_end_sessions AFTER UPDATE OF is_disabled, password_hash ON control.accounts FOR EACH ROW
  WHEN (NEW.is_disabled OR NEW.password_hash IS DISTINCT FROM OLD.password_hash)
  EXECUTE FUNCTION control.end_sessions_of_account();

CREATE FUNCTION control.end_sessions_of_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM control.sessions WHERE access_key = NEW.access_key;
  RETURN NULL;
END $$;
CREATE TRIGGER access_keys_end_sessions AFTER UPDATE OF is_enabled ON control.access_keys FOR EACH ROW
  WHEN (NOT NEW.is_enabled)
  EXECUTE FUNCTION control.end_sessions_of_key();
