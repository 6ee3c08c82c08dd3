import { Readable } from 'node:stream';
import { byteWork } from '@millpond/base/testing';
import { expect, test } from 'vitest';
import { captureAll, captureEnd } from './capture.ts';

test('the end of what is written is kept, and costs as much as it has bytes', () => {
  const stream = new Readable({ read: () => undefined });
  const text = captureEnd(stream, 10_000);
  const { moved } = byteWork(() => {
    for (let count = 0; count < 50_000; count++) stream.emit('data', Buffer.from(String(count % 10)));
  });
  expect(text()).toBe('0123456789'.repeat(1000));
  expect(moved / 50_000).toBeLessThan(6);
  stream.emit('data', Buffer.from('x'.repeat(30_000)));
  expect(text()).toBe('x'.repeat(10_000));
});

test('of what is more than the bound nothing more is kept, and it is told once', () => {
  const stream = new Readable({ read: () => undefined });
  let told = 0;
  const bytes = captureAll(stream, 10, () => {
    told += 1;
  });
  for (const text of ['12345', '67890', 'x', 'y']) stream.emit('data', Buffer.from(text));
  expect([String(bytes()), told]).toEqual(['1234567890', 1]);
});
