/** SQL of events that rules have selected: taken in the transaction that makes deliveries of them. */
import type { ObjectEventName } from '@millpond/protocol';
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';

/** What `region.event_facts` says of an object. */
export interface EventObject {
  readonly size: number;
  readonly hash: string;
  readonly mimeType: string;
  readonly storageClass: number;
  /** Text: it has more digits than a number holds. */
  readonly putTime: string;
  readonly endUser?: string;
  readonly restoreReady?: string;
  readonly restoreEnds?: string;
}

export interface EventRow {
  readonly event_id: bigint;
  readonly uid: bigint;
  readonly bucket: string;
  readonly key: string;
  /** Names of the rules that selected it, and their URLs in the same order. */
  readonly rules: readonly string[];
  readonly urls: readonly string[];
  readonly event: ObjectEventName;
  readonly way: string | null;
  readonly at: Date;
  readonly object: EventObject;
  readonly previous: EventObject | null;
}

/** Changes that wait for a teller. */
export interface PendingStats {
  readonly pending: number;
  /** Since the first of them; 0 if there is none. */
  readonly lateSeconds: number;
}

const COLUMNS = 'event_id, uid, bucket, key, rules, urls, event, way';

// One teller at a time: a second one could overtake the first within a key.
const tryLock = statement(
  'object-events-turn',
  `SELECT pg_try_advisory_xact_lock(hashtext('region.object_events')) AS is_mine`,
);
const hasPending = statement(
  'object-events-waiting',
  `SELECT EXISTS (SELECT FROM region.object_events WHERE due_at IS NULL)
       OR EXISTS (SELECT FROM region.object_events WHERE due_at <= now()) AS are_waiting`,
);
const dequeue = statement(
  'object-events-take',
  `WITH next AS MATERIALIZED (
     SELECT event_id FROM region.object_events WHERE due_at IS NULL ORDER BY event_id LIMIT $1
   ), taken AS (
     DELETE FROM region.object_events e USING next WHERE e.event_id = next.event_id AND e.due_at IS NULL RETURNING e.*
   )
   SELECT ${COLUMNS}, at, object, previous FROM taken ORDER BY event_id`,
);
// The clock alone brings these about, so each is looked at once more: whether its restore is still the object's, and which of
// its rules are still there. What is no longer so is dropped.
const takeDue = statement(
  'object-events-take-due',
  `WITH next AS MATERIALIZED (
     SELECT ctid FROM region.object_events WHERE due_at <= now() ORDER BY due_at LIMIT $1
   ), taken AS (
     DELETE FROM region.object_events e WHERE ctid = ANY (ARRAY(SELECT ctid FROM next)) RETURNING e.*
   ), kept AS (
     SELECT t.event_id, t.uid, t.bucket, t.key, t.event, t.way, t.due_at, still.rules, still.urls, now_there.object
     FROM taken t
     CROSS JOIN LATERAL (
       SELECT array_agg(r.name ORDER BY r.name) AS rules, array_agg(r.url ORDER BY r.name) AS urls
       FROM region.event_rules r WHERE r.bucket_id = t.bucket_id AND r.name = ANY (t.rules)) AS still
     CROSS JOIN LATERAL (
       SELECT region.event_facts(o) AS object FROM region.objects o
       WHERE o.bucket_id = t.bucket_id AND o.key = t.key AND o.put_time = (t.object ->> 'putTime')::bigint
         AND o.class = (t.object ->> 'storageClass')::smallint
         AND CASE t.event WHEN 'restored' THEN o.restore_ready_at ELSE o.restore_ends_at END = t.due_at
       LIMIT 1) AS now_there
     WHERE still.rules IS NOT NULL
   )
   SELECT ${COLUMNS}, due_at AS at, object, NULL AS previous FROM kept ORDER BY due_at, event_id`,
);

const untold = statement(
  'object-events-untold',
  `SELECT count(*)::float8 AS pending, coalesce(extract(epoch FROM now() - min(at)), 0)::float8 AS "lateSeconds"
   FROM (SELECT at FROM region.object_events WHERE due_at IS NULL ORDER BY event_id LIMIT ${MAX_COUNTED}) AS e`,
);

export class ObjectEventStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  async hasPending(): Promise<boolean> {
    const [row] = await this.#region.query<{ are_waiting: boolean }>(hasPending, []);
    return row?.are_waiting ?? false;
  }

  async pendingStats(): Promise<PendingStats> {
    const [row] = await this.#region.query<PendingStats>(untold, []);
    if (row === undefined) throw new Error('there are no figures for events of objects');
    return row;
  }

  /** False while another teller is at work; true until the transaction ends. */
  async tryLock(on: Queryable): Promise<boolean> {
    const [row] = await on.query<{ is_mine: boolean }>(tryLock, []);
    return row?.is_mine ?? false;
  }

  /** In the order of the changes, at most so many of either kind. */
  async dequeue(most: number, on: Queryable): Promise<EventRow[]> {
    const happened = await on.query<EventRow>(dequeue, [most]);
    return [...happened, ...(await on.query<EventRow>(takeDue, [most]))];
  }
}
