-- Access tokens of an account that is disabled are over for good: enabling it again revives none. By a trigger, so that no way
-- to disable an account, of this version or of another, leaves one behind.
CREATE FUNCTION control.end_access_tokens_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM control.access_tokens t USING control.token_families f
  WHERE f.uid = NEW.uid AND t.family_id = f.family_id;
  RETURN NULL;
END $$;
CREATE TRIGGER accounts_end_access_tokens AFTER UPDATE OF is_disabled ON control.accounts FOR EACH ROW
  WHEN (NEW.is_disabled)
  EXECUTE FUNCTION control.end_access_tokens_of_account();
-- Those of accounts that are disabled now.
DELETE FROM control.access_tokens t USING control.token_families f, control.accounts a
WHERE a.is_disabled AND f.uid = a.uid AND t.family_id = f.family_id;
