import { Fault } from '@millpond/protocol';
import { expect, test } from 'vitest';
import { databaseErrorOf, isFaultOfAChange, isSqlState } from './sqlstate.ts';

test('the database’s error is known in a fault and bare, and nothing else is one', () => {
  const bare = { code: '40P01', constraint: 'named' };
  expect([bare, new Fault('serverFailure', { cause: bare })].map(databaseErrorOf)).toEqual([bare, bare]);
  expect(isSqlState(bare, 'deadlock')).toBe(true);
  for (const other of [undefined, null, new Fault('serverFailure'), new Error('broken'), { code: '23505' }])
    expect(isSqlState(other, 'deadlock')).toBe(false);
});

test('a refused value, a broken rule and a deadlock are of one change; what the database can’t do now is not', () => {
  const ofOne = ['22021', '23505', '40P01'];
  const ofAll = ['57014', '53300', '57P01', '08006', '55P03', 'XX001', 'ECONNRESET', undefined];
  const isOfOne = (code?: string) => isFaultOfAChange(new Fault('serverFailure', { cause: { code } }));
  expect([...ofOne, ...ofAll].filter(isOfOne)).toEqual(ofOne);
});
