-- What was sent with each attempt and what came back, test events, and how endpoints are doing.

ALTER TABLE region.delivery_attempts
  -- The headers as they were sent; null where the attempt ended before it had any.
  ADD COLUMN request_headers jsonb,
  -- Some of those of the answer.
  ADD COLUMN answer_headers  jsonb;

-- Every day's rows are already of a kind that the old condition allowed: they need not be read again.
ALTER TABLE region.deliveries DROP CONSTRAINT deliveries_kind_check,
  ADD CONSTRAINT deliveries_kind_check CHECK (kind IN ('callback', 'notification', 'live', 'object', 'test')) NOT VALID;

-- A test goes out whatever is thought of its endpoint, and once: whoever asks wants to see the answer.
ALTER TABLE region.delivery_queue ADD COLUMN is_test boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION region.add_delivery(
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
  INSERT INTO region.delivery_queue (delivery_id, created_at, endpoint_id, uid, lane_id, sequence, size, is_test)
  VALUES (id, now(), endpoint, of_uid, lane, number, length(bytes), of_kind = 'test');
  RETURN number;
END $$;

-- For the number that waits for an endpoint. Nothing that goes out at once is ever in it.
CREATE INDEX delivery_queue_following ON region.delivery_queue (endpoint_id, delivery_id) WHERE state = 'following';

-- How attempts at an endpoint ended. Apart from the endpoint's own row, which claims lock; senders add what they counted in a few
-- seconds.
CREATE TABLE region.delivery_outcomes (
  endpoint_id  bigint PRIMARY KEY,
  last_success timestamptz,
  last_failure timestamptz
) WITH (fillfactor = 70);
-- Kept for two hours.
CREATE TABLE region.delivery_minutes (
  endpoint_id bigint NOT NULL,
  minute      timestamptz NOT NULL,
  ok          integer NOT NULL,
  failed      integer NOT NULL,
  PRIMARY KEY (endpoint_id, minute)
) WITH (fillfactor = 70);
CREATE INDEX delivery_minutes_minute ON region.delivery_minutes (minute);
