import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCircuit } from '../circuit.ts';
import { SendWindow, type WindowItem } from './send-window.ts';

interface Item extends WindowItem {
  readonly n: number;
}

function fill(held: SendWindow<Item>, endpoint: bigint, uid: bigint, count: number): void {
  const view = held.endpoint(endpoint, uid, true);
  for (let n = 0; n < count; n++) held.add(view, { endpointId: endpoint, uid, size: 10, n });
}

function drain(held: SendWindow<Item>): Item[] {
  const items: Item[] = [];
  for (let item = held.next(); item !== undefined; item = held.next()) items.push(item);
  return items;
}

describe('what goes out next', () => {
  test('is the oldest of its endpoint, two at a time until it answers', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    fill(held, 1n, 1n, 5);
    const [first, second, ...more] = drain(held);
    expect([first?.n, second?.n, more]).toEqual([0, 1, []]);
    if (first) held.finish(first);
    const view = held.endpoint(1n, 1n, true);
    held.learn(view, newCircuit({ isConfigured: true }), true);
    expect(drain(held).map((item) => item.n)).toEqual([2, 3]);
    expect(view.limit).toBe(3);
  });

  test('takes turns between accounts, and between the endpoints of one', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    fill(held, 1n, 1n, 2);
    fill(held, 2n, 1n, 2);
    fill(held, 3n, 2n, 2);
    expect(drain(held).map((item) => Number(item.endpointId))).toEqual([1, 3, 2, 3, 1, 2]);
  });

  test('leaves a quarter of the slots to other accounts', () => {
    const held = new SendWindow<Item>({ slots: 16, perEndpoint: 8 });
    for (let endpoint = 1n; endpoint <= 20n; endpoint++) fill(held, endpoint, 1n, 2);
    expect(drain(held)).toHaveLength(12);
    fill(held, 100n, 2n, 2);
    fill(held, 101n, 3n, 2);
    expect(drain(held).map((item) => Number(item.uid))).toEqual([2, 3, 2, 3]);
  });

  test('gives endpoints in doubt no more than a quarter of the slots together', () => {
    const held = new SendWindow<Item>({ slots: 16, perEndpoint: 8 });
    for (let endpoint = 1n; endpoint <= 10n; endpoint++) {
      fill(held, endpoint, endpoint, 2);
      const failing = newCircuit({ isConfigured: true, failingSince: 0 });
      held.setCircuit(held.endpoint(endpoint, endpoint, true), failing);
    }
    fill(held, 50n, 50n, 2);
    const started = drain(held);
    expect(started.filter((item) => item.endpointId !== 50n)).toHaveLength(4);
    expect(started.filter((item) => item.endpointId === 50n)).toHaveLength(2);
  });

  test('halves what an endpoint gets when it fails, and starts small when it is back', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 32 });
    const view = held.endpoint(1n, 1n, true);
    view.limit = 32;
    held.learn(view, newCircuit({ isConfigured: true, failures: 1, failingSince: 0 }), false);
    expect(view.limit).toBe(16);
    held.learn(view, newCircuit({ isConfigured: true }), true);
    expect(view.limit).toBe(2);
  });

  test('keeps count through any history', () => {
    const act = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), endpoint: fc.bigInt(1n, 6n) }),
      fc.record({ kind: fc.constant('start' as const) }),
      fc.record({ kind: fc.constant('finish' as const), ok: fc.boolean() }),
      fc.record({ kind: fc.constant('drop' as const), endpoint: fc.bigInt(1n, 6n) }),
      fc.record({ kind: fc.constant('slow' as const), endpoint: fc.bigInt(1n, 6n) }),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 200 }), (history) => {
        const held = new SendWindow<Item>({ slots: 8, perEndpoint: 4 });
        const flying: Item[] = [];
        let [waiting, n] = [0, 0];
        for (const step of history) {
          if (step.kind === 'add') {
            fill(held, step.endpoint, step.endpoint % 3n, 1);
            [waiting, n] = [waiting + 1, n + 1];
          } else if (step.kind === 'start') {
            const item = held.next();
            if (item === undefined) continue;
            flying.push(item);
            waiting -= 1;
          } else if (step.kind === 'finish') {
            const item = flying.shift();
            if (item === undefined) continue;
            held.finish(item);
            const view = held.endpoint(item.endpointId, item.uid, true);
            const since = step.ok ? {} : { failingSince: 0 };
            held.learn(view, newCircuit({ isConfigured: true, ...since }), step.ok);
          } else {
            const view = held.endpoint(step.endpoint, step.endpoint % 3n, true);
            if (step.kind === 'slow') held.setSlow(view);
            else waiting -= held.drop(view).length;
          }
          expect(held.inFlight).toBe(flying.length);
          expect(held.count).toBe(flying.length + waiting);
          expect(held.bytes).toBe(10 * held.count);
          expect(held.inFlight).toBeLessThanOrEqual(8);
        }
        // Whatever happened, all goes out in the end.
        for (let left = 10_000; held.count > 0 && left > 0; left--) {
          const item = held.next() ?? flying.shift();
          if (item === undefined) break;
          held.finish(item);
        }
        expect(held.count).toBe(0);
      }),
    );
  });
});
