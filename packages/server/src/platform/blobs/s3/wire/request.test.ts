import { expect, test } from 'vitest';
import { requestText } from './request.ts';

test('one request, and no value can add a line to it', () => {
  expect(requestText('engine:80', '/b/k', ['range', 'bytes=0-1', 'x-amz-date', 'now'])).toBe(
    'GET /b/k HTTP/1.1\r\nhost: engine:80\r\nrange: bytes=0-1\r\nx-amz-date: now\r\n\r\n',
  );
  for (const value of ['a\r\nb: c', 'a\nb', 'a\0', 'é'])
    expect(() => requestText('engine:80', '/b/k', ['authorization', value])).toThrow(TypeError);
});
