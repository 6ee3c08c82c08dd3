/**
 * Copy and move: pointers change, bytes don't. Both work within one account and one region, and are all or nothing. What a
 * forced call replaces goes to the trash, as with an upload.
 */
import {
  Fault,
  type ObjectEntry,
  parseObjectEntry,
  type RequiredPermission,
  unrestoredFault,
} from '@millpond/protocol';
import type { Buckets } from '../../buckets/index.ts';
import type { ObjectStore } from '../objects.store.ts';
import type { RequestMerge } from '../upkeep-requests.ts';
import type { ObjectRef } from './bulk-operations.store.ts';
import type { Operation } from './operation.ts';
import { readPairs } from './path.ts';
import type { RelocateStore, RelocationRow } from './relocate.store.ts';
import type { Relocation } from './relocate-statement.ts';

export interface RelocateDeps {
  readonly store: RelocateStore;
  readonly objects: ObjectStore;
  readonly buckets: Buckets;
  /** Absent where no queue is open: segmented blobs then stay segmented. */
  readonly requestMerge?: RequestMerge | undefined;
}

export function relocateOperations(deps: RelocateDeps): Operation[] {
  return (['copy', 'move'] as const).map((kind) => ({
    name: kind,
    permissions: (segments) => relocationPermissions(kind, segments),
    async run(uid, segments, cancel) {
      const { source, target, force } = readRelocation(kind, segments);
      const [from, to] = [await placeOf(deps, uid, source), await placeOf(deps, uid, target)];
      if (from.bucketId === to.bucketId && from.key === to.key)
        return relocateOntoItself(deps, from, force, cancel);
      const row = await deps.store.relocate(from, to, { kind, force });
      assertRelocatable(row);
      if (kind === 'copy') await mergeCopy(deps, row);
      return undefined;
    },
  }));
}

/** Who moves an object could read it at its target. */
function relocationPermissions(kind: Relocation['kind'], segments: readonly string[]): RequiredPermission[] {
  const { source, target, force } = readRelocation(kind, segments);
  return [
    { action: 'read', ...source },
    ...(kind === 'move' ? [{ action: 'delete', ...source } as const] : []),
    { action: 'write', ...target },
    ...(force ? [{ action: 'delete', ...target } as const] : []),
  ];
}

/** An SDK for C writes it as a number. */
const FORCE: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function readRelocation(
  kind: Relocation['kind'],
  segments: readonly string[],
): { source: ObjectEntry; target: ObjectEntry; force: boolean } {
  const [source, target, ...rest] = segments;
  if (source === undefined || target === undefined)
    throw new Fault('invalidArgument', {
      hint: `the path must be /${kind}/<source>/<target>[/force/<true|false>]`,
    });
  const force = FORCE.get(readPairs(rest, ['force']).get('force') ?? 'false');
  if (force === undefined) throw new Fault('invalidArgument', { hint: 'force must be true or false' });
  return {
    source: parseObjectEntry(source),
    target: parseObjectEntry(target),
    force,
  };
}

async function placeOf({ buckets }: RelocateDeps, uid: bigint, entry: ObjectEntry): Promise<ObjectRef> {
  return { bucketId: (await buckets.owned(uid, entry.bucket)).id, key: entry.key };
}

/** There is nothing to do, and nothing may be done: the object is both source and target, and would be lost with either. */
async function relocateOntoItself(
  { objects }: RelocateDeps,
  { bucketId, key }: ObjectRef,
  force: boolean,
  cancel: AbortSignal,
): Promise<undefined> {
  if ((await objects.find(bucketId, key, cancel)) === undefined) throw new Fault('noSuchEntry');
  if (!force) throw new Fault('fileExists');
  return undefined;
}

export function assertRelocatable(row: RelocationRow): void {
  if (!row.open) throw new Fault('noSuchBucket');
  if (row.class === null) throw new Fault('noSuchEntry');
  if (!row.readable) throw unrestoredFault(row.class) ?? new Fault('notAllowed');
  if (!row.has_room) throw new Fault('quotaExceeded');
  if (!row.written) throw new Fault('fileExists');
}

/**
 * A merge of these segments may already be running, but only for the rows that named them when it started. So the copy
 * requests another. If that request is lost, the copy is read in segments, which is slower but just as good.
 */
async function mergeCopy({ objects, requestMerge }: RelocateDeps, row: RelocationRow): Promise<void> {
  const { blob_id: blobId, segment_count: segments } = row;
  if (requestMerge === undefined || blobId === null || segments === null || segments === 1) return;
  await objects.transaction((transaction) => requestMerge(transaction, blobId));
}
