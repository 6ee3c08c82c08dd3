/**
 * A page of work on many objects: one transaction, in which the objects are locked, changed by the single operations' own
 * statements, and counted. A worker that is killed leaves nothing half done and nothing counted twice; one that was presumed
 * dead finds that it no longer has the row.
 */
import { Fault, faultWords, MAX_KEY_BYTES } from '@millpond/protocol';
import type { Transaction } from '../../platform/db/database.ts';
import { endOfPrefix, type PageOperations } from '../../storage/objects/index.ts';
import { targetKey } from './bulk.request.ts';
import type { BulkStore, ObjectFailure, Progress, RunningBulkRow } from './bulk.store.ts';
import type { BulkObjectStore, FoundObject } from './bulk-object.store.ts';
import { isInScope, keyLimitFault } from './bulk-scope.ts';

export interface PageDeps {
  readonly store: BulkStore;
  readonly objects: BulkObjectStore;
  readonly operations: PageOperations;
}

/** `lost`: it was stopped, or another worker has it. */
export type PageResult = PageSums | 'lost';

interface PageSums {
  readonly done: number;
  readonly failed: number;
  /** Rows read, including those out of scope. */
  readonly seen: number;
  readonly isLast: boolean;
}

export const MAX_PROBLEMS = 100;
const MAX_MESSAGE_LENGTH = 300;

/** Copies and moves take a statement each, and hold the locks of all until the last. */
const pageSize = (kind: RunningBulkRow['kind']) => (kind === 'copy' || kind === 'move' ? 200 : 1000);

interface PageRows {
  readonly rows: readonly FoundObject[];
  readonly missing: readonly string[];
  readonly place: string;
  readonly isLast: boolean;
}

export function runPage(deps: PageDeps, row: RunningBulkRow, targetId: bigint): Promise<PageResult> {
  const { store, operations } = deps;
  const run = { bulkId: row.bulk_id, run: row.run };
  return store.transaction(async (transaction): Promise<PageResult> => {
    const held = await store.lockRun(run, transaction);
    if (held === undefined) return 'lost';
    const pageRows = await findPage(deps, row, held.place, transaction);
    const meant = pageRows.rows.filter((each) => isInScope(row, each));
    const refused = new Map(meant.map(({ key }) => [key, keyLimitFault(row, key)]));
    const allowed = meant.filter(({ key }) => refused.get(key) === undefined);
    const faults = await act(operations, row, allowed, targetId, transaction);
    for (const [index, { key }] of allowed.entries()) refused.set(key, faults[index]);
    for (const key of pageRows.missing) refused.set(key, new Fault('noSuchEntry'));
    const progress = progressOf(pageRows, meant, refused, MAX_PROBLEMS - held.problems);
    await store.advance(run, progress, transaction);
    const { done, failed, isLast } = progress;
    return { done, failed, isLast, seen: pageRows.rows.length + pageRows.missing.length };
  });
}

export function problemOf(key: string, fault: Fault): ObjectFailure {
  return { key, words: faultWords(fault).slice(0, MAX_MESSAGE_LENGTH) };
}

async function findPage(
  { objects }: PageDeps,
  row: RunningBulkRow,
  place: string,
  transaction: Transaction,
): Promise<PageRows> {
  const size = pageSize(row.kind);
  if (row.keys !== null) {
    const named = row.keys.slice(Number(place), Number(place) + size);
    const rows = await objects.lockedNamed(row.bucket_id, named, transaction);
    const there = new Set(rows.map(({ key }) => key));
    const next = Number(place) + named.length;
    const missing = named.filter((key) => !there.has(key));
    return { rows, missing, place: String(next), isLast: next >= row.keys.length };
  }
  const range = { bucketId: row.bucket_id, from: place, until: endOfPrefix(row.prefix) };
  const rows = await objects.lockedRange(range, size, transaction);
  const last = rows.at(-1)?.key;
  // No key contains NUL, so the next key after k is at least k followed by character 1.
  return {
    rows,
    missing: [],
    isLast: rows.length < size,
    place: last === undefined ? place : `${last}\u0001`,
  };
}

async function act(
  operations: PageOperations,
  row: RunningBulkRow,
  found: readonly FoundObject[],
  targetId: bigint,
  transaction: Transaction,
): Promise<(Fault | undefined)[]> {
  const { kind, uid, bucket_id: bucketId, prefix, request } = row;
  const places = found.map(({ key }) => ({ bucketId, key }));
  if (places.length === 0) return [];
  switch (kind) {
    case 'delete':
      return operations.remove(places, transaction);
    case 'class':
      return operations.changeClass({ id: bucketId, uid }, found, request.class ?? 0, transaction);
    case 'restore':
      return operations.restore({ id: bucketId }, found, request.days ?? 1, transaction);
    case 'copy':
    case 'move': {
      const to = request.to ?? { prefix };
      const pairs = places.map(
        (from) => [from, { bucketId: targetId, key: targetKey(from.key, prefix, to) }] as const,
      );
      return relocate(operations, pairs, { kind, force: request.force ?? false }, transaction);
    }
    case 'zip':
      throw new Error('an archive is not made in pages');
  }
}

type Pairs = Parameters<PageOperations['relocate']>[0];

/** Objects whose target key would be too long are not relocated. */
async function relocate(
  operations: PageOperations,
  pairs: Pairs,
  how: Parameters<PageOperations['relocate']>[1],
  transaction: Transaction,
): Promise<(Fault | undefined)[]> {
  const bad = pairs.map(([, { key }]) => keyFault(key));
  const good = pairs.filter((_, index) => bad[index] === undefined);
  const outcomes = (await operations.relocate(good, how, transaction)).values();
  return bad.map((fault) => fault ?? outcomes.next().value);
}

function keyFault(key: string): Fault | undefined {
  return Buffer.byteLength(key) > MAX_KEY_BYTES
    ? new Fault('invalidArgument', { hint: `its new key would be longer than ${MAX_KEY_BYTES} bytes` })
    : undefined;
}

function progressOf(
  { place, isLast, missing }: PageRows,
  meant: readonly FoundObject[],
  refused: ReadonlyMap<string, Fault | undefined>,
  room: number,
): Progress {
  const done = meant.filter(({ key }) => refused.get(key) === undefined);
  const problems: ObjectFailure[] = [];
  for (const [key, fault] of refused)
    if (fault !== undefined && problems.length < room) problems.push(problemOf(key, fault));
  return {
    place,
    isLast,
    problems,
    done: done.length,
    failed: meant.length - done.length + missing.length,
    bytes: done.reduce((sum, { fsize }) => sum + Number(fsize), 0),
    current: meant.at(-1)?.key ?? missing.at(-1),
  };
}
