import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientAt, keysAt, parseEndpoint } from './installation.ts';
import { formatRemote, parseLocation } from './location.ts';
import { bytesText, durationText, escapeForTerminal, timeText } from './text.ts';

describe('places', () => {
  test.each([
    ['-', { kind: 'pipe' }],
    ['a.txt', { kind: 'local', path: 'a.txt' }],
    ['./a:b', { kind: 'local', path: './a:b' }],
    ['/x/a:b', { kind: 'local', path: '/x/a:b' }],
    [':b', { kind: 'remote', alias: '', bucket: 'b', key: '' }],
    ['prod:b/k/l', { kind: 'remote', alias: 'prod', bucket: 'b', key: 'k/l' }],
    [':b//k', { kind: 'remote', alias: '', bucket: 'b', key: '/k' }],
    [':b/k:l', { kind: 'remote', alias: '', bucket: 'b', key: 'k:l' }],
    ['prod:', { kind: 'remote', alias: 'prod', bucket: '', key: '' }],
    ['no alias:x', { kind: 'local', path: 'no alias:x' }],
  ])('%s', (text, place) => expect(parseLocation(text)).toEqual(place));

  test('what is written is read', () => {
    const bucket = fc.stringMatching(/^[a-z][a-z0-9-]{2,20}$/);
    const key = fc.string({ minLength: 1, unit: 'grapheme' });
    const alias = fc.constantFrom('', 'prod', 'a.b-c_1');
    fc.assert(
      fc.property(alias, bucket, key, (name, where, what) => {
        const place = { kind: 'remote', alias: name, bucket: where, key: what } as const;
        expect(parseLocation(formatRemote(place))).toEqual(place);
      }),
    );
  });
});

test('endpoints are one URL, or one for each role', () => {
  expect(parseEndpoint(['https://a', 'api=https://b'])).toEqual({ default: 'https://a', api: 'https://b' });
  expect(() => parseEndpoint(['api=https://b'])).toThrow(/one URL for everything/);
  expect(() => parseEndpoint(['https://a', 'nobody=https://b'])).toThrow(/not a role/);
  expect(() => parseEndpoint(['ftp://a'])).toThrow(/not a URL/);
});

describe('the environment', () => {
  afterEach(() => vi.unstubAllEnvs());
  const given = (values: Readonly<Record<string, string>>) => {
    vi.stubEnv('XDG_CONFIG_HOME', '/nowhere');
    for (const [name, value] of Object.entries(values)) vi.stubEnv(`MILLPOND_${name}`, value);
  };

  test('names an installation by its key', () => {
    given({ ACCESS_KEY: 'a', SECRET_KEY: 's' });
    expect(keysAt(':')).toEqual({ accessKey: 'a', secretKey: 's' });
    expect(() => keysAt('prod')).toThrow(/no alias prod/);
  });

  test('without a key names none, and who is told so is told what to set', () => {
    given({ ACCESS_KEY: '', SECRET_KEY: '' });
    expect(() => keysAt()).toThrow(/set MILLPOND_ACCESS_KEY and MILLPOND_SECRET_KEY .*`millpond dev env`/);
  });

  test('with a dialect that is none is refused', () => {
    given({ ACCESS_KEY: 'a', SECRET_KEY: 's', DIALECT: 'quiniu' });
    expect(() => clientAt()).toThrow('MILLPOND_DIALECT is quiniu: it must be svc or qiniu');
  });
});

test('names that would move a cursor or turn the direction of text are written out', () => {
  expect(escapeForTerminal('a\u001b[2J\u202eb\n')).toBe('a\\u001b[2J\\u202eb\\u000a');
  expect(escapeForTerminal('ü 日本')).toBe('ü 日本');
});

test('figures', () => {
  expect([0, 1023, 1024, 1_500_000, 50 * 1024 ** 3].map(bytesText)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '1.4 MiB',
    '50.0 GiB',
  ]);
  expect([0, 61, 3_723, Number.POSITIVE_INFINITY].map(durationText)).toEqual([
    '0:00',
    '1:01',
    '1:02:03',
    '–',
  ]);
  expect(timeText(17_000_000_000_000_000n)).toBe('2023-11-14T22:13:20.000Z');
});
