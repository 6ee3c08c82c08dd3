/** A server that is a map, with and without a fault: the model must find the fault, and only then. */
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { Command, type SystemUnderTest, settleByReading } from './command.ts';
import { removals } from './commands/changing.ts';
import { stats } from './commands/reading.ts';
import { relocations } from './commands/relocating.ts';
import { contentOf, DETECTED_TYPE } from './contents.ts';
import { heldAt, type ModelObject, NEW, newModel } from './state.ts';
import { NoResponseError, type Requests, type WireResponse } from './wire.ts';

const at = { bucket: 0, key: 'a' };
const [first, second] = [0, 1].map((variant): ModelObject => {
  const content = contentOf({ size: 100, variant });
  return { ...NEW, content, hash: content.hash, mimeType: 'text/x-a', detectedType: DETECTED_TYPE };
}) as [ModelObject, ModelObject];

/** By entry: the hash, and when it was put. */
const stored = new Map<string, readonly [string, number]>();
let clock = 0;
let model = newModel('m');
const store = (entry: string, { hash }: Pick<ModelObject, 'hash'>) => stored.set(entry, [hash, ++clock]);

/** One object is there. */
function begin(): void {
  model = newModel('m');
  model.spaces[0]?.objects.set('a', first);
  stored.clear();
  store('m-0:a', first);
}
beforeEach(begin);

test('a server that does what the model does passes', async () => {
  const details = await fc.check(sequencesAgainst(serve), { numRuns: 100 });
  expect(details.failed, String(details.errorInstance)).toBe(false);
});

test('a move that leaves its source is found, and shrunk to the move and a look', async () => {
  const details = await fc.check(
    sequencesAgainst((target) => {
      const [, operation, source = ''] = target.split('/');
      const kept = stored.get(entryIn(source));
      const answer = serve(target);
      if (operation === 'move' && kept !== undefined) stored.set(entryIn(source), kept);
      return answer;
    }),
    { numRuns: 1000, seed: 7 },
  );
  expect(details.failed).toBe(true);
  const kinds = [...(details.counterexample?.[0] ?? [])].map((command) => String(command).split(' ')[0]);
  expect(kinds[0]).toBe('move');
  expect(kinds).toHaveLength(2);
});

test('after a lost answer the model takes what is there, before or after', async () => {
  const change = { at, held: second, way: 'form' };
  await settleByReading(model, realOf(serve), [[change]]);
  expect(heldAt(model, at)?.hash).toBe(first.hash);
  store('m-0:a', second);
  await settleByReading(model, realOf(serve), [[change]]);
  expect(heldAt(model, at)?.hash).toBe(second.hash);
});

test('after a lost answer anything else is a fault', async () => {
  const move = [
    { at, held: undefined, way: 'move' },
    { at: { bucket: 0, key: 'b' }, held: first, way: 'move' },
  ];
  store('m-0:b', first);
  await expect(settleByReading(model, realOf(serve), [move])).rejects.toThrow(
    'neither as before nor as after',
  );
});

test('a command without an answer is settled, and one with another answer fails', async () => {
  const [removal = fail()] = fc
    .sample(removals, { numRuns: 200, seed: 1 })
    .filter(({ words }) => words === 'delete 0:a');
  let lost = 1;
  const loses = (target: string) => {
    const answer = serve(target);
    if (target.startsWith('/delete') && lost-- > 0) throw new NoResponseError('killed');
    return answer;
  };
  await new Command(removal).run(model, realOf(loses));
  expect(heldAt(model, at)).toBeUndefined();
  store('m-0:a', first);
  await expect(new Command(removal).run(model, realOf(serve))).rejects.toThrow(
    'answered 200  instead of 612',
  );
});

function fail(): never {
  throw new Error('no such command was drawn');
}

function sequencesAgainst(server: (target: string) => WireResponse) {
  const command = fc.oneof(stats, removals, relocations).map((action) => new Command(action));
  return fc.asyncProperty(fc.commands([command], { maxCommands: 10 }), async (sequence) => {
    begin();
    await fc.asyncModelRun(() => ({ model, real: realOf(server) }), sequence);
  });
}

function realOf(server: (target: string) => WireResponse): SystemUnderTest {
  const wire: Pick<Requests, 'signed' | 'certain'> = {
    signed: async (target) => server(target),
    certain: (ask) => ask(),
  };
  return {
    wire: wire as Requests,
    servers: {
      kills: 0,
      current: () => Promise.reject(new Error('none')),
      kill: async () => undefined,
      killWorker: async () => undefined,
    },
    receiver: {
      eventUrl: '',
      callbackUrl: '',
      events: () => [],
      callbacks: () => [],
      forget() {},
      close: async () => undefined,
    },
    story: [],
    count() {},
    acknowledge() {},
  };
}

function entryIn(encoded: string): string {
  return Buffer.from(encoded, 'base64url').toString();
}

/** The interface on the map; bucket 2 does not exist. */
function serve(target: string): WireResponse {
  const [, operation, source = '', to = '', force] = target.split('/');
  const [from, onto] = [entryIn(source), entryIn(to)];
  const [hash, putTime] = stored.get(from) ?? [];
  if (from.startsWith('m-2') || onto.startsWith('m-2')) return answerOf(631);
  if (hash === undefined) return answerOf(612);
  if (operation === 'stat') {
    return answerOf(200, JSON.stringify({ fsize: 100, hash, mimeType: 'text/x-a', type: 0, putTime }));
  }
  if (operation === 'delete') stored.delete(from);
  else if (from === onto) return answerOf(force === 'force' ? 200 : 614);
  else if (stored.has(onto) && force !== 'force') return answerOf(614);
  else {
    if (operation === 'move') stored.delete(from);
    store(onto, { hash });
  }
  return answerOf(200);
}

function answerOf(status: number, text = ''): WireResponse {
  return { status, body: Buffer.from(text), header: () => undefined };
}
