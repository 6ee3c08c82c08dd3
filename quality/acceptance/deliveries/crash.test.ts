/** Senders that die at any moment. */
import {
  createDeployment,
  type Deployment,
  type EventProducer,
  openEventProducer,
  type ServerProcess,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Received, useReceiver } from '../support/receivers/receiver.ts';

const receiver = useReceiver();
let deployment: Deployment;
let producer: EventProducer;
let uid: number;

beforeAll(async () => {
  deployment = await createDeployment({
    store: 'disk',
    settings: { MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32' },
    log: 'ignore',
  });
  uid = (await deployment.createAccount()).uid;
  producer = openEventProducer(deployment.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(async () => {
  await producer?.close();
  await deployment?.destroy();
});

const startSender = (): Promise<ServerProcess> =>
  deployment.start({ args: ['work', '--only', 'deliveries'] });

test('a sender killed at any moment loses no event; only what was in flight comes twice, with the same id, and order holds [delivery-25 delivery-20]', async () => {
  const seen: Received[] = [];
  const endpoint = receiver.at((response, request) => {
    seen.push(request);
    // Some are in flight whenever the sender dies.
    setTimeout(() => response.writeHead(200).end(), 20);
  });
  const [entities, events, kills] = [8, 30, 3];
  let sender = await startSender();
  const other = await startSender();
  const ids = new Set<string>();
  for (let n = 0; n < events; n++) {
    const batch = Array.from({ length: entities }, (_, entity) => ({
      uid,
      url: endpoint.url,
      endpoint: 'crashing',
      entity: `cam${entity}`,
    }));
    for (const { id } of await producer.addAll(batch)) ids.add(id);
    if (n > 0 && n % Math.floor(events / kills) === 0) {
      await sender.kill('SIGKILL');
      sender = await startSender();
    }
  }
  const arrived = () => new Set(seen.map(({ headers }) => headers['webhook-id'] ?? ''));
  // What a dead sender had leased is free again after 25 s.
  await expect.poll(() => arrived().size, { timeout: 300_000, interval: 200 }).toBe(ids.size);
  expect(arrived()).toEqual(ids);
  // Each kill leaves no more than was on its way: at most one of each lane.
  expect(seen.length - ids.size).toBeLessThanOrEqual(kills * entities);
  for (let entity = 0; entity < entities; entity++) {
    const numbers = seen
      .filter(({ headers }) => headers['x-svc-entity'] === `cam${entity}`)
      .map(({ headers }) => Number(headers['x-svc-sequence']));
    const firsts = numbers.filter((number, at) => numbers.indexOf(number) === at);
    expect(firsts).toEqual(Array.from({ length: events }, (_, n) => n + 1));
  }
  await Promise.all([sender.kill('SIGTERM'), other.kill('SIGTERM')]);
});

test('a sender that is told to stop hands back at once what it had not begun', async () => {
  const seen: Received[] = [];
  const stopping = Promise.withResolvers<void>();
  const endpoint = receiver.at(async (response, request) => {
    seen.push(request);
    await stopping.promise;
    response.writeHead(200).end();
  });
  const first = await startSender();
  const added = await producer.addAll(
    Array.from({ length: 60 }, () => ({ uid, url: endpoint.url, endpoint: 'stopping' })),
  );
  await expect.poll(() => seen.length, { timeout: 300_000, interval: 20 }).toBeGreaterThan(1);
  expect(await producer.leased()).toBeGreaterThan(seen.length);
  const stopped = first.kill('SIGTERM');
  stopping.resolve();
  await stopped;
  expect(await producer.leased()).toBe(0);
  const second = await startSender();
  await expect.poll(() => seen.length, { timeout: 300_000, interval: 50 }).toBe(added.length);
  expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).toBe(added.length);
  await second.kill('SIGTERM');
});
