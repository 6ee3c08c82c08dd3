/** What an item says of what it made, and what is held against it, on a real database. */
import { randomBytes } from 'node:crypto';
import { newBlobId } from '@millpond/blobs';
import { encodeBase64Text, makeTaskId, parseFops } from '@millpond/protocol';
import { beforeAll, expect, test } from 'vitest';
import { useDatabases } from '../../../../test/databases.ts';
import { statement } from '../../../platform/db/database.ts';
import { putSource } from '../processing.testing.ts';
import { type TaskItem, type TaskRow, taskRecord } from '../task.ts';
import { TaskStore } from '../tasks/task.store.ts';
import { idTimeOf } from '../tasks/tasks.ts';
import { type CommandEngine, CommandError } from './command-engine.ts';
import { ItemRunner } from './item-runner.ts';
import { ItemTimes } from './item-times.ts';
import { ResultCacheStore } from './result-cache.store.ts';
import { resultCacheKey } from './result-cache-key.ts';
import type { Results } from './results.ts';

const UID = 1_380_000_001n;
const SEGMENT = 'video/mp2t';
const databases = useDatabases();
let store: TaskStore;

beforeAll(async () => {
  store = new TaskStore(databases.region);
  await putSource(databases.region);
});

async function newTask(commands: readonly string[], isForced = true): Promise<TaskRow> {
  const id = makeTaskId('z0', Math.floor(Date.now() / 1000), randomBytes(16));
  await store.insert(
    {
      id,
      idTime: idTimeOf(id),
      uid: UID,
      bucketId: 7n,
      bucket: 'b',
      key: 'source',
      items: commands.map((cmd) => ({ cmd, code: 1, error: '', returnOld: 0 })),
      isIdle: false,
      pipeline: undefined,
      isAdmitted: true,
      isForced,
      notifyUrl: undefined,
      accessKey: undefined,
      reqid: 'r',
      taskFrom: undefined,
    },
    databases.region,
  );
  const row = await store.begin(id, idTimeOf(id));
  if (row === undefined) throw new Error('the task can not be begun');
  return row;
}

interface Site {
  readonly commit?: Results['commit'];
  /** What lies under the target's key, each time somebody looks. */
  readonly found?: ({ hash: string; put_time?: bigint } | undefined)[];
}

/** Runs all items of a task on this engine; the row that they leave, and the keys of what was stored. */
async function run(task: TaskRow, withResult: unknown, { commit, found = [] }: Site = {}) {
  const keys: string[] = [];
  const results = {
    store: async (_path, mimeType = '') => ({ blobId: newBlobId(), size: 1, hash: 'made', mimeType }),
    commit:
      commit ??
      (async ({ mimeType }, { key }, _overwrite, also) => {
        // There are thousands of segments, and what goes with them is one question.
        if (mimeType !== SEGMENT)
          await store.transaction((transaction) => also(transaction, { written: true, putTime: 1n }));
        keys.push(key);
        return { written: true };
      }),
  } satisfies Pick<Results, 'store' | 'commit'>;
  const parts = {
    store,
    results,
    works: new ResultCacheStore(databases.region),
    engine: { withResult },
    buckets: { owned: async () => ({ id: 7n }) },
    objects: { find: async () => found.shift() },
    reuse: { tryItem: async () => undefined },
  };
  const runner = new ItemRunner(parts as unknown as ConstructorParameters<typeof ItemRunner>[0]);
  for (const [position, { cmd }] of task.items.entries())
    for (const fop of parseFops(cmd))
      await runner.run(task, position, fop, {
        signal: new AbortController().signal,
        progress: () => undefined,
        times: new ItemTimes({ now: Date.now }),
      });
  const row = await store.find(task.task_id, task.id_time);
  return { items: row?.items ?? [], keys };
}

/** Makes a playlist with so many segments. */
function segments(count: number, keyOf: (mainKey: string, number: number) => string) {
  const made = Array.from({ length: count }, (_, number) => ({
    path: '',
    mimeType: SEGMENT,
    siblingKey: (mainKey: string) => keyOf(mainKey, number),
  }));
  const withResult: CommandEngine['withResult'] = (_fop, _task, _options, keep) =>
    keep([{ path: '', mimeType: 'application/x-mpegurl', siblingKey: (mainKey) => mainKey }, ...made], []);
  return withResult;
}

const keysOf = (items: readonly TaskItem[]) => items.map(({ keys }) => keys ?? []);
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('a task names the keys of its results up to a mebibyte, shared by its items; all of them are stored', async () => {
  const COUNT = 3000;
  const engine = segments(COUNT, (mainKey, number) => `${mainKey}/${String(number).padStart(690, '0')}`);
  for (const commands of [['avthumb/m3u8'], ['avthumb/m3u8', 'avthumb/m3u8/vb/100k', 'avthumb/m3u8/vn/1']]) {
    const { items, keys } = await run(await newTask(commands), engine);
    expect(keys).toHaveLength(commands.length * (COUNT + 1));
    expect(items.map(({ code }) => code)).toEqual(commands.map(() => 0));
    expect(bytesOf(items)).toBeLessThan(1024 * 1024 + 1000);
    for (const [index, named] of keysOf(items).entries()) {
      expect(bytesOf(named)).toBeGreaterThan((1024 * 1024) / commands.length - 1000);
      const first = `${items[index]?.key}/${'0'.repeat(690)}`;
      expect(named.slice(0, 2)).toEqual([items[index]?.key, first]);
    }
  }
});

