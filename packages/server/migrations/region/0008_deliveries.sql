-- Events to receivers: what waits to be sent, the endpoints it goes to, and order per entity.

ALTER TABLE region.deliveries
  -- Null: whichever root key of the account is its oldest enabled one when it is sent.
  ALTER COLUMN access_key DROP NOT NULL,
  ADD COLUMN endpoint_id bigint,
  ADD COLUMN entity      text,
  ADD COLUMN sequence    bigint,
  DROP CONSTRAINT deliveries_state_check,
  -- waiting: it stands in the queue. unsent: an upload callback that nobody sends by himself.
  ADD CONSTRAINT deliveries_state_check CHECK (state IN ('unsent', 'waiting', 'delivered', 'failed'));
-- What is delivered is most, and leaves this index.
CREATE INDEX deliveries_undelivered ON region.deliveries (uid, state, created_at) WHERE state <> 'delivered';
CREATE INDEX deliveries_endpoint ON region.deliveries (endpoint_id, created_at) WHERE endpoint_id IS NOT NULL;

-- Where events go: a configured endpoint, or for URLs given per call the account with the URL's origin.
CREATE TABLE region.delivery_endpoints (
  endpoint_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid           bigint NOT NULL,
  is_configured boolean NOT NULL,
  -- The id of its configuration, or the origin.
  name          text COLLATE "C" NOT NULL,
  -- Of a configured one: its URL as it is now, wherever its events were first meant to go.
  url           text,
  state         text NOT NULL DEFAULT 'closed' CHECK (state IN ('closed', 'open', 'half-open', 'suspended')),
  -- Since when nothing but failures came from it.
  failing_since timestamptz,
  -- How often in a row it was found still failing; the waits between probes grow with it.
  openings      integer NOT NULL DEFAULT 0,
  probe_at      timestamptz,
  -- It came back, and what waits for a later try is being made due.
  is_reviving   boolean NOT NULL DEFAULT false,
  -- When a sender has to look at it; null: none of its events is parked.
  next_at       timestamptz,
  suspended_at  timestamptz,
  reason        text,
  -- Nothing was sent there for long; it goes a day later unless it is used again.
  retired_at    timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  UNIQUE (uid, is_configured, name)
);
CREATE INDEX delivery_endpoints_next ON region.delivery_endpoints (next_at) WHERE next_at IS NOT NULL;

-- The counter of an entity at its endpoint. Only those who add events lock it, until they commit: so numbers have no
-- gaps, and whoever sees a number has seen all before it.
CREATE TABLE region.delivery_lanes (
  lane_id     bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  endpoint_id bigint NOT NULL,
  entity      text COLLATE "C" NOT NULL,
  sequence    bigint NOT NULL,
  told_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (endpoint_id, entity)
) WITH (fillfactor = 70);

-- One row for each delivery that is not over. Senders find work by the partial indexes alone, which hold only what is
-- due or could be: neither what waits behind another nor the backlog of an endpoint that is away costs them anything.
CREATE TABLE region.delivery_queue (
  delivery_id uuid PRIMARY KEY,
  created_at  timestamptz NOT NULL,
  endpoint_id bigint NOT NULL,
  uid         bigint NOT NULL,
  -- Null: in no lane, or in none any more.
  lane_id     bigint,
  sequence    bigint NOT NULL,
  size        integer NOT NULL,
  -- due: from due_at on. leased: a sender has it until due_at. parked: until its endpoint has room or is back.
  -- following: until the one before it in its lane is over.
  state       text NOT NULL DEFAULT 'due' CHECK (state IN ('due', 'leased', 'parked', 'following')),
  due_at      timestamptz NOT NULL DEFAULT now(),
  -- From when its days are counted.
  began_at    timestamptz NOT NULL DEFAULT now(),
  -- Since then, for the waits; and those refused by the receiver while it held its lane.
  tries       integer NOT NULL DEFAULT 0,
  refusals    integer NOT NULL DEFAULT 0,
  -- All there ever were, for the record.
  attempts    integer NOT NULL DEFAULT 0,
  -- Grows with every lease: who settles must name it.
  fence       bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX delivery_queue_due ON region.delivery_queue (due_at) WHERE state IN ('due', 'leased');
CREATE INDEX delivery_queue_parked ON region.delivery_queue (endpoint_id, delivery_id) WHERE state = 'parked';
CREATE INDEX delivery_queue_retries ON region.delivery_queue (endpoint_id, due_at) WHERE state = 'due' AND tries > 0;
CREATE UNIQUE INDEX delivery_queue_lane ON region.delivery_queue (lane_id, sequence) WHERE lane_id IS NOT NULL;

-- What the operator is told.
CREATE TABLE region.delivery_notices (
  notice_id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT now(),
  endpoint_id bigint NOT NULL,
  uid         bigint NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('suspended', 'resumed')),
  text        text NOT NULL
);

