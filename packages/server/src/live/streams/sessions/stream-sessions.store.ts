/** SQL of publishers' sessions, and of their effect on a stream. */
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import type { StreamAddress } from '../engine-name.ts';
import type { SessionKey } from '../engines/engine-report.ts';
import type { SealedKey, SessionRow } from '../streams.rows.ts';
import { isAbandoned } from '../upkeep/engine-lease.store.ts';

/** With its account; null if its namespace is gone. */
export interface OpenSession extends SessionRow {
  readonly uid: bigint | null;
}

/** A stream with its namespace's settings for publishing. */
export interface PublishedStream extends SealedKey {
  /** The account that owns it. */
  readonly uid: bigint;
  readonly ns_id: string;
  readonly stream_id: string;
  readonly is_online: boolean;
  /** The stream or its namespace is disabled, or nobody may publish it at all. */
  readonly is_closed: boolean;
  readonly url_type: number;
  /** The hash of the secret that the server itself publishes with; if it is set, nothing else is accepted. */
  readonly feed_hash: Buffer | null;
  /** The time of the transaction. */
  readonly at: Date;
}

export type PublisherStatus = Pick<PublishedStream, 'uid' | 'is_closed'> & { readonly is_known: boolean };

export interface NewSession extends StreamAddress {
  readonly engine: string;
  readonly boot: string;
  readonly client: string;
  readonly address: string;
}

const SESSION = 'engine, boot, client, ns_id, stream_id, address, began_at, ended_at';
const IS_CLOSED = `s.is_disabled OR n.is_disabled OR n.access_type <> 'rtmp' AND s.feed_hash IS NULL AS is_closed`;
const STREAM = `s.ns_id, s.stream_id, s.sealed_key, s.master_key, s.is_online, s.feed_hash, n.url_type, now() AS at,
  ${IS_CLOSED}`;
const OF_STREAM = `FROM region.live_streams s JOIN region.live_namespaces n ON n.ns_id = s.ns_id
  WHERE s.ns_id = $1 AND s.stream_id = $2`;

const look = statement('live-session-look', `SELECT n.uid, ${STREAM} ${OF_STREAM}`);
const lock = statement('live-session-lock', `SELECT n.uid, ${STREAM} ${OF_STREAM} FOR NO KEY UPDATE OF s`);
// The number exists already: the engine's process restarted with the same process id.
const TAKEN_OVER = `ON CONFLICT (engine, boot, client) DO UPDATE SET ns_id = excluded.ns_id,
     stream_id = excluded.stream_id, address = excluded.address, began_at = clock_timestamp(), ended_at = NULL`;
