/** For tests of small objects: the parts around one database and one engine, without memory in between. */
import { type BlobId, type BlobStore, newBlobId, newSmallBlobId } from '@millpond/blobs';
import { etagOf } from '@millpond/protocol';
import type { Database } from '../../../../platform/db/database.ts';
import { nodeHashing } from '../../../../platform/hashing.ts';
import { SmallStore, smallBlobs } from '../../../../platform/small-blobs/index.ts';
import { type NewObject, ObjectStore } from '../../objects.store.ts';
import { RelocateStore } from '../../operations/relocate.store.ts';
import { Collector } from '../../upkeep/collector.ts';
import { TrashStore } from '../../upkeep/trash-upkeep.store.ts';
import { Compactor, type CompactorDeps } from '../compactor.ts';
import { InboxStore } from '../inbox.store.ts';
import { PackStore } from '../pack.store.ts';
import { Packer, type PackerDeps } from '../packer.ts';

export const BUCKET = 1n;
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

export type SmallHouse = ReturnType<typeof smallHouse>;

export function smallHouse(region: Database, engine: BlobStore) {
  const options = { smallBytes: 16_384, cacheBytes: 0, inboxBytes: 2 ** 30 };
  const blobs = smallBlobs(engine, new SmallStore(region), options);
  const inbox = new InboxStore(region);
  const packs = new PackStore(region, HOUR_MS);
  const objects = new ObjectStore(region);
  const packer = (others: Partial<PackerDeps> = {}) =>
    new Packer({ inbox, packs, blobs, packAfterMs: 0, emptyAfterMs: 0, lateWriteGraceMs: 0, ...others });
  const collector = (trashGraceMs = 0, sweepAgeMs = HOUR_MS) =>
    new Collector(new TrashStore(region), blobs, { trashGraceMs, sweepAgeMs });

  /** An object of these bytes, in the inbox if it names a slot, in the engine otherwise. */
  async function put(key: string, bytes: Buffer, slot?: number): Promise<BlobId> {
    const blobId = slot === undefined ? newBlobId() : newSmallBlobId(slot);
    if (slot === undefined) await engine.put(blobId, [bytes], { tier: 'STANDARD' });
    await objects.commit(newObject(key, bytes, blobId, slot !== undefined), 'overwrite');
    return blobId;
  }

  return {
    blobs,
    inbox,
    packs,
    objects,
    packer,
    collector,
    put,
    compactor: (others: Partial<CompactorDeps> = {}) => new Compactor({ packs, blobs, ...others }),
    /** Into the slot that is open. */
    putSmall: async (key: string, bytes: Buffer) => put(key, bytes, await openSlot(inbox)),
    /** The object's bytes, or undefined if there is no object. */
    async read(key: string): Promise<Buffer | undefined> {
      const row = await objects.find(BUCKET, key);
      return row && Buffer.from(await blobs.readAll(row.blob_id, Number(row.fsize)));
    },
    remove: (key: string) => objects.remove(BUCKET, key),
    copy: (from: string, to: string) =>
      new RelocateStore(region).relocate(
        { bucketId: BUCKET, key: from },
        { bucketId: BUCKET, key: to },
        { kind: 'copy', force: true },
      ),
    /** All blobs of the engine. */
    async stored(): Promise<BlobId[]> {
      const ids: BlobId[] = [];
      for (const hour of await engine.listHours())
        for await (const page of engine.list(hour)) ids.push(...page.map(({ id }) => id));
      return ids;
    },
    sweep: () => collector(0, 0).sweep(never, { everything: true }),
  };
}

async function openSlot(inbox: InboxStore): Promise<number> {
  const slot = (await inbox.slots()).find(({ is_open }) => is_open);
  if (slot === undefined) throw new Error('no slot is open');
  return slot.slot;
}

function newObject(key: string, bytes: Buffer, blobId: BlobId, isSmall: boolean): NewObject {
  return {
    bucketId: BUCKET,
    key,
    blobId,
    segments: [{ id: blobId, size: bytes.length }],
    fsize: bytes.length,
    inline: isSmall ? bytes : undefined,
    hash: etagOf(nodeHashing, bytes),
    mimeType: 'text/plain',
    detectedType: 'text/plain',
    storageClass: 0,
    endUser: undefined,
    meta: undefined,
    deadline: 9_999_999_999,
    commitWindowMs: HOUR_MS,
  };
}