test('a task names all keys of its results where they are not many', async () => {
  const { items, keys } = await run(
    await newTask(['avthumb/m3u8']),
    segments(200, (mainKey, number) => `${mainKey}/${number}.ts`),
  );
  expect(keysOf(items)[0]?.toSorted()).toEqual(keys.toSorted());
});

test('segments do not replace those of a playlist that came while they were made, unless it is forced', async () => {
  const engine = segments(2, (mainKey, number) => `${mainKey}/${number}.ts`);
  const overtaken = () => ({ found: [undefined, { hash: 'theirs' }] });
  const task = await newTask(['avthumb/m3u8'], false);
  expect(await run(task, engine, overtaken())).toMatchObject({
    items: [{ code: 0, hash: 'theirs', returnOld: 1 }],
    keys: [],
  });
  const forced = await run(await newTask(['avthumb/m3u8']), engine, overtaken());
  expect(forced.items).toMatchObject([{ code: 0, hash: 'made', returnOld: 0 }]);
  expect(forced.keys).toHaveLength(3);
});

test('a run that is repeated replaces the files with names of their own that it stored before, and no others', async () => {
  const pattern = encodeBase64Text('still-$(count)');
  const again = async (laterBy: number) => {
    const task = await newTask([`vsample/jpg/ss/0/t/2/interval/1/pattern/${pattern}`], false);
    const engine = segments(1, () => 'still-000000');
    const broken = run(task, engine, {
      commit: () => Promise.reject(new Error('the database is away')),
    });
    await expect(broken).rejects.toThrow('the database is away');
    const [item] = (await store.find(task.task_id, task.id_time))?.items ?? [];
    const since = Date.parse(item?.partsSince ?? '');
    const tries: boolean[] = [];
    const there = { hash: 'other', put_time: BigInt(since + laterBy) * 10_000n };
    const { items } = await run(
      { ...task, items: item === undefined ? [] : [item] },
      engine,
      // At the start and before its files are stored, nobody has the key of the result.
      {
        found: [undefined, undefined, there],
        async commit({ mimeType }, _place, overwrite, also) {
          if (mimeType === SEGMENT) tries.push(overwrite);
          else await store.transaction((transaction) => also(transaction, { written: true, putTime: 1n }));
          return { written: overwrite || mimeType !== SEGMENT };
        },
      },
    );
    return { tries, item: items[0] };
  };
  expect(await again(1)).toMatchObject({ tries: [false, true], item: { code: 0 } });
  expect(await again(-1)).toMatchObject({
    tries: [false],
    item: { code: 3, error: expect.stringContaining('still-000000 exists') },
  });
});

test('what would lie under no key fails its item, and nothing of it is stored', async () => {
  const engine = segments(2, (mainKey, number) => `${mainKey}/${'0'.repeat(690 + number * 100)}`);
  const { items, keys } = await run(await newTask(['avthumb/m3u8']), engine);
  const error = 'the name of a result is not a valid key: at most 750 bytes, without NUL';
  expect([items, keys]).toMatchObject([[{ code: 3, error, errorIndex: '0' }], []]);
});

test('what the database can not hold fails its item', async () => {
  const tooLarge = statement('test-too-large', 'SELECT region.delivery_endpoint(1, false, $1, $1)');
  const { items } = await run(
    await newTask(['imageInfo']),
    segments(0, (mainKey) => mainKey),
    {
      async commit() {
        await databases.region.query(tooLarge, [randomBytes(10_000).toString('hex')]);
        return { written: true };
      },
    },
  );
  expect(items).toMatchObject([{ code: 3, error: 'its results cannot be recorded', errorIndex: '0' }]);
});

test('an engine whose last words begin with half a character fails its item', async () => {
  const { items } = await run(await newTask(['imageInfo']), () =>
    Promise.reject(new CommandError('not an image', 0, '🐟 is what it said'.slice(1))),
  );
  expect(items).toMatchObject([{ code: 3, error: 'not an image', words: '\ufffd is what it said' }]);
});

test('warnings about a result are in its item, and stand beside the result for its copies', async () => {
  const warnings = ['2 of 2 subtitle tracks are left out: flv holds none'];
  const task = await newTask(['avthumb/flv']);
  const withResult: CommandEngine['withResult'] = (_fop, _task, _options, keep) =>
    keep([{ path: '', mimeType: 'video/x-flv', siblingKey: (mainKey) => mainKey }], warnings);
  const { items } = await run(task, withResult);
  expect(items).toMatchObject([{ code: 0, warnings }]);
  const [fop] = parseFops('avthumb/flv');
  if (fop === undefined) throw new Error('no command');
  const known = await new ResultCacheStore(databases.region).find(task.uid, resultCacheKey(fop, task).digest);
  expect(known).toMatchObject({ hash: 'made', warnings });
  expect(taskRecord({ ...task, items }).items).toMatchObject([{ warnings }]);
});
