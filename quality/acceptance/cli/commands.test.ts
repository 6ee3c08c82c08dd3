import { chmod, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { finishCommand } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { file } from '../support/objects/fetching.ts';
import { useReceiver } from '../support/receivers/receiver.ts';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket, target } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();
const origin = useReceiver();

test('ls shows buckets, folders and objects, and keeps control characters from the terminal', async () => {
  const bucket = await newBucket();
  for (const key of ['a', 'd/1', 'd/2', 'z\u001b[2J']) await client.upload(bucket, key, key);
  expect((await cli.run(['ls', '--quiet'])).stdout.split('\n')).toContain(bucket);
  expect(await cli.json(['ls', '--limit', '1'])).toHaveLength(1);
  expect((await cli.run(['ls', `:${bucket}`, '--quiet'])).stdout).toBe('a\nd/\nz\\u001b[2J\n');
  const all = await cli.json(['ls', '-r', `:${bucket}`]);
  expect(all.map(({ key }) => key)).toEqual(['a', 'd/1', 'd/2', 'z\u001b[2J']);
  const { putTime } = await client.objects.stat(bucket, 'a');
  expect(all[0]).toMatchObject({ fsize: 1, putTime: String(putTime) });
  expect((await cli.run(['ls', '-r', `:${bucket}/d`])).stdout).toMatch(
    /^ +3 {2}\S+Z {2}d\/1\n +3 {2}\S+Z {2}d\/2\n$/,
  );
});

test('stat, meta, mv, rm and restore', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'a', 'content');
  const shown = await cli.run(['stat', `:${bucket}/a`]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nsize {7}7\nhash {7}F/) });
  expect(await cli.json(['stat', `:${bucket}/a`, `:${bucket}/missing`])).toMatchObject([
    { source: `:${bucket}/a`, status: 'done', fsize: 7 },
    { source: `:${bucket}/missing`, status: 'failed', error: { status: 612, code: 'noSuchEntry' } },
    { status: 'summary', done: 1, failed: 1 },
  ]);
  const change = ['--mime', 'text/x-own', '--set', 'colour=blue', '--if', 'fsize=7'];
  expect(await cli.run(['meta', `:${bucket}/a`, ...change])).toMatchObject({ stdout: '1 object changed\n' });
  expect((await cli.run(['meta', `:${bucket}/a`])).stdout).toBe(`:${bucket}/a  text/x-own\n  colour=blue\n`);
  expect(await cli.run(['meta', `:${bucket}/a`, '--mime', 'x/y', '--if', 'fsize=8'])).toMatchObject({
    code: 6,
  });
  await client.upload(bucket, 'd/1', 'x');
  await client.upload(bucket, 'd/2', 'x');
  expect(await cli.run(['mv', '-r', `:${bucket}/d`, `:${bucket}/e`])).toMatchObject({
    code: 0,
    stdout: '2 objects moved\n',
  });
  await client.objects.changeType(bucket, 'e/1', 2);
  expect(await cli.run(['restore', `:${bucket}/e/1`, '--days', '2'])).toMatchObject({ code: 0 });
  expect(await client.objects.stat(bucket, 'e/1')).toMatchObject({ restoreStatus: 1 });
  expect(await cli.run(['rm', '-r', `:${bucket}/e`])).toMatchObject({ code: 2 });
  expect(await cli.run(['rm', '-r', `:${bucket}/e`, '--yes'])).toMatchObject({
    stdout: '2 objects deleted\n',
  });
  expect(await cli.run(['rm', `:${bucket}/e/1`])).toMatchObject({
    code: 3,
    stderr: `millpond: :${bucket}/e/1: no such file or directory (612)\n`,
  });
  expect(await cli.run(['rm', '-f', `:${bucket}/e/1`])).toMatchObject({ code: 0 });
});

