/** The audit log of security-relevant acts: who did what, from where, to what, with which request id. Rows are only added. */
import { type Database, type Queryable, statement } from '../../platform/db/database.ts';

export interface Act {
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
  'account.enable',
  'account.password',
  'account.remove',
  'account.signing',
  'account.webhook',
  'account.webhook-exchange',
  'child.create',
  'child.disable',
  'child.enable',
  'child.keys',
  'console.call',
  'key.create',
  'key.delete',
  'key.disable',
  'key.enable',
  'key.limit',
  'secrets.rotate',
  'session.begin',
  'session.end',
  'token.password',
  'token.refresh',
  'token.reuse',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Where an act came from: a request, or an operator's command. */
export interface Origin {
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

export interface AuditSearch {
  readonly since?: Date | undefined;
  readonly until?: Date | undefined;
  readonly action?: string | undefined;
  readonly uid?: bigint | undefined;
  readonly target?: string | undefined;
  readonly reqid?: string | undefined;
  readonly limit: number;
}

const insert = statement(
  'audit-insert',
  `INSERT INTO control.audit (action, result, actor_uid, actor, address, target, reqid) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);
const search = statement(
  'audit-search',
  `SELECT * FROM control.audit
   WHERE ($1::timestamptz IS NULL OR at >= $1) AND ($2::timestamptz IS NULL OR at < $2)
     AND ($3::text IS NULL OR action = $3) AND ($4::bigint IS NULL OR actor_uid = $4)
     AND ($5::text IS NULL OR target = $5) AND ($6::text IS NULL OR reqid = $6)
   ORDER BY audit_id DESC LIMIT $7`,
);

export class Audit {
  readonly #control: Database;

  constructor(control: Database) {
    this.#control = control;
  }

  /** In a transaction, the record is committed or rolled back with the act. */
  async record(act: Act, on: Queryable = this.#control): Promise<void> {
    const cut = (text: string) => text.slice(0, 512);
    const values = [
      act.action,
      act.result,
      act.actorUid ?? null,
      cut(act.actor),
      act.address,
      cut(act.target),
      act.reqid,
    ];
    await on.query(insert, values);
  }

  /** Newest first. */
  search({ since, until, action, uid, target, reqid, limit }: AuditSearch): Promise<AuditRow[]> {
    const values = [since, until, action, uid, target, reqid].map((value) => value ?? null);
    return this.#control.query<AuditRow>(search, [...values, limit]);
  }
}
