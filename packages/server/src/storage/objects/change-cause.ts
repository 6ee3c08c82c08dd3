/**
 * By which way a statement changes objects, for the events of the bucket (`region.note_change`), or that its changes have no events. The
 * statement says it to the row's trigger in settings that end with its transaction.
 */
import type { ChangeCause } from '@millpond/protocol';

/** By which way objects are changed. */
const CAUSE = 'millpond.change_cause';
/** The number of a bucket whose changes have no events; empty: there is none. */
const WITHOUT_EVENTS = 'millpond.bucket_without_events';

/** SQL for any place of a statement that is evaluated whenever it changes an object. */
export function setChangeCause(way: ChangeCause): string {
  return setChangeCauseSql(`'${way}'`);
}

/** `way`: an SQL expression. An earlier statement of the transaction may have suppressed events. */
export function setChangeCauseSql(way: string): string {
  return `${set(CAUSE, way)} || ${set(WITHOUT_EVENTS, "''")}`;
}

/** The same for statements whose changes in this bucket have no events. */
export function suppressEvents(bucketId: string): string {
  return set(WITHOUT_EVENTS, `${bucketId}::bigint::text`);
}

/**
 * For statements that read the bucket's gate anyway: if it has no rules, the trigger is told so, and does not look for them.
 */
export function setChangeCauseIfRules(way: string, bucketId: string): string {
  return `CASE WHEN has_event_rules THEN ${setChangeCauseSql(way)} ELSE ${suppressEvents(bucketId)} END`;
}

function set(setting: string, value: string): string {
  return `set_config('${setting}', ${value}, true)`;
}
