/** A receiver and senders for tests, on real databases: in this process, so that a test can add events in a transaction. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { openLog } from '@millpond/base';
import { createOutboundClient } from '@millpond/outbound';
import { dialects } from '@millpond/protocol';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import type { TestDatabases } from '../../../test/databases.ts';
import {
  KeyStore,
  noChildren,
  SigningKeys,
  WebhookSecretStore,
  WebhookSecrets,
} from '../../identity/accounts/accounts.testing.ts';
import { Sealer } from '../../platform/secrets/sealer.ts';
import { Deliveries } from './deliveries.service.ts';
import { DeliveryStore } from './deliveries.store.ts';
import { RecordStore } from './delivery-list.store.ts';
import { EndpointStore } from './endpoint.store.ts';
import { EndpointStatsStore } from './endpoint-stats.store.ts';
import type { NewEvent } from './new-event.ts';
import { QueueStore } from './sending/delivery-queue.store.ts';
import { OutcomeStore } from './sending/outcome.store.ts';
import { Outcomes } from './sending/outcomes.ts';
import { Sender, type SenderOptions } from './sending/sender.ts';
import { SettleStore } from './sending/settle.store.ts';

export { Callbacks } from './callbacks.ts';
export { Deliveries } from './deliveries.service.ts';
export { DeliveryStore } from './deliveries.store.ts';
export { RecordStore } from './delivery-list.store.ts';
export { EndpointStore } from './endpoint.store.ts';
export { EndpointStatsStore } from './endpoint-stats.store.ts';

export interface ReceivedEvent {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
}

export interface EventReceiver {
  readonly url: string;
  readonly received: ReceivedEvent[];
  /** What it answers from now on. */
  answer: (event: ReceivedEvent, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

export const ok: EventReceiver['answer'] = (_event, response) => response.writeHead(200).end('{}');
export const status =
  (code: number): EventReceiver['answer'] =>
  (_event, response) =>
    response.writeHead(code).end();

export async function startEventReceiver(): Promise<EventReceiver> {
  const received: ReceivedEvent[] = [];
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const body = (await buffer(request)).toString();
    const event = { path: request.url ?? '', headers: request.headers, body, at: performance.now() };
    received.push(event);
    await receiver.answer(event, response);
  };
  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const receiver: EventReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: ok,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return receiver;
}

export interface TestDeliveries {
  readonly deliveries: Deliveries;
  readonly queue: QueueStore;
  readonly endpoints: EndpointStore;
  sender(options?: Partial<SenderOptions>): Sender;
  close(): Promise<void>;
}

export function openDeliveries({ control, region }: TestDatabases, onAdded?: () => void): TestDeliveries {
  const sealer = new Sealer([{ id: 'one', key: Buffer.alloc(32, 1) }]);
  const times = { freshMs: 1000, staleMs: 60_000 };
  const outbound = createOutboundClient({
    allow: ['127.0.0.0/8'],
    connectionsPerOrigin: 64,
    maxOrigins: 4096,
  });
  const [queue, endpoints] = [new QueueStore(region), new EndpointStore(region)];
  const tries = {
    outbound,
    secrets: new WebhookSecrets(new WebhookSecretStore(control), sealer, times),
    keys: new SigningKeys(new KeyStore(control), sealer, times),
    dialect: dialects.svc,
  } as const;
  const store = new DeliveryStore(region);
  return {
    queue,
    endpoints,
    deliveries: new Deliveries({
      region,
      store,
      endpoints,
      outbound,
      onAdded,
      records: new RecordStore(region),
      figures: new EndpointStatsStore(region),
    }),
    sender: (options = {}) =>
      new Sender(
        {
          queue,
          endpoints,
          tries,
          log: openLog('silent'),
          tenants: noChildren,
          settle: new SettleStore(region),
          outcomes: new Outcomes(new OutcomeStore(region), openLog('silent')),
        },
        { slots: 64, perEndpoint: 16, memoryBytes: 2 ** 24, timeFactor: 1, ...options },
      ),
    close: () => outbound.close(),
  };
}

export function newEvent(url: string, overrides: Partial<NewEvent> = {}): NewEvent {
  return {
    kind: 'live',
    uid: 1n,
    accessKey: undefined,
    url,
    endpoint: undefined,
    contentType: 'application/json',
    body: Buffer.from('{"type":"stream"}'),
    entity: undefined,
    subject: 'a test',
    reqid: 'r',
    ...overrides,
  };
}

export interface SenderTests {
  readonly place: TestDeliveries;
  readonly receiver: EventReceiver;
  readonly uid: bigint;
  /** Events without an account are never sent: nothing could sign them. */
  newAccount(): Promise<bigint>;
  /** A sender that ends with the test. */
  start(options?: Partial<SenderOptions>): Sender;
  add(overrides?: Partial<NewEvent>): Promise<{ id: string; sequence: bigint }>;
  stateOf(id: string): Promise<string>;
  /** Bodies, as they arrived. */
  told(): string[];
}

/** Call it at the top of a test file: an account and a receiver for every test, and senders that end with it. */
export function useSenders(databases: TestDatabases): SenderTests {
  const senders: Sender[] = [];
  const now: { place?: TestDeliveries; receiver?: EventReceiver; uid?: bigint } = {};
  const part = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('there is one only while tests run');
    return value;
  };
  beforeAll(() => {
    const place = openDeliveries(databases, () => {
      for (const sender of senders) sender.wake();
    });
    now.place = place;
    return () => place.close();
  });
  beforeEach(async () => {
    now.receiver = await startEventReceiver();
    now.uid = await tests.newAccount();
  });
  afterEach(async () => {
    await Promise.all(senders.splice(0).map((sender) => sender.stop()));
    await now.receiver?.close();
  });
  const tests: SenderTests = {
    get place() {
      return part(now.place);
    },
    get receiver() {
      return part(now.receiver);
    },
    get uid() {
      return part(now.uid);
    },
    async newAccount() {
      const { rows } = await databases.control.pool.query<{ uid: bigint }>(
        `INSERT INTO control.accounts (email) VALUES (gen_random_uuid() || '@example.com') RETURNING uid`,
      );
      return part(rows[0]).uid;
    },
    start(options = {}) {
      const sender = tests.place.sender(options);
      senders.push(sender);
      sender.start();
      return sender;
    },
    add(overrides = {}) {
      const event = newEvent(`${tests.receiver.url}/events`, { uid: tests.uid, ...overrides });
      return databases.region.transaction((transaction) => tests.place.deliveries.add(transaction, event));
    },
    stateOf: async (id) => (await tests.place.deliveries.get(id, tests.uid)).delivery.state,
    told: () => tests.receiver.received.map((event) => event.body),
  };
  return tests;
}

export const bodyOf = (text: string) => ({ body: Buffer.from(text) });
/** Only a hang reaches it: on a busy machine even trivial work may take long. */
export const SOON = { timeout: 300_000, interval: 20 };
