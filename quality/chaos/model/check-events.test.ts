import { expect, test } from 'vitest';
import { checkTold } from './check-events.ts';
import type { Arrived } from './receiver.ts';
import type { ExpectedEvent } from './state.ts';

const told = (event: string, hash: string, isSure = true): ExpectedEvent => ({
  event,
  hash,
  isSure,
  way: 'form',
  previous: undefined,
});
const came = (id: string, event: string, hash: string, key = 'k'): Arrived => ({
  id,
  event,
  hash,
  key,
  way: 'form',
  previous: undefined,
});
const expected = new Map([
  ['k', [told('created', 'a'), told('overwritten', 'b', false), told('deleted', 'b')]],
]);

test.each([
  ['all of them', ['created a', 'overwritten b', 'deleted b'], undefined],
  ['one that nobody was sure of is missing', ['created a', 'deleted b'], undefined],
  ['the last is missing', ['created a', 'overwritten b'], 'events are missing'],
  ['two in the wrong order', ['deleted b', 'created a'], 'deleted by form of b after undefined instead of'],
  ['one too many', ['created a', 'deleted b', 'deleted b'], 'which nobody caused'],
])('%s', (_, events, fault) => {
  const arrivals = events.map((each, at) => came(String(at), ...(each.split(' ') as [string, string])));
  const found = checkTold(expected, arrivals).fault;
  if (fault === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(fault);
});

test('an event that arrives twice is one', () => {
  const arrivals = ['1', '1', '2'].map((id) =>
    came(id, id === '1' ? 'created' : 'deleted', id === '1' ? 'a' : 'b'),
  );
  expect(checkTold(expected, arrivals).fault).toBeUndefined();
});

test('an event of another key is a fault', () => {
  expect(checkTold(new Map(), [came('1', 'created', 'a')]).fault).toContain('events of k');
});
