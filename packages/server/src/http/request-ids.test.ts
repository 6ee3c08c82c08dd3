import { expect, test } from 'vitest';
import { requestIds } from './exchange.ts';

test('ids are in order, and none looks like an option of a command', () => {
  // In base64url these begin with a hyphen, an underscore and a letter.
  const random = [0xf8, 0xfc, 0x04].map((first) => Buffer.alloc(9, first));
  const next = requestIds(() => random.shift() ?? Buffer.alloc(9));
  expect([next(), next()]).toEqual(['BAQEBAQEBAQE0000', 'BAQEBAQEBAQE0001']);
  for (let process = 0; process < 1000; process++) expect(requestIds()()).toMatch(/^[A-Za-z0-9][\w-]{15}$/);
});
