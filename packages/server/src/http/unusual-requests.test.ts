import { METHODS } from 'node:http';
import { describe, expect, test } from 'vitest';
import { jsonResponse, type RequestContext } from '../platform/web/index.ts';
import { ask, openApp, route, sendBytes, type TestApp, testDeps } from './app.testing.ts';

const describeRequest = async (context: RequestContext) => {
  await context.readBody();
  const { method } = context.request;
  return jsonResponse({ method, type: context.header('content-type'), body: context.body.toString() });
};

function opened(at?: string): Promise<TestApp> {
  return openApp(
    testDeps([
      route('/both', describeRequest),
      route('/open', describeRequest, { cors: true }),
      route('/v1/call', describeRequest, { errors: 'account', methods: ['POST'] }),
      route('/:bucket/*', describeRequest, { methods: ['GET', 'HEAD'], role: 'io' }),
      route('/~s3/', describeRequest, { role: 's3', methods: ['GET', 'POST'] }),
    ]),
    at,
  );
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

describe('a method', () => {
  test.each(METHODS.filter((method) => method !== 'CONNECT'))(
    '%s is answered, and logged as it came',
    async (method) => {
      const app = await opened();
      const answer = await ask(app, method, '/both');
      const isTaken = method === 'GET' || method === 'POST';
      expect(statusOf(answer)).toBe(isTaken ? 200 : 405);
      if (isTaken) expect(answer).toContain(`"method":"${method}"`);
      else expect(answer).toMatch(/\r\nallow: GET, POST\r\n/i);
      expect(statusOf(await ask(app, method, '/none'))).toBe(404);
      await expect.poll(() => app.recorded).toEqual([`/both ${isTaken ? 200 : 405}`, 'none 404']);
      expect(app.logged.map((line) => line.method)).toEqual([method, method]);
    },
  );

  test('CONNECT opens nothing', async () => {
    expect(await sendBytes(await opened(), 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n')).toBe('');
  });

  test('QUERY with a body needs no type to be refused, nor has its body to be read', async () => {
    const app = await opened();
    const body = 'Content-Length: 3\r\n\r\nabc';
    for (const type of ['', 'Content-Type: \r\n', 'Content-Type: odd\r\n']) {
      const answers = await sendBytes(
        app,
        `QUERY /both HTTP/1.1\r\nHost: a\r\n${type}${body}GET /both HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 405', 'HTTP/1.1 200']);
    }
  });

  test('OPTIONS of the whole server finds nothing; of a call that pages may make, what they ask', async () => {
    const app = await opened();
    for (const target of ['*', 'http://a']) {
      const answer = await ask(app, 'OPTIONS', target);
      expect(statusOf(answer)).toBe(404);
      expect(answer).toMatch(/\r\nx-reqid: /);
    }
    const preflight = await ask(app, 'OPTIONS', '/open');
    expect(preflight).toMatch(/^HTTP\/1\.1 200 .*access-control-allow-methods: GET, POST, OPTIONS\r\n/s);
    expect(preflight).toMatch(/access-control-allow-origin: \*/);
    expect(await ask(app, 'PUT', '/open')).toMatch(
      /^HTTP\/1\.1 405 .*access-control-allow-origin: \*.*allow: GET, POST, OPTIONS\r\n/s,
    );
  });

  test('beside a call for accounts, only reading can mean the object of a bucket', async () => {
    const app = await opened();
    expect(await ask(app, 'GET', '/v1/other')).toMatch(/^HTTP\/1\.1 200 /);
    for (const method of ['POST', 'PUT', 'QUERY'])
      expect(await ask(app, method, '/v1/other')).toMatch(/^HTTP\/1\.1 4.*"error_code"/s);
    expect(await ask(app, 'GET', '/v1/call')).toMatch(/^HTTP\/1\.1 4.*"error_code"/s);
    await expect.poll(() => app.recorded[0]).toBe('/:bucket/* 200');
  });
});

describe('a Content-Type', () => {
  const typed = (type: string) => `Content-Type:${type}\r\nContent-Length: 0\r\n`;

  test.each(['', ' odd', ' text/plain, text/html', ' é', ' a/b; =', ' /'])(
    'of any text reaches a handler:%s',
    async (type) => {
      for (const [at, target] of [
        ['http://127.0.0.1:0/s3', '/bucket/key'],
        ['http://127.0.0.1:0/rs', '/both'],
      ] as const) {
        const answer = await ask(await opened(at), 'POST', target, typed(type));
        expect(answer).toMatch(/^HTTP\/1\.1 200 /);
        expect(answer).toContain(`"type":${JSON.stringify(Buffer.from(type.trim()).toString('latin1'))}`);
      }
    },
  );

  test('or none is no reason to refuse a body', async () => {
    const app = await opened();
    const answer = await ask(app, 'POST', '/both', 'Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n');
    expect(answer).toContain('"body":"abc"');
  });
});
