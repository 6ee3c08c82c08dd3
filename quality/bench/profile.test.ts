import { expect, test } from 'vitest';
import { selfTimes } from './profile.ts';

const frame = (functionName: string, url: string, lineNumber: number) => ({ functionName, url, lineNumber });

test('self time adds up per function, idle time left out, most first', () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame('(idle)', '', -1) },
      { id: 2, callFrame: frame('parse', 'file:///home/x/packages/server/src/form.ts', 9) },
      { id: 3, callFrame: frame('', 'node:net', 4) },
      // The same function, called from elsewhere.
      { id: 4, callFrame: frame('parse', 'file:///home/x/packages/server/src/form.ts', 9) },
    ],
    samples: [1, 2, 3, 4, 1],
    timeDeltas: [500, 30, 50, 120, 700],
  };
  expect(selfTimes(profile, 5)).toEqual([
    { where: 'parse packages/server/src/form.ts:10', share: 0.75 },
    { where: '(anonymous) node:net:5', share: 0.25 },
  ]);
  expect(selfTimes(profile, 1)).toHaveLength(1);
});
