-- Mends of live and deliveries.

-- The endpoint of that name, made where it is missing. Whoever forgets endpoints may take it away while its mark is taken
-- off: then nothing was marked, and it is looked for again.
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
    EXIT WHEN known.retired_at IS NULL AND NOT (configured AND known.url IS DISTINCT FROM to_url);
    UPDATE region.delivery_endpoints SET retired_at = NULL, url = CASE WHEN configured THEN to_url END
    WHERE endpoint_id = known.endpoint_id;
    EXIT WHEN FOUND;
  END LOOP;
  RETURN known.endpoint_id;
END $$;
