/**
 * Compares what exists after a run with what clients were told: acknowledged writes may only be gone if a later one
 * replaced them, and what can be read must be, as a whole, something that was sent for its key.
 */
import type { Findings } from '../report.ts';
import { byKey, type Write } from './history.ts';

/** An object as it was read back: its record, and what its bytes really are. */
export interface FoundObject {
  readonly hash: string;
  readonly fsize: number;
  readonly putTime: bigint;
  readonly bytesHash: string;
  readonly bytesSize: number;
}

/** The database rounds its clock differently from the client. */
const CLOCK_SLACK_MS = 5;

export function checkObjects(
  writes: readonly Write[],
  found: ReadonlyMap<string, FoundObject>,
  findings: Findings,
): void {
  const sent = byKey(writes);
  for (const [key, object] of found) checkContent(key, object, sent.get(key) ?? [], findings);
  for (const [key, ofKey] of sent) checkKept(key, ofKey, found.get(key), findings);
}

function checkContent(key: string, object: FoundObject, writes: readonly Write[], findings: Findings): void {
  if (object.bytesHash !== object.hash || object.bytesSize !== object.fsize) {
    findings.add(
      'torn',
      `${key}: record ${object.hash}, ${object.fsize} B; bytes ${object.bytesHash}, ${object.bytesSize} B`,
    );
    return;
  }
  const same = writes.filter((write) => write.hash === object.hash && write.size === object.fsize);
  if (same.length === 0) findings.add('torn', `${key}: ${object.hash} was never sent for it`);
  else if (same.every((write) => write.outcome === 'refused'))
    findings.add('uncommitted', `${key}: ${object.hash} was refused but is there`);
}

function checkKept(
  key: string,
  writes: readonly Write[],
  object: FoundObject | undefined,
  findings: Findings,
): void {
  const acknowledged = writes.filter((write) => write.outcome === 'acknowledged');
  const inserted = new Set(
    acknowledged.filter((write) => write.mode === 'insert').map((write) => `${write.hash} ${write.size}`),
  );
  if (inserted.size > 1 && writes.every((write) => write.mode === 'insert'))
    findings.add('duplicated', `${key}: ${inserted.size} different contents were acknowledged as new`);
  if (object === undefined) {
    for (const write of acknowledged) findings.add('lost', `${key}: ${write.hash} is gone`);
    return;
  }
  for (const write of acknowledged) {
    if (write.hash !== object.hash && !mayHaveReplaced(write, object, writes))
      findings.add('lost', `${key}: ${write.hash} was acknowledged, but ${object.hash} is there`);
  }
}

/**
 * The put time tells when the current object took effect. A write that had not even begun by then came later, and would
 * have replaced it.
 */
function mayHaveReplaced(write: Write, object: FoundObject, writes: readonly Write[]): boolean {
  const overwritten = writes.some((other) => other.mode === 'overwrite' && other.hash === object.hash);
  if (!overwritten) return false;
  return write.mode === 'insert' || millisecondsOf(object.putTime) + CLOCK_SLACK_MS >= write.begunAt;
}

function millisecondsOf(putTime: bigint): number {
  return Number(putTime / 10_000n);
}
