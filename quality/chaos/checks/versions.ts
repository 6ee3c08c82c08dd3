/**
 * Linearizability of one key's history. Every write has unique content and the server numbers versions by their put
 * time, so the order is known and checking it takes one pass: nobody may see or make a version older than one that was
 * seen or made before they began.
 */
import type { Findings } from '../report.ts';
import { byKey, type Read, type Write } from './history.ts';

/** One version that an object had, as the server recorded it. */
export interface Version {
  readonly key: string;
  readonly hash: string;
  readonly putTime: bigint;
}

export interface VersionHistory {
  readonly writes: readonly Write[];
  readonly reads: readonly Read[];
  /** All versions that ever existed, in any order. */
  readonly versions: readonly Version[];
}

export function checkVersions(history: VersionHistory, findings: Findings): void {
  const writes = byKey(history.writes);
  const reads = byKey(history.reads);
  const versions = byKey(history.versions);
  for (const key of new Set([...writes.keys(), ...reads.keys(), ...versions.keys()])) {
    const ofKey = {
      writes: writes.get(key) ?? [],
      reads: reads.get(key) ?? [],
      versions: versions.get(key) ?? [],
    };
    const putTimes = checkCommits(key, ofKey, findings);
    checkReaders(key, ofKey.reads, putTimes, findings);
    checkOrder(key, ofKey, putTimes, findings);
  }
}

/** Every acknowledged write is one version, and every version is a write. Returns the put time of each hash. */
function checkCommits(
  key: string,
  { writes, versions }: VersionHistory,
  findings: Findings,
): Map<string, bigint> {
  const outcomes = new Map(writes.map((write) => [write.hash, write.outcome]));
  const putTimes = new Map<string, bigint>();
  const taken = new Set<bigint>();
  for (const { hash, putTime } of versions) {
    const outcome = outcomes.get(hash);
    if (outcome === undefined) findings.add('torn', `${key}: version ${hash} was never sent`);
    if (outcome === 'refused')
      findings.add('uncommitted', `${key}: ${hash} was refused but became a version`);
    if (putTimes.has(hash)) findings.add('duplicated', `${key}: ${hash} took effect twice`);
    if (taken.has(putTime)) findings.add('duplicated', `${key}: two versions have the put time ${putTime}`);
    putTimes.set(hash, putTime);
    taken.add(putTime);
  }
  for (const { hash, outcome } of writes) {
    if (outcome === 'acknowledged' && !putTimes.has(hash))
      findings.add('lost', `${key}: ${hash} was acknowledged but never became a version`);
  }
  return putTimes;
}

function checkReaders(
  key: string,
  reads: readonly Read[],
  putTimes: ReadonlyMap<string, bigint>,
  findings: Findings,
): void {
  const last = new Map<number, bigint>();
  for (const { reader, hash, putTime } of reads.toSorted((one, other) => one.begunAt - other.begunAt)) {
    const committed = putTimes.get(hash);
    if (committed === undefined) findings.add('uncommitted', `${key}: ${hash} was read but is not a version`);
    else if (committed !== putTime)
      findings.add('torn', `${key}: ${hash} was read with put time ${putTime}, but has ${committed}`);
    if (putTime < (last.get(reader) ?? 0n)) findings.add('stale', `${key}: reader ${reader} went back`);
    last.set(reader, putTime);
  }
}

interface Step {
  readonly what: string;
  readonly putTime: bigint;
  readonly begunAt: number;
  readonly endedAt: number;
  /** A write must make something newer; a read may see the same again. */
  readonly isWrite: boolean;
}

function checkOrder(
  key: string,
  { writes, reads }: VersionHistory,
  putTimes: ReadonlyMap<string, bigint>,
  findings: Findings,
): void {
  const steps = [...stepsOfWrites(writes, putTimes), ...stepsOfReads(reads)];
  const begins = steps.toSorted((one, other) => one.begunAt - other.begunAt);
  const ends = steps.toSorted((one, other) => one.endedAt - other.endedAt);
  let newest: Step | undefined;
  let ended = 0;
  for (const step of begins) {
    for (let end = ends[ended]; end !== undefined && end.endedAt < step.begunAt; end = ends[++ended]) {
      if (newest === undefined || end.putTime > newest.putTime) newest = end;
    }
    if (newest === undefined) continue;
    if (step.putTime < newest.putTime || (step.isWrite && step.putTime === newest.putTime))
      findings.add(
        'stale',
        `${key}: ${step.what} has put time ${step.putTime}, after ${newest.what} had ${newest.putTime}`,
      );
  }
}

/** A write of unknown outcome may take effect any time after it began, so it does not constrain anything later. */
function* stepsOfWrites(writes: readonly Write[], putTimes: ReadonlyMap<string, bigint>): Generator<Step> {
  for (const write of writes) {
    const putTime = putTimes.get(write.hash);
    if (putTime === undefined || write.outcome === 'refused') continue;
    const endedAt = write.outcome === 'unknown' ? Number.POSITIVE_INFINITY : write.endedAt;
    yield { what: `write of ${write.hash}`, putTime, begunAt: write.begunAt, endedAt, isWrite: true };
  }
}

function* stepsOfReads(reads: readonly Read[]): Generator<Step> {
  for (const { hash, putTime, begunAt, endedAt } of reads)
    yield { what: `read of ${hash}`, putTime, begunAt, endedAt, isWrite: false };
}