CREATE FUNCTION region.delivery_endpoint(of_uid bigint, configured boolean, of_name text, to_url text) RETURNS bigint
LANGUAGE plpgsql AS $$
DECLARE
  found region.delivery_endpoints;
BEGIN
  SELECT * INTO found FROM region.delivery_endpoints
  WHERE uid = of_uid AND is_configured = configured AND name = of_name;
  IF found.endpoint_id IS NULL THEN
    INSERT INTO region.delivery_endpoints (uid, is_configured, name, url)
    VALUES (of_uid, configured, of_name, CASE WHEN configured THEN to_url END) ON CONFLICT DO NOTHING;
    SELECT * INTO found FROM region.delivery_endpoints
    WHERE uid = of_uid AND is_configured = configured AND name = of_name;
  END IF;
  IF found.retired_at IS NOT NULL OR (configured AND found.url IS DISTINCT FROM to_url) THEN
    UPDATE region.delivery_endpoints SET retired_at = NULL, url = CASE WHEN configured THEN to_url END
    WHERE endpoint_id = found.endpoint_id;
  END IF;
  RETURN found.endpoint_id;
END $$;

-- Adds an event in the transaction that caused it; returns its number in its entity. Without an entity it stands alone.
CREATE FUNCTION region.add_delivery(
  id uuid, of_kind text, of_uid bigint, with_key text, configured boolean, endpoint_name text, to_url text,
  of_type text, bytes bytea, of_entity text, about text, request_id text
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  endpoint bigint := region.delivery_endpoint(of_uid, configured, endpoint_name, to_url);
  lane bigint;
  number bigint := 1;
BEGIN
  IF of_entity IS NOT NULL THEN
    INSERT INTO region.delivery_lanes AS l (endpoint_id, entity, sequence) VALUES (endpoint, of_entity, 1)
    ON CONFLICT (endpoint_id, entity) DO UPDATE SET sequence = l.sequence + 1, told_at = now()
    RETURNING lane_id, sequence INTO lane, number;
  END IF;
  INSERT INTO region.deliveries (delivery_id, kind, uid, access_key, urls, content_type, body, state, subject, reqid,
                                 endpoint_id, entity, sequence)
  VALUES (id, of_kind, of_uid, with_key, ARRAY[to_url], of_type, bytes, 'waiting', about, request_id,
          endpoint, of_entity, number);
  INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size)
  VALUES (id, now(), endpoint, of_uid, lane, number, length(bytes));
  RETURN number;
END $$;

-- Removes the days of a table that are older than `days`; a day in which anything still waits stays.
CREATE FUNCTION region.drop_days(parent text, days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  day record;
  unfinished boolean;
  dropped integer := 0;
BEGIN
  -- Who can't have the table at once comes again, rather than make every insert wait.
  SET LOCAL lock_timeout = '2s';
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
    IF NOT unfinished THEN
      EXECUTE format('DROP TABLE region.%I', day.relname);
      dropped := dropped + 1;
    END IF;
  END LOOP;
  RETURN dropped;
END $$;
