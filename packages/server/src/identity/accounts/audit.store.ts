/** The audit log of security-relevant acts: who did what, from where, to what, with which request id. Rows are only added. */
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';

export interface NewAuditEntry {
  readonly action: AuditAction;
  /** `ok`, or the name of the fault. */
  readonly result: string;
  readonly actorUid?: bigint | undefined;
  /** Access key, e-mail, or `operator`. Never a secret. */
  readonly actor: string;
  readonly address: string;
  readonly target: string;
  readonly reqid: string;
}

const auditActions = [
  'account.create',
  'account.close',
  'account.disable',
  'account.email',
  'account.enable',
  'account.password',
  'account.remove',
  'account.signing',
  'account.webhook',
  'account.webhook-exchange',
  'account.region',
  'child.create',
  'child.disable',
  'child.enable',
  'child.keys',
  'console.call',
  'identity.invite',
  'identity.join',
  'identity.remove',
  'key.create',
  'key.delete',
  'key.disable',
  'key.enable',
  'key.limit',
  'operator.give',
  'operator.take',
  'secrets.rotate',
  'session.begin',
  'session.end',
  'token.end',
  'token.password',
  'token.refresh',
  'token.reuse',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Where an act came from: a request, or an operator's command. */
export interface AuditOrigin {
  readonly address: string;
  readonly reqid: string;
}

export interface AuditRow {
  readonly audit_id: bigint;
  readonly at: Date;
  readonly action: string;
  readonly result: string;
  readonly actor_uid: bigint | null;
  readonly actor: string;
  readonly address: string;
  readonly target: string;
  readonly reqid: string;
}

/** Absent fields do not filter. */
export interface AuditFilter {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly action?: string | undefined;
  /** Acts of this account and its children. */
  readonly uid?: bigint | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly reqid?: string | undefined;
}

export interface AuditSearch extends AuditFilter {
  readonly limit: number;
}

/** Where a page ended: a row's time, in microseconds of the unix epoch, and its number. */
export interface AuditCursor {
  readonly micros: bigint;
  readonly id: bigint;
}

export interface AuditPage {
  readonly rows: readonly AuditRow[];
  /** Absent on the last page. A page may have fewer rows than its limit, or none, and still have another after it. */
  readonly next: AuditCursor | undefined;
}

/** How many rows a page with filters looks at: however rare they match, it costs no more. */
const WINDOW = 10_000;
const BEGINNING = new Date(0);
const NEWEST: AuditCursor = { micros: 9_999_999_999_999_999n, id: 0n };

const insert = statement(
  'audit-insert',
  `INSERT INTO control.audit (action, result, actor_uid, actor, address, target, reqid, actor_parent_uid)
   VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT nullif(parent_uid, 0) FROM control.accounts WHERE uid = $3))`,
);

/**
 * Rows that come next along an index, of which `$5` to `$9` select some. Comparing rows from the index's own columns, and sorting by
 * all of them, leaves no other index to take: for a value that is rarer than most, another one would read the whole log.
 */
function pageStatement(name: string, ...ways: readonly { column: string; value: string; where: string }[]) {
  const until = `(timestamptz 'epoch' + ($2::bigint / 1000000) * interval '1 second' + ($2::bigint % 1000000) * interval '1 microsecond')`;
  const along = ways.map(({ column, value, where }) => {
    const [columns, values] = column === '' ? ['', ''] : [`${column}, `, `${value}, `];
    return `(SELECT * FROM control.audit
        WHERE (${columns}at, audit_id) < (${values}${until}, $3::bigint) AND (${columns}at) >= (${values}$1::timestamptz) AND ${where}
        ORDER BY ${column === '' ? '' : `${column} DESC, `}at DESC, audit_id DESC LIMIT $4)`;
  });
  return statement(
    name,
    `WITH seen AS MATERIALIZED (
       SELECT *, (extract(epoch FROM at) * 1000000)::bigint AS micros FROM (${along.join(' UNION ALL ')}) along
       ORDER BY at DESC, audit_id DESC LIMIT $4
     )
     SELECT found.*, found.audit_id IS NOT NULL AS is_found, counted.seen, last.micros AS last_micros, last.audit_id AS last_id
     FROM (SELECT count(*) AS seen FROM seen) counted
     LEFT JOIN (SELECT micros, audit_id FROM seen ORDER BY at, audit_id LIMIT 1) last ON true
     LEFT JOIN (
       SELECT audit_id, at, micros, action, result, actor_uid, actor, address, target, reqid FROM seen
       WHERE ($5::text IS NULL OR action = $5) AND ($6::text IS NULL OR target = $6) AND ($7::text IS NULL OR reqid = $7)
         AND ($8::text IS NULL OR actor = $8) AND ($9::bigint IS NULL OR actor_uid = $9 OR actor_parent_uid = $9)
       ORDER BY at DESC, audit_id DESC LIMIT $10
     ) found ON true
     ORDER BY found.at DESC, found.audit_id DESC`,
  );
}

/** The one of these that reads the fewest rows is taken: a request has few, an account has its own. */
const pages = {
  reqid: pageStatement('audit-page-of-request', { column: 'reqid', value: '$7::text', where: `reqid <> ''` }),
  uid: pageStatement(
    'audit-page-of-account',
    { column: 'actor_uid', value: '$9::bigint', where: 'true' },
    { column: 'actor_parent_uid', value: '$9::bigint', where: 'actor_parent_uid IS NOT NULL' },
  ),
  target: pageStatement('audit-page-of-target', { column: 'target', value: '$6::text', where: 'true' }),
  action: pageStatement('audit-page-of-action', { column: 'action', value: '$5::text', where: 'true' }),
  all: pageStatement('audit-page', { column: '', value: '', where: 'true' }),
};

interface FoundRow extends AuditRow {
  /** False in the only row of a page without any. */
  readonly is_found: boolean;
  readonly micros: bigint;
  readonly seen: bigint;
  readonly last_micros: bigint;
  readonly last_id: bigint;
}

export class Audit {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** In a transaction, the record is committed or rolled back with the act. */
  async record(auditEntry: NewAuditEntry, on: Queryable = this.#control): Promise<void> {
    const cut = (text: string) => text.slice(0, 512);
    const values = [
      auditEntry.action,
      auditEntry.result,
      auditEntry.actorUid ?? null,
      cut(auditEntry.actor),
      auditEntry.address,
      cut(auditEntry.target),
      auditEntry.reqid,
    ];
    await on.query(insert, values);
  }

  /** Newest first. */
  async page(filter: AuditFilter, limit: number, after: AuditCursor = NEWEST): Promise<AuditPage> {
    const { action, target, reqid, actor, uid } = filter;
    const way = (['reqid', 'uid', 'target', 'action'] as const).find((name) => filter[name] !== undefined);
    // If the index covers the only filter, read just `limit` rows.
    const others = [action, target, reqid, actor, uid].filter((value) => value !== undefined).length;
    const most = others > (way === undefined ? 0 : 1) ? WINDOW : limit;
    const from = earlierOf(after, filter.until);
    const rows = await this.#control.query<FoundRow>(pages[way ?? 'all'], [
      filter.since ?? BEGINNING,
      from.micros,
      from.id,
      most,
      ...[action, target, reqid, actor, uid].map((value) => value ?? null),
      limit,
    ]);
    const [first] = rows;
    const found = rows.filter((row) => row.is_found);
    const last = found.length === limit ? found.at(-1) : undefined;
    const isFull = first !== undefined && Number(first.seen) === most;
    const windowEnd = isFull ? { micros: first.last_micros, id: first.last_id } : undefined;
    const next = last === undefined ? windowEnd : { micros: last.micros, id: last.audit_id };
    return { rows: found.map(rowOf), next };
  }

  /** The newest ones, however many pages it takes. */
  async search({ limit, ...filter }: AuditSearch): Promise<AuditRow[]> {
    const found: AuditRow[] = [];
    for (let after: AuditCursor | undefined; ; ) {
      const { rows, next } = await this.page(filter, Math.min(limit - found.length, WINDOW), after);
      found.push(...rows);
      if (next === undefined || found.length >= limit) return found;
      after = next;
    }
  }
}

function earlierOf(place: AuditCursor, until: Date | undefined): AuditCursor {
  const micros = until === undefined ? NEWEST.micros : BigInt(until.getTime()) * 1000n;
  return micros <= place.micros ? { micros, id: 0n } : place;
}

function rowOf({
  audit_id,
  at,
  action,
  result,
  actor_uid,
  actor,
  address,
  target,
  reqid,
}: FoundRow): AuditRow {
  return { audit_id, at, action, result, actor_uid, actor, address, target, reqid };
}
