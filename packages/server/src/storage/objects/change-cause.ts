/**
 * By which way a statement changes objects, for the events of the bucket (`region.note_change`). The statement says it to the
 * row's trigger in a setting that ends with its transaction.
 */
import type { ChangeCause } from '@millpond/protocol';

const SETTING = 'millpond.way';

/** SQL for any place of a statement that is evaluated whenever it changes an object. */
export function setChangeCause(way: ChangeCause): string {
  return setChangeCauseSql(`'${way}'`);
}

/** `way`: an SQL expression. */
export function setChangeCauseSql(way: string): string {
  return `set_config('${SETTING}', ${way}, true)`;
}

/** The same for statements whose changes in this bucket have no events. */
export function suppressEvents(bucketId: string): string {
  return setChangeCauseSql(`${bucketId}::bigint::text`);
}

/**
 * For statements that read the bucket's gate anyway: if it has no rules, the trigger is told so by the bucket's number, and
 * does not look for them.
 */
export function setChangeCauseIfRules(way: string, bucketId: string): string {
  return `CASE WHEN has_event_rules THEN ${setChangeCauseSql(way)} ELSE ${suppressEvents(bucketId)} END`;
}
