/** Fields that start a task: what contradicts itself is refused before anything is stored. */
import { expect, test } from 'vitest';
import { expectNothing } from '../support/expectations.ts';
import { json, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, upload } from '../support/target.ts';

const receiver = useReceiver();
const OPS = { persistentOps: 'avthumb/mp4', persistentNotifyUrl: 'http://example.com/notify' };

/** The policy is refused for this reason, and nothing is stored. */
async function expectRefused(policy: Record<string, unknown>, reason: RegExp): Promise<void> {
  const bucket = await newBucket();
  const answer = await upload({ scope: bucket, ...policy }, 'content', { key: 'k' });
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: 'invalid put policy', hint: expect.stringMatching(reason) },
  ]);
  await expectNothing(bucket, 'k');
}

test('persistentOps needs persistentNotifyUrl [policy-ops-01 policy-ops-rule-01]', async () => {
  await expectRefused({ persistentOps: 'avthumb/mp4' }, /notify url not specified/);
  await expectRefused({ ...OPS, persistentNotifyUrl: '' }, /notify url not specified/);
  await expectRefused({ ...OPS, persistentNotifyUrl: 'ftp://example.com/' }, /persistentNotifyUrl must be/);
});

test('persistentOps and a workflow template exclude each other [policy-ops-02 policy-ops-rule-02]', async () => {
  await expectRefused({ ...OPS, persistentWorkflowTemplateID: 'wf' }, /cannot be combined/);
});

test('persistentType is 0 or 1, and 1 goes without a pipeline [policy-ops-rule-03]', async () => {
  for (const persistentType of [2, -1, 0.5, '1'])
    await expectRefused({ ...OPS, persistentType }, /^persistentType must be/);
  const idle = { ...OPS, persistentType: 1, persistentPipeline: 'mine' };
  await expectRefused(idle, /idle-time task .* cannot name a persistentPipeline/);
});

test('objects of the archive classes can not be processed [policy-ops-rule-04]', async () => {
  for (const fileType of [2, 3]) await expectRefused({ ...OPS, fileType }, /archive objects/);
});

test('a callback needs a body where there is a task to tell of [upload-09 callback-rule-15 G6]', async () => {
  const endpoint = receiver.at(json({}));
  const callback = { callbackUrl: endpoint.url };
  await expectRefused({ ...OPS, ...callback }, /callbackUrl needs callbackBody/);
  await expectRefused({ ...OPS, ...callback, callbackBody: '' }, /callbackUrl needs callbackBody/);
  const template = { persistentWorkflowTemplateID: 'wf', persistentNotifyUrl: OPS.persistentNotifyUrl };
  await expectRefused({ ...template, ...callback }, /callbackUrl needs callbackBody/);
  expect(endpoint.requests).toEqual([]);
});
