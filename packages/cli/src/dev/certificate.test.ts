import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeLocalCertificate } from './certificate.ts';
import { identifier, integer, octets } from './der.ts';

test('the certificate is valid for this machine, signs itself, and fits its key', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const { certificate, key } = makeLocalCertificate(now);
  const read = new X509Certificate(certificate);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkHost('localhost')).toBe('localhost');
  expect(read.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(read.checkIP('::1')).toBe('::1');
  expect(read.checkHost('example.com')).toBeUndefined();
  expect(read.validFromDate.toISOString()).toBe('2026-11-14T12:00:00.000Z');
  expect(read.validToDate.toISOString()).toBe('2027-12-17T12:00:00.000Z');
  expect(key).toContain('BEGIN PRIVATE KEY');
});

test('a client that trusts its file takes it, and no other client does', async () => {
  const { certificate, key } = makeLocalCertificate();
  const server = createServer({ cert: certificate, key }, (_request, response) => response.end('ok'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const status = (ca?: string) =>
    new Promise((resolve) => {
      const lookup = { family: 4, agent: false, ...(ca === undefined ? {} : { ca }) } as const;
      request(url, lookup, (answer) => resolve(answer.resume().statusCode))
        .once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
        .end();
    });
  expect(await status(certificate)).toBe(200);
  expect(await status()).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
  expect(await status(makeLocalCertificate().certificate)).not.toBe(200);
  server.close();
});

test('lengths are written in as few bytes as they need', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70_000 }), (bytes) => {
      fc.pre(bytes.length < 65_536);
      const der = Buffer.from(octets(bytes));
      const short = bytes.length < 0x80;
      const length = short ? (der[1] ?? -1) : der.readUIntBE(2, (der[1] ?? 0) & 0x7f);
      const head = short ? 2 : 2 + ((der[1] ?? 0) & 0x7f);
      expect(length).toBe(bytes.length);
      expect(der.subarray(head)).toEqual(Buffer.from(bytes));
      expect(short || der[2] !== 0).toBe(true);
    }),
    { numRuns: 50 },
  );
});

test('a number never looks negative, and identifiers are written as their standard says', () => {
  expect(Buffer.from(integer(Uint8Array.of(0x80))).toString('hex')).toBe('02020080');
  expect(Buffer.from(integer(Uint8Array.of(0x7f))).toString('hex')).toBe('02017f');
  expect(Buffer.from(identifier('1.2.840.10045.4.3.2')).toString('hex')).toBe('06082a8648ce3d040302');
  expect(Buffer.from(identifier('2.5.29.17')).toString('hex')).toBe('0603551d11');
});
