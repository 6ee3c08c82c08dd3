-- People of an identity provider and the accounts that they have joined: known by issuer and subject, whatever their address is by now.
CREATE TABLE control.identities (
  issuer    text COLLATE "C" NOT NULL,
  subject   text COLLATE "C" NOT NULL,
  uid       bigint NOT NULL REFERENCES control.accounts ON DELETE CASCADE,
  -- The verified address by which they joined, folded. It is theirs from then on: nobody else joins by it.
  address   text COLLATE "C" NOT NULL,
  -- Whether a setting assigns the address to the account; otherwise it is the account's own.
  is_listed boolean NOT NULL,
  joined_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject),
  UNIQUE (issuer, address)
);
CREATE INDEX identities_uid ON control.identities (uid);

-- An account that an operator made may be joined by its address; one that a tenant made, only while an operator invites to it.
ALTER TABLE control.accounts ADD COLUMN invited_at timestamptz;

-- When the provider last confirmed the rights that its claim gave; null where nothing has to be confirmed.
ALTER TABLE control.sessions ADD COLUMN confirmed_at timestamptz;

-- What the provider is asked with. The row of a session that it can't be asked about again is missing: the session ends with what was said.
CREATE TABLE control.session_provider_tokens (
  session_id    uuid PRIMARY KEY REFERENCES control.sessions ON DELETE CASCADE,
  sealed_tokens bytea NOT NULL,
  master_key    text NOT NULL,
  -- One process asks at a time, and after a failure nobody does for a while.
  asking_until  timestamptz,
  ask_at        timestamptz NOT NULL DEFAULT now()
);
