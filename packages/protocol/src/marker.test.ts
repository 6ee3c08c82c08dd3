import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../test/arbitraries.ts';
import { encodeBase64Text } from './base64.ts';
import { Fault } from './errors/fault.ts';
import { decodeListMarker, encodeListMarker } from './marker.ts';

test('Qiniu’s sample', () => {
  expect(encodeListMarker('00000002.DCM')).toBe('eyJjIjowLCJrIjoiMDAwMDAwMDIuRENNIn0=');
  expect(decodeListMarker('eyJjIjowLCJrIjoiMDAwMDAwMDIuRENNIn0=')).toBe('00000002.DCM');
  expect(decodeListMarker('eyJjIjowLCJrIjoiMDAwMDAwMDIuRENNIn0')).toBe('00000002.DCM');
});

test('an empty marker is the start, the marker of the empty key is not', () => {
  expect(decodeListMarker('')).toBeUndefined();
  expect(decodeListMarker(encodeListMarker(''))).toBe('');
});

test.each([
  'x',
  '!!!!',
  '_w==',
  'a'.repeat(9000),
  ...[
    'null',
    '1',
    '[]',
    '{',
    '{"c":0}',
    '{"c":0,"k":1}',
    '{"c":1,"k":"a"}',
    '{"k":"a"}',
    '{"c":0,"k":"\\ud800"}',
  ].map(encodeBase64Text),
  encodeListMarker('a'.repeat(751)),
  encodeListMarker('a\0b'),
])('%.40s is a bad marker', (marker) => {
  expect(() => decodeListMarker(marker)).toThrow(
    expect.objectContaining({ fault: 'invalidMarker', status: 640 }),
  );
});

test('any key comes back, the longest included', () => {
  for (const key of ['\x01'.repeat(750), '"'.repeat(750), '世'.repeat(250), '😀'.repeat(187)]) {
    expect(decodeListMarker(encodeListMarker(key))).toBe(key);
  }
  fc.assert(
    fc.property(
      anyText(180).filter((key) => !key.includes('\0')),
      (key) => {
        expect(decodeListMarker(encodeListMarker(key))).toBe(key);
      },
    ),
  );
});

test('nothing makes it throw anything but a fault', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json().map(encodeBase64Text)), (marker) => {
      try {
        decodeListMarker(marker);
      } catch (error) {
        expect(error).toBeInstanceOf(Fault);
      }
    }),
  );
});
