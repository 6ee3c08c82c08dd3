import { describe, expect, test } from 'vitest';
import { classifyStatus, unblocksLane } from './classify-status.ts';

describe('an answer', () => {
  test.each([200, 201, 202, 204, 299])('%i is success [delivery-08]', (status) => {
    expect(classifyStatus(status)).toEqual({ kind: 'delivered' });
  });

  test.each([undefined, 301, 302, 307, 408, 409, 425, 429, 500, 502, 503, 504, 600])(
    '%s is tried again and holds its lane [delivery-08 delivery-20]',
    (status) => {
      const verdict = classifyStatus(status);
      expect(verdict).toEqual({ kind: 'retry', refused: false });
      expect(unblocksLane(verdict, 100)).toBe(false);
    },
  );

  test.each([400, 401, 403, 404, 422, 499])('%i holds its lane for three tries [delivery-21]', (status) => {
    const verdict = classifyStatus(status);
    expect(verdict).toEqual({ kind: 'retry', refused: true });
    expect([1, 2, 3, 4].map((refusals) => unblocksLane(verdict, refusals))).toEqual([
      false,
      false,
      true,
      true,
    ]);
  });

  test('410 ends it [delivery-13]', () => expect(classifyStatus(410)).toEqual({ kind: 'gone' }));
});
