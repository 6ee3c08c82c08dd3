/** What an attempt shows, test events, and how endpoints are doing. */
import { verifyRequest } from '@millpond/client';
import { expect, test } from 'vitest';
import { createParent } from '../support/accounts/operator.ts';
import {
  type DeliveryRecord,
  deliveriesCall,
  newEndpoint,
  reaches,
  recordOf,
  useEvents,
} from '../support/receivers/events.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const events = useEvents();
const cli = useCommandLine();
const SOON = { timeout: 300_000, interval: 50 };

interface EndpointView {
  readonly endpoint: string;
  readonly name: string;
  readonly state: string;
  readonly waiting: number;
  readonly oldest?: string;
  readonly lastSuccess?: string;
  readonly lastFailure?: string;
  readonly recent: readonly { readonly minute: string; readonly ok: number; readonly failed: number }[];
}

async function endpointNamed(name: string, keys = target.account): Promise<EndpointView | undefined> {
  const answer = await deliveriesCall({ path: '/endpoints?limit=1000' }, keys);
  return (answer.json() as { items: EndpointView[] }).items.find((item) => item.name === name);
}

const secretsOf = async () =>
  (await sdkClient().accounts.webhookSecrets()).map(({ secret }: { secret: string }) => secret);

test('an attempt shows the request as it was sent and the answer [delivery-27]', async () => {
  const endpoint = receiver.at((response) =>
    response
      .writeHead(200, { 'content-type': 'text/html', server: 'weir', 'set-cookie': 'secret=1' })
      .end('é'.repeat(5000)),
  );
  const { id } = await events.add({ url: endpoint.url, body: '{"n":1}' });
  const { attempts } = await reaches(id, 'delivered');
  const [sent] = endpoint.requests;
  const shown = attempts[0]?.request;
  expect(shown?.bodyBytes).toBe(7);
  for (const [name, value] of Object.entries(shown?.headers ?? {}))
    expect([name, sent?.headers[name]]).toEqual([name, value]);
  expect(Object.keys(shown?.headers ?? {})).toEqual(
    expect.arrayContaining(['host', 'authorization', 'webhook-signature', 'user-agent', 'x-svc-sequence']),
  );
  const { answer } = attempts[0] as DeliveryRecord['attempts'][number];
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/html', server: 'weir' } });
  expect(answer?.body).toBe('é'.repeat(2048));
  expect(JSON.stringify(attempts)).not.toContain('secret=1');
});

test('an upload callback that was refused shows both, too [delivery-27]', async () => {
  const bucket = await newBucket();
  const endpoint = receiver.at((response) => response.writeHead(502, { server: 'weir' }).end('bad gateway'));
  const policy = { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'key=$(key)' };
  expect((await upload(policy, 'content', { key: 'k' })).status).toBe(579);
  const { items } = (await deliveriesCall({ path: '?state=failed&limit=1000' })).json() as {
    items: { id: string; subject: string }[];
  };
  const { attempts } = await recordOf(items.find(({ subject }) => subject === `${bucket}:k`)?.id ?? '');
  expect(attempts).toMatchObject([
    {
      request: { headers: { authorization: endpoint.requests[0]?.headers.authorization }, bodyBytes: 5 },
      answer: { status: 502, headers: { server: 'weir' }, body: 'bad gateway' },
    },
  ]);
});

test('a test event goes out once, signed, also to an endpoint that is suspended [delivery-28]', async () => {
  let status = 410;
  const endpoint = receiver.at((response) => response.writeHead(status).end('{}'));
  const name = newEndpoint();
  const { id: first } = await events.add({ url: endpoint.url, endpoint: name });
  await reaches(first, 'failed');
  await expect.poll(async () => (await endpointNamed(name))?.state, SOON).toBe('suspended');
  const number = (await endpointNamed(name))?.endpoint ?? '';
  const send = async () => {
    const answer = await deliveriesCall({ method: 'POST', path: `/endpoints/${number}/test` });
    expect(answer.status, answer.text()).toBe(200);
    return (answer.json() as { id: string }).id;
  };
  status = 500;
  const refused = await reaches(await send(), 'failed');
  expect(refused).toMatchObject({ kind: 'test', attempts: [{ attempt: 1, status: 500 }] });
  status = 200;
  const id = await send();
  await reaches(id, 'delivered');
  const request = endpoint.requests.find(({ headers }) => headers['webhook-id'] === id);
  expect(JSON.parse(request?.text ?? '')).toMatchObject({ specversion: '1.0', id, type: 'millpond.test' });
  const { headers, text } = request as NonNullable<typeof request>;
  const path = new URL(endpoint.url).pathname;
  const verifyResult = verifyRequest(
    { method: 'POST', url: path, headers, body: Buffer.from(text) },
    { secrets: await secretsOf(), keys: [target.account] },
  );
  expect(verifyResult).toMatchObject({ ok: true });
  // It says nothing of what was suspended: that is for its owner to resume.
  expect((await endpointNamed(name))?.state).toBe('suspended');
  const nobodys = await deliveriesCall(
    { method: 'POST', path: `/endpoints/${number}/test` },
    target.stranger,
  );
  expect(nobodys.status).toBe(612);
});

test('`millpond deliveries test` shows the answer, and fails if it is none [delivery-28]', async () => {
  let status = 200;
  const endpoint = receiver.at((response) => response.writeHead(status).end('{}'));
  const name = newEndpoint();
  await reaches((await events.add({ url: endpoint.url, endpoint: name })).id, 'delivered');
  const number = (await endpointNamed(name))?.endpoint ?? '';
  expect(await cli.run(['deliveries', 'test', number])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('delivered: answered 200'),
  });
  status = 503;
  expect(await cli.run(['deliveries', 'test', number])).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('failed: status 503'),
  });
});

test('an endpoint shows what waits for it and how recent attempts ended [delivery-29]', async () => {
  const owner = { ...target.account, ...(await createParent()) };
  let status = 500;
  const endpoint = receiver.at((response) =>
    response.writeHead(status, status === 500 ? { 'retry-after': '3600' } : {}).end(),
  );
  const name = newEndpoint();
  const event = { uid: owner.uid, url: endpoint.url, endpoint: name, entity: 'cam' };
  for (let n = 0; n < 3; n += 1) await events.producer.add(event);
  const shown = () => endpointNamed(name, owner);
  // One waits for its second attempt, the others behind it.
  await expect.poll(async () => (await shown())?.waiting, SOON).toBe(3);
  await expect.poll(async () => (await shown())?.lastFailure, SOON).toBeDefined();
  const failing = await shown();
  expect(failing).toMatchObject({ recent: [{ ok: 0, failed: 1 }] });
  expect(failing?.lastSuccess).toBeUndefined();
  expect(Math.abs(Date.now() - Date.parse(failing?.oldest ?? ''))).toBeLessThan(3_600_000);
  status = 200;
  const since = String(Math.floor(Date.now() / 1000) - 3600);
  await deliveriesCall({ method: 'POST', path: '/replay', body: { since } }, owner);
  await expect.poll(async () => (await shown())?.waiting, SOON).toBe(0);
  const ok = async () => (await shown())?.recent.reduce((sum, minute) => sum + minute.ok, 0);
  await expect.poll(ok, SOON).toBe(3);
  expect(Date.parse((await shown())?.lastSuccess ?? '')).toBeGreaterThan(
    Date.parse(failing?.lastFailure ?? ''),
  );
});
