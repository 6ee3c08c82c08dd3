import { randomBytes } from 'node:crypto';
import { signedFetch } from '@millpond/testing';
import { describe, expect, test } from 'vitest';
import { expectNothing, expectRefusal, expectStored } from '../support/expectations.ts';
import { download, newBucket, target, upload } from '../support/target.ts';

const { url, account, stranger } = target;

function create(name: string, region = 'z0', keys = account): Promise<Response> {
  return signedFetch(url, keys, `/mkbucketv3/${name}/region/${region}`);
}

/** A name that nobody has, of this length. */
function freshName(length = 14): string {
  return `b${randomBytes(32).toString('hex')}`.slice(0, length);
}

test('an object is found in the bucket of its scope and in no other [bucket-01]', async () => {
  const [here, there] = [await newBucket(), await newBucket()];
  await expectStored(await upload({ scope: here }, 'content', { key: 'k' }), here, 'k', 'content');
  await expectNothing(there, 'k');
});

describe('creating a bucket', () => {
  test('a signed call answers 200, empty, and an upload to it succeeds [bucket-create-01]', async () => {
    const name = freshName();
    const answer = await create(name);
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(answer.headers.get('content-type')).toBe('application/json');
    await expectStored(await upload({ scope: name }, 'content', { key: 'k' }), name, 'k', 'content');
  });

  test('names have 3 to 63 characters [bucket-create-02]', async () => {
    for (const name of [
      freshName(3),
      freshName(63),
      `${freshName(20)}-${freshName(4)}--9`,
      `9${freshName(5)}`,
    ]) {
      const answer = await create(name);
      expect([name, answer.status]).toEqual([name, 200]);
    }
    for (const name of [freshName(1), freshName(2), freshName(64), freshName(65).repeat(10)])
      await expectRefusal(await create(name), 400, 'invalid bucket name');
  });

  test('upper case, _, . or a - at either end answer 400 [bucket-create-03]', async () => {
    const name = freshName(8);
    const bad = [
      `${name}A`,
      `${name}_a`,
      `${name}.a`,
      `-${name}`,
      `${name}-`,
      `${name}%20`,
      `${name}%C3%A9`,
      `${name}:k`,
    ];
    for (const wrong of bad) await expectRefusal(await create(wrong), 400, 'invalid bucket name');
  });

  test('names that our routes use answer 400 [bucket-create-04]', async () => {
    const routes = [
      'stat',
      'delete',
      'copy',
      'move',
      'chgm',
      'chtype',
      'batch',
      'list',
      'fetch',
      'prefetch',
      'pfop',
      'mkbucketv3',
      'buckets',
      'drop',
      'private',
      'image',
      'mkblk',
      'bput',
      'mkfile',
      'status',
      'oauth2',
    ];
    for (const name of routes) await expectRefusal(await create(name), 400, 'invalid bucket name');
  });

  test('a name that exists answers 614, here and with another account [bucket-create-05]', async () => {
    const name = freshName();
    expect((await create(name)).status).toBe(200);
    await expectRefusal(await create(name), 614, 'the bucket already exists and you own it.');
    await expectRefusal(await create(name, 'z0', stranger), 614, 'the bucket already exists');
    await expectStored(await upload({ scope: name }, 'content', { key: 'k' }), name, 'k', 'content');
  });

  test('of two accounts that race for a name one gets it [bucket-create-05]', async () => {
    const name = freshName();
    const answers = await Promise.all([create(name), create(name, 'z0', stranger), create(name)]);
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 614, 614]);
  });

  test('an unknown region answers 400 and creates nothing [bucket-create-06]', async () => {
    const name = freshName();
    for (const region of ['z9', '', 'Z0', 'z0%20'])
      await expectRefusal(await create(name, region), 400, 'incorrect region');
    expect((await create(name)).status).toBe(200);
  });

  test('a path of another form answers 400 and creates nothing [bucket-create-01]', async () => {
    const name = freshName();
    for (const path of [
      `/mkbucketv3/${name}`,
      `/mkbucketv3/${name}/zone/z0`,
      `/mkbucketv3/${name}/region/z0/more`,
    ])
      await expectRefusal(await signedFetch(url, account, path), 400, 'invalid argument');
    expect((await create(name)).status).toBe(200);
  });

  test('a new bucket is public [bucket-create-07]', async () => {
    const name = freshName();
    await create(name);
    await upload({ scope: name }, 'for everybody', { key: 'k' });
    const answer = await download(name, 'k');
    expect([answer.status, await answer.text()]).toEqual([200, 'for everybody']);
  });

  test('that is to be private takes one call [bucket-create-09]', async () => {
    const [name, other] = [freshName(), freshName()];
    expect((await create(name, 'z0/private/true')).status).toBe(200);
    await upload({ scope: name }, 'for few', { key: 'k' });
    expect((await download(name, 'k')).status).toBe(401);
    expect((await create(other, 'z0/private/maybe')).status).toBe(400);
    expect((await create(other, 'z0/private/false')).status).toBe(200);
    await upload({ scope: other }, 'for everybody', { key: 'k' });
    expect((await download(other, 'k')).status).toBe(200);
  });

  test('an invalid credential answers 401 and creates nothing [bucket-create-08]', async () => {
    const name = freshName();
    await expectRefusal(await create(name, 'z0', { ...account, secretKey: 'wrong' }), 401, 'bad token');
    await expectRefusal(
      await fetch(`${url}/mkbucketv3/${name}/region/z0`, { method: 'POST' }),
      401,
      'bad token',
    );
    expect((await create(name, 'z0', stranger)).status).toBe(200);
  });
});
