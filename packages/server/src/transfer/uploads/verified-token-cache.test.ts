import { parseUploadPolicy } from '@millpond/protocol';
import { expect, test } from 'vitest';
import type { AccessKey } from '../../identity/accounts/index.ts';
import { VerifiedTokenCache } from './verified-token-cache.ts';

const policy = parseUploadPolicy(Buffer.from('{"scope":"b","deadline":1}'));
const read = (): AccessKey => ({ accessKey: 'ak', secretKey: 'sk' }) as unknown as AccessKey;

test('a token is proven for the key as it was read then, and for no other', () => {
  const tokens = new VerifiedTokenCache();
  const key = read();
  expect(tokens.policyOf('token', key)).toBeUndefined();
  tokens.add('token', key, policy);
  expect(tokens.policyOf('token', key)).toBe(policy);
  expect(tokens.policyOf('token', read())).toBeUndefined();
  expect(tokens.policyOf('token ', key)).toBeUndefined();
});

test('memory is bounded: the oldest make room, and long ones are not kept', () => {
  const tokens = new VerifiedTokenCache();
  const key = read();
  for (let number = 0; number < 1_001; number++) tokens.add(`token ${number}`, key, policy);
  expect(tokens.policyOf('token 0', key)).toBeUndefined();
  expect(tokens.policyOf('token 1', key)).toBe(policy);
  tokens.add('x'.repeat(4_097), key, policy);
  expect(tokens.policyOf('x'.repeat(4_097), key)).toBeUndefined();
});
