import { expect, test } from 'vitest';
import { pastedId } from './pasted-id.ts';

test.each([
  [
    'z0.6afa2cac66bc1f46913fff345678901234567890',
    'task',
    '/tasks/z0.6afa2cac66bc1f46913fff345678901234567890',
  ],
  [' HyOEoQ84pXGd000t ', 'request', '/requests/HyOEoQ84pXGd000t'],
  ['01a1e13e-ac06-71c0-90d3-57511ffbb3ba', 'delivery', '/deliveries/01a1e13e-ac06-71c0-90d3-57511ffbb3ba'],
  ['dHJhZGVyLWpvZS1pcy1hLWdvb2QtcGVyc29uX19f', 'key', '/keys/dHJhZGVyLWpvZS1pcy1hLWdvb2QtcGVyc29uX19f'],
])('%s is a %s', (text, kind, to) => {
  expect(pastedId(text)).toMatchObject([{ kind, to }]);
});

test.each(['films', 'holiday-pictures', '../../etc/passwd', ''])('%s is none', (text) => {
  expect(pastedId(text)).toEqual([]);
});
