/** Limits of templates and triggers, and what uploads are told of them, on a real database. */
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { type Buckets, bucketsOf } from '../../../storage/buckets/buckets.testing.ts';
import { WorkflowStore } from './workflow.store.ts';
import { Workflows } from './workflows.ts';

const databases = useDatabases();
let uid: bigint;
let buckets: Buckets;
let workflows: Workflows;

beforeAll(async () => {
  const { control, region } = databases;
  const { rows } = await control.pool.query<{ uid: string }>(
    `INSERT INTO control.accounts (email) VALUES ('triggers@example.com') RETURNING uid`,
  );
  uid = BigInt(rows[0]?.uid ?? 0);
  const times = { freshMs: 0, staleMs: 0 };
  buckets = bucketsOf(control, region, { region: 'z0', maxBuckets: 10, ...times });
  workflows = new Workflows({ store: new WorkflowStore(region), buckets, ...times });
});

async function newBucket(name: string): Promise<bigint> {
  await buckets.create(uid, name, 'z0');
  return (await buckets.owned(uid, name)).id;
}

const trigger = (bucket: string, workflow: string, prefix = '') => ({
  bucket,
  workflow,
  prefix,
  suffix: '',
  notifyUrl: undefined,
  isForced: false,
});

test('a template has 16 KiB at most', async () => {
  const joined = (urls: number) => `concat/mimeType/dGV4dC9wbGFpbg==${'/aHR0cDovL2EvYg=='.repeat(urls)}`;
  expect((await workflows.put(uid, 'long', joined(960))).commands).toHaveLength(16_352);
  await expect(workflows.put(uid, 'longer', joined(970))).rejects.toMatchObject({
    fault: 'invalidArgument',
    hint: 'a template may have at most 16384 bytes',
  });
});

test('a bucket has 20 triggers at most; another one still takes some', async () => {
  await workflows.put(uid, 'many', 'imageInfo');
  const id = await newBucket('full-of-them');
  for (let count = 0; count < 20; count++) await workflows.addTrigger(uid, trigger('full-of-them', 'many'));
  await expect(workflows.addTrigger(uid, trigger('full-of-them', 'many'))).rejects.toMatchObject({
    fault: 'notAllowed',
    hint: 'a bucket may have at most 20 triggers',
  });
  await expect(workflows.addTrigger(uid, trigger('full-of-them', 'absent'))).rejects.toMatchObject({
    fault: 'invalidArgument',
  });
  await newBucket('has-room');
  await workflows.addTrigger(uid, trigger('has-room', 'many'));
  expect(await workflows.triggered(id, 'any')).toHaveLength(20);
});

test('uploads share what was parsed of a template until its text changes', async () => {
  const id = await newBucket('parsed-once');
  await workflows.put(uid, 'shared', 'imageInfo;exif');
  await workflows.addTrigger(uid, trigger('parsed-once', 'shared', 'in/'));
  await workflows.addTrigger(uid, trigger('parsed-once', 'shared'));
  expect(await workflows.triggered(id, 'out/a')).toHaveLength(1);
  const parsed = (await workflows.triggered(id, 'in/a')).map(({ commands }) => commands());
  const later = (await workflows.triggered(id, 'in/b')).map(({ commands }) => commands());
  expect(new Set([...parsed, ...later]).size).toBe(1);
  expect(parsed[0]?.map(({ cmd }) => cmd)).toEqual(['imageInfo', 'exif']);
  await workflows.put(uid, 'shared', 'imageAve');
  const [changed] = await workflows.triggered(id, 'in/a');
  expect(changed?.commands().map(({ cmd }) => cmd)).toEqual(['imageAve']);
});

test('templates come in pages, by name', async () => {
  const names = ['page-1', 'page-2', 'page-3'];
  for (const name of names) await workflows.put(uid, name, 'imageInfo');
  const first = await workflows.list(uid, { after: 'page-', limit: 2 });
  expect(first.map(({ name }) => name)).toEqual(names.slice(0, 2));
  const second = await workflows.list(uid, { after: first.at(-1)?.name, limit: 1 });
  expect(second.map(({ name }) => name)).toEqual(['page-3']);
});
