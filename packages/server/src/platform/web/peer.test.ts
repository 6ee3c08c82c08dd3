import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { peerOf, proxyTrust } from './peer.ts';

const trust = proxyTrust(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);

function request(
  remoteAddress: string,
  headers: Record<string, string> = {},
  encrypted = false,
): IncomingMessage {
  return { socket: { remoteAddress, encrypted }, headers } as unknown as IncomingMessage;
}

describe('the peer', () => {
  test('is the other end of the connection', () => {
    expect(peerOf(request('203.0.113.9'), trust)).toEqual({ address: '203.0.113.9', secure: false });
    expect(peerOf(request('203.0.113.9', {}, true), trust)).toEqual({ address: '203.0.113.9', secure: true });
  });

  test('is a plain IPv4 address also where the socket maps it', () => {
    expect(peerOf(request('::ffff:203.0.113.9'), trust).address).toBe('203.0.113.9');
    expect(peerOf(request('::FFFF:203.0.113.9'), trust).address).toBe('203.0.113.9');
  });

  test('that no trusted proxy brought says nothing about itself', () => {
    const claims = { 'x-forwarded-for': '1.2.3.4', 'x-forwarded-proto': 'https' };
    expect(peerOf(request('203.0.113.9', claims), trust)).toEqual({ address: '203.0.113.9', secure: false });
  });

  test.each([
    ['1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['6.6.6.6, 1.2.3.4, 10.1.2.3', '1.2.3.4'],
    ['1.2.3.4, 10.1.2.3, 10.9.9.9', '1.2.3.4'],
    ['2001:db9::1, 2001:db8::7', '2001:db9::1'],
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['1.2.3.4:5555', '1.2.3.4'],
    ['[2001:db9::1]:5555', '2001:db9::1'],
    ['10.1.2.3', '10.1.2.3'],
    // Left of what is no address anything may be invented.
    ['6.6.6.6, unknown', '127.0.0.1'],
    ['6.6.6.6, unknown, 10.1.2.3', '10.1.2.3'],
    ['', '127.0.0.1'],
  ])('behind trusted proxies, forwarded as %j, is %s', (header, address) => {
    expect(peerOf(request('127.0.0.1', { 'x-forwarded-for': header }), trust).address).toBe(address);
  });

  test.each([
    ['https', true],
    ['http', false],
    ['https, http', false],
    ['HTTPS ', false],
  ])('behind a trusted proxy that says %j', (proto, secure) => {
    expect(peerOf(request('127.0.0.1', { 'x-forwarded-proto': proto }), trust).secure).toBe(secure);
  });
});
