/** Styles of a bucket, and buckets that take no other commands. */
import { signedFetch } from '@millpond/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { ask, decoded, putStyle, setStyles, signedTarget, styleCall } from '../support/objects/images.ts';
import { downloadPath } from '../support/objects/objects.ts';
import { image, put } from '../support/objects/processing.ts';
import { rawFetch } from '../support/raw.ts';
import { secureSend } from '../support/running/secure.ts';
import { sendSigned } from '../support/signing.ts';
import { newBucket, target } from '../support/target.ts';

const source = image('400x300');
let bucket: string;
let path: string;

beforeEach(async () => {
  bucket = await newBucket();
  await put(bucket, 'cat.png', await source);
  path = downloadPath(bucket, 'cat.png');
});

describe('a style', () => {
  test('answers the same as its command, by its name after the key [picture-02]', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    const styled = await ask(`${path}-small`);
    expect(await decoded(styled)).toEqual({ size: '80x60', codec: 'png' });
    const written = await ask(path, 'imageView2/2/w/80');
    expect(styled.header('etag')).toBe(written.header('etag'));
    expect(styled.body.equals(written.body)).toBe(true);
    const head = await ask(`${path}-small`, '', { method: 'HEAD' });
    expect(head.header('content-length')).toBe(String(styled.body.length));
  });

  test('is told of with its bucket [picture-02]', async () => {
    const info = async () =>
      (await signedFetch(target.url, target.account, `/v2/bucketInfo?bucket=${bucket}`)).json();
    expect(await info()).toMatchObject({ separator: '-', styles: {} });
    await setStyles(bucket, { separator: '!' });
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    expect(await info()).toMatchObject({ separator: '!', styles: { small: 'imageView2/2/w/80' } });
  });

  test('that is changed or deleted counts at once; a missing object or style is 404 [picture-02]', async () => {
    await putStyle(bucket, 'it', 'imageView2/2/w/80');
    expect(await decoded(await ask(`${path}-it`))).toMatchObject({ size: '80x60' });
    await putStyle(bucket, 'it', 'imageView2/2/w/40|imageMogr2/rotate/90');
    expect(await decoded(await ask(`${path}-it`))).toMatchObject({ size: '30x40' });
    expect((await ask(`${downloadPath(bucket, 'dog.png')}-it`)).status).toBe(404);
    expect((await ask(`${path}-other`)).status).toBe(404);
    expect((await styleCall('DELETE', bucket, 'it')).status).toBe(200);
    expect((await ask(`${path}-it`)).status).toBe(404);
    expect((await styleCall('DELETE', bucket, 'it')).status).toBe(404);
  });

  test('never hides an object of that very key', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    await put(bucket, 'cat.png-small', await image('20x10'));
    expect(await decoded(await ask(`${path}-small`))).toMatchObject({ size: '20x10' });
  });

  test('stands behind the separator of the bucket', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    await setStyles(bucket, { separator: '!' });
    expect((await ask(`${path}-small`)).status).toBe(404);
    expect(await decoded(await ask(`${path}!small`))).toMatchObject({ size: '80x60' });
    await setStyles(bucket, { separator: '/' });
    expect(await decoded(await ask(`${path}/small`))).toMatchObject({ size: '80x60' });
  });

  test('of a private bucket needs a signed URL', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    await sendSigned({ target: '/private', body: `bucket=${bucket}&private=1` });
    expect((await ask(`${path}-small`)).status).toBe(401);
    const answer = await rawFetch({ target: signedTarget(`${path}-small`) });
    expect(await decoded(answer)).toMatchObject({ size: '80x60' });
    expect((await rawFetch({ target: signedTarget(path).replace('?', '-small?') })).status).toBe(401);
  });
});

describe('a bucket', () => {
  test('that takes only its styles answers 403 to commands, signed or not [picture-03]', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    await setStyles(bucket, { allow: 'styles' });
    for (const query of ['imageView2/2/w/81', 'imageView2/2/w/80', 'imageInfo']) {
      const answer = await ask(path, query);
      expect([answer.status, answer.json()]).toMatchObject([403, { error: 'not allowed' }]);
    }
    expect((await rawFetch({ target: signedTarget(`${path}?imageView2/2/w/81`) })).status).toBe(403);
    expect(await decoded(await ask(`${path}-small`))).toMatchObject({ size: '80x60' });
    expect((await ask(path)).status).toBe(200);
    await setStyles(bucket, { allow: 'all' });
    expect(await decoded(await ask(path, 'imageView2/2/w/81'))).toMatchObject({ size: '81x61' });
  });

  test('that takes only signed commands answers 403 to others [picture-03]', async () => {
    await putStyle(bucket, 'small', 'imageView2/2/w/80');
    await setStyles(bucket, { allow: 'signed' });
    const refused = await ask(path, 'imageView2/2/w/84');
    expect([refused.status, refused.json()]).toMatchObject([403, { error: 'not allowed' }]);
    const signed = signedTarget(`${path}?imageView2/2/w/84`);
    expect(await decoded(await rawFetch({ target: signed }))).toMatchObject({ size: '84x63' });
    expect((await rawFetch({ target: signed.replace('w/84', 'w/83') })).status).toBe(403);
    const strangers = signedTarget(`${path}?imageView2/2/w/84`, target.stranger);
    expect((await rawFetch({ target: strangers })).status).toBe(403);
    // Kept by now, and no way round the rule.
    expect((await ask(path, 'imageView2/2/w/84')).status).toBe(403);
    expect(await decoded(await ask(`${path}-small`))).toMatchObject({ size: '80x60' });
  });
});

describe('calls', () => {
  test('a bucket tells its separator, what it allows, and its styles by name', async () => {
    expect((await styleCall('GET', bucket)).json()).toEqual({ separator: '-', allow: 'all', items: [] });
    await putStyle(bucket, 'z', 'imageInfo');
    await putStyle(bucket, 'a.b', 'imageView2/1/w/9');
    await setStyles(bucket, { separator: '_', allow: 'signed' });
    const answer = await styleCall('GET', bucket);
    expect(answer.header('cache-control')).toBe('no-store');
    expect(answer.json()).toEqual({
      separator: '_',
      allow: 'signed',
      items: [
        { name: 'a.b', command: 'imageView2/1/w/9' },
        { name: 'z', command: 'imageInfo' },
      ],
    });
  });

  test.each([
    ['a bad name', 'a!b', { command: 'imageInfo' }],
    ['no command', 'a', {}],
    ['a command that is none', 'a', { command: 'imageView2/9' }],
    ['a command that is not offered by URL', 'a', { command: 'avthumb/mp4' }],
    ['a place for the result', 'a', { command: 'imageInfo|saveas/Yjpr' }],
    ['an unknown separator', undefined, { separator: '??' }],
    ['an unknown rule', undefined, { allow: 'none' }],
  ])('%s is 400', async (_what, name, body) => {
    const answer = await styleCall('PUT', bucket, name, body);
    expect([answer.status, answer.json()]).toMatchObject([400, { hint: expect.stringMatching(/./) }]);
  });

  test('they need HTTPS, and somebody else’s bucket is not there', async () => {
    const call = { method: 'GET', target: `/v1/buckets/${bucket}/styles`, contentType: null };
    expect((await sendSigned(call)).status).toBe(400);
    expect((await secureSend(call)).status).toBe(401);
    const strange = await styleCall('GET', bucket, undefined, undefined, { keys: target.stranger });
    expect([strange.status, strange.json()]).toEqual([631, { error: 'no such bucket' }]);
  });
});
