import { expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { openTransaction, slowInserts, untilWaiting } from '../../../../test/locks.ts';
import { PipelineStore } from '../pipelines/pipeline.store.ts';
import { WorkflowStore } from '../workflows/workflow.store.ts';

const databases = useDatabases();
const UID = 5n;
const MOST = 2;

/** Requests six at once, and returns how many were added. */
async function added(ask: (name: string) => Promise<unknown>): Promise<number> {
  const rows = await Promise.all(Array.from({ length: 6 }, (_, n) => ask(`n${n}`)));
  return rows.filter((row) => row !== undefined).length;
}

test('an account has as many pipelines as it may, also when many are asked for at once', async () => {
  const { region } = databases;
  const store = new PipelineStore(region);
  await slowInserts(region, 'region.pipelines');
  const put = (name: string) =>
    region.transaction((transaction) => store.put(transaction, UID, name, 1, MOST));
  expect(await added(put)).toBe(MOST);
  const [first] = await store.list(UID);
  // One that it has can be changed all the same.
  expect(await put(first?.name ?? '')).toBeDefined();
});

test('an account has as many workflow templates and triggers as it may, also when many are asked for at once', async () => {
  const { region } = databases;
  const store = new WorkflowStore(region);
  await slowInserts(region, 'region.workflows');
  await slowInserts(region, 'region.triggers');
  expect(await added((name) => store.putWorkflow(UID, name, 'imageInfo', MOST))).toBe(MOST);
  const [first] = await store.workflows(UID, '', 1);
  const trigger = {
    uid: UID,
    bucketId: 1n,
    bucket: 'b',
    prefix: '',
    suffix: '',
    notifyUrl: undefined,
    isForced: false,
  };
  const workflow = first?.name ?? '';
  expect(await added((id) => store.insertTrigger({ ...trigger, id, workflow }, MOST))).toBe(MOST);
  expect(await store.triggers(UID)).toHaveLength(MOST);
});

test('a workflow template that goes while a trigger is added is not there, and one that is named meanwhile stays', async () => {
  const { region } = databases;
  const store = new WorkflowStore(region);
  const uid = UID + 1n;
  for (const name of ['going', 'named']) await store.putWorkflow(uid, name, 'imageInfo', MOST);
  const trigger = {
    uid,
    bucketId: 1n,
    bucket: 'b',
    prefix: '',
    suffix: '',
    notifyUrl: undefined,
    isForced: false,
  };
  const after = async (first: string, second: () => Promise<unknown>) => {
    const other = await openTransaction(region);
    await other.query(first, [uid]);
    const waiting = second();
    await untilWaiting(region, 1);
    await other.query('COMMIT');
    await other.end();
    return waiting;
  };
  const gone = `DELETE FROM region.workflows WHERE uid = $1 AND name = 'going'`;
  const add = () => store.insertTrigger({ ...trigger, id: 'late', workflow: 'going' }, MOST);
  expect(await after(gone, add)).toBeUndefined();
  const named = `INSERT INTO region.triggers (trigger_id, uid, bucket_id, bucket, prefix, suffix, workflow)
    VALUES ('first', $1, 1, 'b', '', '', 'named')`;
  expect(await after(named, () => store.deleteWorkflow(uid, 'named'))).toBe(false);
});
