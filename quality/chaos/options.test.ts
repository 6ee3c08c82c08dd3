import { expect, test } from 'vitest';
import { readOptions, UsageError } from './options.ts';

test('a run with its defaults', () => {
  const options = readOptions(['uploads']);
  expect(options).toMatchObject({
    name: 'uploads',
    store: 's3',
    kills: 20,
    rounds: 50,
    publishers: 200,
    json: false,
    log: false,
  });
  expect(options?.minutes).toBeUndefined();
  expect(options?.seed).toMatch(/^[0-9a-f]{8}$/);
});

test('all options', () => {
  const args =
    'overwrites --kills 3 --minutes 0.5 --seed abc --store disk --json --log --rounds 7 --count 9 --fault pause --via haproxy --patroni p4 --from v1'.split(
      ' ',
    );
  expect(readOptions(args)).toEqual({
    name: 'overwrites',
    kills: 3,
    rounds: 7,
    publishers: 200,
    count: 9,
    minutes: 0.5,
    seed: 'abc',
    store: 'disk',
    fault: 'pause',
    via: 'haproxy',
    patroni: 'p4',
    from: 'v1',
    json: true,
    log: true,
  });
});

test('a failover is one, unless more are asked for', () => {
  expect(readOptions(['failover'])).toMatchObject({
    kills: 1,
    fault: 'kill',
    via: 'hosts',
    patroni: 'patroni',
  });
});

test('help', () => {
  expect(readOptions(['--help'])).toBeUndefined();
});

test.each([
  '',
  'floods',
  'uploads races',
  'uploads --kills 0',
  'failover --fault flood',
  'failover --via mail',
  'uploads --kills many',
  'uploads --kills -1',
  'races --minutes 0',
  'races --minutes x',
  'uploads --store tape',
  'osd --store disk',
  'uploads --verbose',
])('"%s" is refused', (line) => {
  expect(() => readOptions(line.split(' ').filter((word) => word !== ''))).toThrow(UsageError);
});
