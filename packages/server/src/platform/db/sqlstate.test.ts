import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { databaseErrorOf, isSqlState } from './sqlstate.ts';

test('the database’s error is known in a fault and bare, and nothing else is one', () => {
  const bare = { code: '40P01', constraint: 'named' };
  expect([bare, new Fault('serverFailure', { cause: bare })].map(databaseErrorOf)).toEqual([bare, bare]);
  expect(isSqlState(bare, 'deadlock')).toBe(true);
  for (const other of [undefined, null, new Fault('serverFailure'), new Error('broken'), { code: '23505' }])
    expect(isSqlState(other, 'deadlock')).toBe(false);
});
