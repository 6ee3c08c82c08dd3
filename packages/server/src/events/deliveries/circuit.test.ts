import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterFailure, afterSuccess, type Circuit, newCircuit, SUSPENDED_GONE } from './circuit.ts';
import { DAY } from './retry-schedule.ts';

const MINUTE = 60_000;

function fail(circuit: Circuit, times: number, now = 0): Circuit {
  let next = circuit;
  for (let i = 0; i < times; i++) next = afterFailure(next, now).circuit;
  return next;
}

describe('an endpoint', () => {
  test('opens with ten failures in a row, not with nine', () => {
    const circuit = newCircuit({ isConfigured: true });
    expect(fail(circuit, 9).state).toBe('closed');
    expect(afterFailure(fail(circuit, 9), 0).change).toEqual({ kind: 'open', probeAfter: 30_000 });
  });

  test('opens when seven of ten tries fail within five minutes, in whatever order', () => {
    let circuit = newCircuit({ isConfigured: false });
    for (let i = 0; i < 3; i++) circuit = afterSuccess(fail(circuit, 2), 0).circuit;
    expect(circuit.state).toBe('closed');
    const mixed = { ...circuit, window: { since: 0, tries: 9, failed: 6 } };
    expect(afterFailure(mixed, MINUTE).circuit.state).toBe('open');
    expect(afterFailure(mixed, 6 * MINUTE).circuit.state).toBe('closed');
  });

  test('is probed after 30 s, then twice as long each time, at most five minutes', () => {
    let circuit = fail(newCircuit({ isConfigured: false }), 9);
    const waits: number[] = [];
    for (let i = 0; i < 7; i++) {
      const step = afterFailure(circuit, 0);
      if (step.change?.kind === 'open') waits.push(step.change.probeAfter / 1000);
      circuit = { ...step.circuit, state: 'half-open' };
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300, 300]);
  });

  test('closes with the first success and starts from nothing', () => {
    const open: Circuit = { ...fail(newCircuit({ isConfigured: true }), 12), state: 'half-open' };
    const { circuit, change } = afterSuccess(open, 7);
    expect(change).toEqual({ kind: 'closed' });
    expect(circuit).toEqual(newCircuit({ isConfigured: true, window: { since: 7, tries: 1, failed: 0 } }));
    expect(afterSuccess(circuit, 8).change).toBeUndefined();
  });

  test('says once that it began to fail', () => {
    const first = afterFailure(newCircuit({ isConfigured: true }), 5);
    expect([first.change, first.circuit.failingSince]).toEqual([{ kind: 'failing' }, 5]);
    expect(afterFailure(first.circuit, 6).change).toBeUndefined();
  });

  test('that is configured is suspended by five days of failures, and by 410; another never [delivery-13 delivery-14 delivery-16]', () => {
    const failing = (isConfigured: boolean) => newCircuit({ isConfigured, failures: 3, failingSince: 0 });
    expect(afterFailure(failing(true), 5 * DAY - 1).change?.kind).not.toBe('suspended');
    expect(afterFailure(failing(true), 5 * DAY).change?.kind).toBe('suspended');
    expect(afterFailure(newCircuit({ isConfigured: true }), 0, true).change).toEqual({
      kind: 'suspended',
      reason: SUSPENDED_GONE,
    });
    expect(afterFailure(failing(false), 50 * DAY).change?.kind).not.toBe('suspended');
    expect(afterFailure(failing(false), 0, true).change?.kind).not.toBe('suspended');
  });

  test('through any history: a closed one never opens without a failure, and a success always closes what is not suspended', () => {
    const acts = fc.array(fc.record({ ok: fc.boolean(), gone: fc.boolean(), after: fc.nat(DAY) }));
    fc.assert(
      fc.property(fc.boolean(), acts, (isConfigured, history) => {
        let circuit = newCircuit({ isConfigured });
        let now = 0;
        for (const { ok, gone, after } of history) {
          now += after;
          const before = circuit;
          circuit = (ok ? afterSuccess(before, now) : afterFailure(before, now, gone)).circuit;
          if (before.state === 'suspended') expect(circuit).toBe(before);
          else if (ok) expect([circuit.state, circuit.failingSince]).toEqual(['closed', undefined]);
          else expect(circuit.failingSince).toBeLessThanOrEqual(now);
          if (!isConfigured) expect(circuit.state).not.toBe('suspended');
          if (circuit.state === 'open') circuit = { ...circuit, state: 'half-open' };
        }
      }),
    );
  });
});
