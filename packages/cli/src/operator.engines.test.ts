/** The operator's commands as a person and as a program see them: tables, JSON lines, exit codes. */
import { randomBytes } from 'node:crypto';
import {
  type Account,
  createDeployment,
  type Deployment,
  type FinishedCommand,
  finishCommand,
  makeCertificate,
  startSecure,
} from '@millpond/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from './exit.ts';

// Each command is a process, and a busy machine takes seconds to start one.

let deployment: Deployment;

beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk' });
});
afterAll(() => deployment?.destroy());

const run = (args: readonly string[], input?: string | Uint8Array): Promise<FinishedCommand> =>
  finishCommand(deployment.environment, args, input);

/** The one JSON object that a command prints. */
async function json(...args: string[]): Promise<Account> {
  const { code, stdout, stderr } = await run([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Account;
}

async function lines(...args: string[]): Promise<Record<string, unknown>[]> {
  const { code, stdout } = await run([...args, '--json']);
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** The rows of a table, each as its columns. */
async function table(...args: string[]): Promise<string[][]> {
  const { code, stdout } = await run(args);
  expect(code).toBe(0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));
}

const newEmail = () => `${randomBytes(6).toString('hex')}@example.com`;

describe('account', () => {
  test('create shows the key and its secret, once, as lines, JSON or shell', async () => {
    const email = newEmail();
    const { code, stdout } = await run(['account', 'create', email]);
    expect(code).toBe(exitCodes.done);
    expect(stdout).toMatch(
      /^uid {8}\d+\nemail {6}\S+@\S+\naccessKey {2}[\w-]{40}\nsecretKey {2}[\w-]{40}\nThe secret key is not shown again\.\n$/,
    );
    expect(await json('account', 'create', newEmail(), '--bucket', 'first-bucket')).toEqual({
      uid: expect.any(Number),
      email: expect.stringContaining('@'),
      accessKey: expect.stringMatching(/^[\w-]{40}$/),
      secretKey: expect.stringMatching(/^[\w-]{40}$/),
      bucket: 'first-bucket',
    });
    const exported = newEmail();
    const shell = await run(['account', 'create', exported, '--export']);
    expect(shell.stdout).toMatch(
      /^export MILLPOND_ENDPOINT='http:\/\/127\.0\.0\.1:\d+'\nexport MILLPOND_ACCESS_KEY='[\w-]{40}'\nexport MILLPOND_SECRET_KEY='[\w-]{40}'\nexport MILLPOND_WEBHOOK_SECRET='whsec_[\w+/=]+'\n$/,
    );
    const secret = (await run(['account', 'webhook-secret', exported])).stdout.trim();
    expect(shell.stdout).toContain(`export MILLPOND_WEBHOOK_SECRET='${secret}'\n`);
    const listed = await run(['account', 'list']);
    expect(listed.stdout).not.toMatch(/secret/i);
  });

  test('create --export leads to calls that need HTTPS, where the server answers over it', async () => {
    const certificate = await makeCertificate();
    onTestFinished(() => certificate.remove());
    const server = await startSecure(deployment, certificate);
    const settings = {
      ...deployment.environment,
      ...certificate.settings,
      MILLPOND_LISTEN: `${server.url},${server.secureUrl}`,
    };
    const created = await finishCommand(settings, [
      'account',
      'create',
      newEmail(),
      '--bucket',
      'over-tls',
      '--export',
    ]);
    const shell = Object.fromEntries(
      [...created.stdout.matchAll(/^export (\w+)='(.*)'$/gm)].map(([, name = '', value = '']) => [
        name,
        value,
      ]),
    );
    expect(shell.NODE_EXTRA_CA_CERTS).toBe(certificate.settings.MILLPOND_TLS_CERT);
    // The object does not exist: the server was reached, and would have taken the task.
    const asked = await finishCommand(shell, ['pfop', ':over-tls/none', '--fops', 'qhash/md5']);
    expect(asked).toMatchObject({ code: exitCodes.notFound });
  });

  test('create refuses an e-mail twice, one of wrong form, and none', async () => {
    const email = newEmail();
    await json('account', 'create', email);
    const again = await run(['account', 'create', email.toUpperCase()]);
    expect(again).toMatchObject({ code: exitCodes.conflict, stdout: '' });
    expect(again.stderr).toMatch(
      /^millpond: the record already exists: \S+@\S+ already has an account; `millpond key create \S+ --kind root` creates another.*\n$/,
    );
    expect(await run(['account', 'create', 'nobody'])).toMatchObject({ code: exitCodes.usage });
    expect(await run(['account', 'create'])).toMatchObject({ code: exitCodes.usage });
    expect(await run(['account', 'create', newEmail(), '--password'], '')).toMatchObject({
      code: exitCodes.usage,
      stderr: 'millpond: no password was given on standard input\n',
    });
  });

  test('create makes account and bucket, or nothing and says why', async () => {
    await json('account', 'create', newEmail(), '--bucket', 'taken-bucket');
    const email = newEmail();
    const taken = await run(['account', 'create', email, '--bucket', 'taken-bucket', '--json']);
    expect(taken.code).toBe(exitCodes.conflict);
    expect(JSON.parse(taken.stdout)).toMatchObject({ status: 'failed', error: { code: 'bucketTaken' } });
    expect(taken.stderr).toBe(
      'millpond: the bucket already exists: the bucket name taken-bucket is taken; no account was created: give --bucket another name\n',
    );
    expect(await run(['account', 'create', email, '--bucket', 'No_Name'])).toMatchObject({
      code: exitCodes.usage,
      stdout: '',
    });
    expect((await lines('account', 'list')).map((row) => row.email)).not.toContain(email);
    // Nothing in the way: the same command with another name is the remedy.
    expect(await json('account', 'create', email, '--bucket', 'free-bucket')).toMatchObject({ email });
  });

  test('create --export makes nothing where its lines can not be made', async () => {
    const certificate = await makeCertificate();
    const another = await makeCertificate('another authority');
    onTestFinished(async () => {
      await certificate.remove();
      await another.remove();
    });
    const settings = {
      ...deployment.environment,
      ...certificate.settings,
      MILLPOND_LISTEN: 'http://127.0.0.1:8100,https://127.0.0.1:8101',
      NODE_EXTRA_CA_CERTS: another.settings.MILLPOND_TLS_CERT ?? '',
      XDG_CACHE_HOME: '/dev/null/none',
    };
    const email = newEmail();
    const created = await finishCommand(settings, ['account', 'create', email, '--export']);
    expect(created).toMatchObject({ code: exitCodes.fatal, stdout: '' });
    expect((await lines('account', 'list')).map((row) => row.email)).not.toContain(email);
  });

  test('list shows all accounts by uid', async () => {
    const [one, two] = [
      await json('account', 'create', newEmail()),
      await json('account', 'create', newEmail()),
    ];
    const rows = await lines('account', 'list');
    const states = { is_disabled: false, is_operator: false };
    expect(rows).toContainEqual({ uid: one.uid, parent_uid: 0, email: one.email, ...states });
    const uids = rows.map(({ uid }) => Number(uid));
    expect(uids).toEqual(uids.toSorted((a, b) => a - b));
    const [head, ...cells] = await table('account', 'list');
    expect(head).toEqual(['UID', 'PARENT_UID', 'EMAIL', 'IS_DISABLED', 'IS_OPERATOR']);
    expect(cells).toContainEqual([String(two.uid), '0', two.email, 'false', 'false']);
  });

  test('disable and enable say what is so now', async () => {
    const { email, uid } = await json('account', 'create', newEmail());
    const disabled = await run(['account', 'disable', email, '--reason', 'unpaid']);
    expect(disabled).toMatchObject({
      code: 0,
      stdout: `${email} is disabled; this takes effect within 5 s\n`,
    });
    const row = { uid, parent_uid: 0, email, is_operator: false };
    expect(await json('account', 'disable', email)).toEqual({ ...row, is_disabled: true });
    expect(await json('account', 'enable', email)).toEqual({ ...row, is_disabled: false });
    const missing = await run(['account', 'disable', 'nobody@example.com']);
    expect(missing).toMatchObject({ code: exitCodes.notFound, stdout: '' });
    expect(missing.stderr).toBe(
      'millpond: there is no such record: no account has the e-mail nobody@example.com\n',
    );
  });

  test('operator gives the right and takes it away, and says so; without an e-mail it lists who has it', async () => {
    const { email, uid } = await json('account', 'create', newEmail(), '--operator');
    expect(await lines('account', 'operator')).toContainEqual({
      uid,
      parent_uid: 0,
      email,
      is_disabled: false,
      is_operator: true,
    });
    expect((await run(['account', 'operator', email, '--remove'])).stdout).toBe(
      `${email} is no operator any more; this takes effect within 5 s\n`,
    );
    expect((await lines('account', 'operator')).map((row) => row.email)).not.toContain(email);
    expect((await run(['account', 'operator', email])).stdout).toBe(
      `${email} is an operator; this takes effect within 5 s\n`,
    );
    expect(await run(['account', 'operator', '--remove'])).toMatchObject({ code: exitCodes.usage });
    expect(await run(['account', 'operator', 'nobody@example.com'])).toMatchObject({
      code: exitCodes.notFound,
    });
  });

  test('email gives an account another address, by the old one or the uid', async () => {
    const [{ email, uid }, second] = [await json('account', 'create', newEmail()), newEmail()];
    expect((await run(['account', 'email', email.toUpperCase(), second])).stdout).toBe(
      `account ${uid}: ${email} is now ${second}\n`,
    );
    expect(await json('account', 'email', String(uid), email)).toMatchObject({ uid, email });
    expect(await run(['account', 'email', email, 'not an address'])).toMatchObject({
      code: exitCodes.usage,
    });
    expect(await run(['account', 'email', second, email])).toMatchObject({ code: exitCodes.notFound });
  });

  test('password is read from standard input, and never printed', async () => {
    const { email } = await json('account', 'create', newEmail());
    const set = await run(['account', 'password', email], 'correct horse\n');
    expect(set).toEqual({ code: 0, stdout: `the password of ${email} is set\n`, stderr: '' });
    expect(await run(['account', 'password', email], '\n')).toMatchObject({ code: exitCodes.usage });
    const latin1 = Buffer.from('Gr\xfc\xdfe-aus-Berlin\n', 'latin1');
    expect(await run(['account', 'password', email], latin1)).toMatchObject({
      code: exitCodes.usage,
      stderr: 'millpond: the password is not UTF-8\n',
    });
    expect(await run(['account', 'password', 'nobody@example.com'], 'correct horse\n')).toMatchObject({
      code: exitCodes.notFound,
    });
    const short = await run(['account', 'password', email], '1234567\n');
    expect(short.code).not.toBe(0);
    expect(short.stderr).toBe(
      'millpond: the request is malformed: a password must have at least 8 characters\n',
    );
  });

  test('signing changes what is named, and leaves the rest', async () => {
    const { email } = await json('account', 'create', newEmail());
    const signing = (...args: string[]) => json('account', 'signing', email, ...args);
    expect(await signing('--old', 'refuse')).toEqual({ email, oldSigning: false, dateRequired: false });
    expect(await signing('--date', 'required')).toEqual({ email, oldSigning: false, dateRequired: true });
    expect(await signing('--old', 'accept', '--date', 'optional')).toMatchObject({ oldSigning: true });
    for (const args of [[], ['--old', 'never'], ['--date']])
      expect(await run(['account', 'signing', email, ...args])).toMatchObject({
        code: exitCodes.usage,
      });
  });

  test('webhook-secret prints what receivers verify with, the same each time', async () => {
    const { email, uid } = await json('account', 'create', newEmail());
    const printed = await run(['account', 'webhook-secret', email]);
    expect(printed).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=\n$/),
      stderr: '',
    });
    expect(await json('account', 'webhook-secret', email)).toEqual({
      uid,
      email,
      secrets: [printed.stdout.trimEnd()],
    });
    expect(await run(['account', 'webhook-secret', 'nobody@example.com'])).toMatchObject({
      code: exitCodes.notFound,
      stdout: '',
    });
  });
});

