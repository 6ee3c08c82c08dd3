import { expect, test } from 'vitest';
import { dateHeaderName, dialects } from './dialect.ts';
import { canonicalHeaderName } from './signing/headers.ts';

test('svc speaks the words of the interface and keeps to them', () => {
  expect(dialects.svc).toMatchObject({
    scheme: 'Svc',
    callbackScheme: 'SvcCb',
    signedBody: 'base64url',
    metaPrefix: 'x-svc-meta-',
    oldSigning: false,
    toleratesDoubledPort: false,
    toleratesUnsignedBody: false,
    submitWithoutSlash: false,
  });
  expect(dateHeaderName(dialects.svc)).toBe('X-Svc-Date');
});

test('qiniu speaks the words of the public SDKs', () => {
  expect(dialects.qiniu).toMatchObject({
    scheme: 'Qiniu',
    callbackScheme: 'QBox',
    signedBody: 'raw',
    metaPrefix: 'x-qn-meta-',
    oldSigning: true,
  });
  expect(dateHeaderName(dialects.qiniu)).toBe('X-Qiniu-Date');
});

test.each(Object.values(dialects))(
  'the words of $name are spelled as the signatures need them',
  (dialect) => {
    // The prefix is compared with canonical names, and the two schemes with what follows them.
    expect(canonicalHeaderName(`${dialect.headerPrefix}a`)).toBe(`${dialect.headerPrefix}A`);
    expect(dialect.metaPrefix).toBe(dialect.metaPrefix.toLowerCase());
    expect(dialect.scheme).not.toBe(dialect.callbackScheme);
  },
);
