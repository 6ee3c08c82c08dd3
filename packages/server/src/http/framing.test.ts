/** Where requests begin and end on a connection: what could be read in two ways is refused, and nothing after it is read. */
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { jsonResponse } from '../platform/web/index.ts';
import { openApp, openSocket, route, sendBytes, type TestApp, testDeps } from './app.testing.ts';

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n';

function opened(): Promise<TestApp> {
  return openApp(
    testDeps([
      route('/', async (context) => {
        await context.readBody();
        return jsonResponse(context.body.length);
      }),
      route('/smuggled', () => jsonResponse('smuggled')),
    ]),
  );
}

const post = (headers: string, body: string) =>
  `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n${body}${SMUGGLED}`;

test.each([
  ['two lengths', post('Content-Length: 3\r\nContent-Length: 4', 'abc')],
  ['the same length twice', post('Content-Length: 3\r\nContent-Length: 3', 'abc')],
  ['two lengths in one header', post('Content-Length: 3, 3', 'abc')],
  ['a length with a sign', post('Content-Length: +3', 'abc')],
  ['a length and chunks', post('Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\n')],
  ['chunks and a length', post('Transfer-Encoding: chunked\r\nContent-Length: 3', '0\r\n\r\n')],
  ['chunks twice', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n')],
  ['a bare LF after a header', post('Content-Length: 3\nX: y', 'abc')],
  ['a bare LF after the headers', `GET / HTTP/1.1\r\nHost: a\r\nX: y\n\n${SMUGGLED}`],
  ['a bare CR in a header', post('X: y\rContent-Length: 3', 'abc')],
  ['a space before the colon', post('Content-Length : 3', 'abc')],
  ['a header on two lines', post('X: y\r\n z\r\nContent-Length: 3', 'abc')],
  ['NUL in a header', post('X: y\0\r\nContent-Length: 3', 'abc')],
])('%s: refused and closed', async (_, bytes) => {
  const app = await opened();
  const answer = await sendBytes(app, bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
  expect(answer).toMatch(/\r\nx-reqid: \S+\r\n/);
  expect(answer).toMatch(/\r\nconnection: close\r\n/);
  expect(app.recorded).toEqual([]);
  expect(app.logged).toEqual([expect.objectContaining({ msg: 'request refused', status: 400 })]);
});

test.each([
  ['an encoding without an end', 'gzip', 'abc'],
  ['a bare LF after the size of a chunk', 'chunked', '3\nabc\r\n0\r\n\r\n'],
  ['a bare LF after a chunk', 'chunked', '3\r\nabc\n0\r\n\r\n'],
  ['a chunk that is longer than it says', 'chunked', '3\r\nabcd\r\n0\r\n\r\n'],
  ['a size that is none', 'chunked', '0x3\r\nabc\r\n0\r\n\r\n'],
])('%s: closed, and nothing after it is read', async (_, encoding, body) => {
  const app = await opened();
  const answer = await sendBytes(app, post(`Transfer-Encoding: ${encoding}`, body));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/\r\nconnection: close\r\n/);
  expect(answer).not.toContain('smuggled');
  await expect.poll(() => app.recorded).toHaveLength(1);
  expect(app.recorded.join()).not.toContain('smuggled');
});

/** Three requests in one packet; those are answered first that came last. */
async function openPipeline() {
  const waiting = new Map<string, () => void>();
  const app = await openApp(
    testDeps([
      route('/:name', async (context) => {
        const name = context.segment('name');
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.set(name, resolve);
        await promise;
        return jsonResponse(name);
      }),
    ]),
  );
  const socket = await openSocket(app);
  socket.write(['1', '2', '3'].map((name) => `GET /${name} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''));
  await expect.poll(() => [...waiting.keys()]).toEqual(['1', '2', '3']);
  return { app, socket, answer: (name: string) => waiting.get(name)?.() };
}

test('pipelined requests are answered in their order', async () => {
  const { app, socket, answer } = await openPipeline();
  for (const name of ['3', '2', '1']) answer(name);
  let received = '';
  socket.on('data', (piece: Buffer) => {
    received += piece.toString();
  });
  await expect.poll(() => received.match(/"\d"/g)).toEqual(['"1"', '"2"', '"3"']);
  socket.end(`GET /4 HTTP/1.0\r\n\r\n`);
  await expect.poll(() => app.recorded).toHaveLength(3);
});

test('while the server drains, the answer that says so is the last, and all of them are recorded', async () => {
  const { app, socket, answer } = await openPipeline();
  answer('1');
  await once(socket, 'data');
  app.state.draining = true;
  answer('3');
  answer('2');
  const rest = await text(socket);
  expect(rest.match(/connection: [\w-]+|"\d"/gi)).toEqual(['Connection: close', '"2"']);
  await expect.poll(() => app.recorded).toHaveLength(3);
});
