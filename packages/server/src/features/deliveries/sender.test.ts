import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useDatabases } from '../../../test/databases.ts';
import type { Sender, SenderOptions } from './sender.ts';
import type { NewEvent } from './service.ts';
import {
  type EventReceiver,
  newEvent,
  ok,
  openDeliveries,
  startEventReceiver,
  status,
  type TestDeliveries,
} from './testing.ts';

const databases = useDatabases();
const senders: Sender[] = [];
let place: TestDeliveries;
let receiver: EventReceiver;
let uid: bigint;
const DAY = 86_400_000;
/** A busy machine may take its time for what needs none. */
const SOON = { timeout: 20_000, interval: 20 };

beforeAll(() => {
  place = openDeliveries(databases);
  return () => place.close();
});
beforeEach(async () => {
  receiver = await startEventReceiver();
  const { rows } = await databases.control.pool.query<{ uid: bigint }>(
    `INSERT INTO control.accounts (email) VALUES (gen_random_uuid() || '@example.com') RETURNING uid`,
  );
  uid = rows[0]?.uid ?? 0n;
});
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()));
  await receiver.close();
});

function start(options: Partial<SenderOptions> = {}): Sender {
  const sender = place.sender(options);
  senders.push(sender);
  sender.start();
  return sender;
}

function add(overrides: Partial<NewEvent> = {}): Promise<{ id: string; sequence: bigint }> {
  const event = newEvent(`${receiver.url}/events`, { uid, ...overrides });
  return databases.region.transaction((transaction) => place.deliveries.add(transaction, event));
}

const bodyOf = (text: string) => ({ body: Buffer.from(text) });
const told = () => receiver.received.map((event) => event.body);
const stateOf = async (id: string) => (await place.deliveries.get(id, uid)).delivery.state;

describe('an event', () => {
  test('is sent once it is committed, and never when its cause is rolled back [delivery-01]', async () => {
    start();
    await expect(
      databases.region.transaction(async (transaction) => {
        await place.deliveries.add(transaction, newEvent(receiver.url, { uid, ...bodyOf('never') }));
        throw new Error('the cause failed');
      }),
    ).rejects.toThrow('the cause failed');
    const { id } = await add(bodyOf('committed'));
    await expect.poll(() => stateOf(id), SOON).toBe('delivered');
    expect(told()).toEqual(['committed']);
  });

  test('is not sent before its cause can be read [G44]', async () => {
    start();
    let seen: unknown;
    receiver.answer = async (event, response) => {
      const { rows } = await databases.region.pool.query('SELECT state FROM cause WHERE id = $1', [event.body]);
      seen = rows;
      response.writeHead(200).end();
    };
    await databases.region.pool.query('CREATE TABLE cause (id text, state text)');
    await databases.region.transaction(async (transaction) => {
      await place.deliveries.add(transaction, newEvent(receiver.url, { uid, ...bodyOf('c') }));
      // The sender has every chance to be too early.
      await new Promise((resolve) => setTimeout(resolve, 300));
      await transaction.client.query(`INSERT INTO cause VALUES ('c', 'final')`);
    });
    await expect.poll(() => seen, SOON).toEqual([{ state: 'final' }]);
  });
});
