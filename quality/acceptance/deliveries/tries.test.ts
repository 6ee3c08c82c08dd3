/** Tries of one event, as its receiver and the record see them. */
import { expect, test } from 'vitest';
import { newEndpoint, reaches, recordOf, useEvents } from '../support/receivers/events.ts';
import { json, reply, type Script, useReceiver } from '../support/receivers/receiver.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
/** At another port, which is another origin: endpoints of an account at one share what one of them may have. */
const elsewhere = useReceiver();
const events = useEvents();
const SOON = { timeout: 300_000, interval: 50 };

test('a rolled back cause sends nothing, a committed one is sent [delivery-01]', {
  timeout: 300_000,
}, async () => {
  const endpoint = receiver.at(json({}));
  const event = { uid: target.account.uid, url: endpoint.url };
  await events.producer.addAll([{ ...event, body: '"never"' }], { fails: true });
  await events.producer.addAll([
    { ...event, body: '"one"' },
    { ...event, body: '"two"' },
  ]);
  await expect.poll(() => endpoint.requests.length, SOON).toBe(2);
  expect(endpoint.requests.map(({ text }) => text).toSorted()).toEqual(['"one"', '"two"']);
});

test('every try carries the same bytes and the same id, and is kept with its answer [delivery-02 delivery-23]', {
  timeout: 300_000,
}, async () => {
  const answers = [reply(500, 'x'.repeat(20_000)), reply(429, '{}'), json({ taken: true })];
  const endpoint = receiver.at((response, request) =>
    answers[endpoint.requests.length - 1]?.(response, request),
  );
  const body = JSON.stringify({ type: 'stream', note: 'é'.repeat(100) });
  const { id } = await events.add({ url: endpoint.url, body });
  const record = await reaches(id, 'delivered');
  expect(endpoint.requests.map(({ text }) => text)).toEqual([body, body, body]);
  expect(endpoint.requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id, id]);
  expect(record.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, 500],
    [2, 429],
    [3, 200],
  ]);
  expect(record.attempts[0]?.response).toBe('x'.repeat(16 * 1024));
  expect(record.attempts[2]?.response).toBe('{"taken":true}');
  for (const { begun, durationMs } of record.attempts) {
    expect(Math.abs(Date.now() - Date.parse(begun))).toBeLessThan(120_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  }
  expect(record.body).toBe(body);
});

test('a receiver that does not answer within 10 s has failed that try, and delays nobody else [delivery-09 delivery-19]', async () => {
  let givenUp = 0;
  const hang: Script = (response) => {
    response.once('close', () => {
      givenUp += 1;
    });
  };
  const slow = receiver.at(hang);
  const hanging = await events.add({ url: slow.url });
  const stuck = await Promise.all(
    Array.from({ length: 3 }, () => events.add({ url: receiver.at(hang).url })),
  );
  expect(stuck).toHaveLength(3);
  await expect.poll(() => slow.requests.length, SOON).toBe(1);
  // At the same origin: after a second each that hangs no longer counts for the others.
  const quick = receiver.at(json({}));
  const other = await events.add({ url: quick.url });
  await expect.poll(() => quick.requests.length, SOON).toBe(1);
  // None of those that hang had to end for it.
  expect(givenUp).toBe(0);
  await reaches(other.id, 'delivered');
  expect((await recordOf(hanging.id)).state).toBe('waiting');
  const attempts = async () => (await recordOf(hanging.id)).attempts;
  await expect
    .poll(async () => (await attempts()).length, { timeout: 300_000, interval: 200 })
    .toBeGreaterThan(0);
  const [first] = await attempts();
  expect(first).toMatchObject({ attempt: 1, error: expect.any(String) });
  expect(first?.status).toBeUndefined();
  expect(first?.durationMs).toBeGreaterThanOrEqual(9_900);
});

test('a hundred that hang at one origin have their turn there once, and then delay nobody [delivery-19]', async () => {
  const stuck = Array.from({ length: 100 }, () => receiver.at(() => undefined));
  await Promise.all(stuck.map(({ url }) => events.add({ url })));
  const quick = receiver.at(json({}));
  const common = { url: quick.url, endpoint: newEndpoint() };
  await reaches((await events.add(common)).id, 'delivered');
  await expect.poll(() => stuck.every(({ requests }) => requests.length > 0), SOON).toBe(true);
  // They are tried again and again.
  for (let round = 0; round < 5; round++) {
    const begun = performance.now();
    await reaches((await events.add(common)).id, 'delivered');
    expect(performance.now() - begun).toBeLessThan(30_000);
  }
});

test('an event that is always refused delays the rest of its camera by 3 tries, not by days [delivery-21 delivery-22]', async () => {
  const endpoint = elsewhere.at((response, { text }) =>
    response.writeHead(text === '"bad"' ? 400 : 200).end(),
  );
  const common = { url: endpoint.url, endpoint: newEndpoint(), entity: 'cam' };
  const { id } = await events.add({ ...common, body: '"bad"' });
  for (const body of ['1', '2', '3']) await events.add({ ...common, body });
  const others = () => endpoint.requests.filter(({ text }) => text !== '"bad"').map(({ text }) => text);
  await expect.poll(others, SOON).toEqual(['1', '2', '3']);
  const numbers = endpoint.requests.map(({ headers }) => Number(headers['x-svc-sequence']));
  expect(numbers.slice(0, 4)).toEqual([1, 1, 1, 2]);
  // It goes on by itself: its fourth try is half a minute after the third, or sooner, because the receiver took others.
  expect((await recordOf(id)).state).toBe('waiting');
  await expect
    .poll(() => endpoint.requests.filter(({ text }) => text === '"bad"').length, SOON)
    .toBeGreaterThan(3);
});

test('an event goes to no address that is denied, and says so in its record [G38]', {
  timeout: 300_000,
}, async () => {
  for (const url of ['http://169.254.169.254/latest/', 'http://10.0.0.1/', 'http://[::1]:9/', target.url]) {
    const { id } = await events.add({ url });
    const attempts = async () => (await recordOf(id)).attempts;
    await expect.poll(async () => (await attempts()).length, SOON).toBeGreaterThan(0);
    expect((await attempts())[0]).toMatchObject({ error: expect.stringContaining('not allowed') });
  }
});
