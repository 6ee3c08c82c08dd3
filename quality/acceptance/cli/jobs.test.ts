/** Background jobs that were given up, as an operator sees and retries them. */
import { randomBytes } from 'node:crypto';
import { finishCommand, openRegionDatabase, type RegionDatabase, timeOrderedId } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operate } from '../support/accounts/operator.ts';
import { target } from '../support/target.ts';

let database: RegionDatabase;
beforeAll(async () => {
  database = await openRegionDatabase(target.environment.MILLPOND_REGION_DB ?? '');
});
afterAll(() => database.close());

const jobs = (...args: string[]) => finishCommand(target.environment, ['jobs', ...args]);

test('jobs failed says what failed and why, and a worker runs what is retried', async () => {
  const data = { blobId: timeOrderedId() };
  const reason = 'PUT http://engine:8480/bucket/x?X-Amz-Signature=hunter2 failed: 503';
  const id = await database.addFailedJob('blob-merge', data, reason);
  const listed = await operate(['jobs', 'failed', '--queue', 'blob-merge', '--json']);
  expect(
    listed
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toContainEqual({
    id,
    queue: 'blob-merge',
    failedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    attempts: 21,
    data,
    reason: 'PUT http://engine:8480/bucket/x?… failed: 503',
  });
  const table = await operate(['jobs', 'failed']);
  expect(table).toMatch(/^QUEUE +ID +FAILEDAT +ATTEMPTS +DATA +REASON\n/);
  expect(table).toContain(id);

  expect(await operate(['jobs', 'retry', id])).toBe(`${id} will run again\n`);
  await expect.poll(() => database.hasJob(id)).toBe(false);
  expect(await jobs('retry', id)).toMatchObject({
    code: 3,
    stdout: '',
    stderr: `millpond: no failed job has the id ${id}: \`millpond jobs failed\` lists them\n`,
  });
});

test('jobs retry puts back all of a queue, and asks which', async () => {
  const queue = `q${randomBytes(6).toString('hex')}`;
  for (const n of [1, 2]) await database.addFailedJob(queue, { n }, 'broken');
  expect(JSON.parse(await operate(['jobs', 'retry', '--queue', queue, '--json']))).toEqual({
    queue,
    count: 2,
  });
  for (const args of [[], ['none', '--queue', queue]])
    expect(await jobs('retry', ...args)).toMatchObject({
      code: 2,
      stderr: 'millpond: give the id of a job, or --queue\n',
    });
});

test.each(['failed', 'retry'])(
  'jobs %s says which queues there are when it is given another name',
  async (command) => {
    expect(await jobs(command, '--queue', 'blob-mrge')).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(
        /^millpond: there is no queue blob-mrge; the queues are .*\bblob-merge\b/,
      ),
    });
  },
);

test('jobs of a queue in which none has failed: an empty list, none retried', async () => {
  expect(await operate(['jobs', 'failed', '--queue', 'task-idle', '--json'])).toBe('');
  expect(await operate(['jobs', 'retry', '--queue', 'task-idle'])).toBe(
    '0 jobs of task-idle will run again\n',
  );
});