describe('key', () => {
  test('create, list, disable and enable', async () => {
    const { email, accessKey } = await json('account', 'create', newEmail());
    const second = await json('key', 'create', email, '--kind', 'user', '--note', 'for the shop');
    expect(second).toMatchObject({ email, kind: 'user', secretKey: expect.stringMatching(/^[\w-]{40}$/) });
    const [head, ...cells] = await table('key', 'list', email);
    expect(head?.slice(0, 4)).toEqual(['ACCESS_KEY', 'KIND', 'IS_ENABLED', 'CREATED_AT']);
    expect(head?.slice(4)).toEqual(['LAST_USED', 'LAST_ADDRESS', 'LIMITS', 'NOTE']);
    expect(cells.map((row) => row.slice(0, 3))).toEqual([
      [accessKey, 'root', 'true'],
      [second.accessKey, 'user', 'true'],
    ]);
    const disabled = await run(['key', 'disable', accessKey]);
    expect(disabled.stdout).toBe(`${accessKey} is disabled; this takes effect within 5 s\n`);
    expect((await lines('key', 'list', email))[0]).toMatchObject({ is_enabled: false });
    expect(await json('key', 'enable', accessKey)).toEqual({ accessKey, isEnabled: true });
    expect((await lines('key', 'list', email))[1]).toMatchObject({ note: 'for the shop' });
    const printed = (await run(['key', 'list', email, '--json'])).stdout;
    expect(printed).not.toContain(second.secretKey);
  });

  test('limits at creation and later, and takes them away', async () => {
    const { email } = await json('account', 'create', newEmail());
    await json('key', 'create', email, '--kind', 'root');
    const limits = ['--bucket', 'photos', '--prefix', 'a,b/', '--prefix', 'c/', '--may', 'read,list'];
    const made = await json('key', 'create', email, ...limits, '--until', '2027-01-01T00:00:00Z');
    const { accessKey } = made;
    const expected = {
      buckets: ['photos'],
      prefixes: ['a,b/', 'c/'],
      actions: ['read', 'list'],
      expiresAt: 1_798_761_600,
    };
    expect(made).toMatchObject({ kind: 'user', limits: expected });
    expect((await lines('key', 'list', email)).at(-1)).toMatchObject({
      access_key: accessKey,
      limits: expected,
    });
    const text = (await run(['key', 'list', email])).stdout;
    expect(text).toContain('bucket photos; prefix a,b/,c/; may read,list; until 2027-01-01T00:00:00.000Z');
    const changed = await run(['key', 'limit', accessKey, '--from', '10.0.0.0/8', '--from', '::1']);
    expect(changed.stdout).toBe(
      `${accessKey} is limited: from 10.0.0.0/8,::1; this takes effect within 5 s\n`,
    );
    expect((await lines('key', 'list', email)).at(-1)?.limits).toEqual({ networks: ['10.0.0.0/8', '::1'] });
    expect(await lines('audit', '--action', 'key.limit', '--target', accessKey)).toHaveLength(1);
    // Two others have no limits.
    const third = await run(['key', 'limit', accessKey, '--unlimited']);
    expect(third).toMatchObject({ code: exitCodes.usage });
    expect(third.stderr).toContain('at most 2 access keys without limits');
    for (const args of [[], ['--may', 'fly'], ['--unlimited', '--may', 'read'], ['--from', '10.0.0.1/8']])
      expect(await run(['key', 'limit', accessKey, ...args])).toMatchObject({ code: exitCodes.usage });
    expect(await run(['key', 'limit', 'nothing', '--may', 'read'])).toMatchObject({
      code: exitCodes.notFound,
    });
  });

  test('refuses a third, an unknown kind, and what is not there', async () => {
    const { email } = await json('account', 'create', newEmail());
    await json('key', 'create', email, '--kind', 'root');
    const third = await run(['key', 'create', email, '--kind', 'root']);
    expect(third).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(third.stderr).toContain('may have at most 2 access keys');
    expect(await run(['key', 'create', email, '--kind', 'admin'])).toMatchObject({
      code: exitCodes.usage,
    });
    for (const args of [
      ['key', 'create', 'nobody@example.com', '--kind', 'root'],
      ['key', 'list', 'nobody@example.com'],
      ['key', 'disable', 'nothing'],
    ])
      expect(await run(args)).toMatchObject({ code: exitCodes.notFound, stdout: '' });
  });
});

