-- The address of a configured endpoint changes with its configuration alone. An event was meant for the address that its
-- cause had read, which may be an older one than is configured by the time the event is added.
CREATE OR REPLACE FUNCTION region.delivery_endpoint(of_uid bigint, configured boolean, of_name text, to_url text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  known region.delivery_endpoints;
BEGIN
  LOOP
    SELECT * INTO known FROM region.delivery_endpoints
    WHERE uid = of_uid AND is_configured = configured AND name = of_name;
    IF NOT FOUND THEN
      INSERT INTO region.delivery_endpoints (uid, is_configured, name, url)
      VALUES (of_uid, configured, of_name, CASE WHEN configured THEN to_url END) ON CONFLICT DO NOTHING;
      CONTINUE;
    END IF;
    EXIT WHEN known.retired_at IS NULL;
    -- Whoever forgets endpoints may take it away meanwhile: then nothing was marked, and it is looked for again.
    UPDATE region.delivery_endpoints SET retired_at = NULL WHERE endpoint_id = known.endpoint_id;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN known.endpoint_id;
END $$;

-- What was learnt of the old address says nothing of the new one: what waits goes there, also where the old one was suspended.
CREATE FUNCTION region.configure_endpoint(of_uid bigint, of_name text, to_url text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  id bigint := region.delivery_endpoint(of_uid, true, of_name, to_url);
  known region.delivery_endpoints;
BEGIN
  SELECT * INTO known FROM region.delivery_endpoints WHERE endpoint_id = id FOR NO KEY UPDATE;
  IF known.url IS NOT DISTINCT FROM to_url THEN
    RETURN;
  END IF;
  UPDATE region.delivery_endpoints SET url = to_url, state = 'closed', suspended_at = NULL, reason = NULL,
    failing_since = NULL, openings = 0, probe_at = NULL, is_reviving = true, next_at = now()
  WHERE endpoint_id = id;
  IF known.state = 'suspended' THEN
    INSERT INTO region.delivery_notices (endpoint_id, uid, kind, text)
    VALUES (id, of_uid, 'resumed', 'its address was changed');
  END IF;
END $$;
