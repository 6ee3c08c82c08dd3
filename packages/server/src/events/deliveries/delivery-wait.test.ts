import { expect, test } from 'vitest';
import { deliveryWait } from './delivery-wait.ts';

const asked_at = new Date('2026-01-01T00:00:00Z');
const later = new Date('2026-01-01T01:00:00Z');
const row = {
  queue_state: 'due',
  due_at: null,
  asked_at,
  endpoint_state: 'closed',
  probe_at: null,
  endpoint_reason: null,
} as const;

test.each([
  ['over', { queue_state: null }, undefined, undefined],
  ['being sent', { queue_state: 'leased' }, undefined, undefined],
  ['due', { due_at: asked_at }, 'turn', undefined],
  ['due later', { due_at: later }, 'retry', later],
  ['behind another', { queue_state: 'following' }, 'order', undefined],
  ['at a busy receiver', { queue_state: 'parked' }, 'receiver', undefined],
  [
    'at one that is away',
    { queue_state: 'parked', endpoint_state: 'open', probe_at: later },
    'receiver',
    later,
  ],
  [
    'at one that is tried',
    { queue_state: 'parked', endpoint_state: 'half-open', probe_at: later },
    'receiver',
    undefined,
  ],
] as const)('a delivery that is %s', (_, change, reason, until) => {
  const wait = deliveryWait({ ...row, ...change });
  expect([wait?.reason, wait?.until]).toEqual([reason, until?.toISOString()]);
});

test('one at a suspended endpoint says why, and that somebody has to resume it', () => {
  const change = {
    queue_state: 'parked',
    endpoint_state: 'suspended',
    endpoint_reason: '5 days of failures',
  } as const;
  expect(deliveryWait({ ...row, ...change })?.text).toBe(
    'its endpoint, which is suspended (5 days of failures), to be resumed',
  );
});
