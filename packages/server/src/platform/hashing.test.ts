import { expect, test } from 'vitest';
import { nodeHashing } from './hashing.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('SHA-1 in one go and in chunks', () => {
  const abc = 'a9993e364706816aba3e25717850c26c9cd0d89d';
  expect(hex(nodeHashing.sha1Of(Buffer.from('abc')))).toBe(abc);
  const hasher = nodeHashing.sha1();
  hasher.update(Buffer.from('a'));
  hasher.update(Buffer.from('bc'));
  expect(hex(hasher.digest())).toBe(abc);
});

test('HMAC-SHA1 over pieces, keys as text or bytes', () => {
  const fox = 'de7c9b85b8b78aa6bc8a7a36f70a90701c9db4d9';
  const pieces = ['The quick brown fox ', Buffer.from('jumps over'), ' the lazy dog'];
  expect(hex(nodeHashing.hmacSha1('key', pieces))).toBe(fox);
  expect(hex(nodeHashing.hmacSha1(Buffer.from('key'), pieces))).toBe(fox);
});

test('a string is signed byte by byte, as an HTTP head arrives', () => {
  const asBytes = nodeHashing.hmacSha1('key', [Uint8Array.of(0x2f, 0xe4, 0xb8, 0x83)]);
  expect(hex(nodeHashing.hmacSha1('key', ['/\u00e4\u00b8\u0083']))).toBe(hex(asBytes));
});
