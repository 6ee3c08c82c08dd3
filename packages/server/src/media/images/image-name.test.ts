import { expect, test } from 'vitest';
import { nameOf } from './images.service.ts';

const blob = { blob_id: '019a9b3a-0000-7000-8000-000000000001' } as Parameters<typeof nameOf>[0];
const other = { blob_id: '019a9b3a-0000-7000-8000-000000000002' } as Parameters<typeof nameOf>[0];
const small = { canonical: 'imageView2/2/w/9' };

test('a result is named by its bytes, its commands and its marks', () => {
  expect(nameOf(blob, small, [])).toEqual(nameOf(blob, small, []));
  expect(nameOf(other, small, []).sourceBlob).not.toBe(nameOf(blob, small, []).sourceBlob);
  const works = [
    nameOf(blob, small, []),
    nameOf(blob, { canonical: 'imageView2/2/w/8' }, []),
    nameOf(blob, small, [other]),
  ];
  expect(new Set(works.map(({ work }) => work.toString('hex'))).size).toBe(3);
});

test('what engines of before made is not served again', () => {
  // The digest in generation 1.
  const before = '72be706264aecff67213ada7c8991a89cbe1cb23e83400b88cc34ccdb55e5f63';
  expect(nameOf(blob, small, []).work.toString('hex')).not.toBe(before);
});
