import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Host } from './db.hosts.ts';
import { Primary } from './primary.ts';
import { StandbyError } from './sqlstate.ts';

const hosts = ['a', 'b'].map((name): Host => ({ name, url: name, mayBeStandby: false }));

test('a standby is asked again while another host hangs, also if nobody waited for a moment', async () => {
  let isPromoted = false;
  const ask = async ({ name }: Host) => {
    if (name === 'a') await sleep(500).then(() => Promise.reject(new Error('timeout expired')));
    if (!isPromoted) throw new StandbyError('b is a standby');
  };
  const primary = new Primary(hosts, ask, 500);
  primary.lost(0, new Error('gone'));
  // The second question to the host that hangs is under way when this gives up.
  await expect(primary.find(performance.now() + 700)).rejects.toThrow(
    'no host takes writes (a: timeout expired; b is a standby)',
  );
  await sleep(150);
  const waiting = primary.find(performance.now() + 4_000);
  isPromoted = true;
  await waiting;
  expect(primary.at).toBe(1);
});

test('connections to another host are ended when the primary is found; those to it stay', async () => {
  const primary = new Primary(hosts, async ({ name }) => {
    if (name === 'a') throw new StandbyError('a is a standby');
  });
  const dropped: number[] = [];
  for (const at of [0, 1]) primary.add({ at, drop: () => dropped.push(at) });
  primary.lost(0, new Error('gone'));
  await primary.find(performance.now() + 60_000);
  expect([primary.at, dropped]).toEqual([1, [0]]);
});

test('hosts that refuse us for good are not asked for as long as patience lasts', async () => {
  let asked = 0;
  const primary = new Primary(hosts, () => {
    asked++;
    return Promise.reject(Object.assign(new Error('password'), { code: '28P01' }));
  });
  primary.lost(0, new Error('gone'));
  await expect(primary.find(performance.now() + 600_000)).rejects.toThrow('password');
  expect(asked).toBe(2);
});
