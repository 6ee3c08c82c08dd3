import { expect, test } from 'vitest';
import { changeOf } from './metadata.ts';

const object = { mimeType: 'image/png', metadata: { take: '3', scene: 'mill' }, responseHeaders: {} };
const same = {
  mimeType: 'image/png',
  pairs: [
    ['take', '3'],
    ['scene', 'mill'],
  ] as const,
  headers: { 'Cache-Control': '' },
};

test('nothing changes unless something differs', () => {
  expect(changeOf(object, same)).toBeUndefined();
  expect(changeOf(object, { ...same, pairs: [...same.pairs, ['', 'x'], ['new', '']] })).toBeUndefined();
});

test('what is gone is removed, what is new or other is set', () => {
  expect(changeOf(object, { ...same, pairs: [['Take', '4']] })).toEqual({
    metadata: { scene: '', take: '4' },
  });
  expect(changeOf(object, { ...same, mimeType: '', headers: { 'Cache-Control': 'no-cache' } })).toEqual({
    mimeType: '',
    responseHeaders: { 'Cache-Control': 'no-cache' },
  });
});
