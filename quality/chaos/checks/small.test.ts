import { expect, test } from 'vitest';
import { Findings } from '../report.ts';
import { checkSmall, type SmallRows } from './small.ts';

const RIGHT: SmallRows = {
  named: [
    { id: 'a', size: 3, by: 'object a' },
    { id: 'b', size: undefined, by: 'trash' },
    { id: 'c', size: 1, by: 'object c' },
  ],
  packed: [
    { id: 'a', pack: 1, at: 0, size: 3 },
    { id: 'b', pack: 1, at: 3, size: 2 },
  ],
  packs: [{ pack: 1, size: 9, liveBytes: 5, liveBlobs: 2 }],
  inbox: [{ id: 'c', size: 1 }],
};

function check(change: Partial<SmallRows>) {
  const findings = new Findings();
  checkSmall({ ...RIGHT, ...change }, findings);
  return { orphans: findings.count('orphans'), missing: findings.count('missing') };
}

test('every name has its bytes', () => {
  expect(check({})).toEqual({ orphans: 0, missing: 0 });
});

test.each<[string, Partial<SmallRows>, { orphans: number; missing: number }]>([
  ['bytes that are nowhere', { inbox: [] }, { orphans: 0, missing: 1 }],
  ['bytes of another size', { inbox: [{ id: 'c', size: 2 }] }, { orphans: 0, missing: 1 }],
  ['a place that nobody names', { named: RIGHT.named.slice(1) }, { orphans: 1, missing: 0 }],
  ['a pack that is not there', { packs: [] }, { orphans: 0, missing: 2 }],
  [
    'a pack that counts wrongly',
    { packs: [{ pack: 1, size: 9, liveBytes: 6, liveBlobs: 2 }] },
    { orphans: 1, missing: 0 },
  ],
  [
    'a place beyond the end of its pack',
    { packs: [{ pack: 1, size: 4, liveBytes: 5, liveBlobs: 2 }] },
    { orphans: 0, missing: 1 },
  ],
])('%s', (_name, change, expected) => {
  expect(check(change)).toEqual(expected);
});
