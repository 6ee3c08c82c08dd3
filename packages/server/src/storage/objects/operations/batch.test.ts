import { Fault, objectErrors } from '@millpond/protocol';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { batchResponse, readBatch, runBatch, runBatchWithin } from './batch.ts';
import type { Operation } from './operation.ts';

const never = new AbortController().signal;
const read = (text: string) => readBatch(Buffer.from(text));

describe('the form', () => {
  test.each([
    ['op=/stat/abc', { name: 'stat', segments: ['abc'] }],
    ['op=stat/abc', { name: 'stat', segments: ['abc'] }],
    ['op=%2Fstat%2Fabc%3D%3D', { name: 'stat', segments: ['abc=='] }],
    ['op=/stat/abc==', { name: 'stat', segments: ['abc=='] }],
    ['op=/stat/abc?needparts=true', { name: 'stat', segments: ['abc'] }],
    ['op=/chgm/e/mime//cond/c', { name: 'chgm', segments: ['e', 'mime', '', 'cond', 'c'] }],
    ['op=', { name: '', segments: [] }],
    ['op=//stat', { name: '', segments: ['stat'] }],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual([expected]);
  });

  test('reads operations in their order, and nothing else', () => {
    expect(read('op=a/1&x=2&op=b/2').map(({ name }) => name)).toEqual(['a', 'b']);
  });

  test.each(['', 'x=1', `${'op=/stat/a&'.repeat(1000)}op=/stat/a`, '&'.repeat(1000)])(
    'is refused where it holds none, or more than 1,000 (%#)',
    (text) => {
      expect(() => read(text)).toThrow(Fault);
    },
  );

  test('any path comes back as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.base64String(), { minLength: 1 }), { minLength: 1 }), (paths) => {
        const body = paths.map((path) => `op=${encodeURIComponent(`/${path.join('/')}`)}`).join('&');
        const parts = paths.map((path) => path.join('/').split('/'));
        expect(read(body)).toEqual(parts.map(([name, ...segments]) => ({ name, segments })));
      }),
    );
  });
});

describe('a run', () => {
  const log: string[] = [];
  const operations = new Map<string, Operation>([
    [
      'one',
      {
        name: 'one',
        permissions: ([key = '']) => [{ action: 'read', bucket: 'b', key }],
        async run(_uid, [segment = '']) {
          log.push(`one ${segment}`);
          if (segment === 'bad') throw new Fault('noSuchEntry');
          return segment === 'empty' ? undefined : { segment };
        },
      },
    ],
    [
      'many',
      {
        name: 'many',
        permissions: ([key = '']) => [{ action: 'delete', bucket: 'b', key }],
        run: async () => ({ single: true }),
        async runMany(_uid, requests) {
          log.push(`many ${requests.flat().join('+')}`);
          if (requests.flat().includes('broken')) throw new Error('broken');
          return requests.map(([segment]) => ({ status: 'fulfilled', value: { segment } }));
        },
      },
    ],
  ]);

  test('keeps the order, and takes together what stands together', async () => {
    log.length = 0;
    const outcomes = await runBatch(
      operations,
      1n,
      read('op=many/1&op=many/2&op=one/3&op=one/bad&op=none/4&op=many/5'),
      never,
    );
    expect(log).toEqual(['many 1+2', 'one 3', 'one bad']);
    const response = batchResponse(outcomes, vi.fn());
    expect(response.status).toBe(298);
    expect(JSON.parse(response.body)).toEqual([
      { code: 200, data: { segment: '1' } },
      { code: 200, data: { segment: '2' } },
      { code: 200, data: { segment: '3' } },
      { code: 612, data: { error: objectErrors.noSuchEntry.text } },
      { code: 400, data: { error: 'invalid argument', hint: 'no such operation' } },
      { code: 200, data: { single: true } },
    ]);
  });

  test('without a failure answers 200; an empty answer has no data', async () => {
    const response = batchResponse(await runBatch(operations, 1n, read('op=one/empty'), never), vi.fn());
    expect([response.status, response.body]).toEqual([200, '[{"code":200}]']);
  });

  test('a failure of our own says nothing about itself, but is told', async () => {
    const onFailure = vi.fn();
    const outcomes = await runBatch(operations, 1n, read('op=many/broken&op=many/2&op=one/3'), never);
    const response = batchResponse(outcomes, onFailure);
    expect(JSON.parse(response.body)).toEqual([
      { code: 599, data: { error: 'server failure' } },
      { code: 599, data: { error: 'server failure' } },
      { code: 200, data: { segment: '3' } },
    ]);
    expect(onFailure).toHaveBeenCalledTimes(2);
  });

  test('does not do what the limits of the key forbid, and keeps the places of the rest', async () => {
    log.length = 0;
    const requests = read('op=many/1&op=many/2&op=one/3&op=one/bad&op=none/4&op=many/5');
    const outcomes = await runBatchWithin(operations, 1n, requests, never, (asked) => {
      const isForbidden = asked.some(({ action, key }) => action === 'delete' && key !== '5');
      if (isForbidden) throw new Fault('keyLimited', { hint: 'limit actions' });
    });
    expect(log).toEqual(['one 3', 'one bad']);
    const codes = (JSON.parse(batchResponse(outcomes, vi.fn()).body) as { code: number }[]).map(
      ({ code }) => code,
    );
    expect(codes).toEqual([403, 403, 200, 612, 400, 200]);
  });

  test('stops where the client has left', async () => {
    log.length = 0;
    const leaving = new AbortController();
    const stopping = new Map(operations);
    stopping.set('leave', {
      name: 'leave',
      permissions: () => [],
      async run() {
        leaving.abort(new Fault('requestTimeout'));
        return undefined;
      },
    });
    const requests = read('op=one/1&op=leave/2&op=one/3');
    await expect(runBatch(stopping, 1n, requests, leaving.signal)).rejects.toThrow(Fault);
    expect(log).toEqual(['one 1']);
  });
});
