/** Both signatures of an event, by the library for receivers and by hand. */
import { createHmac } from 'node:crypto';
import { verifyEventRequest, verifyWebhookRequest } from '@millpond/client';
import type { Account } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { userCall } from '../support/accounts/accounts.ts';
import { createParent, operate } from '../support/accounts/operator.ts';
import { webhookSecrets } from '../support/receivers/callbacks.ts';
import { reaches, useEvents } from '../support/receivers/events.ts';
import { json, type Received, useReceiver } from '../support/receivers/receiver.ts';
import { secureSend, secureSigned } from '../support/running/secure.ts';
import { target } from '../support/target.ts';

const receiver = useReceiver();
const events = useEvents();
const { account } = target;

async function received(
  event: { uid?: number; accessKey?: string; entity?: string; body?: string } = {},
  path?: string,
): Promise<Received> {
  const endpoint = receiver.at(json({}), path);
  await events.add({ url: endpoint.url, body: '{"type":"stream"}', ...event });
  await expect.poll(() => endpoint.requests.length).toBe(1);
  return endpoint.only;
}

const asRequest = ({ method, target: url, headers, body }: Received) => ({ method, url, headers, body });
const signerOf = ({ headers }: Received) => /^Svc ([^:]+):/.exec(headers.authorization ?? '')?.[1];

// Commands of an operator take their time on a busy machine.
describe('an event', () => {
  test('carries Svc in the new form, over method, Host and body [delivery-03 delivery-06]', async () => {
    const request = await received({ entity: 'cam 1' }, '/events?a=1');
    const { headers, text } = request;
    const lines = [
      'POST /events?a=1',
      `Host: ${headers.host}`,
      'Content-Type: application/json',
      `X-Svc-Delivery: ${headers['webhook-id']}`,
      'X-Svc-Entity: cam%201',
      'X-Svc-Sequence: 1',
      '',
      text,
    ];
    const sign = createHmac('sha1', account.secretKey).update(lines.join('\n')).digest('base64');
    expect(headers.authorization).toBe(
      `Svc ${account.accessKey}:${sign.replaceAll('+', '-').replaceAll('/', '_')}`,
    );
    expect(verifyEventRequest(asRequest(request), { keys: [account] })).toBe(true);
    const other = { ...asRequest(request), body: Buffer.from('{"type":"device"}') };
    expect(verifyEventRequest(other, { keys: [account] })).toBe(false);
    expect(JSON.stringify(headers)).not.toContain('SvcCb');
  });

  test('carries the Standard Webhooks headers [delivery-04]', async () => {
    const request = await received();
    const { headers, text } = request;
    const [secret = ''] = await webhookSecrets();
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
    const sign = createHmac('sha256', key).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${sign}`);
    expect(Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp']))).toBeLessThan(60);
    expect(verifyWebhookRequest(asRequest(request), { secrets: [secret] })).toBe(true);
  });

  test('is signed by the key that made the request, else by the oldest enabled root key [delivery-07]', async () => {
    const owner = await createParent();
    const { uid, email, accessKey: root } = owner;
    const made = await operate(['key', 'create', email, '--kind', 'user', '--json']);
    const user = JSON.parse(made) as Account;
    expect(signerOf(await received({ uid }))).toBe(root);
    const byUser = await received({ uid, accessKey: user.accessKey });
    expect(signerOf(byUser)).toBe(user.accessKey);
    expect(verifyEventRequest(asRequest(byUser), { keys: [user] })).toBe(true);
    await operate(['key', 'disable', user.accessKey]);
    // The sender trusts what it read of keys for a moment.
    const signer = async () => signerOf(await received({ uid, accessKey: user.accessKey }));
    await expect.poll(signer, { timeout: 300_000, interval: 300 }).toBe(root);
  });

  test('is signed by the key that made the request also when the key is a moment old [delivery-07]', async () => {
    const owner = await createParent();
    const { uid, accessKey: root } = owner;
    // From here on the sender knows the account's keys.
    expect(signerOf(await received({ uid }))).toBe(root);
    const made = await userCall('create_key', { kind: 'user' }, owner);
    expect(made.status, made.text()).toBe(200);
    const { key: accessKey, secret: secretKey } = made.json() as { key: string; secret: string };
    const request = await received({ uid, accessKey });
    expect(signerOf(request)).toBe(accessKey);
    expect(verifyEventRequest(asRequest(request), { keys: [{ accessKey, secretKey }] })).toBe(true);
  });

  test('verifies with both secrets during an exchange, and then with the new one only [delivery-05]', async () => {
    const { uid, email } = await createParent();
    await received({ uid });
    const [old = ''] = await webhookSecrets(email);
    // 20 seconds: long enough to see both on a busy machine, short enough to see the end.
    const exchange = ['account', 'webhook-secret', email, '--exchange', '--keep-old', '0.0056', '--json'];
    const { secrets } = JSON.parse(await operate(exchange)) as { secrets: string[] };
    expect(secrets).toHaveLength(2);
    expect(secrets[1]).toBe(old);
    const verifiedBy = async () => {
      const request = asRequest(await received({ uid }));
      return secrets.map((secret) => verifyWebhookRequest(request, { secrets: [secret] }));
    };
    await expect.poll(verifiedBy, { timeout: 300_000, interval: 100 }).toEqual([true, true]);
    await expect.poll(verifiedBy, { timeout: 300_000, interval: 500 }).toEqual([true, false]);
  });

  test('replayed against our own hosts opens nothing, under the Host it was made for too [G49]', async () => {
    for (const path of ['/v1/user/info', '/stat/YTpi', '/v1/deliveries/recover?since=1', '/private']) {
      const { headers, text } = await received({}, path);
      const own = Object.entries(headers).filter(([name]) => name.startsWith('x-svc-'));
      expect(own).toHaveLength(2);
      for (const scheme of ['Svc', 'SvcCb', 'Qiniu', 'QBox']) {
        const authorization = (headers.authorization ?? '').replace(/^\w+/, scheme);
        for (const host of [headers.host ?? '', new URL(target.secure.url).host]) {
          const contentType = headers['content-type'] ?? '';
          const call = { target: path, headers: own, contentType, body: text, host };
          expect([path, scheme, host, (await secureSend(call, authorization)).status]).toEqual([
            path,
            scheme,
            host,
            401,
          ]);
        }
      }
    }
  });

  test('would open them without the header that says what it is: the refusal is not for another reason [G49]', async () => {
    const call = { target: '/private', headers: [['X-Svc-Other', '1']] as const, body: 'bucket=x&private=7' };
    expect((await secureSigned(call)).status).toBe(400);
    const marked = { ...call, headers: [['X-Svc-Delivery', '1']] as const };
    expect((await secureSigned(marked)).status).toBe(401);
  });
});

test('any 2xx is success; 3xx, 4xx and 5xx are failures [delivery-08]', async () => {
  for (const status of [200, 201, 204, 299]) {
    const endpoint = receiver.at((response) => response.writeHead(status).end());
    const { id } = await events.add({ url: endpoint.url });
    expect((await reaches(id, 'delivered')).attempts.map((attempt) => attempt.status)).toEqual([status]);
  }
  for (const status of [301, 302, 400, 404, 500, 503]) {
    let answered = 0;
    const endpoint = receiver.at((response) => {
      answered += 1;
      response.writeHead(answered === 1 ? status : 200, { location: receiver.url }).end();
    });
    const { id } = await events.add({ url: endpoint.url });
    const { attempts } = await reaches(id, 'delivered');
    expect(attempts.map((attempt) => attempt.status)).toEqual([status, 200]);
  }
});
