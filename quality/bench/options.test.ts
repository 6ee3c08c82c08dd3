import { describe, expect, test } from 'vitest';
import { parseOptions, UsageError } from './options.ts';

describe('parseOptions', () => {
  test('needs only the name', () => {
    expect(parseOptions(['stat'])).toEqual({
      name: 'stat',
      size: '4k',
      concurrency: 32,
      seconds: 3,
      rounds: 5,
      rows: 0,
      way: 'stream',
      store: 's3',
      signed: false,
      small: 'cache',
      list: 'page',
      mode: 'rate',
      source: undefined,
      json: false,
      profile: false,
    });
  });

  test.each([
    ['4k', 32],
    ['1m', 8],
    ['64m', 4],
  ])('takes for %s bodies %i requests at a time unless told', (size, concurrency) => {
    expect(parseOptions(['put', '--size', size]).concurrency).toBe(concurrency);
    expect(parseOptions(['put', '--size', size, '--concurrency', '3']).concurrency).toBe(3);
  });

  test('parts and merged have sizes of their own', () => {
    expect(parseOptions(['parts'])).toMatchObject({ size: '4m', concurrency: 8 });
    expect(parseOptions(['merged'])).toMatchObject({ size: '64m', concurrency: 4 });
    expect(parseOptions(['images'])).toMatchObject({ concurrency: 4 });
  });

  test('reads every option', () => {
    const args =
      '--size 64m --concurrency 2 --seconds 0.5 --rounds 7 --way nginx --signed --small packs --json --profile'.split(
        ' ',
      );
    expect(parseOptions(['get', ...args])).toEqual({
      name: 'get',
      size: '64m',
      concurrency: 2,
      seconds: 0.5,
      rounds: 7,
      rows: 0,
      way: 'nginx',
      store: 's3',
      signed: true,
      small: 'packs',
      list: 'page',
      mode: 'rate',
      source: undefined,
      json: true,
      profile: true,
    });
    expect(parseOptions(['supabase', '--source', '../storage']).source).toBe('../storage');
    expect(parseOptions(['images', '--store', 'disk']).store).toBe('disk');
    expect(parseOptions(['rows', '--rows', '1000000']).rows).toBe(1_000_000);
    expect(parseOptions(['rows']).rows).toBe(10_000_000);
    expect(parseOptions(['list', '--stream'])).toMatchObject({ list: 'stream', concurrency: 1 });
    expect(parseOptions(['list', '--delimiter']).list).toBe('delimiter');
    expect(parseOptions(['deliveries', '--mode', 'hanging']).mode).toBe('hanging');
  });

  test.each([
    [[]],
    [['copy']],
    [['put', 'get']],
    [['put', '--size', '5k']],
    [['put', '--way', 'nginx']],
    [['supabase']],
    [['put', '--source', '../storage']],
    [['stat', '--size', '1m']],
    [['parts', '--size', '1m']],
    [['merged', '--rows', '10']],
    [['get', '--rows', '10']],
    [['get', '--way', 'post']],
    [['put', '--concurrency', '0']],
    [['put', '--concurrency', '1.5']],
    [['put', '--rounds', '-1']],
    [['put', '--rounds', 'many']],
    [['put', '--fast']],
    [['stat', '--stream']],
    [['list', '--stream', '--delimiter']],
    [['put', '--mode', 'rate']],
    [['deliveries', '--mode', 'slow']],
  ])('refuses %j', (args) => {
    expect(() => parseOptions(args)).toThrow(UsageError);
  });
});
