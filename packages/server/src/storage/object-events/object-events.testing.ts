/** For tests: objects and their events on the test's own database. */
import { randomBytes } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import type { TestDatabases } from '../../../test/databases.ts';
import type { Deliveries } from '../../events/deliveries/index.ts';
import type { Bucket } from '../buckets/index.ts';
import type { EventObject } from './object-event.store.ts';
import { EventRuleStore } from './object-event-rule.store.ts';
import { ObjectEvents } from './object-events.service.ts';

export const RULE = { name: 'all', url: 'http://127.0.0.1:9/events', events: ['created'] };

export interface NotedRow {
  readonly key: string;
  readonly rules: string[];
  readonly event: string;
  readonly way: string | null;
  readonly object: EventObject;
  readonly previous: EventObject | null;
  readonly due_at: Date | null;
}

/** A bucket whose gate is open. */
export async function newBucket({ region }: TestDatabases, id: bigint, uid = 1n): Promise<Bucket> {
  await region.pool.query(`INSERT INTO region.bucket_gate (bucket_id, state) VALUES ($1, 'open')`, [id]);
  const name = `bucket-${id}`;
  return { id, uid, name, region: 'r1', isPrivate: false, createdAt: new Date(), cors: [] };
}

export function openObjectEvents(
  { region }: TestDatabases,
  deliveries: Pick<Deliveries, 'check' | 'configure'>,
): ObjectEvents {
  return new ObjectEvents({ store: new EventRuleStore(region), deliveries });
}

export function newObject(bucketId: bigint, key: string, size = 3) {
  const blobId = newBlobId();
  return {
    bucketId,
    key,
    blobId,
    segments: [{ id: blobId, size }],
    fsize: size,
    hash: `F${randomBytes(10).toString('hex')}`,
    mimeType: 'text/plain',
    detectedType: 'text/plain',
    storageClass: 0,
    endUser: undefined,
    meta: undefined,
    deadline: 9_999_999_999,
    commitWindowMs: 600_000,
  };
}

/** What was noted of a bucket since the last look, in order; it is gone then. */
export async function noted({ region }: TestDatabases, bucketId: bigint): Promise<NotedRow[]> {
  const { rows } = await region.pool.query<NotedRow & { event_id: bigint }>(
    'DELETE FROM region.object_events WHERE bucket_id = $1 RETURNING *',
    [bucketId],
  );
  return rows.toSorted((a, b) => Number(a.event_id - b.event_id));
}
