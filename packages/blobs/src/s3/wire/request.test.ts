import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestText, writeRequest } from './request.ts';

test('one request, and no value can add a line to it', () => {
  const request = (headers: string[]) => ({ method: 'GET', path: '/b/k', headers }) as const;
  expect(requestText('engine:80', request(['range', 'bytes=0-1', 'x-amz-date', 'now']))).toBe(
    'GET /b/k HTTP/1.1\r\nhost: engine:80\r\nrange: bytes=0-1\r\nx-amz-date: now\r\n\r\n',
  );
  for (const value of ['a\r\nb: c', 'a\nb', 'a\0', 'é'])
    expect(() => requestText('engine:80', request(['authorization', value]))).toThrow(TypeError);
});

test('head and body arrive as they are, whatever pieces the body has', async () => {
  const server = createServer({ noDelay: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const text = 'PUT / HTTP/1.1\r\n\r\n';
  const piece = fc.tuple(
    fc.oneof(fc.nat(40), fc.integer({ min: 1, max: 9000 })),
    fc.integer({ min: 0, max: 255 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 9 }), async (pieces) => {
      const body = pieces.map(([length, value]) => new Uint8Array(length).fill(value));
      const accepted = once(server, 'connection');
      const client = connect(address.port, '127.0.0.1');
      const [arrives] = (await accepted) as [Socket];
      writeRequest(client, text, body, () => undefined);
      client.end();
      const received = Buffer.concat(await arrives.toArray());
      expect(received.equals(Buffer.concat([Buffer.from(text), ...body]))).toBe(true);
    }),
    { numRuns: 50 },
  );
  server.close();
});
