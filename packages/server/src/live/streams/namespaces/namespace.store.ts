/** SQL of namespaces. */
import { Fault } from '@millpond/protocol';
import { emptyOnDuplicate, emptyOnForeignKey, faultOnForeignKey } from '../../../platform/db/constraints.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { likePrefix } from '../../../platform/db/like.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';
import { pageOrder, queryPage } from '../../../platform/db/paged.ts';
import { invalidField, type ListQuery, type Page } from '../../../platform/web/resources/index.ts';
import type { NamespaceRow } from '../streams.rows.ts';
import type { NamespaceValues } from './namespace-fields.ts';

const COLUMNS = `ns_id, uid, name, description, access_type, callback, offline_delay, url_type, is_disabled,
  record_template_id, snapshot_template_id, is_record_for_all, is_snapshot_for_all, created_at, updated_at`;

// Finds only the account's own templates of the right kind: another account's looks like one that doesn't exist.
const insert = statement(
  'live-namespace-insert',
  `INSERT INTO region.live_namespaces (ns_id, uid, name, description, access_type, callback, offline_delay, url_type,
     record_template_id, snapshot_template_id, is_record_for_all, is_snapshot_for_all, tenant)
   SELECT $1, $2, $3, $4, $5, $6, $7, $8, NULLIF($9, ''), NULLIF($10, ''), $11, $12, $14
   WHERE (SELECT count(*) FROM region.live_namespaces WHERE uid = $2) < $13
   ON CONFLICT (uid, name) DO NOTHING RETURNING ${COLUMNS}`,
);
const withoutTenant = statement(
  'live-namespaces-without-tenant',
  'SELECT DISTINCT uid FROM region.live_namespaces WHERE tenant IS NULL LIMIT $1',
);
const setTenant = statement(
  'live-namespace-set-tenant',
  'UPDATE region.live_namespaces SET tenant = $2 WHERE uid = $1 AND tenant IS NULL',
);
const find = statement(
  'live-namespace-find',
  `SELECT ${COLUMNS} FROM region.live_namespaces WHERE ns_id = $1`,
);
const lock = statement(
  'live-namespace-lock',
  `SELECT ${COLUMNS} FROM region.live_namespaces WHERE ns_id = $1 AND uid = $2 FOR NO KEY UPDATE`,
);
const update = statement(
  'live-namespace-update',
  `UPDATE region.live_namespaces SET name = $2, description = $3, callback = $4, offline_delay = $5, url_type = $6,
     record_template_id = NULLIF($7, ''), snapshot_template_id = NULLIF($8, ''), is_record_for_all = $9,
     is_snapshot_for_all = $10, updated_at = now()
   WHERE ns_id = $1 RETURNING ${COLUMNS}`,
);
const requestSnapshots = statement(
  'live-namespace-photograph',
  'UPDATE region.live_streams SET next_snap_at = now() WHERE ns_id = $1 AND is_online',
);
const setDisabled = statement(
  'live-namespace-disable',
  `UPDATE region.live_namespaces SET is_disabled = $3, updated_at = now() WHERE ns_id = $1 AND uid = $2
   RETURNING ${COLUMNS}`,
);
const remove = statement(
  'live-namespace-delete',
  `WITH gone AS (
     DELETE FROM region.live_namespaces n WHERE ns_id = $1 AND uid = $2
       AND NOT EXISTS (SELECT FROM region.live_streams s WHERE s.ns_id = n.ns_id AND NOT s.is_ending)
       AND NOT EXISTS (SELECT FROM region.devices d WHERE d.ns_id = n.ns_id) RETURNING ns_id
   ), ended AS (
     DELETE FROM region.live_streams s USING gone WHERE s.ns_id = gone.ns_id AND s.is_ending
   )
   SELECT ns_id FROM gone`,
);
const page = statement(
  'live-namespace-page',
  `SELECT ${COLUMNS}, count(*) OVER () AS total FROM region.live_namespaces
   WHERE uid = $1 AND name LIKE $6
   ${pageOrder("CASE $5 WHEN 'updatedAt' THEN updated_at ELSE created_at END", 'ns_id')}`,
);

export class NamespaceStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  /** Undefined if the name is taken, or the account has reached its limit. */
  async insert(
    id: string,
    owner: { readonly uid: bigint; readonly tenant: bigint | undefined },
    values: NamespaceValues,
    most: number,
  ): Promise<NamespaceRow | undefined> {
    const { uid, tenant } = owner;
    const given = [
      id,
      uid,
      values.name,
      values.desc,
      values.accessType,
      values.callback,
      values.offlineDelay,
      values.rtmpUrlType,
      values.recordTemplateId,
      values.snapshotTemplateId,
      values.recordTemplateApplyAll,
      values.snapshotTemplateApplyAll,
      most,
      tenant ?? null,
    ];
    const inserting = this.#region.transaction((transaction) =>
      queryWithOwnerLock<NamespaceRow>(transaction, uid, insert, given),
    );
    return (await faultOnForeignKey(inserting, missingReferenceFault))[0];
  }

  /** Accounts with namespaces of which it is not written whose they are. */
  async withoutTenant(most: number): Promise<bigint[]> {
    const rows = await this.#region.query<{ readonly uid: bigint }>(withoutTenant, [most]);
    return rows.map(({ uid }) => uid);
  }

  async setTenant(uid: bigint, tenant: bigint): Promise<void> {
    await this.#region.query(setTenant, [uid, tenant]);
  }

  async find(id: string, on: Queryable = this.#region): Promise<NamespaceRow | undefined> {
    return (await on.query<NamespaceRow>(find, [id]))[0];
  }

  async lock(on: Queryable, uid: bigint, id: string): Promise<NamespaceRow | undefined> {
    return (await on.query<NamespaceRow>(lock, [id, uid]))[0];
  }

  /** Undefined if the name is taken. */
  async update(on: Queryable, id: string, values: NamespaceValues): Promise<NamespaceRow | undefined> {
    const given = [
      id,
      values.name,
      values.desc,
      values.callback,
      values.offlineDelay,
      values.rtmpUrlType,
      values.recordTemplateId,
      values.snapshotTemplateId,
      values.recordTemplateApplyAll,
      values.snapshotTemplateApplyAll,
    ];
    const changing = emptyOnDuplicate(on.query<NamespaceRow>(update, given));
    return (await faultOnForeignKey(changing, missingReferenceFault))[0];
  }

  /** Online streams use the namespace's new template from now on. */
  async requestSnapshots(on: Queryable, id: string): Promise<void> {
    await on.query(requestSnapshots, [id]);
  }

  async setDisabled(uid: bigint, id: string, isDisabled: boolean): Promise<NamespaceRow | undefined> {
    return (await this.#region.query<NamespaceRow>(setDisabled, [id, uid, isDisabled]))[0];
  }

  /** False if it is not empty. */
  async delete(uid: bigint, id: string): Promise<boolean> {
    return (await emptyOnForeignKey(this.#region.query(remove, [id, uid]))).length === 1;
  }

  page(uid: bigint, query: ListQuery, prefix: string): Promise<Page<NamespaceRow>> {
    return queryPage(this.#region, page, uid, query, likePrefix(prefix));
  }
}

/** The fault for the constraint that the row would have violated. */
export function missingReferenceFault(constraint: string): Fault {
  return constraint.includes('template')
    ? invalidField('a template that it names no longer exists')
    : new Fault('noSuchNamespace');
}
