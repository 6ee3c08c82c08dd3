/** SQL of templates. */
import { emptyOnDuplicate, emptyOnForeignKey } from '../../../platform/db/constraints.ts';
import { type Database, type Queryable, statement, type Transaction } from '../../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';
import { pageOrder, queryPage } from '../../../platform/db/paged.ts';
import type { ListQuery, Page } from '../../../platform/web/resources/index.ts';
import type { TemplateRow } from '../streams.rows.ts';
import type { TemplateValues } from './template-fields.ts';

const VALUES = `name, description, kind, bucket, delete_after_days, storage_class, record_type, record_formats,
  snap_interval, jpg_overwrite, jpg_sequence, jpg_on_demand, mp4_name, jpg_overwrite_name, jpg_sequence_name,
  jpg_on_demand_name`;
const COLUMNS = `template_id, uid, ${VALUES}, created_at, updated_at`;

const insert = statement(
  'live-template-insert',
  `INSERT INTO region.live_templates (template_id, uid, ${VALUES})
   SELECT $1, $2, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19
   WHERE (SELECT count(*) FROM region.live_templates WHERE uid = $2) < $3
   ON CONFLICT (uid, name) DO NOTHING RETURNING ${COLUMNS}`,
);
const find = statement(
  'live-template-find',
  `SELECT ${COLUMNS} FROM region.live_templates WHERE template_id = $1`,
);
const lock = statement(
  'live-template-lock',
  `SELECT ${COLUMNS} FROM region.live_templates WHERE template_id = $1 AND uid = $2 FOR NO KEY UPDATE`,
);
const update = statement(
  'live-template-update',
  `UPDATE region.live_templates SET (${VALUES}, updated_at) =
     ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now())
   WHERE template_id = $1 RETURNING ${COLUMNS}`,
);
const remove = statement(
  'live-template-delete',
  `DELETE FROM region.live_templates t WHERE template_id = $1 AND uid = $2
     AND NOT EXISTS (SELECT FROM region.live_namespaces WHERE record_template_id = $1)
     AND NOT EXISTS (SELECT FROM region.live_namespaces WHERE snapshot_template_id = $1)
     AND NOT EXISTS (SELECT FROM region.live_streams WHERE record_template_id = $1)
     AND NOT EXISTS (SELECT FROM region.live_streams WHERE snapshot_template_id = $1)
   RETURNING template_id`,
);
const page = statement(
  'live-template-page',
  `SELECT ${COLUMNS}, count(*) OVER () AS total FROM region.live_templates WHERE uid = $1
   ${pageOrder("CASE $5 WHEN 'updatedAt' THEN updated_at ELSE created_at END", 'template_id')}`,
);

export class TemplateStore {
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
    uid: bigint,
    values: TemplateValues,
    most: number,
  ): Promise<TemplateRow | undefined> {
    const given = [id, uid, most, ...columnsOf(values)];
    const [row] = await this.#region.transaction((transaction) =>
      queryWithOwnerLock<TemplateRow>(transaction, uid, insert, given),
    );
    return row;
  }

  async find(id: string, on: Queryable = this.#region): Promise<TemplateRow | undefined> {
    return (await on.query<TemplateRow>(find, [id]))[0];
  }

  async lock(on: Queryable, uid: bigint, id: string): Promise<TemplateRow | undefined> {
    return (await on.query<TemplateRow>(lock, [id, uid]))[0];
  }

  /** Undefined if the name is taken. */
  async update(on: Queryable, id: string, values: TemplateValues): Promise<TemplateRow | undefined> {
    return (await emptyOnDuplicate(on.query<TemplateRow>(update, [id, ...columnsOf(values)])))[0];
  }

  /** False if it is in use. */
  async delete(uid: bigint, id: string): Promise<boolean> {
    return (await emptyOnForeignKey(this.#region.query(remove, [id, uid]))).length === 1;
  }

  page(uid: bigint, query: ListQuery): Promise<Page<TemplateRow>> {
    return queryPage(this.#region, page, uid, query);
  }
}

/** In the order of the statements' parameters. */
function columnsOf(values: TemplateValues): unknown[] {
  return [
    values.name,
    values.desc,
    values.templateType,
    values.bucket,
    values.deleteAfterDays,
    values.fileType,
    values.recordType,
    values.recordFileFormat,
    values.snapInterval,
    values.jpgOverwriteStatus,
    values.jpgSequenceStatus,
    values.jpgOnDemandStatus,
    values.mp4FileNameTemplate,
    values.jpgOverwriteFileNameTemplate,
    values.jpgSequenceFileNameTemplate,
    values.jpgOnDemandFileNameTemplate,
  ];
}
