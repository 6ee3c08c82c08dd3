/** Which host answers what: fetch and prefetch where downloads are, sources where buckets are. */
import { encodeBase64Text, formatEntry } from '@millpond/protocol';
import { type Account, createDeployment, type Deployment, type ServerProcess } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchPath, file } from '../support/objects/fetching.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { authorize, send } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'hosts';
const HOSTS = { io: 'iovip-z0.example.test', uc: 'uc.example.test', rs: 'rs.example.test' };
const origin = useReceiver();
let deployment: Deployment;
let account: Account;
let server: ServerProcess;

beforeAll(async () => {
  deployment = await createDeployment({
    store: target.store,
    settings: {
      MILLPOND_HOSTS: Object.entries(HOSTS)
        .map(([role, host]) => `${role}=${host}`)
        .join(','),
      MILLPOND_OUTBOUND_ALLOW: '127.0.0.1/32',
    },
  });
  account = await deployment.createAccount(undefined, BUCKET);
  server = await deployment.start();
});
afterAll(() => deployment?.destroy());

async function statusesAt(path: string): Promise<Record<string, number>> {
  const statuses = Object.entries(HOSTS).map(async ([role, host]) => {
    const call = { target: path, host };
    return [role, (await send(call, authorize(call, { keys: account }), server.url)).status] as const;
  });
  return Object.fromEntries(await Promise.all(statuses));
}

test('fetch is served on the origin-download host [fetch-12]', async () => {
  const path = fetchPath(origin.at(file('x')).url, BUCKET, { key: 'k' });
  expect(await statusesAt(path)).toEqual({ io: 200, uc: 404, rs: 404 });
});

test('mirror sources on the host of buckets, prefetch on the regional one [prefetch-06]', async () => {
  origin.at(file('x'), '/mirror/k');
  const sources = encodeBase64Text(`${origin.url}/mirror`);
  expect(await statusesAt(`/image/${BUCKET}/from/${sources}`)).toEqual({ io: 404, uc: 200, rs: 404 });
  expect(await statusesAt(`/prefetch/${formatEntry(BUCKET, 'k')}`)).toEqual({ io: 200, uc: 404, rs: 404 });
  expect(await statusesAt(`/unimage/${BUCKET}`)).toEqual({ io: 404, uc: 200, rs: 404 });
});

test('a fetch from one of our own hosts, or with its name as Host, is refused [outbound-09]', async () => {
  const { requests, url } = origin.at(file('x'));
  for (const [from, host] of [
    [`http://${HOSTS.io}/${BUCKET}/k`, undefined],
    [`http://${HOSTS.rs.toUpperCase()}.:8443/`, undefined],
    [url, HOSTS.uc],
    [`${server.url}/${BUCKET}/k`, undefined],
  ] as const) {
    const call = { target: fetchPath(from, BUCKET, { key: 'own', ...(host && { host }) }), host: HOSTS.io };
    const answer = await send(call, authorize(call, { keys: account }), server.url);
    expect([answer.status, from]).toEqual([478, from]);
  }
  expect(requests).toEqual([]);
});
