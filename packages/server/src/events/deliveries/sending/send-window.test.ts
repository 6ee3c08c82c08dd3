import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newCircuit } from '../circuit.ts';
import { OriginClaims, SendWindow, type WindowItem } from './send-window.ts';

interface Item extends WindowItem {
  readonly tenant: bigint;
  readonly n: number;
}

/** Each at an origin of its own, unless one is named. */
function viewOf(held: SendWindow<Item>, id: bigint, tenant: bigint, origin = `http://${id}.example`) {
  return held.endpoint({ id, tenant, origin, isConfigured: true });
}

function fill(
  held: SendWindow<Item>,
  endpoint: bigint,
  tenant: bigint,
  count: number,
  origin?: string,
): void {
  const view = viewOf(held, endpoint, tenant, origin);
  for (let n = 0; n < count; n++) held.add(view, { endpointId: endpoint, tenant, size: 10, n });
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
    const view = viewOf(held, 1n, 1n);
    held.recordResult(view, newCircuit({ isConfigured: true }), true);
    expect(drain(held).map((item) => item.n)).toEqual([2, 3]);
    expect(view.limit).toBe(3);
  });

  test('takes turns between tenants, and between the endpoints of one', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    fill(held, 1n, 1n, 2);
    fill(held, 2n, 1n, 2);
    fill(held, 3n, 2n, 2);
    expect(drain(held).map((item) => Number(item.endpointId))).toEqual([1, 3, 2, 3, 1, 2]);
  });

  test('leaves a quarter of the slots to other tenants', () => {
    const held = new SendWindow<Item>({ slots: 16, perEndpoint: 8 });
    for (let endpoint = 1n; endpoint <= 20n; endpoint++) fill(held, endpoint, 1n, 2);
    expect(drain(held)).toHaveLength(12);
    fill(held, 100n, 2n, 2);
    fill(held, 101n, 3n, 2);
    expect(drain(held).map((item) => Number(item.tenant))).toEqual([2, 3, 2, 3]);
  });

  test('gives endpoints in doubt no more than a quarter of the slots together', () => {
    const held = new SendWindow<Item>({ slots: 16, perEndpoint: 8 });
    for (let endpoint = 1n; endpoint <= 10n; endpoint++) {
      fill(held, endpoint, endpoint, 2);
      const failing = newCircuit({ isConfigured: true, failingSince: 0 });
      held.setCircuit(viewOf(held, endpoint, endpoint), failing);
    }
    fill(held, 50n, 50n, 2);
    const started = drain(held);
    expect(started.filter((item) => item.endpointId !== 50n)).toHaveLength(4);
    expect(started.filter((item) => item.endpointId === 50n)).toHaveLength(2);
  });

  test('gives an origin no more than one endpoint would get, for each tenant, and more as it answers', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    const shared = 'https://hooks.example';
    for (let endpoint = 1n; endpoint <= 50n; endpoint++) fill(held, endpoint, 1n, 1, shared);
    fill(held, 100n, 2n, 1, shared);
    fill(held, 101n, 1n, 1);
    const first = drain(held);
    expect(first.map((item) => Number(item.endpointId))).toEqual([1, 100, 2, 101]);
    let started = first.filter((item) => item.tenant === 1n && item.endpointId < 100n);
    for (const most of [2, 3, 4, 5, 6, 7, 8, 8]) {
      expect(started).toHaveLength(most);
      const [item] = started;
      if (item === undefined) throw new Error('nothing is under way');
      held.finish(item);
      held.recordResult(viewOf(held, item.endpointId, 1n, shared), newCircuit({ isConfigured: true }), true);
      started = [...started.slice(1), ...drain(held)];
    }
  });

  test('of an origin, endpoints in doubt get no more than half', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    const shared = 'https://hooks.example';
    for (const id of [1n, 2n, 3n]) {
      fill(held, id, 1n, 4, shared);
      held.setSlow(viewOf(held, id, 1n, shared));
    }
    fill(held, 4n, 1n, 4, shared);
    expect(drain(held).map((item) => Number(item.endpointId))).toEqual([1, 4, 4]);
  });

  test('of an origin, those that hang keep no other waiting, up to what one endpoint may have', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    const shared = 'https://hooks.example';
    for (let id = 1n; id <= 20n; id++) fill(held, id, 1n, 1, shared);
    const hanging: Item[] = [];
    for (const begun of [2, 2, 2, 2, 0]) {
      const started = drain(held);
      expect(started).toHaveLength(begun);
      for (const { endpointId } of started) held.setSlow(viewOf(held, endpointId, 1n, shared));
      hanging.push(...started);
    }
    const [first] = hanging;
    if (first) held.finish(first);
    expect(drain(held)).toHaveLength(1);
  });

  test('of an origin, what waits to be tried again takes no room from the others', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    const shared = 'https://hooks.example';
    const failing = newCircuit({ isConfigured: true, failingSince: 0 });
    for (let id = 1n; id <= 20n; id++) {
      held.setCircuit(viewOf(held, id, 1n, shared), failing);
      fill(held, id, 1n, 1, shared);
    }
    expect(held.freeCapacity(viewOf(held, 20n, 1n, shared))).toBe(0);
    expect(held.freeCapacity(viewOf(held, 21n, 1n, shared))).toBe(8);
    const claims = new OriginClaims(held);
    claims.add(viewOf(held, 1n, 1n, shared), 8);
    claims.add(viewOf(held, 21n, 1n, shared), 3);
    expect(claims.besides(viewOf(held, 22n, 1n, shared))).toBe(3);
  });

  test('an endpoint whose URL was changed counts at its new origin once nothing of it is held', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 8 });
    fill(held, 1n, 1n, 1, 'http://old.example');
    const [item] = drain(held);
    const moved = () => viewOf(held, 1n, 1n, 'http://new.example').origin.name;
    expect(moved()).toContain('old');
    if (item) held.finish(item);
    expect(moved()).toContain('new');
  });

  test('halves what an endpoint gets when it fails, and starts small when it is back', () => {
    const held = new SendWindow<Item>({ slots: 100, perEndpoint: 32 });
    const view = viewOf(held, 1n, 1n);
    view.limit = 32;
    held.recordResult(view, newCircuit({ isConfigured: true, failures: 1, failingSince: 0 }), false);
    expect(view.limit).toBe(16);
    held.recordResult(view, newCircuit({ isConfigured: true }), true);
    expect(view.limit).toBe(2);
  });

  test('keeps count through any history', () => {
    const originOf = (endpoint: bigint) => (endpoint > 3n ? 'http://shared.example' : undefined);
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
            fill(held, step.endpoint, step.endpoint % 3n, 1, originOf(step.endpoint));
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
            const view = viewOf(held, item.endpointId, item.tenant, originOf(item.endpointId));
            const since = step.ok ? {} : { failingSince: 0 };
            held.recordResult(view, newCircuit({ isConfigured: true, ...since }), step.ok);
          } else {
            const view = viewOf(held, step.endpoint, step.endpoint % 3n, originOf(step.endpoint));
            if (step.kind === 'slow') held.setSlow(view);
            else waiting -= held.drop(view).length;
          }
          const shared = [4n, 5n, 6n].map((id) => viewOf(held, id, id % 3n, originOf(id)));
          for (const { origin } of shared) {
            const inDoubt = shared.filter((each) => each.origin === origin && held.isInDoubt(each));
            const heldThere = inDoubt.map(({ inFlight, waiting: ofOne }) => inFlight + ofOne.length);
            expect(origin.heldInDoubt).toBe(heldThere.reduce((sum, each) => sum + each, 0));
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
