/** Both signatures of a callback, verified with the library's verifier and by hand. */
import { createHmac } from 'node:crypto';
import { verifyCallbackRequest } from '@millpond/client';
import { dialects, verifyCallback, verifyWebhook } from '@millpond/protocol';
import { createBucket, hashing, uploadForm, uploadToken } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { createParent, operate } from '../support/accounts/operator.ts';
import { newKey, webhookSecrets } from '../support/receivers/callbacks.ts';
import { json, type Received, useReceiver } from '../support/receivers/receiver.ts';
import { startExtraGateway } from '../support/running/extra-gateway.ts';
import { newBucket, target, upload } from '../support/target.ts';

const receiver = useReceiver();
const { account } = target;
const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** The request of a callback with this body, from an upload of the main account. */
async function received(policy: Record<string, unknown>, path?: string): Promise<Received> {
  const endpoint = receiver.at(json({}), path);
  const bucket = await newBucket();
  const answer = await upload({ scope: bucket, callbackUrl: endpoint.url, ...policy }, 'content', {
    key: 'k',
  });
  expect(answer.status, await answer.text()).toBe(200);
  return endpoint.only;
}

/** As a receiver in any language would: HMAC-SHA1, Base64 with `-` and `_`. */
function byHand(secretKey: string, text: string): string {
  const sign = createHmac('sha1', secretKey).update(text).digest('base64');
  return sign.replaceAll('+', '-').replaceAll('/', '_');
}

/** A form body as the signature has it. */
const encoded = (body: Buffer) => body.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

function verifies(request: Received, changes: Partial<Received> = {}, keys = account): boolean {
  const { target: path, headers, body } = { ...request, ...changes };
  const signed = { target: path, contentType: headers['content-type'], body };
  return verifyCallback(hashing, keys, signed, headers.authorization, dialects.svc);
}

describe('the callback signature', () => {
  test('of a form is over path and body, by the key of the upload [callback-sign-01 callback-sign-02 callback-sign-03 callback-sign-rule-01]', async () => {
    const request = await received({ callbackBody: 'key=$(key)&hash=$(etag)&name=$(x:none)' });
    const sign = byHand(account.secretKey, `${request.target}\n${encoded(request.body)}`);
    expect(request.headers.authorization).toBe(`SvcCb ${account.accessKey}:${sign}`);
    expect(sign).toMatch(/^[\w-]{27}=$/);
    expect(request.text).toMatch(/^key=k&hash=F[\w-]{27}&name=$/);
    expect(verifies(request)).toBe(true);
  });

  test('of a form does not verify over another body, path or secret [callback-sign-04 callback-sign-06 callback-sign-07]', async () => {
    const request = await received({ callbackBody: 'key=$(key)' });
    expect(verifies(request)).toBe(true);
    expect(verifies(request, { body: Buffer.from(`${request.text}x`) })).toBe(false);
    expect(verifies(request, { body: Buffer.alloc(0) })).toBe(false);
    expect(verifies(request, { target: `${request.target}/` })).toBe(false);
    expect(verifies(request, { target: `${request.target}?a=1` })).toBe(false);
    expect(verifies(request, {}, { ...account, secretKey: `${account.secretKey}x` })).toBe(false);
    expect(verifies(request, {}, { ...account, accessKey: target.stranger.accessKey })).toBe(false);
  });

  test('of JSON is over the path alone [callback-sign-05]', async () => {
    const request = await received({ callbackBody: '{"key":$(key)}', callbackBodyType: JSON_TYPE });
    expect(request.text).toBe('{"key":"k"}');
    const sign = byHand(account.secretKey, `${request.target}\n`);
    expect(request.headers.authorization).toBe(`SvcCb ${account.accessKey}:${sign}`);
    expect(verifies(request)).toBe(true);
    expect(verifies(request, { body: Buffer.from('{"key":"other"}') })).toBe(true);
    expect(verifies(request, { target: '/other' })).toBe(false);
  });

  test('covers the query of the callback URL [callback-sign-rule-02]', async () => {
    const path = '/with%20a/query?tenant=7&x=a%2Fb&empty=';
    const request = await received({ callbackBody: 'k=1' }, path);
    expect(request.target).toBe(path);
    expect(request.headers.authorization).toBe(
      `SvcCb ${account.accessKey}:${byHand(account.secretKey, `${path}\n${encoded(Buffer.from('k=1'))}`)}`,
    );
    expect(verifies(request, { target: path.replace('7', '8') })).toBe(false);
  });

  test('covers the body where the type is exactly that of forms [callback-sign-rule-04]', async () => {
    for (const type of [`${FORM}; charset=utf-8`, FORM.toUpperCase()]) {
      const request = await received({ callbackBody: 'k=1', callbackBodyType: type });
      expect(request.headers['content-type']).toBe(type);
      expect(request.headers.authorization).toBe(
        `SvcCb ${account.accessKey}:${byHand(account.secretKey, `${request.target}\n`)}`,
      );
      expect(verifies(request)).toBe(true);
    }
  });

  test('is by the key that signed the upload token, not by another of the account [callback-sign-rule-05]', async () => {
    const person = await createParent();
    const printed = await operate(['key', 'create', person.email, '--kind', 'user', '--json']);
    const second = JSON.parse(printed) as { accessKey: string; secretKey: string };
    const bucket = `b-${newKey()}`;
    await createBucket(target.url, person, bucket);
    for (const keys of [person, second]) {
      const endpoint = receiver.at(json({}));
      const token = uploadToken(keys, { scope: bucket, callbackUrl: endpoint.url, callbackBody: 'k=$(key)' });
      const answer = await uploadForm(target.url, 'content', { token, key: 'k' });
      expect(answer.status).toBe(200);
      expect(endpoint.only.headers.authorization).toMatch(new RegExp(`^SvcCb ${keys.accessKey}:`));
      expect(verifies(endpoint.only, {}, { ...person, ...keys })).toBe(true);
    }
  });

  test('of a form is over the URL-safe Base64 of the body, in the dialect qiniu over its bytes, and a setting says otherwise [callback-sign-rule-03]', async () => {
    const signedBy = async (settings: Readonly<Record<string, string>>) => {
      const { url } = await startExtraGateway(settings);
      const [bucket, endpoint] = [await newBucket(), receiver.at(json({}))];
      const token = uploadToken(account, {
        scope: bucket,
        callbackUrl: endpoint.url,
        callbackBody: 'name=$(fname)&n=??>>',
      });
      const answer = await uploadForm(url, 'content', { token, key: 'k', fileName: 'ü' });
      expect(answer.status).toBe(200);
      const { target: path, body, headers, text } = endpoint.only;
      const [, word, sign] = /^(\w+) [^:]+:(.*)$/.exec(headers.authorization ?? '') ?? [];
      const forms = { raw: text, base64url: encoded(body) };
      const found = Object.entries(forms).filter(
        ([, form]) => byHand(account.secretKey, `${path}\n${form}`) === sign,
      );
      const request = { method: 'POST', url: path, headers, body };
      const dialect = word === 'QBox' ? 'qiniu' : 'svc';
      return [
        word,
        ...found.map(([name]) => name),
        verifyCallbackRequest(request, { keys: [account], dialect }),
      ];
    };
    const signedBody = (form: string) => ({ MILLPOND_CALLBACK_SIGNED_BODY: form });
    const qiniu = { MILLPOND_DIALECT: 'qiniu' };
    expect(await signedBy({})).toEqual(['SvcCb', 'base64url', true]);
    expect(await signedBy(qiniu)).toEqual(['QBox', 'raw', true]);
    expect(await signedBy(signedBody('raw'))).toEqual(['SvcCb', 'raw', false]);
    expect(await signedBy({ ...qiniu, ...signedBody('base64url') })).toEqual(['QBox', 'base64url', false]);
  });
});

