/**
 * Makes deliveries of the events that changes have left: one for each rule that selected it, in one transaction with the
 * removal of what was taken. So it may die at any moment, and nothing is told twice or not at all. A change writes one row;
 * the rows of deliveries are written here, outside the change.
 */
import type { Log } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { OBJECT_EVENT_MEDIA_TYPE } from '@millpond/protocol';
import type { Deliveries, NewEvent } from '../../events/deliveries/index.ts';
import { type Loop, startLoop } from '../../platform/queue/loop.ts';
import { cloudEvent } from './cloud-event.ts';
import { endpointOf } from './endpoint.ts';
import type { EventRow, ObjectEventStore } from './object-event.store.ts';

export interface EventDispatcherDeps {
  readonly store: ObjectEventStore;
  readonly deliveries: Pick<Deliveries, 'addAll'>;
  readonly region: string;
  readonly log: Log;
}

const BATCH = 250;
const POLL_MS = 200;
const PAUSE_MS = 1000;

export class EventDispatcher {
  readonly #deps: EventDispatcherDeps;
  #loop: Loop | undefined;

  constructor(deps: EventDispatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop ??= startLoop(() => this.#step());
  }

  async stop(): Promise<void> {
    await this.#loop?.stop();
    this.#loop = undefined;
  }

  /** One batch; returns the number of changes. */
  async dispatchBatch(batch = BATCH): Promise<number> {
    const { store, deliveries, region } = this.#deps;
    if (!(await store.hasPending())) return 0;
    return store.transaction(async (transaction) => {
      if (!(await store.tryLock(transaction))) return 0;
      const rows = await store.dequeue(batch, transaction);
      await deliveries.addAll(
        transaction,
        rows.flatMap((row) => deliveriesOf(row, region)),
      );
      return rows.length;
    });
  }

  async #step(): Promise<number> {
    try {
      return (await this.dispatchBatch()) > 0 ? 0 : POLL_MS;
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'events of objects wait for the database');
      return PAUSE_MS;
    }
  }
}

function deliveriesOf(row: EventRow, region: string): (NewEvent & { readonly id: string })[] {
  return row.rules.map((rule, at) => {
    const id = newBlobId();
    return {
      id,
      kind: 'object',
      uid: row.uid,
      accessKey: undefined,
      url: row.urls[at] ?? '',
      endpoint: endpointOf(row.bucket, rule),
      contentType: OBJECT_EVENT_MEDIA_TYPE,
      body: Buffer.from(JSON.stringify(cloudEvent(id, region, row))),
      entity: `object ${row.bucket}:${row.key}`,
      subject: `${row.event} ${row.bucket}:${row.key}`,
      reqid: id,
    };
  });
}
