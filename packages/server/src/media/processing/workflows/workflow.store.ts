/** SQL of workflow templates and of the triggers that start them. */
import { emptyOnForeignKey } from '../../../platform/db/constraints.ts';
import { type Database, statement } from '../../../platform/db/database.ts';
import { queryWithOwnerLock } from '../../../platform/db/owner-lock.ts';

export interface WorkflowRow {
  readonly name: string;
  readonly commands: string;
  /** Digest of the commands. */
  readonly digest: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export interface TriggerRow {
  readonly trigger_id: string;
  readonly uid: bigint;
  readonly bucket: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly workflow: string;
  readonly is_forced: boolean;
  readonly notify_url: string | null;
}

/** A trigger as uploads need it: its commands are identified by their digest. */
export type BucketTrigger = TriggerRow & Pick<WorkflowRow, 'digest'>;

export interface NewTrigger {
  readonly id: string;
  readonly uid: bigint;
  readonly bucketId: bigint;
  readonly bucket: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly workflow: string;
  readonly isForced: boolean;
  readonly notifyUrl: string | undefined;
}

/** All of them are checked when an object arrives. */
export const MAX_TRIGGERS_OF_BUCKET = 20;

const DIGEST = `encode(sha256(convert_to(commands, 'UTF8')), 'hex') AS digest`;
const WORKFLOW = `name, commands, ${DIGEST}, created_at, updated_at`;
const TRIGGER = 'trigger_id, uid, bucket, prefix, suffix, workflow, is_forced, notify_url';

const putWorkflow = statement(
  'workflow-put',
  `INSERT INTO region.workflows AS w (uid, name, commands)
   SELECT $1, $2, $3 WHERE (SELECT count(*) FROM region.workflows WHERE uid = $1 AND name <> $2) < $4
   ON CONFLICT (uid, name) DO UPDATE SET commands = excluded.commands, updated_at = now()
   RETURNING ${WORKFLOW}`,
);
const findWorkflow = statement(
  'workflow-find',
  `SELECT ${WORKFLOW} FROM region.workflows WHERE uid = $1 AND name = $2`,
);
const listWorkflows = statement(
  'workflow-list',
  `SELECT ${WORKFLOW} FROM region.workflows
   WHERE uid = $1 AND ($2::text IS NULL OR name > $2) ORDER BY name LIMIT $3`,
);
const deleteWorkflow = statement(
  'workflow-delete',
  `DELETE FROM region.workflows w WHERE uid = $1 AND name = $2
     AND NOT EXISTS (SELECT FROM region.triggers t WHERE t.uid = w.uid AND t.workflow = w.name) RETURNING name`,
);
const insertTrigger = statement(
  'trigger-insert',
  `INSERT INTO region.triggers (trigger_id, uid, bucket_id, bucket, prefix, suffix, workflow, is_forced, notify_url)
   SELECT $1, $2, $3, $4, $5, $6, name, $10, $8 FROM region.workflows
   WHERE uid = $2 AND name = $7 AND (SELECT count(*) FROM region.triggers WHERE uid = $2) < $9
     AND (SELECT count(*) FROM region.triggers WHERE bucket_id = $3) < ${MAX_TRIGGERS_OF_BUCKET}
   RETURNING ${TRIGGER}`,
);
const listTriggers = statement(
  'trigger-list',
  `SELECT ${TRIGGER} FROM region.triggers WHERE uid = $1 ORDER BY trigger_id`,
);
const deleteTrigger = statement(
  'trigger-delete',
  'DELETE FROM region.triggers WHERE uid = $1 AND trigger_id = $2 RETURNING bucket_id',
);
const bucketTriggers = statement(
  'trigger-of-bucket',
  `SELECT t.trigger_id, t.uid, t.bucket, t.prefix, t.suffix, t.workflow, t.is_forced, t.notify_url, ${DIGEST}
   FROM region.triggers t JOIN region.workflows w ON w.uid = t.uid AND w.name = t.workflow
   WHERE t.bucket_id = $1 ORDER BY t.trigger_id`,
);

export class WorkflowStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  /** Undefined if the account has reached its limit. */
  async putWorkflow(
    uid: bigint,
    name: string,
    commands: string,
    most: number,
  ): Promise<WorkflowRow | undefined> {
    const values = [uid, name, commands, most];
    const [row] = await this.#region.transaction((transaction) =>
      queryWithOwnerLock<WorkflowRow>(transaction, uid, putWorkflow, values),
    );
    return row;
  }

  async workflow(uid: bigint, name: string): Promise<WorkflowRow | undefined> {
    return (await this.#region.query<WorkflowRow>(findWorkflow, [uid, name]))[0];
  }

  /** By name, those after `after`. */
  workflows(uid: bigint, after: string | undefined, limit: number): Promise<WorkflowRow[]> {
    return this.#region.query<WorkflowRow>(listWorkflows, [uid, after ?? null, limit]);
  }

  /** False if there is none, or a trigger uses it. */
  async deleteWorkflow(uid: bigint, name: string): Promise<boolean> {
    return (await emptyOnForeignKey(this.#region.query(deleteWorkflow, [uid, name]))).length === 1;
  }

  /** Undefined if the workflow does not exist, or the account or the bucket has reached its limit of triggers. */
  async insertTrigger(trigger: NewTrigger, most: number): Promise<TriggerRow | undefined> {
    const { id, uid, bucketId, bucket, prefix, suffix, workflow, isForced, notifyUrl } = trigger;
    const values = [id, uid, bucketId, bucket, prefix, suffix, workflow, notifyUrl ?? null, most, isForced];
    const inserting = this.#region.transaction((transaction) =>
      queryWithOwnerLock<TriggerRow>(transaction, uid, insertTrigger, values),
    );
    return (await emptyOnForeignKey(inserting))[0];
  }

  triggers(uid: bigint): Promise<TriggerRow[]> {
    return this.#region.query<TriggerRow>(listTriggers, [uid]);
  }

  /** Returns the bucket it was for. */
  async deleteTrigger(uid: bigint, id: string): Promise<bigint | undefined> {
    return (await this.#region.query<{ bucket_id: bigint }>(deleteTrigger, [uid, id]))[0]?.bucket_id;
  }

  triggersOf(bucketId: bigint): Promise<BucketTrigger[]> {
    return this.#region.query(bucketTriggers, [bucketId]);
  }
}
