import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { hashing } from '../../test/hashing.ts';
import { encodeUtf8 } from '../utf8.ts';
import { signWebhook, verifyWebhook } from './webhook.ts';

const secret = () => `whsec_${randomBytes(32).toString('base64')}`;
const message = { id: 'msg_1', timestamp: 1_700_000_000, body: encodeUtf8('{"a":"é"}') };

describe('Standard Webhooks signatures', () => {
  test('agree with the example of the specification', () => {
    // The example that the reference libraries test with.
    const headers = signWebhook(hashing, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: encodeUtf8('{"test": 2432232314}'),
    });
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  test('verify with any valid secret, and with no other', () => {
    const [old, next] = [secret(), secret()];
    const headers = signWebhook(hashing, [next, old], message);
    for (const known of [old, next])
      expect(verifyWebhook(hashing, [known], headers, message.body, message.timestamp)).toBe(true);
    expect(verifyWebhook(hashing, [secret()], headers, message.body, message.timestamp)).toBe(false);
  });

  test('do not verify for another body, another id, or another time', () => {
    const known = secret();
    const headers = signWebhook(hashing, [known], message);
    const verify = (changed: Record<string, string>, body = message.body, now = message.timestamp) =>
      verifyWebhook(hashing, [known], { ...headers, ...changed }, body, now);
    expect(verify({})).toBe(true);
    expect(verify({}, encodeUtf8('{}'))).toBe(false);
    expect(verify({ 'webhook-id': 'msg_2' })).toBe(false);
    expect(verify({ 'webhook-timestamp': '1700000001' })).toBe(false);
    expect(verify({ 'webhook-signature': 'v1,' })).toBe(false);
    expect(verify({}, message.body, message.timestamp + 299)).toBe(true);
    expect(verify({}, message.body, message.timestamp + 301)).toBe(false);
  });

  test('do not verify when the parts are cut elsewhere: a body that begins like a time is no time', () => {
    const known = secret();
    const later = message.timestamp + 86_400;
    const headers = signWebhook(hashing, [known], { ...message, body: encodeUtf8(`${later}.evil`) });
    const cut = {
      ...headers,
      'webhook-id': `${message.id}.${message.timestamp}`,
      'webhook-timestamp': String(later),
    };
    expect(verifyWebhook(hashing, [known], cut, encodeUtf8('evil'), later)).toBe(false);
  });

  test('made with no key verify with no secret, and a missing secret throws nothing', () => {
    const noKey = hashing.hmacSha256('', [`${message.id}.${message.timestamp}.`, message.body]);
    const forged = {
      'webhook-id': message.id,
      'webhook-timestamp': String(message.timestamp),
      'webhook-signature': `v1,${Buffer.from(noKey).toString('base64')}`,
    };
    for (const missing of ['', 'whsec_', ' ', 'whsec_ ', '=', 'whsec_!', undefined]) {
      expect(verifyWebhook(hashing, [missing], forged, message.body, message.timestamp)).toBe(false);
      const known = secret();
      const good = signWebhook(hashing, [known], message);
      expect(verifyWebhook(hashing, [missing, known], good, message.body, message.timestamp)).toBe(true);
    }
    expect(() => signWebhook(hashing, ['whsec_'], message)).toThrow('has no key');
  });
});
