/**
 * SQL of the overview: what is under way in an account, or in the whole region. It only reads, from the tables of several
 * features; each count ends at 10,000 and reads an index that holds little more than what it counts.
 */

import { type Database, type Statement, statement } from '../../platform/db/database.ts';
import { MAX_COUNTED } from '../../platform/db/sampling.ts';

/** Undefined: all accounts. */
export type Scope = bigint | undefined;

export interface DeliveryRow {
  readonly waiting: number;
  readonly failed: number;
  readonly oldest: Date | null;
}

export interface AwayRow {
  readonly endpoint_id: bigint;
  readonly name: string;
  readonly since: Date | null;
  readonly words: string | null;
  readonly waiting: number;
}

export interface DayRow {
  readonly day: string;
  readonly calls: number;
  readonly downloads: number;
}

const MAX_AWAY = 50;
const MAX_PARKED = 1000;
export const DAYS_SHOWN = 30;

/** The same for one account ($1) and for all, as two statements: each has the plan of its own index. */
interface Scoped {
  readonly own: Statement;
  readonly all: Statement;
}
function scoped(name: string, text: (of: (column: string) => string) => string): Scoped {
  return {
    own: statement(
      `overview-${name}`,
      text((column) => `AND ${column} = $1`),
    ),
    all: statement(
      `overview-${name}-all`,
      text(() => ''),
    ),
  };
}
const counted = (rows: string) => `(SELECT count(*) FROM (SELECT ${rows} LIMIT ${MAX_COUNTED}) AS c)::float8`;

const buckets = scoped(
  'buckets',
  (of) => `SELECT ${counted(`FROM control.buckets WHERE true ${of('uid')}`)} AS count`,
);
const failedTasks = scoped(
  'failed-tasks',
  (of) =>
    `SELECT ${counted(`FROM region.tasks WHERE code = 3 ${of('uid')}
       AND finished_at >= date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'`)} AS count`,
);
const bulk = scoped(
  'bulk',
  (of) =>
    `SELECT ${counted(`FROM region.bulk WHERE state IN ('waiting', 'running') AND ended_at IS NULL ${of('uid')}`)} AS count`,
);
const OF_STATE = `FROM region.deliveries WHERE uid = $1 AND state <> 'delivered' AND state =`;
const deliveries = statement(
  'overview-deliveries',
  `SELECT ${counted(`${OF_STATE} 'waiting'`)} AS waiting, ${counted(`${OF_STATE} 'failed'`)} AS failed,
     (SELECT created_at ${OF_STATE} 'waiting' ORDER BY created_at LIMIT 1) AS oldest`,
);
// Leaves out unreachable endpoints with no queued events.
const AWAY = 'endpoint_id, name, COALESCE(suspended_at, failing_since) AS since, reason AS words';
const away = scoped(
  'away',
  (of) => `SELECT a.*, (SELECT count(*) FROM (
       SELECT FROM region.delivery_queue q WHERE q.endpoint_id = a.endpoint_id AND q.state = 'parked' LIMIT ${MAX_PARKED}) AS p
     )::float8 AS waiting
   FROM ((SELECT ${AWAY} FROM region.delivery_endpoints WHERE state = 'suspended' ${of('uid')}
          ORDER BY suspended_at DESC LIMIT ${MAX_AWAY})
         UNION ALL
         (SELECT ${AWAY} FROM region.delivery_endpoints
          WHERE next_at IS NOT NULL AND state IN ('open', 'half-open') ${of('uid')} LIMIT ${MAX_AWAY})) AS a
   ORDER BY since DESC NULLS LAST LIMIT ${MAX_AWAY}`,
);
const ownStreams = (table: string) =>
  counted(
    `FROM region.live_namespaces n JOIN ${table} s ON s.ns_id = n.ns_id AND s.is_online WHERE n.uid = $1`,
  );
const allStreams = (table: string) => counted(`FROM ${table} WHERE is_online`);
const live: Scoped = {
  own: statement(
    'overview-live',
    `SELECT ${ownStreams('region.live_streams')} AS streams, ${ownStreams('region.devices')} AS devices`,
  ),
  all: statement(
    'overview-live-all',
    `SELECT ${allStreams('region.live_streams')} AS streams, ${allStreams('region.devices')} AS devices`,
  ),
};
const days = statement(
  'overview-days',
  `SELECT to_char(day, 'YYYY-MM-DD') AS day, sum(calls)::float8 AS calls, sum(downloads)::float8 AS downloads
   FROM region.request_counts
   WHERE uid = $1 AND day > (now() AT TIME ZONE 'UTC')::date - ${DAYS_SHOWN} GROUP BY day ORDER BY day`,
);

export class OverviewStore {
  readonly #control: Database;
  readonly #region: Database;

  constructor(control: Database, region: Database) {
    this.#control = control;
    this.#region = region;
  }

  async buckets(scope: Scope): Promise<number> {
    const [row] = await this.#scoped<{ count: number }>(this.#control, buckets, scope);
    return row?.count ?? 0;
  }

  /** Since midnight, UTC. */
  async failedTasks(scope: Scope): Promise<number> {
    const [row] = await this.#scoped<{ count: number }>(this.#region, failedTasks, scope);
    return row?.count ?? 0;
  }

  /** Waiting or running. */
  async bulk(scope: Scope): Promise<number> {
    const [row] = await this.#scoped<{ count: number }>(this.#region, bulk, scope);
    return row?.count ?? 0;
  }

  async deliveries(uid: bigint): Promise<DeliveryRow> {
    const [row] = await this.#region.query<DeliveryRow>(deliveries, [uid]);
    return row ?? { waiting: 0, failed: 0, oldest: null };
  }

  endpointsAway(scope: Scope): Promise<AwayRow[]> {
    return this.#scoped<AwayRow>(this.#region, away, scope);
  }

  async live(scope: Scope): Promise<{ readonly streams: number; readonly devices: number }> {
    const [row] = await this.#scoped<{ streams: number; devices: number }>(this.#region, live, scope);
    return row ?? { streams: 0, devices: 0 };
  }

  requestDays(uid: bigint): Promise<DayRow[]> {
    return this.#region.query<DayRow>(days, [uid]);
  }

  #scoped<Row extends object>(database: Database, { own, all }: Scoped, scope: Scope): Promise<Row[]> {
    return scope === undefined ? database.query<Row>(all, []) : database.query<Row>(own, [scope]);
  }
}
