import { describe, expect, test } from 'vitest';
import { MillpondError, responseToError } from './error.ts';
import { mayRetry, withRetries } from './retry.ts';

const answered = (status: number, retryAfter?: number) =>
  responseToError(status, '{"error":"x"}', { retryAfter });

describe('what may be tried again', () => {
  test.each([
    [new MillpondError('network', 'x'), true, true],
    [new MillpondError('network', 'x'), false, false],
    [new MillpondError('network', 'x', { unsent: true }), false, true],
    [new MillpondError('network', 'x', { unsent: true, final: true }), true, false],
    [new MillpondError('tls', 'x'), true, false],
    [new MillpondError('cancelled', 'x'), true, false],
    [new MillpondError('usage', 'x'), true, false],
    [answered(599), true, true],
    [answered(406), true, true],
    [answered(599), false, false],
    [answered(573), false, true],
    [answered(503), false, true],
    [answered(579), true, false],
    [answered(612), true, false],
    [answered(614), true, false],
    [answered(401), true, false],
    [answered(417), false, false],
    [answered(417, 1000), false, true],
    [new Error('a bug'), true, false],
  ])('%s, repeatable %s: %s', (error, repeatable, expected) => {
    expect(mayRetry(error, repeatable)).toBe(expected);
  });

  test('so many tries, then the last error', async () => {
    let tries = 0;
    const failing = withRetries(
      async () => {
        tries++;
        throw answered(599);
      },
      { tries: 3, firstPause: 1 },
      { repeatable: true },
    );
    await expect(failing).rejects.toMatchObject({ status: 599 });
    expect(tries).toBe(3);
  });

  test('for so long at least where the server is away, and only then', async () => {
    let told = 0;
    const until = (enough: number, error: unknown) =>
      withRetries(
        async (tries) => {
          if (tries < enough) throw error;
          return tries;
        },
        { tries: 2, firstPause: 1, longestPause: 10, atLeast: 60_000, onRetry: () => told++ },
        { repeatable: true },
      );
    expect(await until(9, new MillpondError('network', 'x', { unsent: true }))).toBe(9);
    expect(told).toBe(8);
    await expect(until(Number.POSITIVE_INFINITY, new MillpondError('integrity', 'x'))).rejects.toThrow('x');
    await expect(until(Number.POSITIVE_INFINITY, answered(406))).rejects.toMatchObject({ status: 406 });
  });

  test('a signal ends the waiting', async () => {
    const stop = new AbortController();
    const waiting = withRetries(
      async () => {
        setTimeout(() => stop.abort(), 5);
        throw answered(573, 60_000);
      },
      undefined,
      { repeatable: true, signal: stop.signal },
    );
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('errors', () => {
  test('have the word of the tables, by text and by status', () => {
    expect(responseToError(612, '{"error":"no such uploadId"}', {}).code).toBe('noSuchUpload');
    expect(responseToError(612, '{"error":"in other words"}', {}).code).toBe('noSuchEntry');
    expect(responseToError(502, '<html>', {})).toMatchObject({
      code: 'unexpected',
      message: 'the server answered 502',
    });
    const body = '{"error":"expired_token","error_code":9,"error_description":"it is over"}';
    expect(responseToError(401, body, { reqid: 'r' })).toMatchObject({
      code: 'tokenExpired',
      message: 'it is over',
      reqid: 'r',
    });
  });
});
