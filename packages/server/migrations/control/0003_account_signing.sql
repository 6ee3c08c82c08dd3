-- What an account asks of the signatures of its own calls, beyond what everybody must do.
ALTER TABLE control.accounts
  -- Whether calls may be signed in the old form, where the dialect knows it.
  ADD COLUMN old_signing  boolean NOT NULL DEFAULT true,
  -- Whether signed calls must carry a date, so that none can be sent again after a quarter of an hour.
  ADD COLUMN date_required boolean NOT NULL DEFAULT false;
