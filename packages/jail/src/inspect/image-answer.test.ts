import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readImageAnswer } from './image-answer.ts';

const info = { format: 'png', width: 3, height: 2, colorModel: 'rgba' };

test('only fields of the right form come through, and the size is ours', () => {
  const line = JSON.stringify({
    imageInfo: { ...info, size: 1e9, extra: 'x', frameNumber: 'many' },
    exif: {
      Make: { type: 2, val: 'Canon' },
      'bad name': { type: 2, val: 'x' },
      Model: { type: 'x', val: 1 },
    },
    imageAve: { RGB: '"><script>' },
  });
  expect(readImageAnswer(line, 42)).toEqual({
    imageInfo: { ...info, size: 42 },
    exif: { Make: { type: 2, val: 'Canon' } },
  });
});

test('a polluted name stays a plain field that is not let through', () => {
  const answer = readImageAnswer(
    `{"imageInfo":${JSON.stringify(info)},"exif":{"__proto__":{"type":2,"val":"x"}}}`,
    1,
  );
  expect(answer).toEqual({ imageInfo: { ...info, size: 1 } });
});

test('no line makes it throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(() => readImageAnswer(line, 1)).not.toThrow();
    }),
  );
  expect(readImageAnswer('{"error":"no"}', 1)).toBeUndefined();
});
