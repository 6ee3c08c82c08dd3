import { expect, test } from 'vitest';
import type { Bucket } from '../../../storage/buckets/index.ts';
import { expirationHeader } from './expiration.ts';

const put_time = BigInt(Date.parse('2026-11-16T10:00:00Z')) * 10_000n;
const object = { key: 'logs/a', fsize: 5n, tags: null, put_time, expires_at: null };
const bucket = (lifecycle: Bucket['lifecycle']): Bucket => ({
  id: 1n,
  name: 'b',
  uid: 1n,
  region: 'z0',
  isPrivate: true,
  createdAt: new Date(),
  cors: [],
  lifecycle,
});
const byS3 = (id: string, days: number) =>
  bucket({
    by: 's3',
    minimumSize: 'all_storage_classes_128K',
    rules: [{ id, isEnabled: true, scope: { in: 'Filter', prefix: 'logs/' }, expiration: { days } }],
  });

test('says the midnight and the rule', () => {
  expect(expirationHeader(byS3('rule1', 1), object)).toEqual({
    'x-amz-expiration': 'expiry-date="Wed, 18 Nov 2026 00:00:00 GMT", rule-id="rule1"',
  });
  expect(expirationHeader(bucket(undefined), object)).toEqual({});
  expect(expirationHeader(byS3('rule1', 1), { ...object, key: 'other' })).toEqual({});
});

test('an ID of any text is safe in a header', () => {
  const { 'x-amz-expiration': value } = expirationHeader(byS3('日"\r\nx: y', 1), object);
  expect(value).toContain('rule-id="%E6%97%A5%22%0D%0Ax%3A%20y"');
});

test('the earlier of the rule’s day and the object’s own counts', () => {
  const own = { ...object, expires_at: new Date('2026-11-20T00:00:00Z') };
  expect(expirationHeader(byS3('late', 9), own)['x-amz-expiration']).toContain('rule-id="deleteAfterDays"');
  expect(expirationHeader(byS3('early', 1), own)['x-amz-expiration']).toContain('rule-id="early"');
  expect(expirationHeader(bucket(undefined), own)['x-amz-expiration']).toContain('Fri, 20 Nov 2026');
});