const open = statement(
  'live-session-open',
  `INSERT INTO region.live_sessions (engine, boot, client, ns_id, stream_id, address)
   VALUES ($1, $2, $3, $4, $5, $6) ${TAKEN_OVER}`,
);
// Sees what is committed when this statement begins, which is after the stream was locked.
const openAlone = statement(
  'live-session-open-alone',
  `INSERT INTO region.live_sessions (engine, boot, client, ns_id, stream_id, address)
   SELECT $1, $2, $3, $4, $5, $6 WHERE NOT EXISTS (
     SELECT FROM region.live_sessions x WHERE x.ns_id = $4 AND x.stream_id = $5 AND x.engine = $1 AND x.boot = $2
       AND x.client <> $3 AND x.ended_at IS NULL)
   ${TAKEN_OVER} RETURNING client`,
);
const find = statement(
  'live-session-find',
  `SELECT ${SESSION} FROM region.live_sessions WHERE engine = $1 AND boot = $2 AND client = $3`,
);
// Runs for every publisher every few seconds.
const standing = statement(
  'live-session-standing',
  `SELECT ${IS_CLOSED},
     EXISTS (SELECT FROM region.live_sessions x WHERE x.engine = $3 AND x.boot = $4 AND x.client = $5
               AND x.ns_id = s.ns_id AND x.stream_id = s.stream_id) AS is_known, n.uid
   ${OF_STREAM}`,
);
const end = statement(
  'live-session-end',
  `UPDATE region.live_sessions SET ended_at = clock_timestamp()
   WHERE engine = $1 AND boot = $2 AND client = $3 AND ended_at IS NULL RETURNING client`,
);
const markOnline = statement(
  'live-stream-appear',
  `UPDATE region.live_streams SET is_online = true, gone_at = NULL, last_pushed_at = now(),
     changed_at = CASE WHEN is_online THEN changed_at ELSE now() END,
     playable_at = CASE WHEN is_online THEN playable_at END,
     next_snap_at = CASE WHEN snapshot_template_id IS NOT NULL OR EXISTS (
       SELECT FROM region.live_namespaces n WHERE n.ns_id = $1 AND n.snapshot_template_id IS NOT NULL)
     THEN COALESCE(next_snap_at, now()) END
   WHERE ns_id = $1 AND stream_id = $2`,
);
const markGone = statement(
  'live-stream-vanish',
  `UPDATE region.live_streams SET gone_at = clock_timestamp()
   WHERE ns_id = $1 AND stream_id = $2 AND is_online AND gone_at IS NULL
     AND NOT EXISTS (SELECT FROM region.live_sessions WHERE ns_id = $1 AND stream_id = $2 AND ended_at IS NULL)`,
);
// Reported online but not published: the last session ended without a check of its stream, or was taken over.
const abandoned = statement(
  'live-stream-abandoned',
  `SELECT s.ns_id AS "nsId", s.stream_id AS "streamId" FROM region.live_streams s
   WHERE s.is_online AND s.gone_at IS NULL
     AND NOT EXISTS (SELECT FROM region.live_sessions x
                     WHERE x.ns_id = s.ns_id AND x.stream_id = s.stream_id AND x.ended_at IS NULL)`,
);
const due = statement(
  'live-stream-due',
  `SELECT s.ns_id, s.stream_id, s.gone_at FROM region.live_streams s
   JOIN region.live_namespaces n ON n.ns_id = s.ns_id
   WHERE s.is_online AND s.gone_at IS NOT NULL
     AND GREATEST(s.gone_at, $1) + n.offline_delay * interval '1 second' <= clock_timestamp()
   ORDER BY s.gone_at LIMIT $2 FOR NO KEY UPDATE OF s SKIP LOCKED`,
);
const markOffline = statement(
  'live-stream-tell-gone',
  `UPDATE region.live_streams s SET is_online = false, changed_at = gone_at, gone_at = NULL, next_snap_at = NULL,
     playable_at = NULL
   FROM unnest($1::text[], $2::text[]) AS g (ns_id, stream_id)
   WHERE s.ns_id = g.ns_id AND s.stream_id = g.stream_id`,
);
const starting = statement(
  'live-stream-starting',
  `SELECT s.ns_id AS "nsId", s.stream_id AS "streamId" FROM region.live_streams s
   WHERE s.is_online AND s.playable_at IS NULL
     AND EXISTS (SELECT FROM region.live_sessions x WHERE x.ns_id = s.ns_id AND x.stream_id = s.stream_id
                   AND x.engine = $1 AND x.ended_at IS NULL)
   ORDER BY random() LIMIT $2`,
);
const playable = statement(
  'live-stream-playable',
  `UPDATE region.live_streams s SET playable_at = now() FROM unnest($1::text[], $2::text[]) AS p (ns_id, stream_id)
   WHERE s.ns_id = p.ns_id AND s.stream_id = p.stream_id AND s.is_online AND s.playable_at IS NULL`,
);
const openOfEngine = statement(
  'live-session-open-at',
  `SELECT ${SESSION}, (SELECT n.uid FROM region.live_namespaces n WHERE n.ns_id = x.ns_id) AS uid
   FROM region.live_sessions x WHERE engine = $1 AND ended_at IS NULL`,
);
const ofAbandonedEngines = statement(
  'live-session-of-abandoned-engines',
  `SELECT ${SESSION} FROM region.live_sessions x
   WHERE ended_at IS NULL AND engine <> ALL ($1) AND began_at < clock_timestamp() - $2 * interval '1 millisecond'
     AND ${isAbandoned('x.engine', '$2')}`,
);
const anyOnline = statement(
  'live-stream-any-online',
  'SELECT EXISTS (SELECT FROM region.live_streams WHERE is_online) AS is_any',
);
const openOfStream = statement(
  'live-session-open-of',
  `SELECT ${SESSION} FROM region.live_sessions WHERE ns_id = $1 AND stream_id = $2 AND ended_at IS NULL
   ORDER BY began_at DESC`,
);
const openOfNamespace = statement(
  'live-session-open-in',
  `SELECT DISTINCT stream_id FROM region.live_sessions WHERE ns_id = $1 AND ended_at IS NULL`,
);
const ofStream = statement(
  'live-session-of-stream',
  `SELECT ${SESSION} FROM region.live_sessions WHERE ns_id = $1 AND stream_id = $2
   ORDER BY began_at DESC LIMIT $3`,
);
const forget = statement(
  'live-session-forget',
  `DELETE FROM region.live_sessions WHERE ended_at < now() - $1 * interval '1 day'`,
);
const clock = statement('live-session-clock', 'SELECT clock_timestamp() AS now');

