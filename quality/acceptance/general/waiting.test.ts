/** A gateway that is started while the control database is away: a real PostgreSQL, killed and started again. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  freePort,
  type SparePostgres,
  startSparePostgres,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { type RunningCommand, startCommand } from '../support/running/command.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'waits';
const SOON = { interval: 50, timeout: 300_000 };
let spare: SparePostgres;
let ofControl: Deployment;
let ofRegion: Deployment;
let account: Account;

beforeAll(async () => {
  spare = await startSparePostgres(await freePort());
  [ofControl, ofRegion] = await Promise.all([
    createDeployment({ store: target.store, databaseServer: spare.url }),
    createDeployment({ store: target.store }),
  ]);
});
afterAll(async () => {
  await ofRegion?.destroy();
  await spare?.start().catch(() => undefined);
  await ofControl?.destroy();
  await spare?.destroy();
});

const settings = () => ({ MILLPOND_CONTROL_DB: ofControl.environment.MILLPOND_CONTROL_DB ?? '' });

interface Gateway extends RunningCommand {
  readonly url: string;
  readonly asked: (path: string) => Promise<string>;
}

async function startGateway(more: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const [url, adminUrl] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
  const command = startCommand(['serve'], {
    ...ofRegion.environment,
    ...settings(),
    MILLPOND_LISTEN: url,
    MILLPOND_ADMIN_LISTEN: adminUrl,
    ...more,
  });
  const asked = async (path: string) => {
    const answer = await fetch(adminUrl + path).catch(() => undefined);
    return answer === undefined ? 'nobody listens' : `${answer.status} ${(await answer.text()).trim()}`;
  };
  return { ...command, url, asked };
}

test('it comes up, says what it waits for, and serves as soon as the database is back [start-01 start-02]', async () => {
  const first = await ofRegion.start({ settings: settings() });
  account = JSON.parse(await ofControl.run('account', 'create', 'waits@example.com', '--json')) as Account;
  await createBucket(first.url, account, BUCKET);
  const token = uploadToken(account, { scope: BUCKET });
  expect((await uploadForm(first.url, 'hello', { token, key: 'k' })).status).toBe(200);
  await first.kill('SIGTERM');

  await spare.kill();
  const gateway = await startGateway();
  const { url, asked, process: child } = gateway;
  await expect.poll(() => asked('/healthz'), SOON).toBe('200 ok');
  await expect
    .poll(() => asked('/readyz'), SOON)
    .toMatch(/^503 not ready: waiting for the control database: .*ECONNREFUSED/);
  expect(gateway.output()).toContain('not started yet: something that it needs is away');
  // It takes no request that it could not answer: whoever balances load goes elsewhere.
  await expect(fetch(`${url}/${BUCKET}/k`)).rejects.toThrow('fetch failed');

  await spare.start();
  await expect.poll(() => asked('/readyz'), SOON).toBe('200 ready');
  expect(await (await fetch(`${url}/${BUCKET}/k`)).text()).toBe('hello');
  const call = { target: statTarget(BUCKET, 'k') };
  expect((await sendSigned(call, { url, keys: account })).status).toBe(200);
  expect(child.exitCode).toBe(null);
});

test('told to end while it waits, it ends [start-01]', async () => {
  await spare.kill();
  const { asked, process: child, finished } = await startGateway();
  await expect.poll(() => asked('/readyz'), SOON).toMatch(/^503 not ready: waiting for the control database/);
  child.kill('SIGTERM');
  const { code, output } = await finished;
  expect([code, output]).toEqual([0, expect.stringContaining('told to end before it was ready')]);
  await spare.start();
});

test('what waiting would not mend ends it at once, with the reason [start-03]', async () => {
  const wrong = new URL(settings().MILLPOND_CONTROL_DB);
  wrong.password = 'wrong';
  const gateway = await startGateway({ MILLPOND_CONTROL_DB: wrong.href });
  const { code, output } = await gateway.finished;
  expect([code === 0, output]).toEqual([false, expect.stringContaining('password authentication failed')]);
});
