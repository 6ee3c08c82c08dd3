/**
 * Whether events of objects kept their promises. Every content has its own hash, so the events of a key form a chain: each says
 * what it found, which is what the one before it left. A change without its event, an event told twice or out of order breaks
 * the chain, whatever clients know of what they did. Pure.
 */
import type { Findings } from '../report.ts';
import { checkRepeated } from './events.ts';

/** What a client tried, one after the other for each key. */
export interface Change {
  readonly key: string;
  /** The content that was put there; undefined: the object was removed. */
  readonly hash: string | undefined;
  readonly outcome: 'acknowledged' | 'unknown';
}

export interface ReportedChange {
  readonly id: string;
  readonly key: string;
  readonly event: 'created' | 'overwritten' | 'deleted';
  readonly hash: string;
  /** What an overwrite replaced. */
  readonly previous: string | undefined;
  /** The number within its key's deliveries, and the order that the event itself states. */
  readonly number: number;
  readonly sequence: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ObjectEventRecord {
  readonly changes: readonly Change[];
  /** In the order of their arrival. */
  readonly arrivals: readonly ReportedChange[];
  /** Hashes by key, as stored at the end. */
  readonly stored: ReadonlyMap<string, string>;
  /** When something was killed. */
  readonly kills: readonly number[];
}

/** Returns how many events arrived more than once. */
export function checkObjectEvents(record: ObjectEventRecord, findings: Findings): number {
  const { changes, stored, kills } = record;
  const times = new Map<string, number[]>();
  const firsts: ReportedChange[] = [];
  for (const told of record.arrivals) {
    const before = times.get(told.id);
    if (before === undefined) firsts.push(told);
    times.set(told.id, [...(before ?? []), told.at]);
  }
  const attempted = new Set(changes.map(({ hash }) => hash));
  for (const { id, hash } of firsts)
    if (!attempted.has(hash)) findings.add('uncommitted', `${id} tells of content that nobody sent`);
  for (const key of new Set([...stored.keys(), ...changes.map((change) => change.key)])) {
    const told = firsts.filter((each) => each.key === key);
    const left = checkChain(key, told, findings);
    if (left !== stored.get(key))
      findings.add('lost', `${key} is ${stored.get(key) ?? 'gone'}, its last event says ${left ?? 'gone'}`);
    checkAcknowledged(
      key,
      changes.filter((change) => change.key === key && change.outcome === 'acknowledged'),
      told,
      findings,
    );
  }
  return checkRepeated(times, kills, findings);
}

/** Returns what the last event leaves. */
function checkChain(key: string, told: readonly ReportedChange[], findings: Findings): string | undefined {
  let [there, number, sequence]: [string | undefined, number, string] = [undefined, 0, ''];
  for (const each of told) {
    if (each.number !== number + 1)
      findings.add('stale', `${key}: delivery ${each.number} arrived after ${number}`);
    if (each.sequence === sequence)
      findings.add('duplicated', `${key}: ${each.id} tells a change for the second time`);
    else if (each.sequence < sequence) findings.add('stale', `${key}: ${each.id} is of an earlier change`);
    const found = each.event === 'created' ? undefined : (each.previous ?? each.hash);
    if (found !== there)
      findings.add('lost', `${key}: ${each.event} found ${found ?? 'nothing'} after ${there ?? 'nothing'}`);
    there = each.event === 'deleted' ? undefined : each.hash;
    [number, sequence] = [each.number, each.sequence];
  }
  return there;
}

function checkAcknowledged(
  key: string,
  changes: readonly Change[],
  told: readonly ReportedChange[],
  findings: Findings,
): void {
  const put = new Set(told.filter(({ event }) => event !== 'deleted').map(({ hash }) => hash));
  for (const { hash } of changes)
    if (hash !== undefined && !put.has(hash))
      findings.add('lost', `${key}: ${hash} was put without an event`);
  const removals = changes.filter(({ hash }) => hash === undefined).length;
  const removed = told.filter(({ event }) => event === 'deleted').length;
  if (removed < removals) findings.add('lost', `${key}: ${removals} removals have ${removed} events`);
}
