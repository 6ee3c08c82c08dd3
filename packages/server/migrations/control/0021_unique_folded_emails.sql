-- Before this, in the same transaction, the migrating process folds the addresses that are there (platform/db/fold-emails.ts), and stops
-- if two of them are one.
CREATE UNIQUE INDEX accounts_email_folded ON control.accounts (email_folded);
