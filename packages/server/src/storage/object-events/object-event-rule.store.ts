/**
 * SQL of event rules. They live in the region, where every change of an object must find them; the bucket's gate says whether
 * there are any.
 */
import { type Database, type Queryable, statement, type Transaction } from '../../platform/db/database.ts';
import type { Bucket } from '../buckets/index.ts';
import type { EventRule } from './rules.ts';

interface RuleRow {
  readonly name: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly prefix: string;
  readonly suffix: string;
  readonly min_size: bigint;
  readonly max_size: bigint | null;
}

const rulesOf = statement(
  'event-rules',
  `SELECT name, url, events, prefix, suffix, min_size, max_size FROM region.event_rules
   WHERE bucket_id = $1 ORDER BY name`,
);
// The row's lock makes calls on one bucket take turns.
const mark = statement(
  'event-rules-mark',
  'UPDATE region.bucket_gate SET has_event_rules = $2 WHERE bucket_id = $1 RETURNING bucket_id',
);
const lock = statement(
  'event-rules-lock',
  'SELECT bucket_id FROM region.bucket_gate WHERE bucket_id = $1 FOR NO KEY UPDATE',
);
const removeAll = statement('event-rules-remove', 'DELETE FROM region.event_rules WHERE bucket_id = $1');
const add = statement(
  'event-rules-add',
  `INSERT INTO region.event_rules (bucket_id, uid, bucket, name, url, events, prefix, suffix, min_size, max_size)
   SELECT $1, $2, $3, rule.name, rule.url, ARRAY(SELECT jsonb_array_elements_text(rule.events)),
          coalesce(rule.prefix, ''), coalesce(rule.suffix, ''), coalesce(rule."minSize", 0), rule."maxSize"
   FROM jsonb_to_recordset($4::jsonb) AS rule
     (name text, url text, events jsonb, prefix text, suffix text, "minSize" bigint, "maxSize" bigint)`,
);

export class EventRuleStore {
  readonly #region: Database;

  constructor(region: Database) {
    this.#region = region;
  }

  transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#region.transaction(work);
  }

  async list(bucketId: bigint, on: Queryable = this.#region): Promise<EventRule[]> {
    return (await on.query<RuleRow>(rulesOf, [bucketId])).map(ruleOf);
  }

  /** As `list`, and nobody else changes them before the transaction ends. */
  async listLocked(bucketId: bigint, transaction: Transaction): Promise<EventRule[]> {
    await transaction.query(lock, [bucketId]);
    return this.list(bucketId, transaction);
  }

  /** False if the bucket was dropped meanwhile. */
  async replace(bucket: Bucket, rules: readonly EventRule[], on: Queryable): Promise<boolean> {
    const { id, uid, name } = bucket;
    if ((await on.query(mark, [id, rules.length > 0])).length === 0) return false;
    await on.query(removeAll, [id]);
    if (rules.length > 0) await on.query(add, [id, uid, name, JSON.stringify(rules)]);
    return true;
  }
}

function ruleOf(row: RuleRow): EventRule {
  return {
    name: row.name,
    url: row.url,
    events: row.events,
    ...(row.prefix !== '' && { prefix: row.prefix }),
    ...(row.suffix !== '' && { suffix: row.suffix }),
    ...(row.min_size > 0n && { minSize: Number(row.min_size) }),
    ...(row.max_size !== null && { maxSize: Number(row.max_size) }),
  };
}