test('meta changes class, status and expiry of objects, and says first what it would do', async () => {
  const bucket = await newBucket();
  for (const key of ['d/1', 'd/2']) await client.upload(bucket, key, 'content');
  const change = (...args: string[]) => cli.run(['meta', '-r', `:${bucket}/d`, ...args]);
  expect(await change('--class', 'infrequent', '--dry-run')).toMatchObject({
    code: 0,
    stdout: `:${bucket}/d/1\n:${bucket}/d/2\n2 objects would be changed\n`,
  });
  expect(await client.objects.stat(bucket, 'd/1')).toMatchObject({ type: 0 });
  for (const args of [['--class', 'infrequent'], ['--disable'], ['--delete-after', '3']])
    expect(await change(...args), args.join(' ')).toMatchObject({ code: 0, stdout: '2 objects changed\n' });
  for (const key of ['d/1', 'd/2'])
    expect(await client.objects.stat(bucket, key)).toMatchObject({
      type: 1,
      status: 1,
      expiration: expect.any(Number),
    });
  expect(await change('--enable', '--if', 'fsize=8')).toMatchObject({ code: 6 });
  expect(await change('--enable', '--if', 'fsize=7')).toMatchObject({ code: 0 });
  expect(await change('--delete-after', '0')).toMatchObject({ code: 0 });
  const { status, expiration } = await client.objects.stat(bucket, 'd/1');
  expect([status ?? 0, expiration]).toEqual([0, undefined]);
});

test.each([
  ['--class', 'archive', '--disable'],
  ['--enable', '--disable'],
  ['--class', 'cold'],
  ['--class', '1', '--if', 'fsize=7'],
  ['--dry-run'],
])('meta refuses %s %s %s %s', async (...args) => {
  expect(await cli.run(['meta', ':b/k', ...args])).toMatchObject({ code: 2, stdout: '' });
});

test('fetch and prefetch', async () => {
  const bucket = await newBucket();
  const { url } = origin.at(file('fetched'));
  expect((await cli.run(['fetch', url, `:${bucket}/k`])).stdout).toMatch(
    new RegExp(`^:${bucket}/k {2}7 bytes {2}F`),
  );
  expect(await cli.run(['fetch', `${origin.url}/nothing-here`, `:${bucket}/k`])).toMatchObject({ code: 3 });
  origin.at(file('mirrored'), '/mirror/k');
  await client.buckets.setMirror(bucket, [`${origin.url}/mirror`]);
  expect(await cli.run(['prefetch', `:${bucket}/k`])).toMatchObject({
    code: 0,
    stdout: '1 object fetched\n',
  });
  expect(await client.objects.stat(bucket, 'k')).toMatchObject({ fsize: 8 });
});

test('pfop submits, and refuses what no task can be', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'k', 'content');
  const { stdout } = await cli.run(['pfop', `:${bucket}/k`, '--fops', 'qhash/md5', '--json']);
  const { persistentId } = JSON.parse(stdout) as { persistentId: string };
  expect(await client.processing.status(persistentId)).toMatchObject({ inputKey: 'k', inputBucket: bucket });
  expect(await cli.run(['pfop', `:${bucket}/k`, '--fops', 'nonsense/1'])).toMatchObject({ code: 2 });
  expect(await cli.run(['pfop', `:${bucket}/k`])).toMatchObject({ code: 2 });
});

test('pfop writes saveas for its user, names what is missing, and tells how far it is', async () => {
  const bucket = await newBucket();
  await client.upload(bucket, 'k', 'content');
  const submit = ['pfop', `:${bucket}/k`, '--fops', 'qhash/md5'];
  const ended = await cli.run([...submit, '--save-as', `${bucket}/sums/a b`, '--wait']);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/(^|\n)done 100 %\n$/) });
  expect(ended.stdout).toMatch(/\|saveas\/\S+: .* → sums\/a b\n$/);
  expect(await client.objects.stat(bucket, 'sums/a b')).toMatchObject({ fsize: expect.any(Number) });
  expect(await cli.run([...submit, '--save-as', 'nothing'])).toMatchObject({ code: 2 });
  const two = ['pfop', `:${bucket}/k`, '--fops', 'qhash/md5;qhash/sha1', '--save-as', `${bucket}/x`];
  expect(await cli.run(two)).toMatchObject({ code: 2 });
  expect(await cli.run(['pfop', `:${bucket}/missing`, '--fops', 'qhash/md5'])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining(`millpond: :${bucket}/missing: `),
  });
});

