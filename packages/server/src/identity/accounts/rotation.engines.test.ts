/**
 * The master key is exchanged while servers answer: nothing fails. MILLPOND_TEST_SECRETS raises the number of
 * secrets.
 */
import { randomBytes } from 'node:crypto';
import {
  type Account,
  createDeployment,
  type Deployment,
  finishCommand,
  type ServerProcess,
  signedFetch,
  testRandom,
} from '@millpond/testing';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseMasterKeys, Sealer } from '../../platform/secrets/sealer.ts';

const SECRETS = Number(process.env.MILLPOND_TEST_SECRETS ?? 2_000);
const BATCH = 5_000;
const CALLERS = 8;

let deployment: Deployment;
let servers: ServerProcess[];
let client: pg.Client;
let keys: Account[];
const next = `next:${randomBytes(32).toString('base64')}`;
let masterKeys: string;

beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk', settings: { MILLPOND_CONTROL_CACHE: '1s' } });
  const old = deployment.environment.MILLPOND_MASTER_KEY ?? '';
  client = new pg.Client({ connectionString: deployment.environment.MILLPOND_CONTROL_DB });
  await client.connect();
  keys = await plant(new Sealer(parseMasterKeys([old])));
  masterKeys = `${next},${old}`;
  const settings = { MILLPOND_MASTER_KEY: masterKeys };
  servers = await Promise.all([deployment.start({ settings }), deployment.start({ settings })]);
});

afterAll(async () => {
  await client?.end();
  await deployment?.destroy();
});

/** Keys as the server stores them, many at a time. */
async function plant(sealer: Sealer): Promise<Account[]> {
  const planted: Account[] = [];
  while (planted.length < SECRETS) {
    const count = Math.min(BATCH, SECRETS - planted.length);
    const { rows } = await client.query<{ uid: string; email: string }>(
      `INSERT INTO control.accounts (email) SELECT format('owner-%s@example.com', n)
       FROM generate_series($1::int, $2::int) n RETURNING uid, email`,
      [planted.length, planted.length + count - 1],
    );
    const batch = rows.map(({ uid, email }) => {
      const [accessKey, secretKey] = [
        randomBytes(30).toString('base64url'),
        randomBytes(30).toString('base64url'),
      ];
      return { uid: Number(uid), email, accessKey, secretKey };
    });
    const sealed = batch.map(({ uid, accessKey, secretKey }) =>
      sealer.seal(secretKey, `access key ${accessKey} of ${uid}`),
    );
    await client.query(
      `INSERT INTO control.access_keys (access_key, uid, kind, sealed_secret, master_key)
       SELECT k, u, 'root', s, $4 FROM unnest($1::text[], $2::bigint[], $3::bytea[]) AS n (k, u, s)`,
      [
        batch.map(({ accessKey }) => accessKey),
        batch.map(({ uid }) => uid),
        sealed.map(({ bytes }) => bytes),
        sealer.currentMasterKey,
      ],
    );
    planted.push(...batch);
  }
  return planted;
}

const random = testRandom();

/** A signed call with some key: 631 says that the signature was good and the bucket is not there. */
async function callOnce(): Promise<number> {
  const [key, server] = [random.pick(keys), random.pick(servers)];
  const answer = await signedFetch(server.url, key, '/stat/bm8tc3VjaC1idWNrZXQ6aw==');
  await answer.arrayBuffer();
  return answer.status;
}

test(`${SECRETS} secrets are wrapped anew under load, and no request fails [secret-03]`, {
  timeout: 600_000,
}, async () => {
  const statuses = new Map<number, number>();
  const answers = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
  let stopped = false;
  const load = Array.from({ length: CALLERS }, async () => {
    while (!stopped) {
      const status = await callOnce();
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  });
  await expect.poll(answers).toBeGreaterThan(CALLERS);
  const begun = performance.now();
  const settings = { ...deployment.environment, MILLPOND_MASTER_KEY: masterKeys };
  const { code, stdout, stderr } = await finishCommand(settings, ['secrets', 'rotate', '--json']);
  const seconds = (performance.now() - begun) / 1000;
  // And some that use only what was wrapped anew.
  const after = answers();
  await expect.poll(answers).toBeGreaterThan(after + 10 * CALLERS);
  stopped = true;
  await Promise.all(load);
  process.stdout.write(
    `${SECRETS} secrets re-wrapped in ${seconds.toFixed(1)} s beside ${answers()} requests: ${JSON.stringify([...statuses])}\n`,
  );
  expect({ code, stderr: stderr.split('\n').at(-2) }).toEqual({
    code: 0,
    stderr: `${SECRETS} secrets re-wrapped`,
  });
  expect(JSON.parse(stdout)).toEqual({ rotated: SECRETS });
  expect([...statuses.keys()]).toEqual([631]);
});

test('the old master key is then not needed any more', async () => {
  const { url } = await deployment.start({ settings: { MILLPOND_MASTER_KEY: next } });
  for (const key of keys.slice(0, 20)) {
    const answer = await signedFetch(url, key, '/stat/bm8tc3VjaC1idWNrZXQ6aw==');
    expect(answer.status).toBe(631);
  }
  const left = await client.query(`SELECT FROM control.access_keys WHERE master_key <> 'next'`);
  expect(left.rowCount).toBe(0);
});
