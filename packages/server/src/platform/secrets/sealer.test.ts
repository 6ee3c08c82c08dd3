import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMasterKeys, SealError, Sealer } from './sealer.ts';

const key = (id: string) => ({ id, key: randomBytes(32) });

describe('sealed secrets', () => {
  test('open to what was sealed, whatever it was', () => {
    const sealer = new Sealer([key('one')]);
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, owner) => {
        expect(sealer.open(sealer.seal(secret, owner), owner)).toBe(secret);
      }),
    );
  });

  test('do not open for another owner', () => {
    const sealer = new Sealer([key('one')]);
    expect(() => sealer.open(sealer.seal('s3cret', 'account 1'), 'account 2')).toThrow(SealError);
  });

  test('do not open after any bit was changed', () => {
    const sealer = new Sealer([key('one')]);
    const sealed = sealer.seal('s3cret', 'a');
    for (let bit = 0; bit < sealed.bytes.length * 8; bit++) {
      const bytes = Buffer.from(sealed.bytes);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => sealer.open({ ...sealed, bytes }, 'a')).toThrow(SealError);
    }
  });

  test('survive a rotation of the master key, and no longer need the old one', () => {
    const [old, next] = [key('old'), key('new')];
    const sealed = new Sealer([old]).seal('s3cret', 'a');
    const rewrapped = new Sealer([next, old]).rewrap(sealed, 'a');
    expect(rewrapped.masterKey).toBe('new');
    expect(new Sealer([next]).open(rewrapped, 'a')).toBe('s3cret');
    expect(() => new Sealer([next]).open(sealed, 'a')).toThrow('master key "old" is not configured');
  });

  test('hold no trace of the secret', () => {
    const sealed = new Sealer([key('one')]).seal('a-very-recognisable-secret', 'a');
    expect(sealed.bytes.includes('recognisable')).toBe(false);
  });
});

describe('master keys', () => {
  test.each([
    '',
    'id',
    'id:',
    'id:c2hvcnQ=',
    `:${randomBytes(32).toString('base64')}`,
    `a b:${randomBytes(32).toString('base64')}`,
  ])('%j is refused without showing it', (text) => {
    expect(() => parseMasterKeys([text])).toThrow('master key 1 must be written');
  });

  test('with the same id twice are refused', () => {
    const text = `k:${randomBytes(32).toString('base64')}`;
    expect(() => parseMasterKeys([text, text])).toThrow('same id');
  });
});