export class SessionStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  async now(): Promise<Date> {
    return (await this.#region.query<{ now: Date }>(clock, []))[0]?.now ?? new Date();
  }

  async look({ nsId, streamId }: StreamAddress): Promise<PublishedStream | undefined> {
    return (await this.#region.query<PublishedStream>(look, [nsId, streamId]))[0];
  }

  /** Serializes everything about one stream. */
  async lock(on: Queryable, { nsId, streamId }: StreamAddress): Promise<PublishedStream | undefined> {
    return (await on.query<PublishedStream>(lock, [nsId, streamId]))[0];
  }

  async open(on: Queryable, session: NewSession): Promise<true> {
    await on.query(open, valuesOf(session));
    return true;
  }

  /** False if another client publishes the stream there. */
  async openAlone(on: Queryable, session: NewSession): Promise<boolean> {
    return (await on.query(openAlone, valuesOf(session))).length === 1;
  }

  async find(engine: string, boot: string, client: string): Promise<SessionRow | undefined> {
    return (await this.#region.query<SessionRow>(find, [engine, boot, client]))[0];
  }

  /** Whether a stream may be published, and whether this session of it is known; undefined if there is no such stream. */
  async standing(
    { nsId, streamId }: StreamAddress,
    engine: string,
    { boot, client }: SessionKey,
  ): Promise<PublisherStatus | undefined> {
    return (await this.#region.query<PublisherStatus>(standing, [nsId, streamId, engine, boot, client]))[0];
  }

  /** False if it had ended already. */
  async end(on: Queryable, { engine, boot, client }: SessionRow): Promise<boolean> {
    return (await on.query(end, [engine, boot, client])).length === 1;
  }

  async markOnline(on: Queryable, { ns_id, stream_id }: PublishedStream): Promise<void> {
    await on.query(markOnline, [ns_id, stream_id]);
  }

  async markGone(on: Queryable, { nsId, streamId }: StreamAddress): Promise<void> {
    await on.query(markGone, [nsId, streamId]);
  }

  abandoned(): Promise<StreamAddress[]> {
    return this.#region.query<StreamAddress>(abandoned, []);
  }

  /** Locks and returns those that have been gone for their delay, counted from `since` at the earliest. */
  due(
    on: Queryable,
    since: Date,
    most: number,
  ): Promise<{ readonly ns_id: string; readonly stream_id: string; readonly gone_at: Date }[]> {
    return on.query(due, [since, most]);
  }

  async markOffline(
    on: Queryable,
    streams: readonly { readonly ns_id: string; readonly stream_id: string }[],
  ): Promise<void> {
    await on.query(markOffline, [streams.map((each) => each.ns_id), streams.map((each) => each.stream_id)]);
  }

  /** Online, with nothing to play yet. */
  starting(engine: string, most: number): Promise<StreamAddress[]> {
    return this.#region.query<StreamAddress>(starting, [engine, most]);
  }

  async playable(streams: readonly StreamAddress[]): Promise<void> {
    await this.#region.query(playable, [
      streams.map(({ nsId }) => nsId),
      streams.map(({ streamId }) => streamId),
    ]);
  }

  openOfEngine(engine: string): Promise<OpenSession[]> {
    return this.#region.query<OpenSession>(openOfEngine, [engine]);
  }

  /** At engines that are not among those given, and that have had no owner for this long. */
  ofAbandonedEngines(engines: readonly string[], ms: number): Promise<SessionRow[]> {
    return this.#region.query<SessionRow>(ofAbandonedEngines, [engines, ms]);
  }

  async isAnyOnline(): Promise<boolean> {
    return (await this.#region.query<{ is_any: boolean }>(anyOnline, []))[0]?.is_any ?? false;
  }

  /** Newest first. */
  openOfStream({ nsId, streamId }: StreamAddress): Promise<SessionRow[]> {
    return this.#region.query<SessionRow>(openOfStream, [nsId, streamId]);
  }

  openOfNamespace(nsId: string): Promise<{ readonly stream_id: string }[]> {
    return this.#region.query(openOfNamespace, [nsId]);
  }

  ofStream({ nsId, streamId }: StreamAddress, most: number): Promise<SessionRow[]> {
    return this.#region.query<SessionRow>(ofStream, [nsId, streamId, most]);
  }

  async forget(days: number): Promise<void> {
    await this.#region.query(forget, [days]);
  }
}

function valuesOf({ engine, boot, client, nsId, streamId, address }: NewSession): string[] {
  return [engine, boot, client, nsId, streamId, address.slice(0, 100)];
}
