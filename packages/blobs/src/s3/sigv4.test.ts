import { createHash } from 'node:crypto';
import { encodeUnreserved } from '@millpond/protocol/s3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalQuery, createSigner } from './sigv4.ts';

// The worked examples of Amazon's S3 documentation ("Signature Calculations: Transferring Payload in a Single
// Chunk" and "Authenticating Requests: Using Query Parameters").
const signer = createSigner({
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
});
const host = 'examplebucket.s3.amazonaws.com';
const now = Date.UTC(2013, 4, 24, 0, 0, 0, 999);
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const header = (headers: readonly string[], name: string): string | undefined =>
  headers[headers.indexOf(name) + 1];
const signatureIn = (headers: readonly string[]): string | undefined =>
  /Signature=(.*)$/.exec(header(headers, 'authorization') ?? '')?.[1];

describe('published examples', () => {
  test('GET object with a range', () => {
    const headers = signer.sign(
      {
        method: 'GET',
        host,
        path: '/test.txt',
        query: '',
        headers: ['range', 'bytes=0-9'],
        payloadHash: sha256(''),
      },
      now,
    );
    expect(header(headers, 'x-amz-date')).toBe('20130524T000000Z');
    expect(header(headers, 'authorization')).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
        'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    );
  });

  test('PUT object with a storage class', () => {
    const headers = signer.sign(
      {
        method: 'PUT',
        host,
        path: '/test%24file.text',
        query: '',
        headers: ['date', 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class', 'REDUCED_REDUNDANCY'],
        payloadHash: sha256('Welcome to Amazon S3.'),
      },
      now,
    );
    expect(signatureIn(headers)).toBe('98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd');
  });

  test('GET bucket lifecycle', () => {
    const query = canonicalQuery([['lifecycle', '']]);
    const headers = signer.sign(
      { method: 'GET', host, path: '/', query, headers: [], payloadHash: sha256('') },
      now,
    );
    expect(signatureIn(headers)).toBe('fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543');
  });

  test('list objects', () => {
    const query = canonicalQuery([
      ['prefix', 'J'],
      ['max-keys', '2'],
    ]);
    const headers = signer.sign(
      { method: 'GET', host, path: '/', query, headers: [], payloadHash: sha256('') },
      now,
    );
    expect(signatureIn(headers)).toBe('34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7');
  });

  test('presigned GET', () => {
    const query = signer.presign(
      { method: 'GET', host, path: '/test.txt', expiresSeconds: 86_400, parameters: [] },
      now,
    );
    expect(query).toBe(
      'X-Amz-Algorithm=AWS4-HMAC-SHA256' +
        '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
        '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
        '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    );
  });
});

describe('what is cached does not leak from one request into the next', () => {
  test('another day, then the first one again', () => {
    const request = { method: 'GET', host, path: '/test.txt', query: '', headers: [] };
    const first = signer.sign(request, now);
    const later = signer.sign(request, now + 86_400_000);
    expect(signatureIn(later)).not.toBe(signatureIn(first));
    expect(signer.sign(request, now)).toEqual(first);
  });
});

describe('encoding', () => {
  test('only unreserved characters stay, and decoding gives the text back', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const encoded = encodeUnreserved(text);
        expect(encoded).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/);
        expect(decodeURIComponent(encoded)).toBe(text);
      }),
    );
  });
});
