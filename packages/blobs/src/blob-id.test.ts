import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BlobId } from './blob-id.ts';
import {
  blobTime,
  engineKey,
  hourAt,
  hourOf,
  isHour,
  isSmallBlob,
  newBlobId,
  newSmallBlobId,
  parseBlobId,
  parseEngineKey,
  slotOfBlob,
} from './blob-id.ts';

const time = fc.integer({ min: 0, max: 253_402_300_799_999 });
const pad = (value: number, digits = 2): string => String(value).padStart(digits, '0');

function expectedHour(ms: number): string {
  const date = new Date(ms);
  const day = `${pad(date.getUTCFullYear(), 4)}${pad(date.getUTCMonth() + 1)}${pad(date.getUTCDate())}`;
  return `${day}${pad(date.getUTCHours())}`;
}

describe('blob ids', () => {
  test('an id is a version 7 UUID that carries its time', () => {
    fc.assert(
      fc.property(time, (now) => {
        const id = newBlobId(now);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(blobTime(id)).toBe(now);
        expect(parseBlobId(id)).toBe(id);
      }),
    );
  });

  test('known id', () => {
    const id = parseBlobId('017f22e2-79b0-7cc3-98c4-dc0c0c07398f') as BlobId;
    expect(new Date(blobTime(id)).toISOString()).toBe('2022-02-22T19:22:22.000Z');
    expect(hourOf(id)).toBe('2022022219');
    expect(engineKey(id)).toBe('2022022219/017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
  });

  test('the engine key is the hour and the id, and gives the id back', () => {
    fc.assert(
      fc.property(time, (now) => {
        const id = newBlobId(now);
        expect(hourOf(id)).toBe(expectedHour(now));
        expect(hourAt(now)).toBe(expectedHour(now));
        expect(engineKey(id)).toBe(`${expectedHour(now)}/${id}`);
        expect(parseEngineKey(engineKey(id))).toBe(id);
      }),
    );
  });

  test('the id of a small blob says so, carries its time and its slot, and names nothing in the engine', () => {
    fc.assert(
      fc.property(time, fc.nat(255), (now, slot) => {
        const id = newSmallBlobId(slot, now);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect([blobTime(id), slotOfBlob(id), isSmallBlob(id)]).toEqual([now, slot, true]);
        expect(parseBlobId(id)).toBe(id);
        expect(parseEngineKey(engineKey(id))).toBeUndefined();
        expect(isSmallBlob(newBlobId(now))).toBe(false);
      }),
    );
  });

  test('later ids sort later', () => {
    fc.assert(
      fc.property(time, time, (one, other) => {
        fc.pre(one !== other);
        expect(newBlobId(one) < newBlobId(other)).toBe(one < other);
      }),
    );
  });

  test('100,000 ids of one millisecond are all different and use all their random bits', () => {
    const ids = new Set<string>();
    let seenOne = 0n;
    let seenZero = 0n;
    for (let i = 0; i < 100_000; i++) {
      const id = newBlobId(1_700_000_000_000);
      ids.add(id);
      if (i >= 2000) continue;
      const bits = BigInt(`0x${id.replaceAll('-', '')}`);
      seenOne |= bits;
      seenZero |= ~bits & ((1n << 128n) - 1n);
    }
    expect(ids.size).toBe(100_000);
    const random = (0xfffn << 64n) | ((1n << 62n) - 1n);
    expect(seenOne & seenZero).toBe(random);
  });

  test.each([
    '017F22E2-79B0-7CC3-98C4-DC0C0C07398F',
    '017f22e279b07cc398c4dc0c0c07398f',
    '017f22e2-79b0-4cc3-98c4-dc0c0c07398f',
    '017f22e2-79b0-7cc3-c8c4-dc0c0c07398f',
    '../../../../../../../../../../etc/p7',
    '017f22e2-79b0-7cc3-98c4-dc0c0c07398f\n',
    'ffffffff-ffff-7cc3-98c4-dc0c0c07398f',
    '',
  ])('%j is not a blob id', (text) => {
    expect(parseBlobId(text)).toBeUndefined();
  });

  test('no text but a true engine key is taken for one', () => {
    const id = newBlobId(Date.UTC(2026, 10, 15, 1));
    expect(parseEngineKey(`2026111502/${id}`)).toBeUndefined();
    expect(parseEngineKey(`2026111501-${id}`)).toBeUndefined();
    expect(parseEngineKey(id)).toBeUndefined();
    fc.assert(fc.property(fc.string(), (text) => parseEngineKey(text) === undefined));
  });

  test('hours that do not exist are refused', () => {
    for (const text of [
      '2026023000',
      '2026130100',
      '2026010124',
      '196912312',
      '1969123123',
      '20260101000',
      '',
    ])
      expect(isHour(text), text).toBe(false);
    expect(isHour('2024022923')).toBe(true);
    expect(() => newBlobId(-1)).toThrow(RangeError);
    expect(() => newBlobId(253_402_300_800_000)).toThrow(RangeError);
  });
});
