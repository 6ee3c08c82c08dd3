import { describe, expect, test } from 'vitest';
import { hashing } from '../../test/hashing.ts';
import { dialects } from '../dialect.ts';
import { parseSignature } from './hmac.ts';
import { signLegacyManagement, verifyLegacyManagement } from './legacy-management.ts';

const FORM = 'application/x-www-form-urlencoded';
const bytes = (text: string) => new TextEncoder().encode(text);
const go = { accessKey: 'ak', secretKey: 'sk' };
const python = { accessKey: 'abcdefghklmnopq', secretKey: '1234567890' };
const docs = { accessKey: 'MY_ACCESS_KEY', secretKey: 'MY_SECRET_KEY' };
const MOVE = '/move/bmV3ZG9jczpmaW5kX21hbi50eHQ=/bmV3ZG9jczpmaW5kLm1hbi50eHQ=';

describe('old signing', () => {
  test.each([
    [go, '', FORM, '', 'qfWnqF1E_vfzjZnReCVkcSMl29M='],
    [go, '', 'application/json', '{}', 'qfWnqF1E_vfzjZnReCVkcSMl29M='],
    [go, '', FORM, 'name=test&language=go', 'h8gBb1Adb2Jgoys1N8sRVAnNvpw='],
    [python, '?go=1', '', 'test', 'cFyRVoWrE3IugPIMP5YJFTO-O-Y='],
    [python, '?go=1', undefined, 'test', 'cFyRVoWrE3IugPIMP5YJFTO-O-Y='],
    [python, '?go=1', `${FORM}; charset=utf-8`, 'test', 'cFyRVoWrE3IugPIMP5YJFTO-O-Y='],
    [python, '?go=1', FORM, 'test', 'svWRNcacOE-YMsc70nuIYdaa1e4='],
    [docs, MOVE, undefined, '', 'FXsYh0wKHYPEsIAgdPD9OfjkeEM='],
  ])('%j %s %s %s', (keys, target, contentType, body, sign) => {
    const request = { target, contentType, body: bytes(body) };
    expect(signLegacyManagement(hashing, keys, request, dialects.qiniu)).toBe(
      `QBox ${keys.accessKey}:${sign}`,
    );
    const signature = parseSignature(`ak:${sign}`)?.signature ?? new Uint8Array();
    expect(verifyLegacyManagement(hashing, keys.secretKey, request, signature)).toBe(true);
    expect(verifyLegacyManagement(hashing, keys.secretKey, { ...request, target: '/other' }, signature)).toBe(
      false,
    );
  });

  test('the form body is covered', () => {
    const signature = parseSignature('ak:svWRNcacOE-YMsc70nuIYdaa1e4=')?.signature ?? new Uint8Array();
    const request = { target: '?go=1', contentType: FORM, body: bytes('tesT') };
    expect(verifyLegacyManagement(hashing, python.secretKey, request, signature)).toBe(false);
  });
});
