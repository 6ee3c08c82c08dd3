-- Who disabled an account: a parent enables what it disabled itself, and nothing that the operator disabled or closed.
-- is_disabled stays what everything else asks for: whether anybody has.
ALTER TABLE control.accounts
  ADD COLUMN disabled_by_operator boolean NOT NULL DEFAULT false,
  ADD COLUMN disabled_by_parent boolean NOT NULL DEFAULT false;

-- Of those that are disabled already the audit log knows; where it does not, it was the operator.
UPDATE control.accounts a
SET disabled_by_parent = was.by_parent AND a.closed_at IS NULL,
    disabled_by_operator = NOT was.by_parent OR a.closed_at IS NOT NULL
FROM (
  SELECT b.uid, coalesce((
    SELECT action = 'child.disable' FROM control.audit
    WHERE target = b.email AND action IN ('child.disable', 'account.disable') AND result = 'ok'
    ORDER BY audit_id DESC LIMIT 1), false) AS by_parent
  FROM control.accounts b
) was
WHERE was.uid = a.uid AND a.is_disabled;
