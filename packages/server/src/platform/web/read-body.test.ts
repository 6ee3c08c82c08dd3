import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBody } from './read-body.ts';

function requestOf(...chunks: string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  for (const chunk of chunks) request.push(Buffer.from(chunk));
  return request;
}

function ended(request: IncomingMessage): IncomingMessage {
  request.push(null);
  return request;
}

test('chunks come in order, none before the last one was taken, and the end after all of them', async () => {
  const taken: string[] = [];
  let waiting = false;
  await readBody(ended(requestOf('one', 'two', 'three')), (chunk) => {
    expect(waiting).toBe(false);
    if (taken.push(chunk.toString()) % 2 === 0) return undefined;
    waiting = true;
    return setImmediate().then(() => {
      waiting = false;
    });
  });
  expect(waiting).toBe(false);
  expect(taken).toEqual(['one', 'two', 'three']);
});

test('a body without bytes is read', async () => {
  await expect(
    readBody(ended(requestOf()), () => {
      throw new Error('there is nothing to take');
    }),
  ).resolves.toBeUndefined();
});

test.each([
  [
    'at once',
    () => {
      throw new Error('refused');
    },
  ],
  [
    'later',
    async () => {
      await setImmediate();
      throw new Error('refused');
    },
  ],
] as const)('a refusal %s leaves the rest unread and the stream alive', async (_, refuse) => {
  const request = requestOf('one', 'two');
  let calls = 0;
  const reading = readBody(request, () => {
    calls++;
    return refuse();
  });
  await expect(reading).rejects.toThrow('refused');
  await setImmediate();
  expect([calls, request.isPaused(), request.destroyed]).toEqual([1, true, false]);
  expect(request.listenerCount('data') + request.listenerCount('error')).toBe(0);
});

test('a request that breaks off rejects with what broke it, also while a chunk is being taken', async () => {
  const broken = requestOf('one');
  const reading = readBody(broken, async () => {
    broken.destroy(new Error('gone'));
    await setImmediate();
  });
  await expect(reading).rejects.toThrow('gone');
});

test('a request that is closed without a word, or was gone before, rejects too', async () => {
  const closing = requestOf('one');
  const reading = readBody(closing, () => {
    closing.destroy();
    return undefined;
  });
  await expect(reading).rejects.toThrow();
  await expect(readBody(closing, () => undefined)).rejects.toThrow();
});
