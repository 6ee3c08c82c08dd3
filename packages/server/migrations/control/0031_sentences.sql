-- What each function and trigger is for. The page docs/reference/database.md is made of these sentences.

COMMENT ON FUNCTION control.refuse_audit_change() IS 'Refuses every change of the audit log but an added row.';
COMMENT ON TRIGGER audit_append_only ON control.audit IS
  'Keeps what was recorded: a row of the audit log is never changed or removed, whoever tries.';
COMMENT ON FUNCTION control.refresh_expiry() IS
  'When a refresh token of now expires: at the end of the 30th day, which is never less than 30 times 24 hours.';
COMMENT ON FUNCTION control.end_sessions_of_account() IS 'Deletes the console''s sessions of an account.';
COMMENT ON TRIGGER accounts_end_sessions ON control.accounts IS
  'Ends the sessions of an account that is disabled or gets another password, by whichever way.';
COMMENT ON FUNCTION control.end_sessions_of_key() IS 'Deletes the console''s sessions that have the rights of an access key.';
COMMENT ON TRIGGER access_keys_end_sessions ON control.access_keys IS
  'Ends the sessions that have the rights of a key when the key is disabled, by whichever way.';
COMMENT ON FUNCTION control.end_access_tokens_of_account() IS 'Deletes the access tokens of an account.';
COMMENT ON TRIGGER accounts_end_access_tokens ON control.accounts IS
  'Ends the access tokens of an account that is disabled, for good: enabling it again revives none.';
COMMENT ON FUNCTION control.fold_ascii_email() IS
  'Writes the folded form of an e-mail in ASCII, without asking the database''s locale what a lower-case letter is.';
COMMENT ON TRIGGER accounts_fold_ascii_email ON control.accounts IS
  'Folds the e-mail of an account whose server did not; one that is not in ASCII is folded by a job within a minute.';
