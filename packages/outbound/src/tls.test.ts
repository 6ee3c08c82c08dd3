import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { type Certificate, makeCertificate } from '@millpond/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createOutboundClient,
  type OutboundClient,
  type OutboundClientOptions,
  type OutboundRequest,
} from './index.ts';
import { startConnectProxy } from './testing/connect-proxy.ts';
import { createDnsStub } from './testing/dns-stub.ts';
import { limits, outcomeOf } from './testing/outcome.ts';
import { type Receiver, startReceiver } from './testing/receivers.ts';

let certificate: Certificate;
let server: Server;
let plain: Receiver;
let port = 0;
const names: unknown[] = [];
const clients: OutboundClient[] = [];
const { resolve } = createDnsStub({ localhost: ['127.0.0.1'], 'other.test': ['127.0.0.1'] });
const client = (options: OutboundClientOptions = {}): OutboundClient => {
  const trust = { certificateAuthority: certificate.text };
  const made = createOutboundClient({ allow: ['127.0.0.1/32'], resolve, ...trust, ...options });
  clients.push(made);
  return made;
};
const get = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  method: 'GET',
  limits,
  ...more,
});

beforeAll(async () => {
  certificate = await makeCertificate();
  plain = await startReceiver(() => undefined);
  server = createServer(certificate.keys, (request, response) => {
    if (request.url === '/down') response.writeHead(302, { location: `${plain.url}/` });
    response.end(request.headers.host);
  });
  server.on('secureConnection', (socket) => names.push(socket.servername));
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(clients.map((made) => made.close()));
  server.close();
  await plain.close();
  await certificate.remove();
});

test('a name is told to the server and must stand in the certificate; an address must too', async () => {
  const outbound = client();
  const answer = await outbound.send(get(`https://LOCALHOST.:${port}/`));
  expect(answer.body.toString()).toBe(`localhost:${port}`);
  expect(names.at(-1)).toBe('localhost');
  expect(await outcomeOf(outbound.send(get(`https://127.0.0.1:${port}/`)))).toBe('200');
  expect(names.at(-1)).not.toBe('127.0.0.1');
  expect(await outcomeOf(outbound.send(get(`https://other.test:${port}/`)))).toBe('tls');
});

test('a Host of its own is the name of the handshake as well', async () => {
  const outbound = client();
  const named = await outbound.send(get(`https://127.0.0.1:${port}/`, { hostOverride: 'localhost' }));
  expect(named.body.toString()).toBe('localhost');
  expect(names.at(-1)).toBe('localhost');
  const wrong = outbound.send(get(`https://localhost:${port}/`, { hostOverride: 'other.test' }));
  expect(await outcomeOf(wrong)).toBe('tls');
});

test('a certificate that nobody vouches for is refused', async () => {
  const outbound = client({ certificateAuthority: undefined });
  expect(await outcomeOf(outbound.send(get(`https://localhost:${port}/`)))).toBe('tls');
});

test('a host that does not speak TLS, or does not speak at all', async () => {
  const outbound = client();
  const wrong = createPlainServer((socket) =>
    socket.on('error', () => undefined).end('HTTP/1.1 400 No\r\n\r\n'),
  );
  wrong.listen(0, '127.0.0.1');
  await once(wrong, 'listening');
  const wrongPort = (wrong.address() as AddressInfo).port;
  expect(await outcomeOf(outbound.send(get(`https://localhost:${wrongPort}/`)))).toBe('tls');
  wrong.close();
  const silent = await startReceiver(() => undefined);
  const request = get(`https://localhost:${silent.port}/`, { limits: { ...limits, connectMs: 200 } });
  expect(await outcomeOf(outbound.send(request))).toBe('timeout');
  await silent.drained();
  await silent.close();
});

test('through a proxy the certificate is that of the host, or of the Host that was given', async () => {
  const proxy = await startConnectProxy(port);
  const outbound = client({ proxy: `http://127.0.0.1:${proxy.port}` });
  const named = await outbound.send(get('https://far.test/', { hostOverride: 'localhost' }));
  expect(named.body.toString()).toBe('localhost');
  expect(proxy.asked.at(-1)?.url).toBe('far.test:443');
  expect(await outcomeOf(outbound.send(get('https://far.test/')))).toBe('tls');
  await outbound.close();
  await proxy.close();
});

test('a redirect from https to http is refused', async () => {
  expect(await outcomeOf(client().send(get(`https://localhost:${port}/down`, { redirects: 3 })))).toBe(
    'blocked',
  );
  expect(plain.accepted).toBe(0);
});
