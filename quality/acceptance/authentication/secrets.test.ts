import { randomBytes } from 'node:crypto';
import {
  type Account,
  createDeployment,
  type Deployment,
  dumpDatabase,
  type ServerProcess,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { statTarget } from '../support/objects/objects.ts';
import { startCommand } from '../support/running/command.ts';
import { sendSigned } from '../support/signing.ts';
import { target } from '../support/target.ts';

const BUCKET = 'secrets';
const STAT = { target: statTarget(BUCKET, 'a.txt') };
const [oldKey, newKey] = [masterKey('old'), masterKey('new')];

let deployment: Deployment;
let account: Account;

function masterKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`;
}

beforeAll(async () => {
  deployment = await createDeployment({ store: target.store, settings: { MILLPOND_MASTER_KEY: oldKey } });
  account = await deployment.createAccount(undefined, BUCKET);
});
afterAll(() => deployment?.destroy());

async function statusOf(server: ServerProcess, keys = account): Promise<number> {
  return (await sendSigned(STAT, { url: server.url, keys })).status;
}

async function command(args: string[], settings: Record<string, string>) {
  return startCommand(args, { ...deployment.environment, ...settings }).finished;
}

describe('secrets of access keys', () => {
  test('are in no dump of the databases [secret-01]', async () => {
    for (const name of ['MILLPOND_CONTROL_DB', 'MILLPOND_REGION_DB']) {
      const dump = await dumpDatabase(deployment.environment[name] ?? '');
      if (name === 'MILLPOND_CONTROL_DB') expect(dump).toContain(account.accessKey);
      const bytes = Buffer.from(account.secretKey);
      const keyBytes = Buffer.from(account.secretKey, 'base64url');
      for (const form of [
        account.secretKey,
        bytes.toString('hex'),
        bytes.toString('base64').replaceAll('=', ''),
        keyBytes.toString('hex'),
        keyBytes.toString('base64'),
      ]) {
        expect(dump).not.toContain(form);
      }
    }
  });
});

describe('the master key', () => {
  test('must be there for the server to start, and the server says so [secret-02]', async () => {
    for (const settings of [{ MILLPOND_MASTER_KEY: '' }, { MILLPOND_MASTER_KEY: 'old:dG9vIHNob3J0' }]) {
      const { code, output } = await command(['serve'], settings);
      expect(code).not.toBe(0);
      expect(output).toMatch(/MILLPOND_MASTER_KEY/);
      expect(output).not.toContain('dG9vIHNob3J0');
      expect(output).not.toMatch(/started/);
    }
  });

  test('is exchanged while servers answer, and the old one is then not needed [secret-03]', async () => {
    const both = { MILLPOND_MASTER_KEY: `${newKey},${oldKey}` };
    const server = await deployment.start({ settings: { ...both, MILLPOND_CONTROL_CACHE: '1ms' } });
    const token = uploadToken(account, { scope: BUCKET });
    expect((await uploadForm(server.url, 'x', { token, key: 'a.txt' })).status).toBe(200);

    let rotating = true;
    const during: number[] = [];
    const load = (async () => {
      while (rotating) during.push(await statusOf(server));
    })();
    const rotated = await command(['secrets', 'rotate', '--json'], both);
    rotating = false;
    await load;
    expect(rotated.code).toBe(0);
    expect(rotated.output).toMatch(/"rotated":1\b/);
    expect(during.length).toBeGreaterThan(0);
    expect(new Set(during)).toEqual(new Set([200]));
    expect(await statusOf(server)).toBe(200);

    const again = await command(['secrets', 'rotate', '--json'], both);
    expect([again.code, again.output]).toMatchObject([0, expect.stringMatching(/"rotated":0\b/)]);
    const withoutOld = await deployment.start({ settings: { MILLPOND_MASTER_KEY: newKey } });
    expect(await statusOf(withoutOld)).toBe(200);
    const stranger = { ...account, secretKey: 'wrong' };
    expect(await statusOf(withoutOld, stranger)).toBe(401);
  });

  test('that did not seal what is there is no key to start with, and the server says which is', async () => {
    const { code, output } = await command(['serve'], { MILLPOND_MASTER_KEY: masterKey('third') });
    expect(code).not.toBe(0);
    expect(output).toMatch(/does not open every access key: not configured, but in use: "new"/);
    expect(output).not.toMatch(/started/);
  });

  test('that a running server does not have opens nothing there: the call is our failure, not a bad token', async () => {
    const server = await deployment.start({ settings: { MILLPOND_MASTER_KEY: newKey } });
    expect(await statusOf(server)).toBe(200);
    const later = { MILLPOND_MASTER_KEY: `${masterKey('third')},${newKey}` };
    const made = await command(['account', 'create', 'later@example.com', '--json'], later);
    expect(await statusOf(server, JSON.parse(made.output) as Account)).toBe(599);
  });
});
