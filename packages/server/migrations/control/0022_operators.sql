-- An operator is an account that was made one, by command; never a child, which a tenant makes.
ALTER TABLE control.accounts
  ADD COLUMN is_operator boolean NOT NULL DEFAULT false CHECK (NOT is_operator OR parent_uid = 0);
CREATE INDEX accounts_operators ON control.accounts (uid) WHERE is_operator;

-- What decides about the rights of a session as long as it lasts: its account, or what a claim of the identity provider gave. Servers of
-- the version before write none, and ask their own settings who is an operator.
ALTER TABLE control.sessions
  ADD COLUMN rights_by text NOT NULL DEFAULT 'account' CHECK (rights_by IN ('account', 'claim'));
