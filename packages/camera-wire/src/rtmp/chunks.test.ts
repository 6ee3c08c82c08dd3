import { byteWork } from '@millpond/base/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeAmf, readCommand, readLastNumber } from './amf.ts';
import {
  ChunkReader,
  MESSAGE_TYPES,
  type OutgoingMessage,
  type RtmpMessage,
  writeMessage,
} from './chunks.ts';

const messages: fc.Arbitrary<OutgoingMessage[]> = fc.array(
  fc.record({
    channel: fc.integer({ min: 2, max: 63 }),
    type: fc.constantFrom(
      MESSAGE_TYPES.audio,
      MESSAGE_TYPES.video,
      MESSAGE_TYPES.data,
      MESSAGE_TYPES.command,
    ),
    stream: fc.integer({ min: 0, max: 10 }),
    // On both sides of what has room in a head.
    time: fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0xfffffe, max: 0x1000001 })),
    payload: fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
  }),
  { maxLength: 8 },
);

describe('messages', () => {
  test('cost as much as they have bytes, in however many pieces they come', () => {
    const all = { channel: 3, stream: 0, time: 0 };
    const size = Buffer.alloc(4);
    size.writeUInt32BE(100_000);
    const bytes = Buffer.concat([
      writeMessage({ ...all, type: MESSAGE_TYPES.setChunkSize, payload: size }, 128),
      writeMessage({ ...all, type: MESSAGE_TYPES.data, payload: Buffer.alloc(60_000) }, 100_000),
    ]);
    for (const pieceBytes of [65_536, 1448, 1]) {
      const reader = new ChunkReader();
      let found = 0;
      const { moved } = byteWork(() => {
        for (let at = 0; at < bytes.length; at += pieceBytes)
          found += reader.add(bytes.subarray(at, at + pieceBytes)).length;
      });
      expect(found).toBe(2);
      expect(moved / bytes.length).toBeLessThan(6);
    }
  });

  test('are read as they were written, wherever their bytes are cut', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }), (all, sizes) => {
        const whole = Buffer.concat(all.map((message) => writeMessage(message, 128)));
        const reader = new ChunkReader();
        const found: RtmpMessage[] = [];
        for (let at = 0, turn = 0; at < whole.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          found.push(...reader.add(whole.subarray(at, at + size)));
          at += size;
        }
        expect(found).toEqual(all.map(({ type, payload }) => ({ type, payload })));
      }),
    );
  });

  test('come in chunks of the size that was said', () => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(1000);
    const said = writeMessage({
      channel: 2,
      type: MESSAGE_TYPES.setChunkSize,
      stream: 0,
      time: 0,
      payload: size,
    });
    const payload = Buffer.alloc(2500, 7);
    const long = writeMessage({ channel: 3, type: MESSAGE_TYPES.command, stream: 0, time: 0, payload }, 1000);
    expect(new ChunkReader().add(Buffer.concat([said, long])).at(-1)?.payload).toEqual(payload);
  });

  test('that no engine sends are refused, and nothing else is thrown', () => {
    expect(() => new ChunkReader().add(Buffer.from('03000000ffffff1400000000', 'hex'))).toThrow(
      'too large a message',
    );
    expect(() => new ChunkReader().add(Buffer.of(0))).toThrow('unsupported chunk stream');
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        try {
          new ChunkReader().add(Buffer.from(bytes));
        } catch (error) {
          expect((error as Error).message).toMatch(/^the engine/);
        }
      }),
    );
  });
});

describe('a command', () => {
  test('is known by its name and its number', () => {
    expect(readCommand(encodeAmf('_result', 7, null, { level: 'status' }))).toEqual({
      name: '_result',
      number: 7,
    });
  });

  test('that made a stream ends with its number', () => {
    expect(readLastNumber(encodeAmf('_result', 2, null, 7))).toBe(7);
    expect(() => readLastNumber(encodeAmf('_result', 2, null))).toThrow('not speak RTMP');
    expect(() => readLastNumber(Buffer.alloc(3))).toThrow('not speak RTMP');
  });

  test('of anything at all is none, or read', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => void readCommand(Buffer.from(bytes))));
  });
});
