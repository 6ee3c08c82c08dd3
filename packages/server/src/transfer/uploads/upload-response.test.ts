import { openLog } from '@millpond/base';
import { newBlobId } from '@millpond/blobs';
import { createOutboundClient } from '@millpond/outbound';
import { reply, startReceiver } from '@millpond/outbound/testing';
import { dialects, Fault, type PolicyFields, parseUploadPolicy } from '@millpond/protocol';
import { describe, expect, test } from 'vitest';
import { Callbacks, type DeliveryStore } from '../../events/deliveries/deliveries.testing.ts';
import { noChildren } from '../../identity/accounts/accounts.testing.ts';
import type { WebhookSecrets } from '../../identity/accounts/index.ts';
import type { Transaction } from '../../platform/db/database.ts';
import { type AnswerDeps, type DescribedUpload, UploadResponses } from './upload-response.ts';

/** What an answer without a callback needs: no engine at all. */
function answers(deps: Partial<AnswerDeps> = {}): UploadResponses {
  return new UploadResponses({
    callbacks: { check: () => undefined },
    deliveries: {},
    inspect: async () => ({}),
    dialect: dialects.svc,
    ownPaths: new Set(['stat', 'v1']),
    ...deps,
  } as AnswerDeps);
}

function upload(fields: PolicyFields = {}): DescribedUpload {
  const policy = parseUploadPolicy(
    Buffer.from(JSON.stringify({ scope: 'bucket', deadline: 4_000_000_000, ...fields })),
  );
  const blobId = newBlobId();
  return {
    permit: { policy, bucket: { name: 'bucket' }, key: { uid: 1n, accessKey: 'ak', secretKey: 'sk' } },
    finished: {
      blobId,
      size: 5,
      hash: 'HASH',
      fileName: 'f.txt',
      customVariables: { 'x:a': 'A' },
      metadata: {},
    },
    description: { key: 'a/"k"', mimeType: 'text/plain' },
    context: { reqid: 'r' },
  } as unknown as DescribedUpload;
}

const answerTo = async (fields: PolicyFields) => (await answers().prepare(upload(fields))).answer();

describe('an answer without a callback', () => {
  test('is hash and key, and nobody keeps it', async () => {
    expect(await answerTo({})).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      body: '{"hash":"HASH","key":"a/\\"k\\""}',
    });
  });

  test('is the template of the policy, which may ask for what is in the content', async () => {
    const asked: string[][] = [];
    const inspect = async (_: unknown, names: ReadonlySet<string>) => {
      asked.push([...names].toSorted());
      return { imageInfo: { width: 7 } };
    };
    const returnBody = '{"w":$(imageInfo.width),"a":$(x:a),"k":$(key),"id":$(persistentId)}';
    const prepared = await answers({ inspect }).prepare(upload({ returnBody }));
    expect(await prepared.answer()).toMatchObject({
      status: 200,
      body: '{"w":7,"a":"A","k":"a/\\"k\\"","id":null}',
    });
    expect(prepared.onCommit).toBeUndefined();
    expect(asked).toEqual([['imageInfo', 'key', 'persistentId', 'x:a']]);
  });

  test('is a redirect where the policy says so, without a body', async () => {
    const { status, headers, body } = await answerTo({
      returnUrl: 'https://e.test/?a=1#b',
      returnBody: '[$(fsize)]',
    });
    expect({ status, body, location: headers.location }).toEqual({
      status: 303,
      body: '',
      location: 'https://e.test/?a=1&upload_ret=WzVd#b',
    });
  });
});

describe('a policy with a callback', () => {
  const refused = (deps: Partial<AnswerDeps>, callbackUrl: string) => {
    try {
      answers(deps).check(upload({ callbackUrl }).permit);
      return false;
    } catch (error) {
      return (error as { fault: string }).fault;
    }
  };

  test('may not have the path of one of our calls where the old signing is accepted [G49 callback-sign-rule-06]', () => {
    const old = { dialect: dialects.qiniu };
    for (const path of ['/stat/x', '/stat', '/stat?x', '/a/../stat/x', '/v1/user/info', '/./v1'])
      expect([path, refused(old, `http://e.test${path}`)]).toEqual([path, 'invalidPolicy']);
    for (const path of ['/', '', '/state', '/x/stat', '//stat/x', '/?stat', '/$(bodySha1)/stat'])
      expect([path, refused(old, `http://e.test${path}`)]).toEqual([path, false]);
    expect(refused(old, 'http://e.test/a;http://e.test/stat/x')).toBe('invalidPolicy');
    expect(refused({}, 'http://e.test/stat/x')).toBe(false);
  });
});

describe('an upload with a callback, whose control database goes away', () => {
  /** Callbacks over a real client; what signs them is there as long as the control database is. */
  async function setUp() {
    const control = { isAway: false };
    const states: string[] = [];
    const deliveries = {
      insert: async () => void states.push('unsent'),
      settle: async (_id: string, state: string) => void states.push(state),
    } as unknown as DeliveryStore;
    const secrets = {
      async of() {
        if (control.isAway) throw new Fault('serverFailure');
        return ['whsec_c2VjcmV0'];
      },
    } as unknown as WebhookSecrets;
    const outbound = createOutboundClient({ allow: ['127.0.0.1/32'] });
    const receiver = await startReceiver(reply(200, '{"told":true}'));
    const shared = {
      store: deliveries,
      outbound,
      secrets,
      tenants: noChildren,
      dialect: dialects.svc,
      log: openLog('silent'),
    };
    const callbacks = new Callbacks(shared);
    const called = upload({ callbackUrl: `${receiver.url}/`, callbackBody: 'key=$(key)' });
    const close = () => Promise.all([outbound.close(), receiver.close()]);
    return { answers: answers({ callbacks, deliveries }), called, control, states, receiver, close };
  }

  test('once it is committed, is answered by the receiver all the same: who is told 599 uploads again', async () => {
    const { answers, called, control, states, close } = await setUp();
    const prepared = await answers.prepare(called);
    await prepared.onCommit?.({} as Transaction, { written: true, putTime: 1n });
    control.isAway = true;
    expect(await prepared.answer()).toMatchObject({ status: 200, body: '{"told":true}' });
    expect(states).toEqual(['unsent', 'delivered']);
    await close();
  });

  test('before that, fails with nothing recorded and nobody called', async () => {
    const { answers, called, control, states, receiver, close } = await setUp();
    control.isAway = true;
    await expect(answers.prepare(called)).rejects.toMatchObject({ status: 599 });
    await expect(answers.fetchKey(called)).rejects.toMatchObject({ status: 599 });
    expect([states, receiver.accepted]).toEqual([[], 0]);
    await close();
  });
});
