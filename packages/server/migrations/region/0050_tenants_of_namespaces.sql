-- Turns and shares go by tenant: the parent of a child account, any other account itself. Accounts are in the control database, so a
-- namespace keeps whose it is. Null: a server of the version before made it, or it was there already; the account then counts for itself
-- until a worker has looked it up.
ALTER TABLE region.live_namespaces ADD COLUMN tenant bigint;
CREATE INDEX live_namespaces_without_tenant ON region.live_namespaces (uid) WHERE tenant IS NULL;
