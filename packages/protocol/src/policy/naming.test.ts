import { describe, expect, test } from 'vitest';
import { Fault } from '../errors/fault.ts';
import { parseTemplate } from '../template/parse.ts';
import { nameValues } from '../template/values.ts';
import { chooseName, finishName } from './naming.ts';

const saveKey = parseTemplate('up/$(etag)$(ext)', 'saveKey', 'plain');
const values = { ...nameValues({ fname: 'a.jpg' }), etag: 'E' };
const nothing = { saveKey: undefined, forceSaveKey: false, keylimit: undefined };

function name(rules: Partial<typeof nothing> | object, clientKey: string | undefined): string {
  return finishName(chooseName({ ...nothing, ...rules }, clientKey), values, 'E');
}

describe('the order of naming', () => {
  test('a forced saveKey beats the client', () => {
    expect(name({ saveKey, forceSaveKey: true }, 'mine')).toBe('up/E.jpg');
    expect(name({ saveKey, forceSaveKey: true }, undefined)).toBe('up/E.jpg');
  });

  test('else the client, else saveKey, else the hash', () => {
    expect(name({ saveKey }, 'mine')).toBe('mine');
    expect(name({ saveKey }, undefined)).toBe('up/E.jpg');
    expect(name({}, undefined)).toBe('E');
  });

  test('an empty key field is a key, a missing one is not', () => {
    expect(name({}, '')).toBe('');
    expect(name({ saveKey }, '')).toBe('');
    expect(name({ saveKey, forceSaveKey: true }, '')).toBe('up/E.jpg');
  });

  test('a saveKey that gives nothing leaves it to the hash', () => {
    expect(name({ saveKey: parseTemplate('$(x:none)', 'saveKey', 'plain') }, undefined)).toBe('E');
  });

  test('keylimit asks for a key', () => {
    const hint = 'the upload policy requires a key';
    expect(() => name({ keylimit: ['a'] }, undefined)).toThrow(new Fault('scopeMismatch', { hint }));
    expect(name({ keylimit: ['a'] }, 'a')).toBe('a');
  });
});
