/** What may be submitted, on a real database. */
import { randomUUID } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { ENGINE_KINDS } from '@millpond/jail';
import { encodeBase64Text } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { noChildren } from '../../../identity/accounts/accounts.testing.ts';
import { bucketsOf } from '../../../storage/buckets/buckets.testing.ts';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { Admission } from '../pipelines/admission.ts';
import { AbleWorkers } from '../workers/able-workers.ts';
import { WorkerStore } from '../workers/worker.store.ts';
import { WorkflowStore } from '../workflows/workflow.store.ts';
import { Workflows } from '../workflows/workflows.ts';
import { TaskStore } from './task.store.ts';
import { TaskCompletion } from './task-completion.ts';
import { TaskWaits } from './task-waits.ts';
import { type TaskRequest, Tasks } from './tasks.ts';

const databases = useDatabases();
let uid: bigint;
let bucket: Bucket;
let tasks: Tasks;

beforeAll(async () => {
  const { control, region } = databases;
  const { rows } = await control.pool.query<{ uid: string }>(
    `INSERT INTO control.accounts (email) VALUES ('tasks@example.com') RETURNING uid`,
  );
  uid = BigInt(rows[0]?.uid ?? 0);
  const times = { freshMs: 0, staleMs: 0 };
  const buckets = bucketsOf(control, region, { region: 'z0', maxBuckets: 10, ...times });
  await buckets.create(uid, 'sources', 'z0');
  bucket = await buckets.owned(uid, 'sources');
  const store = new TaskStore(region);
  const admission = new Admission({ enqueueMany: async () => [], enqueueLater: async () => '' }, noChildren);
  const ending = new TaskCompletion({ store, admission, notify: async () => undefined });
  const workflows = new Workflows({ store: new WorkflowStore(region), buckets, ...times });
  const workerStore = new WorkerStore(region);
  const workers = new AbleWorkers(workerStore);
  await workerStore.report({ process: randomUUID(), host: 'h', pid: 1 }, ENGINE_KINDS, {});
  const waits = new TaskWaits(region, store, workers);
  tasks = new Tasks({ store, workers, waits, admission, ending, workflows, buckets, region: 'z0' });
});

async function put(key: string, storageClass: number): Promise<void> {
  await databases.region.pool.query(
    `INSERT INTO region.objects (bucket_id, key, blob_id, fsize, hash, mime_type, detected_type, put_time, class)
     VALUES ($1, $2, $3, 3, 'h', 'text/plain', 'text/plain', 1, $4)`,
    [bucket.id, key, newBlobId(), storageClass],
  );
}

const restore = (key: string, ready: string, ends: string) =>
  databases.region.pool.query(
    `UPDATE region.objects SET restore_ready_at = now() + $3::interval, restore_ends_at = now() + $4::interval
     WHERE bucket_id = $1 AND key = $2`,
    [bucket.id, key, ready, ends],
  );

const request = (more: Partial<TaskRequest> = {}): TaskRequest => ({
  uid,
  accessKey: undefined,
  fops: 'imageInfo',
  workflow: undefined,
  isIdle: false,
  pipeline: undefined,
  isForced: false,
  notifyUrl: undefined,
  reqid: 'r',
  ...more,
});

async function taskCount(): Promise<number | undefined> {
  const { rows } = await databases.region.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM region.tasks',
  );
  return rows[0]?.count;
}

test('what can not be read when it would be pinned makes no task, whoever looked at it before', async () => {
  await put('archived', 2);
  await put('deep', 3);
  const submit = (key: string) => tasks.submit(request(), bucket, key);
  await expect(submit('archived')).rejects.toMatchObject({ fault: 'archiveUnrestored', status: 403 });
  await expect(submit('deep')).rejects.toMatchObject({ fault: 'deepArchiveUnrestored', status: 403 });
  await restore('archived', '1 hour', '2 hours');
  await expect(submit('archived')).rejects.toMatchObject({ fault: 'archiveUnrestored' });
  await restore('archived', '-2 hours', '-1 hour');
  await expect(submit('archived')).rejects.toMatchObject({ fault: 'archiveUnrestored' });
  await expect(submit('nothing')).rejects.toMatchObject({ fault: 'notFound', status: 404 });
  expect(await taskCount()).toBe(0);
  await restore('archived', '-1 hour', '1 hour');
  await submit('archived');
  await put('cool', 1);
  await submit('cool');
  expect(await taskCount()).toBe(2);
});

test('a key that leaves no room for those of its segments is refused', async () => {
  const command = (bytes: number) =>
    `imageInfo;avthumb/m3u8|saveas/${encodeBase64Text(`sources:${'k'.repeat(bytes)}`)}`;
  await tasks.prepare(request({ fops: command(740) }));
  await expect(tasks.prepare(request({ fops: command(741) }))).rejects.toMatchObject({
    fault: 'invalidArgument',
    hint: 'the key of a playlist like this may have at most 740 bytes: those of its segments are longer',
  });
});

test('a notification to a host that could not be recorded is refused', async () => {
  const url = (length: number) => `http://${'a.'.repeat(length).slice(0, length)}/${'p'.repeat(1000)}`;
  await tasks.prepare(request({ notifyUrl: url(253) }));
  await expect(tasks.prepare(request({ notifyUrl: url(255) }))).rejects.toMatchObject({
    fault: 'invalidArgument',
    hint: "the host of the notification's URL has more than 253 characters",
  });
});
