-- What two addresses are compared by: NFKC, then lower case, as the servers compute it. The indexes on lower(email) are for servers of
-- the version before; they can go with the version after this one.
ALTER TABLE control.accounts ADD COLUMN email_folded text COLLATE "C";
CREATE INDEX accounts_email_unfolded ON control.accounts (uid) WHERE email_folded IS NULL;

-- Servers of the version before leave the column empty. An address in ASCII is folded here; a job folds the others within a minute.
CREATE FUNCTION control.fold_ascii_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- Not by lower(), which does what the database's locale says.
  NEW.email_folded := translate(NEW.email, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz');
  RETURN NEW;
END $$;
CREATE TRIGGER accounts_fold_ascii_email BEFORE INSERT ON control.accounts FOR EACH ROW
  WHEN (NEW.email_folded IS NULL AND octet_length(NEW.email) = char_length(NEW.email))
  EXECUTE FUNCTION control.fold_ascii_email();
