/**
 * SQL of what failed, newest first: tasks, deliveries, fetches, bulk work and, for operators, jobs that were given up. It only reads, from
 * the tables of several features, and of each no more rows than the page has, by an index of the failed ones.
 */
import { type Database, type Statement, statement } from '../../platform/db/database.ts';
import type { Scope } from './overview.store.ts';

export interface FailureRow {
  /** Microseconds since 1970. */
  readonly at: bigint;
  readonly what: string;
  readonly id: string;
  /** Null for jobs, which belong to no account. */
  readonly uid: bigint | null;
  readonly entry: string | null;
  readonly words: string | null;
  readonly cause_kind: string;
  readonly cause_id: string;
  readonly item: number | null;
}

/** Where a page begins: after this one. */
export interface FailureCursor {
  readonly at: bigint;
  readonly id: string;
}

interface Source {
  readonly columns: string;
  readonly from: string;
  readonly at: string;
  readonly id: string;
  /** Joined to the rows of the page only. */
  readonly joined?: string;
  readonly where: string;
  /** Whose it is; default: its column `uid`. */
  readonly owned?: string;
}

const KEPT = `interval '30 days'`;
/** Error text comes from third parties: truncate it. */
const words = (text: string) => `left(${text}, 1000)`;

const tasks: Source = {
  columns: `'task' AS what, f.input_bucket || ':' || f.input_key AS entry, ${words(`COALESCE(
    NULLIF(i.item ->> 'error', ''), i.item ->> 'words', 'failed')`)} AS words, 'task' AS cause_kind, f.task_id AS cause_id,
    (i.n - 1)::integer AS item`,
  from: 'region.tasks',
  at: 'finished_at',
  id: 'task_id',
  joined: `LEFT JOIN LATERAL (SELECT item, n FROM jsonb_array_elements(f.items) WITH ORDINALITY AS e (item, n)
    WHERE (item ->> 'code')::integer = 3 ORDER BY n LIMIT 1) AS i ON true`,
  where: 'code = 3',
};
// Its last attempt was made when it was given up; that finds the day's partition.
const deliveries: Source = {
  columns: `CASE f.kind WHEN 'live' THEN 'stream' WHEN 'object' THEN 'event' WHEN 'callback' THEN f.kind ELSE 'notification' END AS what,
    f.subject AS entry, ${words(`COALESCE(a.error, 'the receiver answered ' || a.status, 'not sent any more')`)} AS words,
    CASE WHEN e.state IN ('open', 'suspended') THEN 'endpoint' ELSE 'delivery' END AS cause_kind,
    CASE WHEN e.state IN ('open', 'suspended') THEN f.endpoint_id::text ELSE f.delivery_id::text END AS cause_id,
    NULL::integer AS item`,
  from: 'region.deliveries',
  at: 'failed_at',
  id: 'delivery_id::text',
  joined: `LEFT JOIN region.delivery_endpoints e ON e.endpoint_id = f.endpoint_id
   LEFT JOIN LATERAL (SELECT status, error FROM region.delivery_attempts a
     WHERE a.delivery_id = f.delivery_id AND a.begun_at > f.failed_at - interval '1 day' AND a.begun_at <= f.failed_at
     ORDER BY begun_at DESC LIMIT 1) AS a ON true`,
  where: 'failed_at IS NOT NULL',
};
const fetches: Source = {
  columns: `'fetch' AS what, (f.request ->> 'bucket') || COALESCE(':' || (f.request ->> 'key'), '') AS entry,
    ${words('f.error')} AS words, 'request' AS cause_kind, COALESCE(f.request ->> 'reqid', '') AS cause_id, NULL::integer AS item`,
  from: 'region.fetches',
  at: 'failed_at',
  id: 'fetch_id::text',
  where: 'failed_at IS NOT NULL',
};
const bulk: Source = {
  columns: `'bulk' AS what, f.bucket || ':' || f.prefix AS entry, ${words(`COALESCE(f.words, 'failed')`)} AS words,
    'bulk' AS cause_kind, f.bulk_id::text AS cause_id, NULL::integer AS item`,
  from: 'region.bulk',
  at: 'ended_at',
  id: 'bulk_id::text',
  where: `state = 'failed' AND ended_at IS NOT NULL`,
};
const jobs: Source = {
  columns: `'job' AS what, f.queue AS entry, ${words('f.reason')} AS words,
    CASE WHEN f.data ? 'taskId' THEN 'task' ELSE 'job' END AS cause_kind, COALESCE(f.data ->> 'taskId', f.id::text) AS cause_id,
    NULL::integer AS item`,
  from: 'queue.jobs',
  at: 'failed_at',
  id: 'id::text',
  where: `state = 'failed'`,
  owned: 'NULL::bigint',
};

// $1: where the page begins, microseconds; $2: the id there; $3: how many; $4: the account.
function page(
  name: string,
  { columns, from, at, id, joined = '', where, owned = 'f.uid' }: Source,
  owner: string,
): Statement {
  const before = `to_timestamp($1::bigint / 1000000) + ($1::bigint % 1000000) * interval '1 microsecond'`;
  return statement(
    name,
    `SELECT (extract(epoch FROM f.${at}) * 1000000)::bigint AS at, f.failure_id AS id, ${owned} AS uid, ${columns}
     FROM (SELECT *, ${id} COLLATE "C" AS failure_id FROM ${from}
           WHERE ${where} ${owner} AND ${at} > now() - ${KEPT} AND ${at} <= ${before}
             AND (${at} < ${before} OR ${id} COLLATE "C" < $2)
           ORDER BY ${at} DESC, ${id} COLLATE "C" DESC LIMIT $3) AS f ${joined}
     ORDER BY f.${at} DESC, f.failure_id DESC`,
  );
}
const OWN = 'AND uid = $4';
const own = Object.entries({ tasks, deliveries, fetches, bulk }).map(([name, source]) =>
  page(`failures-${name}`, source, OWN),
);
const all = Object.entries({ tasks, deliveries, fetches, bulk, jobs }).map(([name, source]) =>
  page(`failures-${name}-all`, source, ''),
);

export class FailureStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Returns as many of each kind as requested. */
  async newest(scope: Scope, { at, id }: FailureCursor, most: number): Promise<FailureRow[]> {
    const values = [at, id, most];
    const pages = await Promise.all(
      scope === undefined
        ? all.map((one) => this.#region.query<FailureRow>(one, values))
        : own.map((one) => this.#region.query<FailureRow>(one, [...values, scope])),
    );
    return pages.flat();
  }
}