describe('audit', () => {
  test('finds acts by what, whom, when and how many', async () => {
    const { email, accessKey } = await json('account', 'create', newEmail());
    await run(['account', 'disable', email]);
    await run(['key', 'disable', accessKey]);
    const acts = await lines('audit', '--target', email);
    expect(acts.map(({ action }) => action)).toEqual(['account.disable', 'account.create']);
    expect(acts[0]).toMatchObject({
      result: 'ok',
      actor: expect.stringMatching(/^operator /),
      address: 'local',
      target: email,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    expect(await lines('audit', '--action', 'key.disable', '--target', accessKey)).toHaveLength(1);
    expect(await lines('audit', '--target', email, '--limit', '1')).toHaveLength(1);
    const future = new Date(Date.now() + 60_000).toISOString();
    expect(await lines('audit', '--target', email, '--since', future)).toEqual([]);
    expect(await lines('audit', '--target', email, '--until', future)).toHaveLength(2);
    const [head] = await table('audit', '--limit', '1');
    expect(head).toEqual(['AT', 'ACTION', 'RESULT', 'ACTOR', 'ADDRESS', 'TARGET', 'REQID']);
  });

  test.each([
    ['--since', 'yesterday'],
    ['--limit', '0'],
    ['--limit', 'x'],
    ['--frequency', '1'],
  ])('refuses %s %s', async (...args) => {
    expect(await run(['audit', ...args])).toMatchObject({ code: exitCodes.usage, stdout: '' });
  });
});

describe('the rest', () => {
  test('secrets rotate says how many, and nothing is left for a second time', async () => {
    await json('account', 'create', newEmail());
    const old = deployment.environment.MILLPOND_MASTER_KEY ?? '';
    const settings = {
      ...deployment.environment,
      MILLPOND_MASTER_KEY: `next:${randomBytes(32).toString('base64')},${old}`,
    };
    const first = await finishCommand(settings, ['secrets', 'rotate', '--json']);
    expect(first.code).toBe(0);
    const { rotated } = JSON.parse(first.stdout) as { rotated: number };
    expect(rotated).toBeGreaterThan(0);
    const second = await finishCommand(settings, ['secrets', 'rotate']);
    expect(second.stdout).toMatch(/^0 secrets re-wrapped/);
    // Back again, for the tests that follow.
    const [fresh = ''] = settings.MILLPOND_MASTER_KEY.split(',');
    const back = await finishCommand({ ...settings, MILLPOND_MASTER_KEY: `${old},${fresh}` }, [
      'secrets',
      'rotate',
    ]);
    expect(back.stdout).toContain(`${rotated} secrets re-wrapped`);
    const without = await finishCommand({ ...settings, MILLPOND_MASTER_KEY: fresh }, [
      'secrets',
      'rotate',
      '--json',
    ]);
    expect(without.code).toBe(exitCodes.fatal);
    expect(JSON.parse(without.stdout)).toMatchObject({
      status: 'failed',
      error: { code: 'unexpected' },
    });
    expect(without.stderr).toContain('is not configured');
    expect(without.stderr + without.stdout).not.toContain(fresh.split(':')[1]);
  });

  test('routes names every call by role', async () => {
    expect(await lines('routes')).toContainEqual({ role: 'auth', methods: 'POST', path: '/oauth2/token' });
    expect((await table('routes'))[0]).toEqual(['ROLE', 'METHODS', 'PATH']);
  });

  test('an unknown command or option is wrong usage; help is not', async () => {
    expect(await run(['acount'])).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(await run(['account', 'list', '--jsn'])).toMatchObject({ code: exitCodes.usage });
    expect(await run(['account', '--help'])).toMatchObject({ code: exitCodes.done });
  });

  test('a database that is away may be back; a configuration that is wrong will not mend itself', async () => {
    const nowhere = 'postgres://x:y@127.0.0.1:1/nothing';
    const away = await finishCommand({ ...deployment.environment, MILLPOND_CONTROL_DB: nowhere }, [
      'account',
      'list',
    ]);
    expect(away).toMatchObject({ code: exitCodes.temporary, stdout: '' });
    const wrong = await finishCommand({ ...deployment.environment, MILLPOND_LISTN: 'x' }, [
      'account',
      'list',
    ]);
    expect(wrong).toMatchObject({ code: exitCodes.fatal, stdout: '' });
    expect(wrong.stderr).toContain('did you mean MILLPOND_LISTEN');
  });
});
