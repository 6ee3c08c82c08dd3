-- Ids and user names of devices are an account's own business: whether another account has the same is none of it. A device
-- proves by its password which of them it is.
ALTER TABLE region.devices ADD COLUMN uid bigint;
UPDATE region.devices d SET uid = n.uid FROM region.live_namespaces n WHERE n.ns_id = d.ns_id;

-- Servers of the version before don't say whose a device is.
CREATE FUNCTION region.device_uid() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.uid := (SELECT uid FROM region.live_namespaces WHERE ns_id = NEW.ns_id);
  RETURN NEW;
END $$;
CREATE TRIGGER device_uid BEFORE INSERT ON region.devices FOR EACH ROW EXECUTE FUNCTION region.device_uid();

CREATE UNIQUE INDEX devices_of_account ON region.devices (gbid, username, uid);
ALTER TABLE region.devices DROP CONSTRAINT devices_gbid_username_key;
