-- Accounts by the beginning of their e-mail, in an order that is the same in every database.
CREATE INDEX accounts_email_page ON control.accounts (lower(email) COLLATE "C");