test('url gives one that whoever has it can read, by the name that is asked for', async () => {
  const bucket = await newBucket();
  await client.buckets.setPrivate(bucket, true);
  await client.upload(bucket, 'ü/ k', 'content');
  const name = 'na me & "ü".txt';
  const { stdout } = await cli.run(['url', `:${bucket}/ü/ k`, '--expires', '600', '--attname', name]);
  const answer = await fetch(stdout.trim());
  expect([answer.status, await answer.text()]).toEqual([200, 'content']);
  expect(answer.headers.get('content-disposition')).toContain(encodeURIComponent('ü'));
  expect((await cli.json(['url', `:${bucket}/k`]))[0]).toMatchObject({
    source: `:${bucket}/k`,
    expires: 3600,
  });
  expect(await cli.run(['url', `:${bucket}`])).toMatchObject({ code: 2 });
});

test('a type that is none is refused before anything is sent', async () => {
  expect(await cli.run(['cp', '-', ':b/k', '--mime', 'b@d'], 'x')).toMatchObject({ code: 2 });
  expect(await cli.run(['meta', ':b/k', '--mime', 'b@d'])).toMatchObject({ code: 2 });
});

describe('aliases', () => {
  test('are kept where only their owner can read them, and are used by name', async () => {
    const own = { HOME: path.join(cli.folder, 'home'), XDG_CACHE_HOME: cli.environment.XDG_CACHE_HOME ?? '' };
    const run = (args: readonly string[], input?: string) => finishCommand(own, args, input);
    const { accessKey, secretKey } = target.account;
    const set = await run(['alias', 'set', 'prod', target.url, '--access-key', accessKey], `${secretKey}\n`);
    expect(set).toMatchObject({ code: 0, stdout: expect.not.stringContaining(secretKey) });
    const kept = path.join(own.HOME, '.config/millpond/aliases.json');
    expect((await stat(kept)).mode & 0o777).toBe(0o600);
    const listed = await run(['alias', 'list']);
    expect(listed.stdout).toContain(accessKey);
    expect(listed.stdout).not.toContain(secretKey);
    const bucket = await newBucket();
    await client.upload(bucket, 'k', 'content');
    expect(await run(['cp', `prod:${bucket}/k`, '-'])).toMatchObject({ code: 0, stdout: 'content' });
    expect(await run(['ls', `:${bucket}`])).toMatchObject({ code: 2 });
    const made = await run(['token', 'make', bucket, '--at', 'prod']);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining(`${accessKey}:`) });
    const explained = (...at: string[]) => run(['token', 'explain', made.stdout.trim(), ...at]);
    expect((await explained('--at', 'prod')).stdout).toContain('signature good');
    expect((await explained()).stdout).toContain('not checked');
    expect(await run(['token', 'make', bucket])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no installation is named'),
    });
    await chmod(kept, 0o644);
    expect(await run(['ls', `prod:${bucket}`])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other users can read'),
    });
    await chmod(kept, 0o600);
    expect(await run(['alias', 'remove', 'prod'])).toMatchObject({ code: 0 });
    expect(await readFile(kept, 'utf8')).toBe('{}\n');
  });

  test('a wrong secret is denied, with 4', async () => {
    const wrong = { ...cli.environment, MILLPOND_SECRET_KEY: 'wrong' };
    expect(await finishCommand(wrong, ['ls', ':any-bucket'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/^millpond: bad token: .*secret.* \(401, reqid /),
    });
  });
});

test('token explain says in words what a token allows', async () => {
  const policy = '{"fsizeLimit":1000,"callbackUrl":"http://app.example/cb","callbackBody":"k=$(key)"}';
  const { stdout: token } = await cli.run(['token', 'make', 'photos:a.jpg', '--policy', policy]);
  const { stdout } = await cli.run(['token', 'explain', token.trim()]);
  expect(stdout).toMatch(/signature good\n/);
  expect(stdout).toContain('may store     the key "a.jpg" in bucket photos, even if it exists\n');
  expect(stdout).toContain('at most       1000\n');
  expect(stdout).toContain('then calls    http://app.example/cb\n');
  const [other = ''] = await cli.json(['token', 'explain', token.trim().replace(/:.{4}/, ':AAAA')]);
  expect(other).toMatchObject({ signature: 'bad', expired: false, policy: { scope: 'photos:a.jpg' } });
  expect(await cli.run(['token', 'explain', 'nonsense'])).toMatchObject({ code: 2 });
});
