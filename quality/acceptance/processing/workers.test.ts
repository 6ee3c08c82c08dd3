/** What can be run is known before it is asked for: a submit that nothing can run is refused, and what waits says for what. */
import { type Account, createBucket, type ServerProcess, uploadForm, uploadToken } from '@millpond/testing';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { expectRefusalOf } from '../support/expectations.ts';
import { clip, ended, idIn, pfop, type Task, taskOf } from '../support/objects/processing.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { secureSigned } from '../support/running/secure.ts';
import { useSecureDeployment } from '../support/running/secure-deployment.ts';

const BUCKET = 'workers';
/** The gateway leaves tasks to workers, which the tests start. */
const own = useSecureDeployment({ MILLPOND_MEDIA_SLOTS: '0' });
const receiver = useReceiver();
let account: Account;
let film: Buffer<ArrayBuffer>;

beforeAll(async () => {
  account = await own.deployment.createAccount();
  await createBucket(own.server.url, account, BUCKET);
  film = await clip({ seconds: 1, size: '64x48', rate: 10 });
  const token = uploadToken(account, { scope: `${BUCKET}:film` });
  expect((await uploadForm(own.server.url, film, { token, key: 'film' })).status).toBe(200);
});
const running: ServerProcess[] = [];
afterEach(async () => {
  for (const worker of running.splice(0)) await worker.kill('SIGTERM');
});

async function startWorker(settings: Readonly<Record<string, string>> = {}): Promise<void> {
  running.push(
    await own.deployment.start({ args: ['work'], settings: { MILLPOND_MEDIA_SLOTS: '1', ...settings } }),
  );
}
const withoutFfmpeg = { MILLPOND_FFMPEG: '/none/ffmpeg', MILLPOND_FFPROBE: '/none/ffprobe' };
const submit = (fops: string) =>
  pfop({ bucket: BUCKET, key: 'film', fops, force: '1' }, { keys: account, at: own.at });
/** As its owner sees it. */
async function ownTask(id: string): Promise<Task & { waitingFor?: { reason: string; text: string } }> {
  const answer = await secureSigned(
    { method: 'GET', target: `/v1/tasks/${id}`, contentType: null },
    { keys: account, at: own.at },
  );
  return answer.json() as Task;
}

test('where no worker runs, a submit is refused at once, and says so [worker-01]', async () => {
  const answer = await submit('qhash/md5');
  expectRefusalOf(answer, 400, 'unsupported command');
  expect((answer.json() as { hint: string }).hint).toMatch(
    /^qhash needs a worker, .*MILLPOND_MEDIA_SLOTS is 0 \(set it to 1/,
  );
});

test('a worker that lacks a program runs what needs none of it; films are refused with what is missing [worker-01 worker-02 worker-03]', async () => {
  await startWorker(withoutFfmpeg);
  // Until the worker knows what it lacks, it may have everything.
  await expect.poll(async () => (await submit('avthumb/mp4')).status, { interval: 1000 }).toBe(400);
  const refused = await submit('avthumb/mp4');
  expectRefusalOf(refused, 400, 'unsupported command');
  expect((refused.json() as { hint: string }).hint).toMatch(
    /^avthumb needs a worker with ffmpeg, .* \/none\/ffmpeg is missing \(apt-get install ffmpeg, or name it in MILLPOND_FFMPEG\)$/,
  );
  expect((await ended(idIn(await submit('qhash/md5')), own.at)).code).toBe(0);

  // Whoever uploads can't be told, so it is accepted, and waits.
  const policy = {
    scope: `${BUCKET}:late`,
    persistentOps: 'avthumb/mp4',
    persistentNotifyUrl: receiver.at(json({})).url,
  };
  const token = uploadToken(account, policy);
  const stored = await uploadForm(own.server.url, film, { token, key: 'late' });
  expect(stored.status).toBe(200);
  const { persistentId } = (await stored.json()) as { persistentId: string };
  await expect
    .poll(async () => (await ownTask(persistentId)).waitingFor)
    .toMatchObject({
      reason: 'worker',
      text: expect.stringMatching(/^a worker with ffmpeg: .*\/none\/ffmpeg is missing/),
    });
  expect((await taskOf(persistentId, own.at)).code).toBe(1);
  expect(await taskOf(persistentId, own.at)).not.toHaveProperty('waitingFor');

  // One that has it takes it, while the other one goes on.
  await startWorker();
  expect((await ended(persistentId, own.at)).code).toBe(0);
  expect(await ownTask(persistentId)).not.toHaveProperty('waitingFor');
});

test('while the workers restart nothing is refused, and what waits says how many are before it [worker-02 worker-03]', async () => {
  const [first, second] = [idIn(await submit('avthumb/mp4')), idIn(await submit('qhash/md5'))];
  expect((await ownTask(first)).waitingFor).toMatchObject({
    reason: 'worker',
    text: expect.stringContaining('MILLPOND_MEDIA_SLOTS is 0'),
  });
  await startWorker();
  expect([(await ended(first, own.at)).code, (await ended(second, own.at)).code]).toEqual([0, 0]);
});
