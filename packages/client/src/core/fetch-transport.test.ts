import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { fetchTransport } from './fetch-transport.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close().closeAllConnections();
});

async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = (url: string, signal?: AbortSignal) =>
  fetchTransport({ idleMs: 150 })({ method: 'GET', url, headers: {}, signal });

describe('a server that falls silent', () => {
  test('before it answers', async () => {
    await expect(get(await serving(() => undefined))).rejects.toMatchObject({ code: 'timeout', status: 0 });
  });

  test('in the middle of its answer', async () => {
    const url = await serving((_request, response) => void response.writeHead(200).write('half'));
    const answer = await get(url);
    await expect(answer.text()).rejects.toMatchObject({ code: 'timeout' });
  });

  test('is waited for where what was sent takes its time', async () => {
    const url = await serving((request, response) => {
      request.resume();
      setTimeout(() => response.end('late'), 400);
    });
    const body = [new Uint8Array(8 * 1024)];
    const answer = await fetchTransport({ idleMs: 150 })({ method: 'POST', url, headers: {}, body });
    expect(await answer.text()).toBe('late');
  });
});

test('an answer that comes slowly, and one that is read slowly, is not cut off', async () => {
  const url = await serving((_request, response) => {
    const letters = [...'slowly'];
    const next = () => {
      const letter = letters.shift();
      if (letter === undefined) return response.end();
      response.write(letter);
      return setTimeout(next, 60);
    };
    next();
  });
  let text = '';
  for await (const chunk of (await get(url)).chunks()) {
    text += new TextDecoder().decode(chunk);
    if (text === 's') await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(text).toBe('slowly');
});

test('who cancels is told so', async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 20);
  await expect(get(await serving(() => undefined), stop.signal)).rejects.toMatchObject({ code: 'cancelled' });
});
