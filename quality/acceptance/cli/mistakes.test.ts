/** What the command line does about mistakes: names of nothing, wrong keys, and looking before anything is done. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { COMMAND, finishCommand, freePort } from '@millpond/testing';
import { expect, onTestFinished, test } from 'vitest';
import { useCommandLine } from '../support/running/cli.ts';
import { sdkClient } from '../support/running/sdk.ts';
import { newBucket } from '../support/target.ts';

const cli = useCommandLine();
const client = sdkClient();

async function bucketOf(...keys: string[]): Promise<string> {
  const bucket = await newBucket();
  for (const key of keys) await client.upload(bucket, key, key);
  return bucket;
}

test('a prefix with nothing below it ends with 3 and one line; an empty bucket is a bucket', async () => {
  const bucket = await bucketOf('there/a');
  const nothing = `:${bucket}/nothing`;
  for (const args of [
    ['ls', nothing],
    ['cp', '-r', nothing, path.join(cli.folder, 'dl')],
    ['mv', '-r', nothing, `:${bucket}/x`],
    ['rm', '-r', nothing, '--yes'],
  ])
    expect(await cli.run(args), args.join(' ')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/^millpond: .*(nothing below|no key begins with) :.*\/nothing\/?\n$/),
    });
  expect(await cli.run(['rm', '-r', '-f', nothing, '--yes'])).toMatchObject({ code: 0, stderr: '' });
  // The others are deleted all the same.
  expect(await cli.run(['rm', '-r', nothing, `:${bucket}/there`, '--yes'])).toMatchObject({
    code: 1,
    stdout: '1 object deleted\n',
  });
  expect(await cli.run(['ls', `:${bucket}`])).toEqual({ code: 0, stdout: '', stderr: '' });
  expect(await cli.run(['cp', '-r', `:${bucket}`, path.join(cli.folder, 'dl')])).toMatchObject({ code: 0 });
});

test('a bucket that is not there is named, with the way to those that are', async () => {
  for (const args of [
    ['ls', ':typo-in-it/pre'],
    ['bucket', 'show', ':typo-in-it'],
    ['bucket', 'cors', ':typo-in-it'],
    ['cp', '-r', ':typo-in-it/pre', path.join(cli.folder, 'none')],
    ['rm', '-r', ':typo-in-it/pre', '--yes'],
  ])
    expect(await cli.run(args), args.join(' ')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^millpond: :typo-in-it: no such bucket: `millpond ls` shows yours \(631, reqid \S+\)\n$/,
      ),
    });
});

test('where nothing listens, the address is said', async () => {
  const port = await freePort();
  const away = { ...cli.environment, MILLPOND_ENDPOINT: `http://127.0.0.1:${port}` };
  expect(await finishCommand(away, ['ls'])).toMatchObject({
    code: 5,
    stderr: `millpond: nothing listens on http://127.0.0.1:${port}: start it, or name another server in MILLPOND_ENDPOINT\n`,
  });
});

test('a dry run says what would be done, of just what would be taken, and does nothing', async () => {
  const keys = ['pre/a', 'pre/b', 'pre2/c', 'prefix.txt'];
  const bucket = await bucketOf(...keys);
  const from = `:${bucket}/pre`;
  expect((await cli.run(['rm', '-r', from, '--dry-run'])).stdout).toBe(
    `${from}/a\n${from}/b\n2 objects would be deleted\n`,
  );
  expect((await cli.run(['mv', '-r', from, `:${bucket}/to`, '--dry-run'])).stdout).toBe(
    `${from}/a → :${bucket}/to/a\n${from}/b → :${bucket}/to/b\n2 objects would be moved\n`,
  );
  const down = path.join(cli.folder, 'dry');
  expect((await cli.run(['cp', '-r', from, down, '--dry-run'])).stdout).toBe(
    `${from}/a → ${down}/a\n${from}/b → ${down}/b\n2 would be copied; 0 failed\n`,
  );
  expect(await cli.json(['cp', '-r', from, down, '--dry-run'])).toMatchObject([
    { source: `${from}/a`, target: `${down}/a`, status: 'planned' },
    { status: 'planned' },
    { status: 'summary', planned: 2, done: 0 },
  ]);
  await expect(readdir(down)).rejects.toThrow('ENOENT');
  expect((await cli.run(['ls', '-r', from, '--quiet'])).stdout).toBe(`${keys.join('\n')}\n`);
});

test('with --json an error of the whole command is JSON too', async () => {
  const bucket = await bucketOf('a');
  const wrong = { ...cli.environment, MILLPOND_SECRET_KEY: 'wrong' };
  const denied = await finishCommand(wrong, ['ls', `:${bucket}`, '--json']);
  expect([denied.code, JSON.parse(denied.stdout)]).toMatchObject([
    4,
    { status: 'failed', error: { status: 401, code: 'badToken', message: expect.any(String) } },
  ]);
  expect(denied.stderr).toMatch(/^millpond: .*\n$/);
  const failed = async (...args: string[]) => {
    const { code, stdout } = await cli.run([...args, '--json']);
    return [code, JSON.parse(stdout) as unknown];
  };
  expect(await failed('cp', '/nowhere/x', `:${bucket}/k`)).toMatchObject([
    3,
    { status: 'failed', error: { code: 'ENOENT' } },
  ]);
  expect(await failed('ls', `:${bucket}/nothing`)).toMatchObject([3, { error: { code: 'notFound' } }]);
  expect(await failed('ls', 'a.txt')).toMatchObject([2, { error: { code: 'usage' } }]);
  expect(await failed('ls', '--nonsense')).toMatchObject([
    2,
    { error: { code: 'usage', message: "unknown option '--nonsense'" } },
  ]);
});

test('the version', async () => {
  for (const option of ['--version', '-V'])
    expect(await cli.run([option])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+(?:-[\w.-]+)?\n$/),
    });
});

test('while a server is away the command says that it tries again, and an interrupt ends it at once', async () => {
  const file = path.join(cli.folder, 'waiting');
  await writeFile(file, 'x');
  const away = { ...cli.environment, MILLPOND_ENDPOINT: `http://127.0.0.1:${await freePort()}` };
  const child = spawn(process.execPath, [COMMAND, 'cp', file, ':bucket/k'], {
    env: { PATH: process.env.PATH, ...away },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [said] = (await once(child.stderr, 'data')) as [Buffer];
  expect(String(said)).toMatch(/^millpond: no answer from 127.0.0.1:\d+: .*ECONNREFUSED.*; trying again\n$/);
  // Longer than the tries that any other command makes.
  await new Promise((resolve) => setTimeout(resolve, 9000));
  expect(child.exitCode).toBe(null);
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([130, null]);
});
