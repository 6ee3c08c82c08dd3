import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type DownloadTarget, gatherSources } from './extra-sources.ts';

const never = new AbortController().signal;
const options = { folder: '/folder', maxBytes: 1000, signal: never };
const urls = Array.from({ length: 30 }, (_, index) => `http://pond.example/${index}`);

function sourceAt(path: string) {
  return { size: 0, path, read: async () => undefined };
}

test('few are asked for at a time, each into a file of its own; they come in the order of their URLs', async () => {
  let [now, most] = [0, 0];
  const found = await gatherSources(
    urls,
    async (url, { path }) => {
      most = Math.max(most, ++now);
      // Later ones are there earlier.
      await pause(5 - (Number(url.split('/').at(-1)) % 5));
      now -= 1;
      return sourceAt(path);
    },
    options,
  );
  expect(most).toBe(4);
  expect(found.map(({ path }) => path)).toEqual(urls.map((_, index) => `/folder/${index}`));
});

test('one that is named several times is asked for once', async () => {
  const asked: string[] = [];
  const found = await gatherSources(
    ['a', 'b', 'a', 'a', 'b'],
    async (url) => {
      asked.push(url);
      return sourceAt(url);
    },
    options,
  );
  expect(asked).toEqual(['a', 'b']);
  expect(found.map(({ path }) => path)).toEqual(['a', 'b', 'a', 'a', 'b']);
});

test('bytes are counted together as they come: what is too much ends all of it, and then nothing is under way', async () => {
  let [counted, underWay] = [0, 0];
  const bringing = async (_url: string, { count, signal, path }: DownloadTarget) => {
    underWay += 1;
    try {
      for (let piece = 0; piece < 5; piece++) {
        await pause(1);
        signal.throwIfAborted();
        count(100);
        counted += 100;
      }
      return sourceAt(path);
    } finally {
      underWay -= 1;
    }
  };
  await expect(gatherSources(urls, bringing, options)).rejects.toMatchObject({
    reason: 'limit',
    message: 'the sources are too large together',
  });
  expect([counted, underWay]).toEqual([1000, 0]);
  expect(await gatherSources(urls.slice(0, 2), bringing, options)).toHaveLength(2);
});

test('the first failure is told, and no other is begun', async () => {
  const asked: string[] = [];
  const failing = async (url: string, { signal }: DownloadTarget) => {
    asked.push(url);
    if (url === urls[2]) throw new Error('gone');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw signal.reason;
  };
  await expect(gatherSources(urls, failing, options)).rejects.toThrow('gone');
  expect(asked).toEqual(urls.slice(0, 4));
});

test('who cancels is heard', async () => {
  const cancel = new AbortController();
  const waiting = gatherSources(
    urls,
    async (_url, { signal }) => {
      cancel.abort(new Error('cancelled'));
      throw signal.reason;
    },
    { ...options, signal: cancel.signal },
  );
  await expect(waiting).rejects.toThrow('cancelled');
});
