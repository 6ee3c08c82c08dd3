import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canPublish, newStreamKey, streamToken, verifyStreamToken } from './stream-keys.ts';

const stream = { nsId: 'abcdefghijkl', streamId: 's' };
const key = newStreamKey();
const now = 1_800_000_000_000;
const end = now / 1000 + 60;
const none = { key: '', end: '', token: '' };

describe('what a publisher shows', () => {
  test('is the key, where that is enough, or a token for publishing this stream until its end', () => {
    const token = { ...none, end: String(end), token: streamToken(key, 'publish', stream, end) };
    expect(canPublish(key, 1, stream, { ...none, key }, now)).toBe(true);
    expect(canPublish(key, 2, stream, { ...none, key }, now)).toBe(false);
    for (const urlType of [1, 2]) expect(canPublish(key, urlType, stream, token, now)).toBe(true);
    expect(canPublish(key, 2, stream, token, now + 61_000)).toBe(false);
    expect(canPublish(key, 2, { ...stream, streamId: 't' }, token, now)).toBe(false);
    expect(canPublish(newStreamKey(), 2, stream, token, now)).toBe(false);
    const played = { ...token, token: streamToken(key, 'play', stream, end) };
    expect(canPublish(key, 2, stream, played, now)).toBe(false);
  });

  test('of any other kind lets nobody in', () => {
    const proof = fc.record({ key: fc.string(), end: fc.string(), token: fc.string() });
    fc.assert(
      fc.property(proof, fc.constantFrom(1, 2), (shown, urlType) => {
        expect(canPublish(key, urlType, stream, shown, now)).toBe(false);
      }),
    );
  });
});

test('a token for playing is good until its end', () => {
  const shown = { end: String(end), token: streamToken(key, 'play', stream, end) };
  expect(verifyStreamToken(key, 'play', stream, shown, now)).toBe(true);
  expect(verifyStreamToken(key, 'play', stream, shown, now + 61_000)).toBe(false);
  expect(verifyStreamToken(key, 'play', stream, { ...shown, end: String(end + 1) }, now)).toBe(false);
  expect(verifyStreamToken(key, 'play', stream, { end: '', token: '' }, now)).toBe(false);
});
