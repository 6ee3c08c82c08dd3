// @module-tag sandbox
/** `millpond task` as a person and as a program see it, on a deployment whose worker comes late. */
import {
  type Account,
  createBucket,
  createDeployment,
  type Deployment,
  type FinishedCommand,
  finishCommand,
  signedFetch,
  uploadForm,
  uploadToken,
} from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitCodes } from './exit.ts';

const BUCKET = 'tasks-of-cli';
let deployment: Deployment;
let account: Account;
let url: string;

beforeAll(async () => {
  deployment = await createDeployment({ store: 'disk', settings: { MILLPOND_PLAIN_HTTP: 'true' } });
  ({ url } = await deployment.start());
  account = await deployment.createAccount();
  await createBucket(url, account, BUCKET);
  const token = uploadToken(account, { scope: `${BUCKET}:text` });
  expect((await uploadForm(url, 'no video', { token, key: 'text' })).status).toBe(200);
});
afterAll(() => deployment?.destroy());

const run = (...args: string[]): Promise<FinishedCommand> =>
  finishCommand(deployment.environment, ['task', ...args]);

const startWorker = () => deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: '1' } });

async function submit(fops: string): Promise<string> {
  const body = new URLSearchParams({ bucket: BUCKET, key: 'text', fops, force: '1' }).toString();
  const answer = await signedFetch(url, account, '/pfop/', { body });
  return ((await answer.json()) as { persistentId: string }).persistentId;
}

const idsIn = (stdout: string) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { id: string }).id);

test('a submit that nothing can run is refused with what to do', async () => {
  const body = new URLSearchParams({ bucket: BUCKET, key: 'text', fops: 'qhash/md5' }).toString();
  const answer = await signedFetch(url, account, '/pfop/', { body });
  expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'unsupported command' }]);
});

test('list, show, cancel and rerun: tables, JSON lines, progress, exit codes', async () => {
  // A worker that was there a moment ago comes back.
  await (await startWorker()).kill('SIGTERM');
  const first = await submit('qhash/md5');
  const second = await submit('avthumb/mp4');
  const listed = await run('list', '--account', account.email);
  expect(listed.code).toBe(exitCodes.done);
  const [head, ...rows] = listed.stdout.trimEnd().split('\n');
  expect(head).toMatch(/^ID +CREATED +UID +STATE +PERCENT +PIPELINE +INPUT +COMMANDS$/);
  expect(rows.map((row) => row.split(/ {2,}/)[0])).toEqual([second, first]);
  expect(rows[1]).toMatch(/ {2}waiting {2,}0 {2,}0\.default {2,}tasks-of-cli:text {2,}qhash\/md5$/);
  // Both were submitted within one second, so they may come in either order.
  expect(idsIn((await run('list', '--json')).stdout).toSorted()).toEqual([first, second].toSorted());
  expect((await run('list', '--json', '--state', 'done')).stdout).toBe('');
  expect((await run('list', '--key', 'text')).code).toBe(exitCodes.usage);

  expect((await run('cancel', first)).code).toBe(exitCodes.done);
  const cancelled = await run('show', first);
  expect(cancelled.stdout).toMatch(/^state {5}failed$/m);
  expect(cancelled.stdout).toMatch(/^0 +failed +cancelled +qhash\/md5$/m);
  expect((await run('cancel', first)).code).toBe(exitCodes.denied);
  expect((await run('rerun', second)).code).toBe(exitCodes.denied);
  expect((await run('show', `z0.${'0'.repeat(40)}`)).code).toBe(exitCodes.notFound);

  const waiting = await run('show', second);
  expect(waiting.stdout).toMatch(/^waits for +a worker with ffmpeg: .*MILLPOND_MEDIA_SLOTS is 0/m);
  const impatient = await run('show', second, '--wait', '--timeout', '1s', '--json');
  expect(impatient.code).toBe(exitCodes.temporary);
  expect(impatient.stderr).toMatch(/^waiting for at most 1s\nwaiting for a worker with ffmpeg: /);
  expect(JSON.parse(impatient.stdout)).toMatchObject({
    status: 'failed',
    error: {
      code: 'timeout',
      message: expect.stringMatching(/^it has not ended after 1s: waiting for a worker/),
    },
  });
  expect((await run('show', second, '--wait', '--timeout', 'soon')).code).toBe(exitCodes.usage);

  await startWorker();
  const again = await run('rerun', first, '--wait', '--json');
  expect(again.code).toBe(exitCodes.done);
  expect(again.stderr).toMatch(/^done 100 %$/m);
  expect(JSON.parse(again.stdout)).toMatchObject({
    uid: account.uid,
    code: 0,
    items: [{ cmd: 'qhash/md5' }],
  });
  const failed = await run('show', second, '--wait');
  expect(failed.code).toBe(exitCodes.partial);
  expect(failed.stdout).toMatch(/last output of the engine at item 0:\n.+/);

  const owner = {
    MILLPOND_ENDPOINT: url,
    MILLPOND_ACCESS_KEY: account.accessKey,
    MILLPOND_SECRET_KEY: account.secretKey,
  };
  const pfop = ['pfop', `:${BUCKET}/text`, '--fops', 'avthumb/mp4', '--force', '--wait'];
  const owners = await finishCommand(owner, pfop);
  expect(owners).toMatchObject({ code: exitCodes.partial, stdout: expect.stringContaining('avthumb/mp4') });
  expect((await finishCommand({}, pfop)).code).toBe(exitCodes.usage);
  expect((await finishCommand({ ...owner, MILLPOND_SECRET_KEY: 'x' }, pfop)).code).toBe(exitCodes.denied);
});
