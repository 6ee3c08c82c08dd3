/**
 * Status events of live (the protocol's event-types.ts says which). Each is written in the transaction of its cause, so neither ever exists without the other.
 * Events of one stream, or of one channel of a device, arrive in the order in which they were written.
 */
import { newBlobId } from '@millpond/blobs';
import type { EventFacts } from '@millpond/protocol';
import type { Deliveries, NewEvent } from '../../events/deliveries/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { unixSeconds } from '../../platform/web/index.ts';
import { callbackUrl } from './namespaces/callback-url.ts';
import type { NamespaceStore } from './namespaces/namespace.store.ts';
import type { NamespaceRow } from './streams.rows.ts';

export type LiveEvent = EventFacts;
/** How far the work on a recording or snapshot is. */
export type WorkCode = EventFacts<'record' | 'snap'>['code'];

/** An event, the namespace it belongs to, and when it happened. */
export interface LiveEventInput {
  readonly namespace: Pick<NamespaceRow, 'ns_id' | 'uid' | 'callback'>;
  readonly at: Date;
  readonly event: LiveEvent;
}

export interface LiveEventDeps {
  readonly namespaces: NamespaceStore;
  readonly deliveries: Deliveries;
}

export class LiveEvents {
  readonly #deps: LiveEventDeps;

  constructor(deps: LiveEventDeps) {
    this.#deps = deps;
  }

  /** `at`: when it happened, even if it is reported much later. Writes nothing if the namespace has no callback (any more). */
  async enqueue(transaction: Transaction, nsId: string, at: Date, event: LiveEvent): Promise<void> {
    const namespace = await this.#deps.namespaces.find(nsId, transaction);
    if (namespace !== undefined) await this.enqueueAll(transaction, [{ namespace, at, event }]);
  }

  /** One statement, whatever the number of events. */
  async enqueueAll(transaction: Transaction, all: readonly LiveEventInput[]): Promise<void> {
    const told = all.filter(({ namespace }) => namespace.callback !== '');
    await this.#deps.deliveries.addAll(transaction, told.map(deliveryOf));
  }
}

function deliveryOf({ namespace, at, event }: LiveEventInput): NewEvent & { readonly id: string } {
  const id = newBlobId();
  const { ns_id: nsId, uid, callback } = namespace;
  const { type, ...fields } = event;
  const body = { type, nsId, ...fields, timeSec: unixSeconds(at), reqId: id };
  return {
    id,
    kind: 'live',
    uid,
    accessKey: undefined,
    url: callbackUrl(callback),
    endpoint: endpointOf(nsId),
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(body)),
    entity: entityOf(nsId, event),
    subject: `${type} ${nsId}/${subjectOf(event)}`,
    reqid: id,
  };
}

/** The name of a namespace among the endpoints of events. */
export function endpointOf(nsId: string): string {
  return `live ${nsId}`;
}

/** Events with the same entity (a stream, or a channel of a device) arrive in order. */
function entityOf(nsId: string, event: LiveEvent): string {
  return `${event.type === 'device' ? 'device' : 'stream'} ${nsId}/${subjectOf(event)}`;
}

function subjectOf(event: LiveEvent): string {
  return event.type === 'device' ? `${event.gbid}/${event.chGbid}` : event.streamId;
}
