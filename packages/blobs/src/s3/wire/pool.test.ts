import { testRandom } from '@millpond/testing';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { partHead, type ScriptedRequest } from '../../testing/scripted-engine.ts';
import { blob, bytes, errorOf, pause, serve, startReads, whole } from '../../testing/scripted-reads.ts';
import { collectingSink, digest, pattern, slowSink } from '../../testing/sinks.ts';

afterEach(() => void vi.useRealTimers());

describe('connections', () => {
  test('an engine that closes kept connections under load costs no read and no try', async () => {
    const random = testRandom();
    const { engine, read } = await startReads((request) => {
      serve(request);
      const fate = random.next();
      if (fate < 0.3) request.socket.end();
      else if (fate < 0.5) setTimeout(() => request.socket.resetAndDestroy(), random.next() * 3);
    });
    let reads = 0;
    const worker = async (): Promise<void> => {
      while (reads++ < 1500) {
        const [offset, length] = [random.integer(0, 199_999), random.integer(1, 3000)];
        const got = await read({ offset, length });
        if (!got.equals(bytes.subarray(offset, offset + length))) throw new Error(`wrong bytes at ${offset}`);
        if (random.next() < 0.2) await pause(random.next() * 4);
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(engine.accepted).toBeGreaterThan(50);
  });

  test('an engine that closes each connection instead of an answer is asked once per try', async () => {
    const { engine, read } = await startReads(({ socket }) => socket.end(), { tries: 3 });
    expect(await errorOf(read())).toMatchObject({ message: expect.stringContaining('lost') });
    expect(engine.requests).toBe(3);
  });

  test('idle ones are closed', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
    const { engine, read } = await startReads(serve, { idleTimeout: 2000 });
    await Promise.all([read(), read(), read()]);
    await vi.advanceTimersByTimeAsync(1500);
    expect(engine.open).toBe(3);
    await vi.advanceTimersByTimeAsync(1000);
    await expect.poll(() => engine.open).toBe(0);
    expect((await read()).equals(bytes)).toBe(true);
  });

  test('no more than allowed; who waits is served in turn, and may give up', async () => {
    let held: ScriptedRequest[] = [];
    const { engine, store, read } = await startReads((request) => void held.push(request), {
      readConnections: 2,
    });
    const first = [read(), read()];
    const cancel = new AbortController();
    const given = errorOf(store.read(blob, whole, collectingSink(), cancel.signal));
    const third = read();
    while (held.length < 2) await pause(5);
    cancel.abort(new Error('not any more'));
    expect(await given).toMatchObject({ message: 'not any more' });
    for (const request of held.splice(0)) serve(request);
    await Promise.all(first);
    while (held.length < 1) await pause(5);
    held.forEach(serve);
    held = [];
    expect((await third).equals(bytes)).toBe(true);
    expect([engine.accepted, engine.requests]).toEqual([2, 3]);
  });

  test('who waits too long for one is told', async () => {
    const held: ScriptedRequest[] = [];
    const { read } = await startReads((request) => void held.push(request), {
      readConnections: 2,
      queueTimeout: 200,
    });
    const stuck = [read(), read()].map(errorOf);
    while (held.length < 2) await pause(5);
    expect(await errorOf(read())).toMatchObject({
      retryable: true,
      message: expect.stringContaining('no free connection'),
    });
    held.forEach(serve);
    expect(await Promise.all(stuck)).toEqual(['no error', 'no error']);
  });

  test('a cancelled read ends its connection, and the next in line gets another', async () => {
    let silent = true;
    const { engine, store, read } = await startReads((request) => (silent ? undefined : serve(request)), {
      readConnections: 1,
    });
    const cancel = new AbortController();
    const first = errorOf(store.read(blob, whole, collectingSink(), cancel.signal));
    const second = read();
    while (engine.requests === 0) await pause(5);
    silent = false;
    cancel.abort(new Error('gone'));
    expect(await first).toMatchObject({ message: 'gone' });
    expect((await second).equals(bytes)).toBe(true);
    expect(engine.accepted).toBe(2);
  });

  test('closing lets reads finish and refuses new ones', async () => {
    const held: ScriptedRequest[] = [];
    const { engine, store, read } = await startReads((request) => void held.push(request), {
      readConnections: 1,
    });
    const reads = [read(), read()];
    while (held.length < 1) await pause(5);
    let closed = false;
    const closing = store.close().then(() => {
      closed = true;
    });
    expect(await errorOf(read())).toMatchObject({ retryable: false });
    expect(closed).toBe(false);
    while (held.length < 2) {
      held.forEach(serve);
      await pause(5);
    }
    held.slice(1).forEach(serve);
    for (const got of await Promise.all(reads)) expect(got.equals(bytes)).toBe(true);
    await closing;
    await expect.poll(() => engine.open).toBe(0);
  });
});

test('a sink that sleeps gives its connection back, and its bytes stay as they were', async () => {
  const long = pattern(5_000_000, 51);
  const { store } = await startReads(
    ({ socket, first, last }) => {
      socket.write(partHead(first, last));
      socket.write(long.subarray(first, last + 1));
    },
    { parkAfter: 60, readConnections: 1 },
  );
  const held: { chunk: Uint8Array; before: string }[] = [];
  const sleepy = slowSink((received) => (received > 1_000_000 && held.length < 3 ? 200 : 0));
  const sink = {
    write(chunk: Uint8Array): boolean {
      held.push({ chunk, before: digest(chunk) });
      return sleepy.write(chunk);
    },
    once: (event: 'drain', listener: () => void) => sleepy.once(event, listener),
  };
  const others = async (): Promise<void> => {
    for (let count = 0; count < 5; count++)
      await store.read(blob, { offset: 0, length: 1_000_000 }, { ...collectingSink(), writableLength: 0 });
  };
  await Promise.all([store.read(blob, { offset: 0, length: long.length }, sink), others()]);
  await expect.poll(() => sleepy.bytes().length).toBe(long.length);
  expect(digest(sleepy.bytes())).toBe(digest(long));
  // This sink cannot tell what it holds, so every chunk is its own for ever.
  for (const { chunk, before } of held) expect(digest(chunk)).toBe(before);
});

test('readers who take nothing give their connections to whoever waits for one', async () => {
  const long = pattern(5_000_000, 52);
  const { store } = await startReads(
    ({ socket, first, last }) => {
      socket.write(partHead(first, last));
      socket.write(long.subarray(first, last + 1));
    },
    { parkAfter: 3_600_000, parkInCrowdAfter: 50, queueTimeout: 60_000, readConnections: 2 },
  );
  const gone = new AbortController();
  const sleepers = Array.from({ length: 6 }, () =>
    errorOf(
      store.read(
        blob,
        { offset: 0, length: long.length },
        slowSink(() => 3_600_000),
        gone.signal,
      ),
    ),
  );
  const sink = collectingSink();
  await store.read(blob, { offset: 0, length: long.length }, sink);
  expect(digest(sink.bytes())).toBe(digest(long));
  gone.abort(new Error('left'));
  for (const error of await Promise.all(sleepers)) expect(error).toBe(gone.signal.reason);
});

test('a sink that gives up from inside its write keeps what it was given', async () => {
  const { store } = await startReads(serve);
  const held: { chunk: Uint8Array; before: string }[] = [];
  const giveUp = async (): Promise<void> => {
    const cancel = new AbortController();
    const sink = {
      writableLength: 1,
      write(chunk: Uint8Array): boolean {
        held.push({ chunk, before: digest(chunk) });
        cancel.abort(new Error('enough'));
        return true;
      },
      once: () => undefined,
    };
    expect(await errorOf(store.read(blob, whole, sink, cancel.signal))).toMatchObject({ message: 'enough' });
  };
  const copying = { ...collectingSink(), writableLength: 0 };
  for (let count = 0; count < 20; count++) {
    await giveUp();
    await store.read(blob, { offset: 1, length: bytes.length - 1 }, copying);
  }
  expect(held.some(({ chunk }) => chunk.length > 16 * 1024)).toBe(true);
  for (const { chunk, before } of held) expect(digest(chunk)).toBe(before);
});
