import { PassThrough, Writable } from 'node:stream';
import type { FlvTag, RtmpPublisher } from '@millpond/camera-wire';
import type { LiveRemux } from '@millpond/jail';
import { describe, expect, test } from 'vitest';
import { Relay } from './relay.ts';

const FLV = Buffer.from('464c560105000000090000000009000001000000000000001700000000', 'hex');

/** A tag whose content is one byte. */
function tagOf(type: number, content: number): Buffer {
  return Buffer.concat([Buffer.of(type, 0, 0, 1), Buffer.alloc(7), Buffer.of(content), Buffer.alloc(4)]);
}

/** In the place of ffmpeg: what it reads, and what it says. */
function fakeRemux(stdin: Writable) {
  const stdout = new PassThrough();
  const { promise: ended, resolve } = Promise.withResolvers<Awaited<LiveRemux['ended']>>();
  const say = (reason: string, isH265 = false) => {
    stdout.end();
    resolve({ reason, words: `[flv] ${reason}`, isH265 });
  };
  return { stdin, stdout, ended, say, end: () => say('aborted') };
}

function fakeEngine(closed = new Promise<void>(() => undefined)) {
  const sent: FlvTag[] = [];
  const publisher: RtmpPublisher = {
    send: async (tag) => void sent.push(tag),
    closed,
    close: () => undefined,
  };
  return { sent, publisher };
}

describe('what a channel sends', () => {
  test('is dropped a packet at a time where ffmpeg does not read, and counted', () => {
    const never = new Writable({ write: () => undefined });
    const remux = fakeRemux(never);
    const relay = new Relay({
      remux,
      publish: () => Promise.reject(new Error('away')),
      onRunning: () => undefined,
    });
    for (let count = 0; count < 6000; count++) relay.write(Buffer.alloc(1024));
    expect(never.writableLength).toBeLessThanOrEqual(4 * 2 ** 20);
    expect(relay.dropped).toBe(6000 - Math.floor((4 * 2 ** 20) / (1024 + 512)));
    relay.close('enough');
  });

  test('occupies no more in packets of a byte each, and has its room again once it is read', async () => {
    const waiting: (() => void)[] = [];
    const slow = new Writable({ write: (_bytes, _encoding, done) => void waiting.push(done) });
    const remux = fakeRemux(slow);
    const relay = new Relay({
      remux,
      publish: () => Promise.reject(new Error('away')),
      onRunning: () => undefined,
    });
    for (let count = 0; count < 20_000; count++) relay.write(Buffer.alloc(1));
    expect(slow.writableLength).toBeLessThan(10_000);
    const { dropped } = relay;
    for (let done = waiting.shift(); done !== undefined; done = waiting.shift()) {
      done();
      await Promise.resolve();
    }
    await expect.poll(() => slow.writableLength).toBe(0);
    relay.write(Buffer.alloc(1));
    expect(relay.dropped).toBe(dropped);
    relay.close('enough');
  });

  test('goes to the engine once there is video, and ends with its reason', async () => {
    const remux = fakeRemux(new PassThrough());
    const { sent, publisher } = fakeEngine();
    let runs = 0;
    const relay = new Relay({ remux, publish: async () => publisher, onRunning: () => void runs++ });
    remux.stdout.write(FLV);
    await expect.poll(() => sent.length).toBe(1);
    expect(runs).toBe(1);
    remux.say('it is broken');
    expect(await relay.ended).toEqual({
      reason: 'it is broken',
      words: '[flv] it is broken',
      isH265: false,
      hasVideo: true,
    });
  });

  test('ends when the engine does, or does not let it in', async () => {
    const remux = fakeRemux(new PassThrough());
    const { promise, resolve } = Promise.withResolvers<void>();
    const { publisher } = fakeEngine(promise);
    const relay = new Relay({ remux, publish: async () => publisher, onRunning: resolve });
    remux.stdout.write(FLV);
    expect(await relay.ended).toMatchObject({ reason: 'the engine closed the connection' });
    const second = fakeRemux(new PassThrough());
    const refused = new Relay({
      remux: second,
      onRunning: () => undefined,
      publish: () => Promise.reject(new Error('the engine does not let it in')),
    });
    second.stdout.write(FLV);
    expect(await refused.ended).toMatchObject({ reason: 'the engine does not let it in', hasVideo: true });
  });

  test('begins with its video, and what came before goes first', async () => {
    const remux = fakeRemux(new PassThrough());
    const { sent, publisher } = fakeEngine();
    const relay = new Relay({ remux, publish: async () => publisher, onRunning: () => undefined });
    remux.stdout.write(Buffer.concat([FLV.subarray(0, 13), tagOf(18, 2), tagOf(8, 0xaf)]));
    remux.stdout.write(tagOf(9, 0x17));
    await expect.poll(() => sent.map(({ type }) => type)).toEqual([18, 8, 9]);
    relay.close('enough');
  });

  test('that is H.265 as a later ffmpeg writes it is known as that', async () => {
    const remux = fakeRemux(new PassThrough());
    const relay = new Relay({
      remux,
      publish: () => Promise.reject(new Error('no')),
      onRunning: () => undefined,
    });
    remux.stdout.write(Buffer.concat([FLV.subarray(0, 13), tagOf(9, 0x90)]));
    expect(await relay.ended).toMatchObject({ isH265: true, reason: 'its video is not H.264' });
  });

  test('that is no video ends with that', async () => {
    const remux = fakeRemux(new PassThrough());
    const relay = new Relay({
      remux,
      publish: () => Promise.reject(new Error('no')),
      onRunning: () => undefined,
    });
    remux.say('hevc is not compatible with flv', true);
    expect(await relay.ended).toMatchObject({ isH265: true, hasVideo: false });
  });
});
