/** Events to receivers: added in the transaction of their cause, recorded, and sent again on request. */
import { newBlobId, parseBlobId } from '@millpond/blobs';
import type { OutboundClient } from '@millpond/outbound';
import { Fault } from '@millpond/protocol';
import type { Database, Queryable, Transaction } from '../../platform/db/database.ts';
import type { DeliveryStore } from './deliveries.store.ts';
import type {
  AttemptRow,
  DeliveryDetailRow,
  DeliveryListFilter,
  DeliveryListPage,
  DeliveryListRow,
  RecordStore,
} from './delivery-list.store.ts';
import type { EndpointRow, EndpointStore, NoticeRow } from './endpoint.store.ts';
import type { EndpointStats, EndpointStatsStore } from './endpoint-stats.store.ts';
import type { NewEvent } from './new-event.ts';
import { testEvent } from './test-event.ts';

export interface AddedEvent {
  readonly id: string;
  /** Its number within its entity, from 1. */
  readonly sequence: bigint;
}

export interface DeliveryDeps {
  readonly region: Database;
  readonly store: DeliveryStore;
  readonly records: RecordStore;
  readonly endpoints: EndpointStore;
  readonly figures: EndpointStatsStore;
  readonly outbound: Pick<OutboundClient, 'check'>;
  /** There is something to send. Senders in other processes find it by themselves, a moment later. */
  readonly onAdded?: (() => void) | undefined;
}

/** An endpoint, and how it is doing. */
export type EndpointView = EndpointRow & { readonly figures: EndpointStats | undefined };

const MAX_ATTEMPTS = 1000;
const MAX_IDS_PER_CALL = 1000;
const MOMENT_MS = 5000;
const MAX_PER_MOMENT = 10_000;

export class Deliveries {
  readonly #deps: DeliveryDeps;

  constructor(deps: DeliveryDeps) {
    this.#deps = deps;
  }

  /** Refuses a URL that nothing could ever be sent to, before anything depends on it. A denied address fails when called. */
  check(url: string): void {
    this.#deps.outbound.check(url);
  }

  /** A configured endpoint has a new URL: what waits for it goes there, even if the old one was suspended. */
  async configure(transaction: Queryable, uid: bigint, endpoint: string, url: string): Promise<void> {
    await this.#deps.store.configure(transaction, uid, endpoint, url);
  }

  /** Commits or rolls back with the transaction. `id`: if its body must contain it. */
  async add(transaction: Transaction, event: NewEvent, id: string = newBlobId()): Promise<AddedEvent> {
    const endpointName = event.endpoint ?? originOf(event.url);
    const sequence = await this.#deps.store.add(transaction, { ...event, id, endpointName });
    this.#tell(transaction);
    return { id, sequence };
  }

  /** Any number, in their order, each with the id that its body contains. */
  async addAll(
    transaction: Transaction,
    events: readonly (NewEvent & { readonly id: string })[],
  ): Promise<void> {
    const queued = events.map((event) => ({
      ...event,
      endpointName: event.endpoint ?? originOf(event.url),
    }));
    await this.#deps.store.addAll(transaction, queued);
    this.#tell(transaction);
  }

  #tell(transaction: Transaction): void {
    const { onAdded } = this.#deps;
    if (onAdded !== undefined) transaction.afterCommit(onAdded);
  }

  page(filter: DeliveryListFilter, after: string | undefined, most: number): Promise<DeliveryListPage> {
    return this.#deps.records.page(filter, after, most);
  }

  /** With its tries. `uid` undefined: any account's, for operators. */
  async get(
    id: string,
    uid: bigint | undefined,
  ): Promise<{ delivery: DeliveryDetailRow; attempts: readonly AttemptRow[] }> {
    const delivery = parseBlobId(id) && (await this.#deps.records.get(id, uid));
    if (!delivery) throw new Fault('noSuchEntry');
    return { delivery, attempts: await this.#deps.records.attempts(id, MAX_ATTEMPTS) };
  }

  /** What a request caused at about this time, such as the notification of a task that it submitted. */
  causedAt(uid: bigint, reqid: string, at: Date): Promise<DeliveryListRow[]> {
    const [from, to] = [new Date(at.getTime() - MOMENT_MS), new Date(at.getTime() + MOMENT_MS)];
    return this.#deps.records.byRequestId(uid, reqid, from, to, MAX_PER_MOMENT);
  }

  /** Sends one again, or at once if it waits for a retry. */
  async resend(id: string, uid: bigint | undefined): Promise<void> {
    const { delivery } = await this.get(id, uid);
    const again = await this.#deps.records.resend([id], [originOf(delivery.urls[0] ?? '')]);
    if (again === 0) await this.#deps.records.retryNow([id]);
  }

  /**
   * Sends again everything that the filter selects, newest first, a thousand at a time; `next` continues from there. What
   * waits for a retry is sent at once, and not twice: what is in flight is left alone.
   */
  async resendAll(
    filter: DeliveryListFilter,
    after: string | undefined,
  ): Promise<{ count: number; next: string | undefined }> {
    const { rows, next } = await this.#deps.records.page(filter, after, MAX_IDS_PER_CALL);
    // An upload's callback is meant for its own client, and a test for whoever asked: they are sent again only individually.
    const events = rows.filter((row) => row.kind !== 'callback' && row.kind !== 'test');
    const [waiting, over] = [
      events.filter((row) => row.state === 'waiting'),
      events.filter((row) => row.state !== 'waiting'),
    ];
    const ids = over.map((row) => row.delivery_id);
    const origins = over.map((row) => originOf(row.urls[0] ?? ''));
    const again = ids.length === 0 ? 0 : await this.#deps.records.resend(ids, origins);
    const hastened =
      waiting.length === 0 ? 0 : await this.#deps.records.retryNow(waiting.map((row) => row.delivery_id));
    return { count: again + hastened, next };
  }

  async endpointsOf(uid: bigint | undefined, after: bigint, most: number): Promise<EndpointView[]> {
    return this.#viewed(await this.#deps.endpoints.list(uid, after, most));
  }

  /** Sends a test event to an endpoint: signed and recorded like every event, once, whatever state the endpoint is in. */
  async test(endpointId: bigint, uid: bigint | undefined, reqid: string): Promise<string> {
    const endpoint = await this.#deps.endpoints.find(endpointId, uid);
    if (endpoint === undefined) throw new Fault('noSuchEntry');
    const id = newBlobId();
    const event = testEvent(id, endpoint, endpoint.goes_to, reqid);
    await this.#deps.region.transaction((transaction) => this.add(transaction, event, id));
    return id;
  }

  /** Resumes an endpoint: what was kept for it goes out. `by`: who requested it, for the record. */
  async resume(endpointId: bigint, uid: bigint | undefined, by: string): Promise<EndpointView> {
    const endpoint = await this.#deps.endpoints.resume(endpointId, uid, by);
    if (endpoint === undefined) throw new Fault('noSuchEntry');
    const figures = await this.#deps.figures.read([endpointId]);
    return { ...endpoint, figures: figures.get(endpointId) };
  }

  async #viewed(rows: readonly EndpointRow[]): Promise<EndpointView[]> {
    const figures = await this.#deps.figures.read(rows.map((row) => row.endpoint_id));
    return rows.map((row) => ({ ...row, figures: figures.get(row.endpoint_id) }));
  }

  notices(most: number): Promise<NoticeRow[]> {
    return this.#deps.endpoints.notices(most);
  }
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url.slice(0, 200);
}
