import { once } from 'node:events';
import { expect, test } from 'vitest';
import { jsonResponse, type RequestContext } from '../platform/web/index.ts';
import { ask, openApp, openSocket, route, sendBytes, testDeps } from './app.testing.ts';

const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

/** Sends the beginning of an answer. */
async function begin(context: RequestContext): Promise<void> {
  const response = context.takeOver();
  response.writeHead(200, { 'content-length': 1000 });
  await new Promise((sent) => response.write('x'.repeat(10), sent));
}

function opened() {
  return openApp(
    testDeps([
      route('/ok', () => jsonResponse('ok')),
      route('/throws', () => {
        throw new Error('thrown');
      }),
      route('/rejects', () => Promise.reject(new Error('rejected'))),
      route('/nothing', () => undefined),
      route('/begun', async (context) => {
        await begin(context);
        throw new Error('rejected after the answer began');
      }),
      route('/ended', (context) => {
        context.takeOver().end('whole');
        throw new Error('thrown after the answer ended');
      }),
      route('/after', (context) => {
        const response = context.takeOver();
        response.end('whole');
        response.write('more');
        return undefined;
      }),
      route('/gone', async (context) => {
        await begin(context);
        await once(context.response, 'close');
        context.response.write('more');
        context.response.end();
        return undefined;
      }),
      route('/refused', () => Promise.reject(new Error('rejected')), {
        refusal: () => {
          throw new Error('the refusal failed too');
        },
      }),
      route('/open', async (context) => {
        await begin(context);
        return undefined;
      }),
    ]),
  );
}

test.each(['/throws', '/rejects', '/nothing'])(
  'a handler that fails is a failure of ours, and its connection stays: %s',
  async (path) => {
    const app = await opened();
    const answers = await sendBytes(
      app,
      `${GET.replace('/', path)}GET /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 599', 'HTTP/1.1 200']);
    expect(answers).not.toMatch(/thrown|rejected/);
    expect(app.logged.filter(({ msg }) => msg === 'request failed')).toHaveLength(1);
    await expect.poll(() => app.recorded).toEqual([`${path} 599`, '/ok 200']);
  },
);

test('one that fails after its answer began closes its connection, and no other', async () => {
  const app = await opened();
  const other = await openSocket(app);
  const answer = await sendBytes(app, GET.replace('/', '/begun'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*x{10}$/s);
  await expect.poll(() => app.recorded).toEqual(['/begun 599']);
  other.write(GET.replace('/', '/ok'));
  expect(String((await once(other, 'data'))[0])).toContain('200 OK');
});

test('one whose refusal fails too closes its connection', async () => {
  const app = await opened();
  expect(await sendBytes(app, GET.replace('/', '/refused'))).toBe('');
  await expect.poll(() => app.recorded).toEqual(['/refused 599']);
  expect(app.logged).toContainEqual(expect.objectContaining({ detail: 'the refusal failed too' }));
});

test('one that fails after its answer ended does so only in the log', async () => {
  const app = await opened();
  expect(await ask(app, 'GET', '/ended')).toMatch(/^HTTP\/1\.1 200 /);
  expect(app.logged).toContainEqual(expect.objectContaining({ detail: 'thrown after the answer ended' }));
  await expect.poll(() => app.recorded).toHaveLength(1);
});

test('one that writes after the end, or to a client that is gone, harms nobody', async () => {
  const app = await opened();
  await ask(app, 'GET', '/after');
  expect(app.logged).toContainEqual(expect.objectContaining({ msg: 'request failed', path: '/after' }));
  const socket = await openSocket(app);
  socket.write(GET.replace('/', '/gone'));
  await once(socket, 'data');
  socket.destroy();
  await expect.poll(() => app.recorded).toHaveLength(2);
  expect(await ask(app, 'GET', '/ok')).toMatch(/^HTTP\/1\.1 200 /);
});

test('an answer that its client broke off is recorded, once', async () => {
  const app = await opened();
  const socket = await openSocket(app);
  socket.write(GET.replace('/', '/open'));
  await once(socket, 'data');
  socket.destroy();
  await expect.poll(() => app.recorded).toEqual(['/open 499']);
  await ask(app, 'GET', '/ok');
  await expect.poll(() => app.recorded).toEqual(['/open 499', '/ok 200']);
  expect(app.logged.filter(({ path }) => path === '/open')).toEqual([
    expect.objectContaining({ msg: 'request broken off', status: 499 }),
  ]);
});
