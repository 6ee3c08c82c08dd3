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

-- Who makes or drops a day needs its whole table for a moment, and behind who waits for that everybody waits: so he comes
-- again in an hour rather than wait for a backup, which holds every table until it ends.

-- Makes the partitions of the next days, so that no row has to fall into the default one. A day of which rows lie there
-- already has none; those after it have.
CREATE OR REPLACE FUNCTION region.ensure_days(parent text, days integer) RETURNS void
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  day  date;
  name text;
BEGIN
  FOR ahead IN 0..days LOOP
    day := (now() AT TIME ZONE 'UTC')::date + ahead;
    name := parent || to_char(day, '_YYYYMMDD');
    CONTINUE WHEN to_regclass(format('region.%I', name)) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE IF NOT EXISTS region.%I PARTITION OF region.%I FOR VALUES FROM (%L) TO (%L)',
                     name, parent, day::text || ' 00:00+00', (day + 1)::text || ' 00:00+00');
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
END $$;

-- Removes the days of a table that are older than `days`; a day in which anything still waits stays.
CREATE OR REPLACE FUNCTION region.drop_days(parent text, days integer) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  day record;
  unfinished boolean;
  dropped integer := 0;
BEGIN
  FOR day IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = format('region.%I', parent)::regclass AND c.relname ~ '_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') < (now() AT TIME ZONE 'UTC')::date - days
    ORDER BY c.relname
  LOOP
    unfinished := false;
    IF parent = 'deliveries' THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE state = ''waiting'')', day.relname) INTO unfinished;
    END IF;
    CONTINUE WHEN unfinished;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', day.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  -- What fell into the default partition goes by itself, so many at a time.
  IF parent = 'deliveries' THEN
    DELETE FROM region.deliveries_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.deliveries_default
      WHERE created_at < now() - days * interval '1 day' AND state <> 'waiting' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  ELSIF parent = 'delivery_attempts' THEN
    DELETE FROM region.delivery_attempts_default WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM region.delivery_attempts_default
      WHERE begun_at < now() - days * interval '1 day' LIMIT 100000 FOR UPDATE SKIP LOCKED));
  END IF;
  RETURN dropped;
END $$;

-- Days that nobody asks about any more and in which nothing is unfinished.
CREATE OR REPLACE FUNCTION region.drop_task_days(kept interval) RETURNS integer
LANGUAGE plpgsql SET lock_timeout = '2s' AS $$
DECLARE
  part    record;
  busy    boolean;
  dropped integer := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'region.tasks'::regclass AND c.relname ~ '^tasks_\d{8}$'
      AND to_date(right(c.relname, 8), 'YYYYMMDD') + 1 < (clock_timestamp() - kept) AT TIME ZONE 'UTC'
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM region.%I WHERE code IN (1, 2))', part.relname) INTO busy;
    CONTINUE WHEN busy;
    BEGIN
      EXECUTE format('DROP TABLE region.%I', part.relname);
      dropped := dropped + 1;
    EXCEPTION WHEN lock_not_available THEN EXIT;
    END;
  END LOOP;
  DELETE FROM region.tasks_default WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM region.tasks_default
    WHERE id_time < clock_timestamp() - kept AND code IN (0, 3) LIMIT 100000 FOR UPDATE SKIP LOCKED));
  RETURN dropped;
END $$;
