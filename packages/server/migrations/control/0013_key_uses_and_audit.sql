-- When a key was last used, to the minute, and from where; and what it is for, in its owner's words.
ALTER TABLE control.access_keys
  ADD COLUMN last_used    timestamptz,
  ADD COLUMN last_address text,
  ADD COLUMN note         text;

-- Parents see the acts of their children: those from here on, since rows are only ever added.
ALTER TABLE control.audit ADD COLUMN actor_parent_uid bigint;
CREATE INDEX audit_actor_parent ON control.audit (actor_parent_uid, at) WHERE actor_parent_uid IS NOT NULL;
CREATE INDEX audit_action ON control.audit (action, at);
CREATE INDEX audit_reqid ON control.audit (reqid, at) WHERE reqid <> '';
