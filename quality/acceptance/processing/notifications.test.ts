import { beforeAll, expect, test, vi } from 'vitest';
import { ended, image, prefop, put, saveas, submitted, type Task } from '../support/objects/processing.ts';
import { type Endpoint, json, useReceiver } from '../support/receivers/receiver.ts';
import { newBucket, upload } from '../support/target.ts';

const receiver = useReceiver();
const SHRINK = 'imageView2/2/w/100';
let bucket: string;

beforeAll(async () => {
  bucket = await newBucket();
  await put(bucket, 'image', await image());
});

async function told(endpoint: Endpoint): Promise<Task> {
  await vi.waitFor(() => expect(endpoint.requests).not.toEqual([]), { timeout: 300_000, interval: 50 });
  return JSON.parse(endpoint.only.text) as Task;
}

test('notifyURL gets a POST of JSON, the status record, when all is done [pfop-16 notify-02 notify-03 notify-rule-01 notify-rule-02]', async () => {
  const codes: number[] = [];
  const endpoint = receiver.at(async (response, received) => {
    codes.push(((await prefop(JSON.parse(received.text).id)).json() as Task).code);
    json({})(response, received);
  });
  const fops = `${SHRINK}|${saveas(bucket, 'one')};imageInfo|${saveas(bucket, 'two')}`;
  const id = await submitted({ bucket, key: 'image', fops, notifyURL: endpoint.url });
  const record = await told(endpoint);
  expect([endpoint.only.method, endpoint.only.headers['content-type']]).toEqual(['POST', 'application/json']);
  expect(record.items.map((item) => item.code)).toEqual([0, 0]);
  expect(record).toEqual((await prefop(id)).json());
  // The receiver asks beside the test.
  await expect.poll(() => codes).toEqual([0]);
});

test('persistentNotifyUrl is told of a task that an upload started [notify-01]', async () => {
  const endpoint = receiver.at(json({}));
  const policy = { scope: bucket, persistentOps: SHRINK, persistentNotifyUrl: endpoint.url };
  await upload(policy, await image('300x200'), { key: 'uploaded' });
  expect(await told(endpoint)).toMatchObject({ code: 0, inputKey: 'uploaded' });
});

test('a failed task is told too [notify-05]', async () => {
  const endpoint = receiver.at(json({}));
  await put(bucket, 'text', Buffer.from('no image'));
  await submitted({ bucket, key: 'text', fops: SHRINK, notifyURL: endpoint.url });
  expect(await told(endpoint)).toMatchObject({ code: 3, items: [{ code: 3 }] });
});

test('without a URL nothing is sent [notify-04]', async () => {
  const endpoint = receiver.at(json({}));
  const first = await submitted({ bucket, key: 'image', fops: SHRINK, force: '1' });
  await ended(first);
  // What is told later than the next task's end would have been told by then.
  await submitted({ bucket, key: 'image', fops: 'imageInfo', force: '1', notifyURL: endpoint.url });
  const { id } = await told(endpoint);
  expect(id).not.toBe(first);
  expect(endpoint.requests).toHaveLength(1);
});

test('a receiver that fails never shows in the code, and is told again [task-rule-04 G30]', async () => {
  let tries = 0;
  const endpoint = receiver.at((response, received) => {
    tries++;
    if (tries === 1) response.writeHead(500).end();
    else json({})(response, received);
  });
  const id = await submitted({ bucket, key: 'image', fops: SHRINK, force: '1', notifyURL: endpoint.url });
  expect((await ended(id)).code).toBe(0);
  await vi.waitFor(() => expect(endpoint.requests).toHaveLength(2), { timeout: 300_000, interval: 100 });
  const [first, second] = endpoint.requests;
  expect(second?.text).toBe(first?.text);
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(((await prefop(id)).json() as Task).code).toBe(0);
});
