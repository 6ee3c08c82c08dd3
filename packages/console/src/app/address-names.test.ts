import { expect, test } from 'vitest';
import { couldNameSomething } from './address-names.ts';

test('names of the forms that the server gives could name something', () => {
  for (const parameters of [
    {},
    { bucket: 'photos-2026' },
    { id: 'z0.6543210f0123456789abcdef0123456789abcdef' },
    { id: '0196b7f2-4d1c-7e3a-9d7c-1d0a5d0c8f11' },
    { ns: 'abcdefghijkl', stream: 'front_door-2' },
    { reqid: 'uCVxGQc_Bz1n0002' },
    { ns: 'abcdefghijkl', gbId: '34020000001320000001', channel: 'any text' },
    { endpoint: 'https://app.example.com/hook', _splat: 'a folder/a file' },
  ])
    expect(couldNameSomething(parameters)).toBe(true);
});

test('sentences do not', () => {
  for (const words of [
    'Your account is locked',
    'call +1 555 0100',
    '<img src=x>',
    '',
    'a\u202eb',
    'x'.repeat(200),
  ])
    for (const name of ['bucket', 'gbId', 'id', 'key', 'name', 'ns', 'reqid', 'stream'])
      expect(couldNameSomething({ [name]: words })).toBe(false);
});
