/**
 * The trash of a bucket, for its owner: what was deleted or replaced, page by page, and bringing it back. Nothing that exists is
 * replaced by it, and the quota of the bucket holds as for an upload.
 */
import {
  checkKey,
  decodeJson,
  encodeBase64Text,
  Fault,
  faultWords,
  jsonNumber,
  type RequiredPermission,
  type StorageClass,
  tryDecodeBase64,
  type WirePage,
  type WireRecord,
} from '@millpond/protocol';
import type { Bucket } from '../../buckets/index.ts';
import { endOfPrefix } from '../lists/key-ranges.ts';
import type { Undelete } from '../upkeep/undelete.ts';
import type { OwnersTrashStore, TrashedRow, TrashListCursor } from './trash.store.ts';

export interface TrashQuery {
  readonly prefix: string;
  readonly marker: string | undefined;
  readonly limit: number;
}

export interface UndeleteRequest {
  readonly ids: readonly bigint[];
  /** The key that it gets, if it is one; by default each gets the key that it had. */
  readonly as: string | undefined;
}

export interface BucketTrashDeps {
  readonly store: OwnersTrashStore;
  readonly undelete: Undelete;
  readonly graceMs: number;
}

/** Which limit of the caller's key forbids it. */
export type KeyLimitCheck = (asked: readonly RequiredPermission[]) => string | undefined;

export class BucketTrash {
  readonly #deps: BucketTrashDeps;

  constructor(deps: BucketTrashDeps) {
    this.#deps = deps;
  }

  /** A page may have fewer items than were asked for, even none, and yet a marker: what is being removed is left out. */
  async page(bucket: Bucket, query: TrashQuery, cancel: AbortSignal): Promise<WirePage<'Trashed'>> {
    const { store, graceMs } = this.#deps;
    const { prefix, limit } = query;
    checkKey(prefix);
    const rows = await store.page(
      {
        bucketId: bucket.id,
        after: beginOf(query),
        until: endOfPrefix(prefix),
        limit: limit + 1,
        graceMs,
      },
      cancel,
    );
    const read = rows.slice(0, limit);
    const last = rows.length > limit ? read.at(-1) : undefined;
    return {
      items: read.filter((row) => row.is_kept).map((row) => this.#record(row)),
      marker: last && encodeTrashMarker({ key: last.key, trashedAt: last.place, trashId: last.trash_id }),
    };
  }

  /** One after the other, each with its own outcome: of two versions of one key, the first comes back. */
  async undelete(
    bucket: Bucket,
    { ids, as }: UndeleteRequest,
    refusalOf: KeyLimitCheck,
  ): Promise<WireRecord<'Undeleted'>[]> {
    if (as !== undefined) checkKey(as);
    const rows = await this.#deps.store.named(bucket.id, ids, this.#deps.graceMs);
    const byId = new Map(rows.map((row) => [row.trash_id, row]));
    const items: WireRecord<'Undeleted'>[] = [];
    for (const id of ids) items.push(await this.#bringBack(bucket, byId.get(id), { id, as, refusalOf }));
    return items;
  }

  async #bringBack(
    bucket: Bucket,
    row: TrashedRow | undefined,
    { id, as, refusalOf }: { id: bigint; as: string | undefined; refusalOf: KeyLimitCheck },
  ): Promise<WireRecord<'Undeleted'>> {
    if (row === undefined) return { id: String(id), error: faultWords(this.#deps.undelete.nothing('')) };
    const to = as ?? row.key;
    const refusal = refusalOf(undeletePermissions(bucket, row.key, to));
    // Whoever may not touch the key does not learn its name either.
    if (refusal !== undefined)
      return { id: String(id), error: faultWords(new Fault('keyLimited', { hint: refusal })) };
    const fault = await this.#deps.undelete.restore(row, to, { force: false, withinQuota: true });
    return { id: String(id), key: to, error: fault && faultWords(fault) };
  }

  #record(row: TrashedRow): WireRecord<'Trashed'> {
    return {
      id: String(row.trash_id),
      key: row.key,
      hash: row.hash,
      fsize: Number(row.fsize),
      mimeType: row.mime_type,
      type: row.class as StorageClass,
      putTime: jsonNumber(row.put_time),
      reason: row.reason,
      deleted: row.trashed_at.toISOString(),
      until: new Date(row.trashed_at.getTime() + this.#deps.graceMs).toISOString(),
    };
  }
}

/** Under another key, whoever brings it back could read it there. */
function undeletePermissions({ name: bucket }: Bucket, from: string, to: string): RequiredPermission[] {
  const writes: RequiredPermission = { action: 'write', bucket, key: to };
  return from === to ? [writes] : [{ action: 'read', bucket, key: from }, writes];
}

function beginOf({ prefix, marker }: TrashQuery): TrashListCursor {
  const begin: TrashListCursor = { key: prefix, trashedAt: 'infinity', trashId: 0n };
  if (marker === undefined) return begin;
  const after = decodeTrashMarker(marker);
  return Buffer.compare(Buffer.from(after.key), Buffer.from(prefix)) < 0 ? begin : after;
}

/** A key of control characters grows sixfold in JSON, and by another third in Base64. */
const MAX_MARKER_LENGTH = 8192;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?[+-]\d\d(?::\d\d){0,2}$/;
const ID = /^\d{1,18}$/;

export function encodeTrashMarker({ key, trashedAt, trashId }: TrashListCursor): string {
  return encodeBase64Text(JSON.stringify([key, trashedAt, String(trashId)]));
}

export function decodeTrashMarker(marker: string): TrashListCursor {
  const bytes = marker.length > MAX_MARKER_LENGTH ? undefined : tryDecodeBase64(marker);
  const value = bytes === undefined ? undefined : decodeJson(bytes);
  const [key, trashedAt, trashId] = (Array.isArray(value) ? value : []) as readonly unknown[];
  if (typeof key !== 'string' || typeof trashedAt !== 'string' || typeof trashId !== 'string')
    throw new Fault('invalidMarker');
  if (!TIME.test(trashedAt) || Number.isNaN(Date.parse(trashedAt.slice(0, 10))) || !ID.test(trashId))
    throw new Fault('invalidMarker');
  checkKey(key);
  return { key, trashedAt, trashId: BigInt(trashId) };
}