describe('the Standard Webhooks headers', () => {
  test.each([
    [FORM, 'key=$(key)'],
    [JSON_TYPE, '{"key":$(key),"size":$(fsize)}'],
  ])(
    'of a callback of type %s cover its body [callback-sign-rule-07 G10]',
    async (callbackBodyType, callbackBody) => {
      const before = Math.floor(Date.now() / 1000) - 5;
      const { headers, body, text } = await received({ callbackBody, callbackBodyType });
      const secrets = await webhookSecrets();
      expect(secrets).toEqual([expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
      const now = Math.floor(Date.now() / 1000);
      expect(verifyWebhook(hashing, secrets, headers, body, now)).toBe(true);
      expect(verifyWebhook(hashing, secrets, headers, Buffer.from(`${text} `), now)).toBe(false);
      expect(verifyWebhook(hashing, secrets, headers, body, now + 3600)).toBe(false);
      expect(verifyWebhook(hashing, ['whsec_AAAA'], headers, body, now)).toBe(false);

      const [id, timestamp] = [headers['webhook-id'] ?? '', headers['webhook-timestamp'] ?? ''];
      const key = Buffer.from((secrets[0] ?? '').slice('whsec_'.length), 'base64');
      const sign = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
      expect(headers['webhook-signature']).toBe(`v1,${sign}`);
      expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
    },
  );

  test('have an id of their own for each callback, and one for the tries of one [callback-sign-rule-07]', async () => {
    const bucket = await newBucket();
    const [bad, good] = [receiver.at(json({}, 500)), receiver.at(json({}))];
    const policy = { scope: bucket, callbackUrl: `${bad.url};${good.url}` };
    for (let i = 0; i < 2; i++) expect((await upload(policy, 'content', { key: 'k' })).status).toBe(200);
    const ids = (requests: readonly Received[]) => requests.map(({ headers }) => headers['webhook-id']);
    expect(ids(bad.requests)).toEqual(ids(good.requests));
    expect(new Set(ids(good.requests)).size).toBe(2);
  });
});

test('two accounts have two webhook secrets, and who looked is in the audit log', async () => {
  const [one, two] = [await createParent(), await createParent()];
  const [first, second] = [await webhookSecrets(one.email), await webhookSecrets(two.email)];
  expect(first).not.toEqual(second);
  expect(await webhookSecrets(one.email)).toEqual(first);
  const acts = await operate(['audit', '--target', one.email, '--action', 'account.webhook', '--json']);
  expect(acts.trimEnd().split('\n')).toHaveLength(2);
  expect(acts).not.toContain('whsec_');
});
