/** The record of deliveries by calls and by commands, and sending again. */
import { uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { createParent, operate } from '../support/accounts/operator.ts';
import { expectRefusal } from '../support/expectations.ts';
import { newKey } from '../support/receivers/callbacks.ts';
import { deliveriesCall, newEndpoint, reaches, recordOf, useEvents } from '../support/receivers/events.ts';
import { json, reply, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const events = useEvents();
const SOON = { timeout: 300_000, interval: 50 };

interface Page {
  readonly items: readonly { id: string; state: string; kind: string; endpoint?: string; subject: string }[];
  readonly marker?: string;
}

async function pageOf(query: string, keys = target.account): Promise<Page> {
  const answer = await deliveriesCall({ path: `?${query}` }, keys);
  expect(answer.status, answer.text()).toBe(200);
  return answer.json() as Page;
}

const idsOf = (page: Page) => page.items.map((item) => item.id);

// Commands of an operator take their time on a busy machine.
describe('the calls under /v1/deliveries', () => {
  test('list what the caller has, by state, endpoint and time, page by page [delivery-24]', async () => {
    const owner = await createParent();
    const keys = { ...target.account, ...owner };
    const [good, bad] = [receiver.at(json({})), receiver.at(reply(410))];
    const name = newEndpoint();
    const add = (url: string, endpoint?: string) =>
      events.add({ uid: owner.uid, url, ...(endpoint === undefined ? {} : { endpoint }) });
    const delivered = [await add(good.url, name), await add(good.url, name), await add(good.url, name)];
    const failed = await add(bad.url);
    const all = [failed, ...delivered.toReversed()].map((event) => event.id);
    const states = async () => (await pageOf('', keys)).items.map((item) => item.state).toSorted();
    await expect.poll(states, SOON).toEqual(['delivered', 'delivered', 'delivered', 'failed']);
    expect(idsOf(await pageOf('', keys))).toEqual(all);
    expect(idsOf(await pageOf('state=failed', keys))).toEqual([failed.id]);
    expect(idsOf(await pageOf('state=waiting', keys))).toEqual([]);
    const [first] = (await pageOf('state=delivered', keys)).items;
    expect(idsOf(await pageOf(`endpoint=${first?.endpoint}`, keys))).toEqual(all.slice(1));
    expect(idsOf(await pageOf(`since=${Math.floor(Date.now() / 1000) + 3600}`, keys))).toEqual([]);
    expect(idsOf(await pageOf('until=2020-01-01T00:00:00Z', keys))).toEqual([]);
    const seen: string[] = [];
    let marker: string | undefined;
    do {
      const page = await pageOf(`limit=1${marker === undefined ? '' : `&marker=${marker}`}`, keys);
      seen.push(...idsOf(page));
      marker = page.marker;
    } while (marker !== undefined && seen.length < 10);
    expect(seen).toEqual(all);
    const endpoints = await deliveriesCall({ path: '/endpoints' }, keys);
    const { items } = endpoints.json() as { items: { name: string; state: string }[] };
    expect(items.map((item) => [item.name, item.state])).toContainEqual([name, 'closed']);
  });

  test('show nothing of another account [delivery-24]', async () => {
    const endpoint = receiver.at(json({}));
    const { id } = await events.add({ url: endpoint.url });
    await reaches(id, 'delivered');
    const stranger = target.stranger;
    expect(idsOf(await pageOf('limit=1000', stranger))).not.toContain(id);
    for (const call of [{ path: `/${id}` }, { method: 'POST', path: `/${id}/resend` }]) {
      const theirs = await deliveriesCall(call, stranger);
      const nobodys = await deliveriesCall(
        { ...call, path: call.path.replace(id, '01900000-0000-7000-8000-000000000000') },
        stranger,
      );
      expect([theirs.status, theirs.text()]).toEqual([612, nobodys.text()]);
    }
    const { endpoint: number } = await recordOf(id);
    const resume = { method: 'POST', path: `/endpoints/${number}/resume` };
    expect((await deliveriesCall(resume, stranger)).status).toBe(612);
    expect(idsOf(await pageOf(`endpoint=${number}`, stranger))).toEqual([]);
    const again = { method: 'POST', path: '/replay', body: { since: '1', endpoint: number } };
    expect((await deliveriesCall(again, stranger)).json()).toEqual({ count: 0 });
    expect(endpoint.requests).toHaveLength(1);
  });

  test('refuse what is no state, time, endpoint, limit or marker, and plain HTTP', async () => {
    for (const query of ['state=x', 'since=soon', 'until=1e3', 'endpoint=a', 'limit=0', 'limit=1001'])
      expect([query, (await deliveriesCall({ path: `?${query}` })).status]).toEqual([query, 400]);
    expect((await deliveriesCall({ path: '?marker=x' })).status).toBe(640);
    expect((await deliveriesCall({ method: 'POST', path: '/recover' })).status).toBe(400);
    const plain = await fetch(`${target.url}/v1/deliveries`);
    await expectRefusal(plain, 400, 'this host answers over HTTPS only');
  });
});

describe('sending again', () => {
  test('one, all that failed since a time, and a range, by calls [delivery-18]', async () => {
    const owner = await createParent();
    const keys = { ...target.account, ...owner };
    let isGone = true;
    const endpoint = receiver.at((response) => response.writeHead(isGone ? 410 : 200).end());
    const add = () => events.producer.add({ uid: owner.uid, url: endpoint.url });
    const since = String(Math.floor(Date.now() / 1000) - 60);
    const ids = [(await add()).id, (await add()).id, (await add()).id];
    const states = async () => (await pageOf('', keys)).items.map((item) => item.state);
    await expect.poll(states, SOON).toEqual(['failed', 'failed', 'failed']);
    isGone = false;
    const resend = { method: 'POST', path: `/${ids[0]}/resend` };
    expect((await deliveriesCall(resend, keys)).status).toBe(200);
    await expect
      .poll(async () => (await states()).toSorted(), SOON)
      .toEqual(['delivered', 'failed', 'failed']);
    const recover = { method: 'POST', path: '/recover', body: { since } };
    expect((await deliveriesCall(recover, keys)).json()).toEqual({ count: 2 });
    await expect.poll(states, SOON).toEqual(['delivered', 'delivered', 'delivered']);
    expect((await deliveriesCall(recover, keys)).json()).toEqual({ count: 0 });
    const replay = { method: 'POST', path: '/replay', body: { since } };
    expect((await deliveriesCall(replay, keys)).json()).toEqual({ count: 3 });
    await expect.poll(() => endpoint.requests.length, SOON).toBe(9);
    for (const id of ids)
      expect(endpoint.requests.filter(({ headers }) => headers['webhook-id'] === id)).toHaveLength(3);
  });

  test('one that waits for a later try says so, and is sent at once [delivery-30]', async () => {
    let isAway = true;
    const endpoint = receiver.at((response) =>
      response.writeHead(isAway ? 500 : 200, { 'retry-after': '3600' }).end(),
    );
    const { id } = await events.add({ url: endpoint.url });
    const tries = async () => (await recordOf(id)).attempts.length;
    // It is followed by a wait of an hour.
    await expect.poll(tries, SOON).toBe(1);
    await expect
      .poll(async () => (await recordOf(id)).waitingFor, SOON)
      .toMatchObject({
        reason: 'retry',
        text: expect.stringMatching(/^the next attempt at 20/),
        until: expect.stringMatching(/^20/),
      });
    isAway = false;
    expect((await deliveriesCall({ method: 'POST', path: `/${id}/resend` })).status).toBe(200);
    await reaches(id, 'delivered');
  });

  test('by commands of the operator [delivery-18]', async () => {
    const owner = await createParent();
    let isGone = true;
    const endpoint = receiver.at((response) => response.writeHead(isGone ? 410 : 200).end());
    const { id } = await events.producer.add({ uid: owner.uid, url: endpoint.url });
    const list = async (...args: string[]) =>
      operate(['deliveries', 'list', '--account', owner.email, '--json', ...args]);
    await expect.poll(() => list('--state', 'failed'), { ...SOON, interval: 300 }).toContain(id);
    isGone = false;
    const since = new Date(Date.now() - 60_000).toISOString();
    const recovered = await operate([
      'deliveries',
      'recover',
      '--account',
      owner.email,
      '--since',
      since,
      '--json',
    ]);
    expect(JSON.parse(recovered)).toEqual({ count: 1 });
    await expect.poll(() => list('--state', 'delivered'), { ...SOON, interval: 300 }).toContain(id);
    expect(await operate(['deliveries', 'show', id])).toContain('200');
    await operate(['deliveries', 'resend', id]);
    await expect.poll(() => endpoint.requests.length, SOON).toBe(3);
  });

  test('an upload callback that failed: as it was, signed as it was [delivery-18]', async () => {
    const bucket = await newBucket();
    const key = newKey();
    let isAway = true;
    const endpoint = receiver.at((response) => response.writeHead(isAway ? 500 : 200).end('{}'));
    const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'key=$(key)' };
    expect(uploadToken(target.account, policy)).toMatch(/./);
    expect((await upload(policy, 'content', { key })).status).toBe(579);
    isAway = false;
    const { items } = await pageOf('state=failed&limit=1000');
    const id = items.find((item) => item.subject === `${bucket}:${key}`)?.id ?? '';
    expect((await deliveriesCall({ method: 'POST', path: `/${id}/resend` })).status).toBe(200);
    await reaches(id, 'delivered');
    const [first, second] = endpoint.requests;
    expect(second?.text).toBe(`key=${key}`);
    expect(second?.headers.authorization).toBe(first?.headers.authorization);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  });
});
